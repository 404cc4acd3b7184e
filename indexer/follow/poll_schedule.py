"""Decides when the follower polls the node for a new head.

If the chain makes blocks at regular intervals, there is no poll before the next block is due. While
a websocket announces new blocks, polls come even later."""

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
"""The number of remembered intervals between blocks, the number of intervals that are needed to
detect a rhythm, and the share of intervals that must fit the rhythm."""
MIN_INTERVAL, MAX_INTERVAL = 2.0, 30.0
"""The shortest and the longest interval between blocks, in seconds, for which polls follow the
rhythm."""
STEP, MAX_STEP = 0.1, 0.3
"""If a poll was too early, the follower polls again after a step. The first number is the step as a
fraction of the interval between blocks. The second is the longest step, in seconds."""
MIN_GRACE = 1.0
"""The minimum time, in seconds, that the websocket gets to announce a block that is due. After that
time, the follower polls."""
EARLIER_FRACTION = 0.1
"""After each successful poll, the next poll comes earlier by this fraction of a step. As long as no
poll has ever been too early, the next poll comes earlier by a whole step."""


class PollSchedule:
    """Learns the blocks' rhythm from their timestamps, and the node's delay from earlier polls."""

    def __init__(self) -> None:
        self._intervals: deque[int] = deque(maxlen=MAX_INTERVALS)
        self._tip: Block | None = None
        self._lag: float | None = None
        self._early_polls = 0
        self._has_polled_early = False

    @property
    def interval(self) -> float | None:
        """The number of seconds between two blocks. None if the blocks have no rhythm, or if the
        number is not between MIN_INTERVAL and MAX_INTERVAL."""
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
        """Record blocks that were appended to the store. The last is the chain's newest block."""
        for block in blocks:
            if self._tip is not None and block.height == self._tip.height + 1:
                self._intervals.append(max(0, block.time - self._tip.time))
            self._tip = block

    def record_poll(self, found: bool, on_time: bool = True) -> None:
        """Record a poll. `found`: True if there was a new block. `on_time`: True if the schedule
        caused the poll, and False if the websocket did."""
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

        If the blocks have no rhythm, wait `default_seconds`. Return True if `heads` announced a new
        block before the end of the wait. Raises NotWriter."""
        while await _maintain(store):
            if await heads.wait(0):
                return True
        seconds = self.seconds(is_listening)
        return await heads.wait(default_seconds if seconds is None else seconds)

    def _step(self, interval: float) -> float:
        return min(STEP * interval, MAX_STEP)

    def seconds(self, is_listening: bool) -> float | None:
        """Return the seconds until the next poll, or None if the blocks have no rhythm.
        `is_listening`: True while a websocket announces new heads."""
        interval = self.interval
        if interval is None or self._tip is None:
            return None
        step, now = self._step(interval), time.time()
        if self._early_polls:  # the block is late, or its time slot stays empty
            return float(min(step * 2 ** (self._early_polls - 1), interval)) if not is_listening else interval
        due = self._tip.time + interval + (self._lag if self._lag is not None else now - self._tip.time)
        grace = max(MIN_GRACE, interval / 2) if is_listening else 0.0
        return float(min(max(due - now, step), interval)) + grace


async def _maintain(store: Store) -> bool:
    """Add one missing checkpoint to the store. Return True if more are missing."""
    try:
        return await asyncio.to_thread(store.maintain)
    except NotWriter:
        raise
    except StoreError:
        return False  # the next sync reports the error
