"""The bell between who changes something and who looks: it says that there is something new, never what."""

from __future__ import annotations

import asyncio
import contextlib


class Wakeup:
    """Says that there is something new, never what. For one listener; rings between two waits are not lost."""

    def __init__(self) -> None:
        self._notified = asyncio.Event()

    def notify(self) -> None:
        self._notified.set()

    async def wait(self, seconds: float) -> bool:
        """Waits for a ring, at most this long; whether there was one."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._notified.wait()
        notified = self._notified.is_set()
        self._notified.clear()
        return notified
