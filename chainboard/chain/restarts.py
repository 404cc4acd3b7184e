"""Requests that wait while the embedded chain restarts, instead of failing."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Any

from indexer.node.client import Node, NodeUnavailable

WAIT_SECONDS = 10.0
"""Time that a request waits for a restart to finish."""
FINISH_SECONDS = 2.0
"""Time that a restart waits for running requests."""


class Restarts:
    """A lock that admits many requests or one restart."""

    def __init__(self) -> None:
        self._up, self._idle = asyncio.Event(), asyncio.Event()
        self._up.set()
        self._idle.set()
        self._under_way = 0

    @asynccontextmanager
    async def restart(self) -> AsyncIterator[None]:
        """Wait for the running requests to finish and hold back new ones."""
        self._up.clear()
        try:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._idle.wait(), FINISH_SECONDS)
            yield
        finally:
            self._up.set()

    @asynccontextmanager
    async def request(self) -> AsyncIterator[None]:
        """Wait for a running restart. Raises TimeoutError after WAIT_SECONDS."""
        if not self._up.is_set():
            await asyncio.wait_for(self._up.wait(), WAIT_SECONDS)
        self._under_way += 1
        self._idle.clear()
        try:
            yield
        finally:
            self._under_way -= 1
            if not self._under_way:
                self._idle.set()


class PlayersNode(Node):
    """The embedded chain, with its own connections, for requests that wait for a restart."""

    def __init__(self, url: str, restarts: Restarts) -> None:
        super().__init__(url, is_ours=True)
        self._restarts = restarts

    async def _send(self, calls: Sequence[tuple[str, Sequence[Any]]]) -> list[Any]:
        try:
            async with self._restarts.request():
                return await super()._send(calls)
        except TimeoutError as error:
            raise NodeUnavailable(self.url, "it is restarting") from error
