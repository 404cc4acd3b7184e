"""The pace of requests to one provider: at most so many calls a second, and none while it asks us to wait."""

from __future__ import annotations

import asyncio
import time
from collections import deque

from indexer.node.limits import Limits
from indexer.node.refusals import ProviderRefusal

WINDOW_SECONDS = 1.05
"""The second in which so many calls may be made, and what the network's jitter may take from it."""
FIRST_PAUSE, LONGEST_PAUSE = 0.5, 30.0
"""Seconds after a refusal that does not say how long to wait: twice as long after each in a row."""
SLOWEST = 10.0
"""Calls a second, at least, where nobody has named a rate: one refusal while little is sent says little."""
MAX_PAUSE = 300.0
"""Seconds that a provider can ask us to wait, at most: then it is asked again, whatever it has said."""
SLOWER, FASTER = 0.8, 1.02
"""Factors of the learned rate: after a refusal, and after each window without one."""
CAREFUL = 0.95
"""The part of the rate that was refused, up to which a learned rate soon rises again."""
RECENT_SECONDS = 10.0
"""Between two refusals that are no further apart, what a provider granted is what it allows."""
PROBE_SECONDS = 60.0
"""How long a learned rate stays below one that was refused."""
FIRST_RATE = 50.0
"""Calls a second to a provider that nothing is known of: doubled each second, until something is."""
UNLIMITED = 5000.0
"""Calls a second from which a provider is taken to have no limit."""
SHARE = 4
"""A batch has at most this part of a second's calls, so that others' come between."""


class Pacer:
    """Lets calls pass in the order in which they came. With a `rate` (calls a second) at that rate; else at one
    that is learned: it rises slowly and falls at a refusal, beginning with none, or low at a `slow_start`. All
    clients of a provider share one."""

    def __init__(self, limits: Limits, rate: float | None = None, slow_start: bool = False) -> None:
        self._limits, self._configured = limits, rate
        self.rate = rate or limits.rate or (FIRST_RATE if slow_start else None)
        self._is_starting = rate is None and limits.rate is None and slow_start
        self._sent: deque[tuple[float, int]] = deque()
        self._resumes = self._changed = self._refused = 0.0
        self._refused_rate: float | None = None
        self._in_a_row = self._granted = 0
        self._turn = asyncio.Lock()
        self.refusals = 0
        """HTTP requests that were refused for their rate, all or in part."""

    @property
    def max_calls(self) -> int | None:
        """How many calls one batch should have at most; None where there is no limit."""
        return None if self.rate is None else max(1, int(self.rate / SHARE))

    @property
    def pause(self) -> float:
        """Seconds for which the provider wants no calls."""
        return max(0.0, self._resumes - time.monotonic())

    async def turn(self, calls: int) -> float:
        """Waits until so many calls may be sent; returns the time at which they are."""
        async with self._turn:
            while (seconds := max(self.pause, self._until_free(calls))) > 0:
                await asyncio.sleep(seconds)
            now = time.monotonic()
            self._sent.append((now, calls))
            return now

    def _until_free(self, calls: int) -> float:
        """Seconds until the last second's calls, with these, are no more than the rate allows."""
        now = time.monotonic()
        if self.rate is None:
            self._forget(now - WINDOW_SECONDS)
            return 0.0
        capacity = max(1.0, self.rate)
        window = WINDOW_SECONDS * capacity / self.rate
        self._forget(now - window)
        excess = sum(sent for _, sent in self._sent) + calls - capacity
        for at, sent in self._sent:
            if excess <= 0:
                break
            excess -= sent
            if excess <= 0 or (at, sent) == self._sent[-1]:  # a batch of more calls than the rate goes alone
                return max(0.001, at + window - now)
        return 0.0

    def _forget(self, before: float) -> None:
        while self._sent and self._sent[0][0] <= before:
            self._sent.popleft()

    def granted(self, calls: int = 1) -> None:
        """Says that so many calls were answered."""
        self._in_a_row, self._granted = 0, self._granted + calls
        now = time.monotonic()
        if self._configured is not None or self.rate is None or now - self._changed < 1:
            return
        if self._is_starting:
            self.rate, self._changed = 2 * self.rate, now
            if self.rate > UNLIMITED:
                self.rate = self._limits.rate = None
        elif self._is_used() and (self._may_probe(now) or self.rate * FASTER < CAREFUL * (self._refused_rate or 0)):
            self.rate, self._changed = self.rate * FASTER, now
            self._limits.rate = round(self.rate, 1)

    def _is_used(self) -> bool:
        """Whether the rate is what bounds us: otherwise that nothing is refused says nothing."""
        return self.rate is not None and sum(calls for _, calls in self._sent) >= self.rate / 2

    def _may_probe(self, now: float) -> bool:
        return now - self._refused > PROBE_SECONDS

    def refused(self, refusal: ProviderRefusal, sent: float) -> None:
        """Says that calls of a batch, sent at that time, were refused for the rate. Of several batches that were on
        their way together, the first one counts."""
        self.refusals += 1
        now = time.monotonic()
        self._resumes = max(self._resumes, now + min(refusal.seconds or 0.0, MAX_PAUSE))
        if sent < self._refused:
            return
        self._in_a_row += 1
        if refusal.seconds is None:
            self._resumes = max(self._resumes, now + min(FIRST_PAUSE * 2 ** (self._in_a_row - 1), LONGEST_PAUSE))
        found, self._refused_rate = (float(refusal.limit), self.rate) if refusal.limit else self._slower(now)
        self._refused, self._changed, self._granted = now, now, 0
        if self._configured is not None:
            return
        self._is_starting = False
        self.rate = self._limits.rate = round(max(1.0 if refusal.limit else SLOWEST, found), 1)

    def _slower(self, now: float) -> tuple[float, float]:
        """The rate to try next, and the one that is too high: by what was granted since a refusal that was just now;
        else less than what was sent in the last second, or half of what a start tried."""
        if self.rate is not None and now - self._refused < RECENT_SECONDS:
            allowed = self._granted / (now - self._refused)
            found = max(self.rate / 2, CAREFUL * min(self.rate, allowed))
            return found, found / CAREFUL
        if self._is_starting and self.rate is not None:
            return self.rate / 2, self.rate
        sent = sum(calls for at, calls in self._sent if at > now - WINDOW_SECONDS)
        rate = self.rate if self.rate is not None else sent
        return SLOWER * rate, rate
