"""Wakes the next stage of the pipeline: a signal that there is something new, never what."""

from __future__ import annotations

import asyncio
import contextlib


class Wakeup:
    """Signals that there is something new, never what. For one listener; a signal between two waits is not lost."""

    def __init__(self) -> None:
        self._notified = asyncio.Event()

    def notify(self) -> None:
        self._notified.set()

    async def wait(self, seconds: float) -> bool:
        """Waits for a signal, at most so long; True when there was one."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._notified.wait()
        notified = self._notified.is_set()
        self._notified.clear()
        return notified
