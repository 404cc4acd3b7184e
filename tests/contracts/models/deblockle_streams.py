"""A model of the streams in a Deblockle match (section 4.8 of the game's rules). In a stream, a
deposit returns to its player second by second."""

from __future__ import annotations

from dataclasses import dataclass, field

MAX_SECONDS = 2**32 - 1
"""The maximum number of seconds that a stream counts."""


@dataclass
class Streams:
    """The streams of both deposits. While a player thinks, the opponent's deposit streams back.

    Lists have one item per seat."""

    stake: int
    rate: int
    start: int = 0
    """The start of the current turn, in seconds since 1970."""
    waiting: int | None = None
    """The seat that waits during the current turn."""
    seconds: list[int] = field(default_factory=lambda: [0, 0])
    withdrawn: list[int] = field(default_factory=lambda: [0, 0])

    def begin(self, waiting: int, now: int) -> None:
        self.waiting, self.start = waiting, now

    def stop(self, now: int) -> int:
        """Stop the stream and return the seat that has waited."""
        assert self.waiting is not None
        seat = self.waiting
        self.seconds[seat] = self.waited(seat, now) if self.stake else 0
        self.waiting = None
        return seat

    def waited(self, seat: int, now: int) -> int:
        """Return the number of seconds that the seat has waited, including the current turn."""
        running = now - self.start if seat == self.waiting else 0
        return min(MAX_SECONDS, self.seconds[seat] + running)

    def refunded(self, seat: int, now: int) -> int:
        """Return the amount that has streamed back to the seat."""
        return min(self.stake, self.rate * self.waited(seat, now))

    @property
    def runs_dry(self) -> int:
        """The first second at which the waiting player's whole deposit has streamed back."""
        assert self.waiting is not None
        lasts = self.stake // self.rate
        while lasts * self.rate < self.stake:
            lasts += 1
        return self.start + max(0, lasts - self.seconds[self.waiting])
