"""Several nodes of one chain, of which one is asked at a time: the next one when it is lost, behind or wrong."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable, Sequence
from typing import Any

from indexer.model import Chain
from indexer.node.client import Node, NodeError, NodeLost

log = logging.getLogger("chainboard.indexer")


class Nodes(Node):
    """Stands for one of them. For one that is on another chain than the first that answered only when all are."""

    def __init__(self, nodes: Sequence[Node], first: Nodes | None = None) -> None:
        """With `first`, another that stands for the same nodes, the chain is the one that it wants."""
        self._nodes, self._at = list(nodes), 0
        self._first = first or self
        self._chain: Chain | None = None
        self._trusted: Chain | None = None
        self._strays: set[int] = set()
        self.ours = False

    def with_own_connections(self) -> Nodes:
        return Nodes([node.with_own_connections() for node in self._nodes], self._first)

    @property
    def url(self) -> str:  # type: ignore[override]
        return self._nodes[self._at].url

    def turn(self) -> bool:
        self._at = (self._at + 1) % len(self._nodes)
        self._trusted = None
        return len(self._nodes) > 1

    def expect(self, chain: Chain) -> None:
        self._chain, self._trusted = chain, None
        self._strays.clear()

    async def chain(self) -> Chain:
        """Which chain they are on, by the first one that answers."""
        for _ in self._nodes[1:]:
            with contextlib.suppress(NodeLost, NodeError):
                return await self._identify()
        return await self._identify()

    async def _identify(self) -> Chain:
        try:
            found = await self._nodes[self._at].chain()
        except (NodeLost, NodeError):
            self.turn()
            raise
        self._chain = self._chain or found
        self._trusted = self._first._chain
        return found

    async def request(self, method: str, params: Sequence[Any] = ()) -> Any:
        return await self._turning(lambda node: node.request(method, params))

    async def requests(self, calls: Sequence[tuple[str, Sequence[Any]]]) -> list[Any]:
        answers: list[Any] = await self._turning(lambda node: node.requests(calls))
        return answers

    async def _turning(self, ask: Callable[[Node], Any]) -> Any:
        await self._trust()
        try:
            return await ask(self._nodes[self._at])
        except NodeLost as error:
            if self.turn():
                log.warning("%s; asking %s", error, self.url)
            raise

    async def _trust(self) -> None:
        wanted = self._first._chain
        if wanted in (None, self._trusted) or len(self._nodes) == 1:
            return
        node = self._nodes[self._at]
        try:
            found = await node.chain()
        except (NodeLost, NodeError) as error:
            self.turn()
            raise NodeLost(node.url, str(error)) from error
        if found == wanted:
            self._strays.clear()
        else:
            self._strays.add(self._at)
            if len(self._strays) < len(self._nodes):  # where all are on another chain, who follows must see it
                self.turn()
                raise NodeLost(node.url, f"it is on chain {found.chain_id} (genesis {found.genesis})")
        self._trusted = wanted

    async def listen(self, ring: Callable[[], None]) -> None:
        """Rings at each new head of any of them."""
        async with asyncio.TaskGroup() as group:
            for node in self._nodes:
                group.create_task(node.listen(ring))

    async def aclose(self) -> None:
        for node in self._nodes:
            await node.aclose()
