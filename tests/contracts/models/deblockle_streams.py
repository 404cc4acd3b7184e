"""A model of the money that streams back in a Deblockle match (section 4.8 of the game's rules). In
a stream, a player's deposit returns to the player, second by second."""

from __future__ import annotations

from dataclasses import dataclass, field

MAX_SECONDS = 2**32 - 1
"""The maximum time that a player's stream can run, in seconds."""


@dataclass
class Streams:
    """The streams of both players' deposits. While a player thinks, the opponent's deposit streams
    back to the opponent.

    Each list has one item per seat."""

    stake: int
    rate: int
    start: int = 0
    """The start of the current turn, in seconds since 1970."""
    waiting: int | None = None
    """The seat whose player waits during the current turn, while the opponent thinks."""
    seconds: list[int] = field(default_factory=lambda: [0, 0])
    withdrawn: list[int] = field(default_factory=lambda: [0, 0])

    def begin(self, waiting: int, now: int) -> None:
        self.waiting, self.start = waiting, now

    def stop(self, now: int) -> int:
        """Stop the current stream. Return the seat of the player who has waited."""
        assert self.waiting is not None
        seat = self.waiting
        self.seconds[seat] = self.waited(seat, now) if self.stake else 0
        self.waiting = None
        return seat

    def waited(self, seat: int, now: int) -> int:
        """Return how many seconds the player in the seat has waited so far in the match, including
        this turn."""
        running = now - self.start if seat == self.waiting else 0
        return min(MAX_SECONDS, self.seconds[seat] + running)

    def refunded(self, seat: int, now: int) -> int:
        """Return the amount that has streamed back to the player in the seat."""
        return min(self.stake, self.rate * self.waited(seat, now))

    @property
    def runs_dry(self) -> int:
        """The time at which the whole deposit of the waiting player will have streamed back, in
        seconds since 1970."""
        assert self.waiting is not None
        lasts = self.stake // self.rate
        while lasts * self.rate < self.stake:
            lasts += 1
        return self.start + max(0, lasts - self.seconds[self.waiting])
