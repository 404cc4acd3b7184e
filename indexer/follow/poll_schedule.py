"""Schedules the polls for the node's head.

On a chain with regular blocks, the follower doesn't poll before the next block is due. While a
websocket announces new blocks, it polls even later."""

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

MAX_INTERVALS, MIN_INTERVALS, MIN_REGULAR_SHARE = 16, 8, 0.8
"""The number of intervals that are kept, the number needed to detect a rhythm, and the share of
them that must match it."""
MIN_INTERVAL, MAX_INTERVAL = 2.0, 30.0
"""The shortest and longest interval between blocks, in seconds, at which polls follow the
rhythm."""
STEP, MAX_STEP = 0.1, 0.3
"""The delay after a poll that was too early: as a fraction of the interval, and its maximum in
seconds."""
MIN_GRACE = 1.0
"""The minimum delay, in seconds, before a poll for a block that the websocket did not announce."""
EARLIER_FRACTION = 0.1
"""The fraction of a step by which each successful poll moves the next poll earlier. Until a poll
has been too early for the first time, the next poll moves by a whole step."""


class PollSchedule:
    """A schedule that learns the rhythm from block timestamps and the node's delay from polls."""

    def __init__(self) -> None:
        self._intervals: deque[int] = deque(maxlen=MAX_INTERVALS)
        self._tip: Block | None = None
        self._lag: float | None = None
        self._early_polls = 0
        self._has_polled_early = False

    @property
    def interval(self) -> float | None:
        """The number of seconds between two blocks. It is None if there is no rhythm, or if the
        interval is not between MIN_INTERVAL and MAX_INTERVAL."""
        if len(self._intervals) < MIN_INTERVALS:
            return None
        found = float(median(self._intervals))
        if not MIN_INTERVAL <= found <= MAX_INTERVAL:
            return None
        regular = [
            one for one in self._intervals if one >= found / 2 and abs(one / found - round(one / found)) <= 1 / 4
        ]
        return found if len(regular) >= MIN_REGULAR_SHARE * len(self._intervals) else None

    def record_blocks(self, blocks: Iterable[Block]) -> None:
        """Record appended blocks, of which the last is the chain's newest."""
        for block in blocks:
            if self._tip is not None and block.height == self._tip.height + 1:
                self._intervals.append(max(0, block.time - self._tip.time))
            self._tip = block

    def record_poll(self, found: bool, on_time: bool = True) -> None:
        """Record whether a poll found a new block. `on_time`: True if the schedule, not the
        websocket, caused the poll."""
        interval = self.interval
        if interval is None or self._tip is None:
            self._lag = None
            return
        step = self._step(interval)
        if not found:
            if on_time:
                self._early_polls, self._has_polled_early = self._early_polls + 1, True
            return
        late = time.time() - self._tip.time
        if self._lag is None or self._early_polls:
            self._lag = late + (step / 2 if self._early_polls else 0)
        else:
            self._lag = min(self._lag, late) - step * (EARLIER_FRACTION if self._has_polled_early else 1)
        self._early_polls = 0

    async def wait(self, heads: Wakeup, store: Store, is_listening: bool, default_seconds: float) -> bool:
        """Add missing checkpoints to the store, then wait until the next poll is due.

        Wait `default_seconds` if the blocks are irregular. Return True if a new head ended the
        wait. Raises NotWriter."""
        while await _maintain(store):
            if await heads.wait(0):
                return True
        seconds = self.seconds(is_listening)
        return await heads.wait(default_seconds if seconds is None else seconds)

    def _step(self, interval: float) -> float:
        return min(STEP * interval, MAX_STEP)

    def seconds(self, is_listening: bool) -> float | None:
        """Return the seconds until the next poll, or None if there is no rhythm. `is_listening`:
        true if a websocket announces new heads."""
        interval = self.interval
        if interval is None or self._tip is None:
            return None
        step, now = self._step(interval), time.time()
        if self._early_polls:  # the block is late, or its slot is empty
            return float(min(step * 2 ** (self._early_polls - 1), interval)) if not is_listening else interval
        due = self._tip.time + interval + (self._lag if self._lag is not None else now - self._tip.time)
        grace = max(MIN_GRACE, interval / 2) if is_listening else 0.0
        return float(min(max(due - now, step), interval)) + grace


async def _maintain(store: Store) -> bool:
    """Add one missing checkpoint. Return True if more are missing."""
    try:
        return await asyncio.to_thread(store.maintain)
    except NotWriter:
        raise
    except StoreError:
        return False  # the next sync reports the error
