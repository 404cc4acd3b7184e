"""Paces the requests to one provider. It limits the number of calls per second, and pauses when the
provider asks for a pause."""

from __future__ import annotations

import asyncio
import time
from collections import deque

from indexer.node.limits import Limits
from indexer.node.rejections import ProviderRejection

WINDOW_SECONDS = 1.05
"""The length of the time window in which calls are counted: one second, and a margin because the
network delays calls unevenly."""
INITIAL_BACKOFF, MAX_BACKOFF = 0.5, 30.0
"""The first and the longest pause, in seconds, after rejections that don't say how long to wait.
The pause doubles with each rejection in a row."""
MIN_RATE = 10.0
"""The lowest rate that is learned from rejections, in calls per second, if the provider doesn't
state its limit. A rejection at a lower rate says little about the limit."""
MAX_PAUSE = 300.0
"""The maximum pause, in seconds, when a provider asks for a pause."""
DECREASE_FACTOR, INCREASE_FACTOR = 0.8, 1.02
"""Two factors by which the learned rate is multiplied. DECREASE_FACTOR applies after each
rejection. INCREASE_FACTOR applies whenever a second has passed without a rejection."""
SAFE_FRACTION = 0.95
"""After a rejection, the learned rate can rise again at once, but only to this fraction of the
rejected rate."""
RECENT_SECONDS = 10.0
"""If a second rejection follows within this number of seconds, the calls that were accepted in
between show the allowed rate."""
PROBE_SECONDS = 60.0
"""The number of seconds for which the learned rate stays below a rate that was rejected."""
INITIAL_RATE = 50.0
"""The first rate for an unknown provider, in calls per second. It doubles until a rejection."""
UNLIMITED = 5000.0
"""The learned rate, in calls per second, above which the provider seems to have no limit."""
BATCH_DIVISOR = 4
"""The maximum number of calls in a batch is the rate divided by this number. That is a quarter of a
second's calls, so that other clients get a turn."""


class Pacer:
    """Lets calls to one provider pass in the order of their arrival, within a rate limit. All
    clients of the provider share one pacer.

    `rate`: the fixed rate, in calls per second. If it is None, the pacer learns a rate, which rises
    slowly and falls after each rejection. `slow_start`: True to start with a low rate instead of no
    limit."""

    def __init__(self, limits: Limits, rate: float | None = None, slow_start: bool = False) -> None:
        self._limits, self._configured = limits, rate
        self.rate = rate or limits.rate or (INITIAL_RATE if slow_start else None)
        self._is_starting = rate is None and limits.rate is None and slow_start
        self._sent: deque[tuple[float, int]] = deque()
        self._paused_until = self._rate_changed_at = self._rejected_at = 0.0
        self._rejected_rate: float | None = None
        self._consecutive_rejections = self._accepted = 0
        self._queue = asyncio.Lock()
        self.rejections = 0
        """The number of HTTP requests of which the rate limit rejected at least one call."""

    @property
    def max_calls(self) -> int | None:
        """The maximum number of calls in a batch, or None if there is no limit."""
        return None if self.rate is None else max(1, int(self.rate / BATCH_DIVISOR))

    @property
    def pause(self) -> float:
        """The remaining seconds of the pause after a rejection, or 0."""
        return max(0.0, self._paused_until - time.monotonic())

    async def acquire(self, calls: int) -> float:
        """Wait until this number of calls can be sent. Return the time at which they can be sent,
        as `time.monotonic` reports it."""
        async with self._queue:
            while (seconds := max(self.pause, self._seconds_until_capacity(calls))) > 0:
                await asyncio.sleep(seconds)
            now = time.monotonic()
            self._sent.append((now, calls))
            return now

    def _seconds_until_capacity(self, calls: int) -> float:
        """Return the number of seconds until the rate allows this number of further calls."""
        now = time.monotonic()
        if self.rate is None:
            self._forget_before(now - WINDOW_SECONDS)
            return 0.0
        capacity = max(1.0, self.rate)
        window = WINDOW_SECONDS * capacity / self.rate
        self._forget_before(now - window)
        excess = sum(sent for _, sent in self._sent) + calls - capacity
        for at, sent in self._sent:
            if excess <= 0:
                break
            excess -= sent
            if excess <= 0 or (at, sent) == self._sent[-1]:  # a batch above the rate waits until the window is empty
                return max(0.001, at + window - now)
        return 0.0

    def _forget_before(self, before: float) -> None:
        while self._sent and self._sent[0][0] <= before:
            self._sent.popleft()

    def record_accepted(self, calls: int = 1) -> None:
        """Record that the provider accepted this number of calls."""
        self._consecutive_rejections, self._accepted = 0, self._accepted + calls
        now = time.monotonic()
        if self._configured is not None or self.rate is None or now - self._rate_changed_at < 1:
            return
        if self._is_starting:
            self.rate, self._rate_changed_at = 2 * self.rate, now
            if self.rate > UNLIMITED:
                self.rate = self._limits.rate = None
        elif self._is_used() and (
            self._may_probe(now) or self.rate * INCREASE_FACTOR < SAFE_FRACTION * (self._rejected_rate or 0)
        ):
            self.rate, self._rate_changed_at = self.rate * INCREASE_FACTOR, now
            self._limits.rate = round(self.rate, 1)

    def _is_used(self) -> bool:
        """Return True if our calls use at least half of the allowed rate. If they use less, a
        higher rate isn't justified, even if nothing is rejected."""
        return self.rate is not None and sum(calls for _, calls in self._sent) >= self.rate / 2

    def _may_probe(self, now: float) -> bool:
        return now - self._rejected_at > PROBE_SECONDS

    def record_rejected(self, rejection: ProviderRejection, sent: float) -> None:
        """Record that a batch, which was sent at the time `sent`, exceeded the rate limit. If
        several batches were on their way and all are rejected, only the first rejection changes the
        rate."""
        self.rejections += 1
        now = time.monotonic()
        self._paused_until = max(self._paused_until, now + min(rejection.seconds or 0.0, MAX_PAUSE))
        if sent < self._rejected_at:
            return
        self._consecutive_rejections += 1
        if rejection.seconds is None:
            self._paused_until = max(
                self._paused_until, now + min(INITIAL_BACKOFF * 2 ** (self._consecutive_rejections - 1), MAX_BACKOFF)
            )
        found, self._rejected_rate = (float(rejection.limit), self.rate) if rejection.limit else self._reduced_rate(now)
        self._rejected_at, self._rate_changed_at, self._accepted = now, now, 0
        if self._configured is not None:
            return
        self._is_starting = False
        self.rate = self._limits.rate = round(max(1.0 if rejection.limit else MIN_RATE, found), 1)

    def _reduced_rate(self, now: float) -> tuple[float, float]:
        """Return the rate to use after a rejection, and the rate that is too high.

        - Soon after another rejection, the number of calls accepted in between determines the new
          rate.
        - During a slow start, the new rate is half the old rate.
        - Otherwise, the new rate is a fraction of the old rate. If there was no rate, it is a
          fraction of the number of calls in the last second.
        """
        if self.rate is not None and now - self._rejected_at < RECENT_SECONDS:
            allowed = self._accepted / (now - self._rejected_at)
            found = max(self.rate / 2, SAFE_FRACTION * min(self.rate, allowed))
            return found, found / SAFE_FRACTION
        if self._is_starting and self.rate is not None:
            return self.rate / 2, self.rate
        sent = sum(calls for at, calls in self._sent if at > now - WINDOW_SECONDS)
        rate = self.rate if self.rate is not None else sent
        return DECREASE_FACTOR * rate, rate
