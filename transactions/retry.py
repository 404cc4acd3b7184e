"""Retries requests to a node that doesn't answer. The pauses between the attempts grow."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeAlias, TypeVar

from contracts.rpc_errors import NoResponse

T = TypeVar("T")
Sleep: TypeAlias = Callable[[float], Awaitable[None]]

PAUSE_SECONDS = (0.05, 0.1, 0.3, 1.0, 2.0)
TRIES = 5


class Retry:
    """Retries requests with growing pauses. `sleep` waits for a number of seconds."""

    def __init__(self, sleep: Sleep = asyncio.sleep) -> None:
        self._sleep = sleep

    async def wait(self, attempt: int) -> None:
        """Wait before the next attempt. `attempt` is the last attempt's number, counted from 0."""
        await self._sleep(PAUSE_SECONDS[min(attempt, len(PAUSE_SECONDS) - 1)])

    async def until_response(self, send: Callable[[], Awaitable[T]], tries: int | None = None) -> T:
        """Call `send` until the node answers, and return its answer. An RpcError is also an answer,
        so it is raised. Raises NoResponse after `tries` failed attempts."""
        attempt = 0
        while True:
            try:
                return await send()
            except NoResponse:
                if attempt + 1 == tries:
                    raise
                await self.wait(attempt)
                attempt += 1


async def with_retries(send: Callable[[], Awaitable[T]], tries: int = TRIES) -> T:
    """Send one request. If the node doesn't answer, repeat the request, with up to `tries` attempts
    in total. A single failure doesn't show that the node is unavailable."""
    return await Retry().until_response(send, tries)
