"""Decides which match is served first if many matches wait at the same time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from heapq import heappop, heappush
from itertools import count
from math import inf
from typing import TypeAlias

from indexer.model import Json

Urgency: TypeAlias = tuple[bool, float]
"""The order in which matches are served, lowest first."""


def urgency(board: Json) -> Urgency:
    """Return how urgent a match is. Matches with a stake come first. Otherwise, somebody could keep
    an account busy with many free matches until it loses a stake because its clock runs out. Then
    comes the match with the earliest deadline."""
    return not int(board.get("stake", 0)), int(board.get("deadline", 0)) or inf


class UrgentFirst:
    """Lets at most `limit` tasks run at the same time. When a task ends, the most urgent waiting
    task starts."""

    def __init__(self, limit: int) -> None:
        self._free = limit
        self._waiting: list[tuple[Urgency, int, asyncio.Future[None]]] = []
        self._arrivals = count()

    @asynccontextmanager
    async def turn(self, urgency: Urgency) -> AsyncIterator[None]:
        """Wait for a turn. It lasts as long as the `with` block."""
        if self._free:
            self._free -= 1
        else:
            await self._wait(urgency)
        try:
            yield
        finally:
            self._pass_on()

    async def _wait(self, urgency: Urgency) -> None:
        turn = asyncio.get_running_loop().create_future()
        heappush(self._waiting, (urgency, next(self._arrivals), turn))
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():  # the turn came at the same time as the cancellation
                self._pass_on()
            raise

    def _pass_on(self) -> None:
        while self._waiting:
            *_, turn = heappop(self._waiting)
            if not turn.done():
                turn.set_result(None)
                return
        self._free += 1
