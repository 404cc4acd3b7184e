"""Uses several nodes of one chain, one at a time.

If the current node is unavailable, behind or wrong, the next node replaces it."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable, Sequence
from typing import Any

from indexer.model import Chain
from indexer.node.client import Node, NodeError, NodeOnWrongChain, NodeUnavailable
from indexer.node.limits import Limits
from indexer.node.pacer import Pacer

log = logging.getLogger("chainboard.indexer")


class FailoverNode(Node):
    """A client for several nodes, which is used like a client for one node.

    The first node that answers determines the chain. A node on a different chain is used only if no
    node is on the right chain. If a node rejects requests because of its rate limit, a request
    waits up to its timeout. After that, the client switches to the next node."""

    def __init__(self, nodes: Sequence[Node], primary: FailoverNode | None = None) -> None:
        """`primary`: an existing client for the same nodes. Both clients accept only the chain
        of `primary`."""
        self._nodes, self._current = list(nodes), 0
        self._primary = primary or self
        self._chain: Chain | None = None
        self._trusted: Chain | None = None
        self._wrong_chain: set[int] = set()
        self.is_ours = False

    def with_own_connections(self) -> FailoverNode:
        """Return a second client for the same nodes and chain, with its own connections."""
        return FailoverNode([node.with_own_connections() for node in self._nodes], self._primary)

    @property
    def url(self) -> str:  # type: ignore[override]
        return self._nodes[self._current].url

    @property
    def limits(self) -> Limits:  # type: ignore[override]
        return self._nodes[self._current].limits

    @property
    def pacer(self) -> Pacer:  # type: ignore[override]
        return self._nodes[self._current].pacer

    @property
    def is_listening(self) -> bool:
        return self._nodes[self._current].is_listening

    def failover(self) -> bool:
        """Switch to the next node, whose chain is checked before it is used. Return False if there
        is no other node."""
        self._current = (self._current + 1) % len(self._nodes)
        self._trusted = None
        return len(self._nodes) > 1

    def expect_chain(self, chain: Chain) -> None:
        """Reject nodes on any other chain from now on."""
        self._chain, self._trusted = chain, None
        self._wrong_chain.clear()

    async def chain(self) -> Chain:
        """Return the chain of the first node that answers, or raise the last node's error."""
        for _ in self._nodes[1:]:
            with contextlib.suppress(NodeUnavailable, NodeError):
                return await self._identify()
        return await self._identify()

    async def _identify(self) -> Chain:
        try:
            found = await self._nodes[self._current].chain()
        except (NodeUnavailable, NodeError):
            self.failover()
            raise
        self._chain = self._chain or found
        self._trusted = self._primary._chain
        return found

    async def request(self, method: str, params: Sequence[Any] = ()) -> Any:
        return await self._with_failover(lambda node: node.request(method, params))

    async def requests(self, calls: Sequence[tuple[str, Sequence[Any]]]) -> list[Any]:
        answers: list[Any] = await self._with_failover(lambda node: node.requests(calls))
        return answers

    async def _with_failover(self, request: Callable[[Node], Any]) -> Any:
        await self._require_chain()
        try:
            return await request(self._nodes[self._current])
        except NodeUnavailable as error:
            if self.failover():
                log.warning("%s; trying %s", error, self.url)
            raise

    async def _require_chain(self) -> None:
        expected = self._primary._chain
        if expected in (None, self._trusted) or len(self._nodes) == 1:
            return
        node = self._nodes[self._current]
        try:
            found = await node.chain()
        except NodeUnavailable:
            self.failover()
            raise
        except NodeError as error:
            self.failover()
            raise NodeUnavailable(node.url, str(error)) from error
        if found == expected:
            self._wrong_chain.clear()
        else:
            self._wrong_chain.add(self._current)
            if len(self._wrong_chain) < len(self._nodes):  # if all nodes are on the wrong chain, the caller must notice
                self.failover()
                raise NodeOnWrongChain(node.url, expected, found)
        self._trusted = expected

    async def listen(self, notify: Callable[[], None]) -> None:
        """Call `notify` for each new head that any of the nodes announces."""
        async with asyncio.TaskGroup() as group:
            for node in self._nodes:
                group.create_task(node.listen(notify))

    async def aclose(self) -> None:
        for node in self._nodes:
            await node.aclose()
