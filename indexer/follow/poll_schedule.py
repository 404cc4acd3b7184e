"""When the node's head is polled next: on a chain with a rhythm not before a block is due, and later still while a
websocket announces it."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Iterable
from statistics import median

from indexer.model import Block
from indexer.store.db.engine import StoreError
from indexer.store.store import NotWriter, Store
from indexer.wakeup import Wakeup

REMEMBERED, ENOUGH, REGULAR = 16, 8, 0.8
"""Intervals that are remembered, that are enough to see a rhythm, and the part of them that must keep it."""
SHORTEST, LONGEST = 2.0, 30.0
"""Seconds between two blocks of a rhythm that saves polls, and of one that is waited for."""
STEP, LONGEST_STEP = 0.1, 0.3
"""By what part of the interval, and how many seconds at most, a poll that was too early is moved."""
LEAST_GRACE = 1.0
"""Seconds by which a block is late that a websocket should have announced, and half an interval."""
EARLIER = 0.1
"""By what part of a step a poll that found its block is tried earlier."""


class PollSchedule:
    """Learns the rhythm from the blocks' times, and how late the node shows a block from what the polls find."""

    def __init__(self) -> None:
        self._intervals: deque[int] = deque(maxlen=REMEMBERED)
        self._tip: Block | None = None
        self._lag: float | None = None
        self._early = 0
        self._has_missed = False

    @property
    def interval(self) -> float | None:
        """Seconds between two blocks; None where there is no rhythm, or one too fast to wait for."""
        if len(self._intervals) < ENOUGH:
            return None
        found = float(median(self._intervals))
        if not SHORTEST <= found <= LONGEST:
            return None
        kept = [one for one in self._intervals if one >= found / 2 and abs(one / found - round(one / found)) <= 1 / 4]
        return found if len(kept) >= REGULAR * len(self._intervals) else None

    def saw(self, blocks: Iterable[Block]) -> None:
        """Takes blocks that were appended; the last one is the newest there is."""
        for block in blocks:
            if self._tip is not None and block.height == self._tip.height + 1:
                self._intervals.append(max(0, block.time - self._tip.time))
            self._tip = block

    def polled(self, found: bool, on_time: bool = True) -> None:
        """Takes what a poll found: a new block, or none. `on_time`: it was made when it was due, not woken."""
        interval = self.interval
        if interval is None or self._tip is None:
            self._lag = None
            return
        step = self._step(interval)
        if not found:
            if on_time:
                self._early, self._has_missed = self._early + 1, True
            return
        late = time.time() - self._tip.time
        if self._lag is None or self._early:
            self._lag = late + (step / 2 if self._early else 0)
        else:
            self._lag = min(self._lag, late) - step * (EARLIER if self._has_missed else 1)
        self._early = 0

    async def wait(self, heads: Wakeup, store: Store, is_listening: bool, least: float) -> bool:
        """Waits until the next poll, `least` seconds where there is no rhythm; meanwhile the store adds what it lacks
        for quick answers. True when a head woke it. Raises NotWriter."""
        while await _maintain(store):
            if await heads.wait(0):
                return True
        seconds = self.seconds(is_listening)
        return await heads.wait(least if seconds is None else seconds)

    def _step(self, interval: float) -> float:
        return min(STEP * interval, LONGEST_STEP)

    def seconds(self, is_listening: bool) -> float | None:
        """Seconds until the next poll; None where there is no rhythm. `is_listening`: a websocket wakes before."""
        interval = self.interval
        if interval is None or self._tip is None:
            return None
        step, now = self._step(interval), time.time()
        if self._early:  # the block is late, or its slot stays empty
            return float(min(step * 2 ** (self._early - 1), interval)) if not is_listening else interval
        due = self._tip.time + interval + (self._lag if self._lag is not None else now - self._tip.time)
        grace = max(LEAST_GRACE, interval / 2) if is_listening else 0.0
        return float(min(max(due - now, step), interval)) + grace


async def _maintain(store: Store) -> bool:
    """Adds one checkpoint; True when there is more to do."""
    try:
        return await asyncio.to_thread(store.maintain)
    except NotWriter:
        raise
    except StoreError:
        return False  # the next sync tells
