"""Patience with a node that does not answer: pauses that grow, as long as it takes."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeAlias, TypeVar

from contracts.rpc_errors import NoAnswer

T = TypeVar("T")
Pause: TypeAlias = Callable[[float], Awaitable[None]]

PAUSES = (0.05, 0.1, 0.3, 1.0, 2.0)
"""Seconds."""


class Patience:
    """`pause` waits so many seconds."""

    def __init__(self, pause: Pause = asyncio.sleep) -> None:
        self._pause = pause

    async def wait(self, attempt: int) -> None:
        """The pause after this attempt; they count from 0."""
        await self._pause(PAUSES[min(attempt, len(PAUSES) - 1)])

    async def until_answered(self, ask: Callable[[], Awaitable[T]]) -> T:
        """What `ask` gives, asked again until there is an answer. A Refusal is one, and comes out."""
        attempt = 0
        while True:
            try:
                return await ask()
            except NoAnswer:
                await self.wait(attempt)
                attempt += 1
