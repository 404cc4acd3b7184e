"""Makes requests wait while the embedded chain restarts, so that they don't fail."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Any

from indexer.node.client import Node, NodeUnavailable

WAIT_SECONDS = 10.0
"""The maximum time that a request waits for a restart to finish, in seconds."""
FINISH_SECONDS = 2.0
"""The maximum time that a restart waits for running requests, in seconds."""


class RestartLock:
    """A lock that is held either by any number of requests or by one restart."""

    def __init__(self) -> None:
        self._running, self._idle = asyncio.Event(), asyncio.Event()
        self._running.set()
        self._idle.set()
        self._in_flight = 0

    @asynccontextmanager
    async def restart(self) -> AsyncIterator[None]:
        """Wait for the running requests to finish, and hold back new requests."""
        self._running.clear()
        try:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._idle.wait(), FINISH_SECONDS)
            yield
        finally:
            self._running.set()

    @asynccontextmanager
    async def request(self) -> AsyncIterator[None]:
        """If a restart is in progress, wait until it has finished. Raises TimeoutError after
        WAIT_SECONDS."""
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
    """A node of the embedded chain that has its own connections. Requests wait while the chain
    restarts."""

    def __init__(self, url: str, restarts: RestartLock) -> None:
        super().__init__(url, is_ours=True)
        self._restart_lock = restarts

    async def _send(self, calls: Sequence[tuple[str, Sequence[Any]]]) -> list[Any]:
        try:
            async with self._restart_lock.request():
                return await super()._send(calls)
        except TimeoutError as error:
            raise NodeUnavailable(self.url, "it is restarting") from error
