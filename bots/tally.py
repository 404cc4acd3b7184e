"""Wins, draws and losses, and how sure their share is."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

NORMAL_95 = 1.959964
"""Standard deviations around the mean of a normal distribution that hold 95 % of it."""


@dataclass(slots=True)
class Tally:
    """Matches from one opponent's point of view."""

    won: int = 0
    drawn: int = 0
    lost: int = 0

    @property
    def matches(self) -> int:
        return self.won + self.drawn + self.lost

    @property
    def share(self) -> float | None:
        """Of the decided matches, how many were won; None: there were none."""
        decided = self.won + self.lost
        return self.won / decided if decided else None

    def interval(self) -> tuple[float, float]:
        """Where the share lies with 95 % confidence, by Wilson's score."""
        return wilson(self.won, self.won + self.lost)

    def as_text(self) -> str:
        """The share and its interval, in per cent."""
        if self.share is None:
            return "none was decided"
        low, high = self.interval()
        return f"{self.share:.1%} ({low:.1%} to {high:.1%})"

    def count(self, winner: int | None, seat: int) -> None:
        """A match in which it had this seat."""
        self.won += winner == seat
        self.drawn += winner is None
        self.lost += winner not in (seat, None)

    def __add__(self, other: Tally) -> Tally:
        return Tally(self.won + other.won, self.drawn + other.drawn, self.lost + other.lost)


def wilson(successes: int, trials: int) -> tuple[float, float]:
    """The 95 % confidence interval of a share (Wilson 1927), right also near 0 and 1."""
    if not trials:
        return 0.0, 1.0
    share, z2 = successes / trials, NORMAL_95**2
    middle = (share + z2 / (2 * trials)) / (1 + z2 / trials)
    spread = NORMAL_95 * sqrt(share * (1 - share) / trials + z2 / (4 * trials**2)) / (1 + z2 / trials)
    return max(0.0, middle - spread), min(1.0, middle + spread)
