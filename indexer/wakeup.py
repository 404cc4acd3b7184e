"""A signal with which one asyncio task wakes another."""

from __future__ import annotations

import asyncio
import contextlib


class Wakeup:
    """A signal for one waiting task. It carries no data. If it arrives while nobody waits, the next
    `wait` returns at once."""

    def __init__(self) -> None:
        self._notified = asyncio.Event()

    def notify(self) -> None:
        self._notified.set()

    async def wait(self, seconds: float) -> bool:
        """Wait for the signal, but at most `seconds`. Return True if the signal arrived."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._notified.wait()
        notified = self._notified.is_set()
        self._notified.clear()
        return notified
