"""Checks whether the node is on the expected chain. A chain is identified by its id, its genesis
hash, and the blocks and code of our contracts.

The head's height isn't enough. A low head can mean a restarted chain, a lagging node or a deep
reorg."""

from __future__ import annotations

from collections.abc import Iterable

from eth_utils.crypto import keccak

from indexer.model import Chain, Deployment, WrongChain
from indexer.node.client import Node


class ChainIdentity:
    """Compares the node's chain with the expected chain and its contracts."""

    def __init__(self, node: Node, chain: Chain | None, deployments: Iterable[Deployment]) -> None:
        self._node, self._chain, self._deployments = node, chain, list(deployments)

    async def check_chain(self) -> Chain | None:
        """Return the node's chain, or None if no chain is expected. Raises WrongChain if the node's
        chain has a different id or genesis hash."""
        if self._chain is None:
            return None
        found = await self._node.chain()
        if found != self._chain:
            raise WrongChain(self._chain, found)
        return found

    async def check(self) -> None:
        """Raise WrongChain unless the node is on the expected chain and that chain has our
        contracts. A contract that a reorg moved to a later block also counts."""
        found = await self.check_chain()
        if found is None or self._chain is None:
            return
        for one in self._deployments:
            if not await self._is_on_chain(one):
                why = f"{one.contract} is not at {one.address} there"
                raise WrongChain(self._chain, found, why)

    async def _is_on_chain(self, one: Deployment) -> bool:
        """Return True if the contract is on the node's chain: either its block is there, or its
        code is at its address after a reorg."""
        block = await self._node.block(one.height)
        if block is not None and block.hash == one.block_hash:
            return True
        code = await self._node.request("eth_getCode", (one.address, "latest"))
        return "0x" + keccak(hexstr=str(code)).hex() == one.code_hash
