"""A chain that is accessed through its node. The model of a rollup uses it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

from indexer.model import Json
from indexer.node.client import Node


class DevelopmentChain(Protocol):
    """Sends requests to a development chain, not through the fault proxy. `node` can change."""

    @property
    def node(self) -> Node: ...

    async def request(self, method: str, *params: Any) -> Any:
        """Send a request. Raises NodeError if the node returns an error."""
        return await self.node.request(method, params)

    async def head(self) -> Json:
        return dict(await self.request("eth_getBlockByNumber", "latest", False))

    async def height(self) -> int:
        return int(await self.request("eth_blockNumber"), 16)

    async def blocks(self, first: int, last: int) -> list[Json]:
        """Return the blocks from height `first` to height `last`. If the chain is shorter, return
        the blocks up to its head. Each block contains the hashes of its transactions."""
        calls = [("eth_getBlockByNumber", (hex(height), False)) for height in range(first, last + 1)]
        return [one for one in await self.node.requests(calls) if one is not None]

    async def mine(self, blocks: int = 1) -> None:
        await self.request("anvil_mine", hex(blocks))


@dataclass(frozen=True, slots=True)
class NodeChain(DevelopmentChain):
    """A chain on a node that the caller has started. This class doesn't start or stop the node."""

    node: Node
