"""Makes requests to the embedded chain wait while it restarts, so that they don't fail."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Any

from indexer.node.client import Node, NodeUnavailable

WAIT_SECONDS = 10.0
"""The maximum number of seconds for which a request waits for a restart to finish."""
FINISH_SECONDS = 2.0
"""The maximum number of seconds for which a restart waits for running requests to finish."""


class RestartLock:
    """A lock that can be held by any number of requests or by one restart, but not by both."""

    def __init__(self) -> None:
        self._running, self._idle = asyncio.Event(), asyncio.Event()
        self._running.set()
        self._idle.set()
        self._in_flight = 0

    @asynccontextmanager
    async def restart(self) -> AsyncIterator[None]:
        """Hold back new requests in the `with` block. First wait briefly for running requests."""
        self._running.clear()
        try:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._idle.wait(), FINISH_SECONDS)
            yield
        finally:
            self._running.set()

    @asynccontextmanager
    async def request(self) -> AsyncIterator[None]:
        """Hold the lock for a request during the `with` block. If the chain is restarting, wait
        first. Raises TimeoutError after WAIT_SECONDS."""
        if not self._running.is_set():
            await asyncio.wait_for(self._running.wait(), WAIT_SECONDS)
        self._in_flight += 1
        self._idle.clear()
        try:
            yield
        finally:
            self._in_flight -= 1
            if not self._in_flight:
                self._idle.set()


class PlayersNode(Node):
    """A node for players' requests to the embedded chain. It has its own connections, and its
    requests wait while the chain restarts."""

    def __init__(self, url: str, restarts: RestartLock) -> None:
        super().__init__(url, is_ours=True)
        self._restart_lock = restarts

    async def _send(self, calls: Sequence[tuple[str, Sequence[Any]]]) -> list[Any]:
        try:
            async with self._restart_lock.request():
                return await super()._send(calls)
        except TimeoutError as error:
            raise NodeUnavailable(self.url, "it is restarting") from error
