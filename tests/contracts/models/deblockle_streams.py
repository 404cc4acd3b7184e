"""The streams of a match of Deblockle (sheet 4.8): how deposits come back to their players, second by second."""

from __future__ import annotations

from dataclasses import dataclass, field

MOST = 2**32 - 1
"""Seconds that are counted, at most."""


@dataclass
class Streams:
    """While one player thinks, the deposit of the other flows back to it. Lists are by seat."""

    stake: int
    rate: int
    start: int = 0
    """When the turn that is played began, in seconds since 1970."""
    waiter: int | None = None
    """Who waits meanwhile."""
    seconds: list[int] = field(default_factory=lambda: [0, 0])
    withdrawn: list[int] = field(default_factory=lambda: [0, 0])

    def begin(self, waiter: int, now: int) -> None:
        self.waiter, self.start = waiter, now

    def stop(self, now: int) -> int:
        """Returns the seat that has waited."""
        assert self.waiter is not None
        seat = self.waiter
        self.seconds[seat] = self.waited(seat, now) if self.stake else 0
        self.waiter = None
        return seat

    def waited(self, seat: int, now: int) -> int:
        """Seconds, those of the turn that is played too."""
        running = now - self.start if seat == self.waiter else 0
        return min(MOST, self.seconds[seat] + running)

    def refunded(self, seat: int, now: int) -> int:
        """What has streamed back to the seat."""
        return min(self.stake, self.rate * self.waited(seat, now))

    @property
    def runs_dry(self) -> int:
        """The first second at which the deposit of who waits has wholly come back."""
        assert self.waiter is not None
        lasts = self.stake // self.rate
        while lasts * self.rate < self.stake:
            lasts += 1
        return self.start + max(0, lasts - self.seconds[self.waiter])
