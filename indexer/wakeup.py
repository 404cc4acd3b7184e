"""A signal that wakes the next stage of the pipeline. It carries no data."""

from __future__ import annotations

import asyncio
import contextlib


class Wakeup:
    """A signal without data, for one listener. A signal that arrives between two waits is not
    lost."""

    def __init__(self) -> None:
        self._notified = asyncio.Event()

    def notify(self) -> None:
        self._notified.set()

    async def wait(self, seconds: float) -> bool:
        """Wait for a signal for at most `seconds`. Return True if there was one."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._notified.wait()
        notified = self._notified.is_set()
        self._notified.clear()
        return notified
