"""The bell between who changes something and who looks: it says that there is something new, never what."""

from __future__ import annotations

import asyncio
import contextlib


class Bell:
    """Says that there is something new, never what. For one listener; rings between two waits are not lost."""

    def __init__(self) -> None:
        self._rung = asyncio.Event()

    def ring(self) -> None:
        self._rung.set()

    async def wait(self, seconds: float) -> bool:
        """Waits for a ring, at most this long; whether there was one."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._rung.wait()
        rung = self._rung.is_set()
        self._rung.clear()
        return rung
