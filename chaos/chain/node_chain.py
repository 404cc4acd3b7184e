"""A chain by its node: what the model of a rollup wants of it, whoever started it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

from indexer.model import Json
from indexer.node.client import Node


class DevelopmentChain(Protocol):
    """A development chain's requests, past any proxy. `node` may become another."""

    @property
    def node(self) -> Node: ...

    async def request(self, method: str, *params: Any) -> Any:
        """Raises NodeError for an error answer."""
        return await self.node.request(method, params)

    async def head(self) -> Json:
        return dict(await self.request("eth_getBlockByNumber", "latest", False))

    async def height(self) -> int:
        return int(await self.request("eth_blockNumber"), 16)

    async def blocks(self, first: int, last: int) -> list[Json]:
        """The blocks with the hashes of their transactions; fewer when the chain ends before."""
        calls = [("eth_getBlockByNumber", (hex(height), False)) for height in range(first, last + 1)]
        return [one for one in await self.node.requests(calls) if one is not None]

    async def mine(self, blocks: int = 1) -> None:
        await self.request("anvil_mine", hex(blocks))


@dataclass(frozen=True, slots=True)
class NodeChain(DevelopmentChain):
    """A chain that somebody else started."""

    node: Node
