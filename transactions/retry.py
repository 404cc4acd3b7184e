"""Patience with a node that does not answer: pauses that grow, as long as it takes."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeAlias, TypeVar

from contracts.rpc_errors import NoResponse

T = TypeVar("T")
Sleep: TypeAlias = Callable[[float], Awaitable[None]]

PAUSE_SECONDS = (0.05, 0.1, 0.3, 1.0, 2.0)
"""Seconds."""


class Retry:
    """`sleep` waits so many seconds."""

    def __init__(self, sleep: Sleep = asyncio.sleep) -> None:
        self._sleep = sleep

    async def wait(self, attempt: int) -> None:
        """The pause after this attempt; they count from 0."""
        await self._sleep(PAUSE_SECONDS[min(attempt, len(PAUSE_SECONDS) - 1)])

    async def until_answered(self, ask: Callable[[], Awaitable[T]]) -> T:
        """What `ask` gives, asked again until there is an answer. An RpcError is one, and comes out."""
        attempt = 0
        while True:
            try:
                return await ask()
            except NoResponse:
                await self.wait(attempt)
                attempt += 1
