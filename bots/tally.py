"""Counts a player's wins, draws and losses. Computes a confidence interval for the wins."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

NORMAL_95 = 1.959964
"""95 % of a normal distribution is within this number of standard deviations of the mean."""


@dataclass(slots=True)
class Tally:
    """The numbers of one player's wins, draws and losses."""

    won: int = 0
    drawn: int = 0
    lost: int = 0

    @property
    def matches(self) -> int:
        return self.won + self.drawn + self.lost

    @property
    def share(self) -> float | None:
        """The share of wins among the matches that weren't draws, or None if all were draws."""
        decided = self.won + self.lost
        return self.won / decided if decided else None

    def interval(self) -> tuple[float, float]:
        """Return the 95 % confidence interval of the share of wins, by Wilson's score."""
        return wilson(self.won, self.won + self.lost)

    def as_text(self) -> str:
        """Return the share of wins and its confidence interval as percentages."""
        if self.share is None:
            return "no decided match"
        low, high = self.interval()
        return f"{self.share:.1%} ({low:.1%} to {high:.1%})"

    def count(self, winner: int | None, seat: int) -> None:
        """Count a match of the player in `seat`. `winner` is the winner's seat, or None for a
        draw."""
        self.won += winner == seat
        self.drawn += winner is None
        self.lost += winner not in (seat, None)

    def __add__(self, other: Tally) -> Tally:
        return Tally(self.won + other.won, self.drawn + other.drawn, self.lost + other.lost)


def wilson(successes: int, trials: int) -> tuple[float, float]:
    """Return the 95 % confidence interval of a share (Wilson 1927). It is accurate even if the
    share is near 0 or 1."""
    if not trials:
        return 0.0, 1.0
    share, z2 = successes / trials, NORMAL_95**2
    middle = (share + z2 / (2 * trials)) / (1 + z2 / trials)
    spread = NORMAL_95 * sqrt(share * (1 - share) / trials + z2 / (4 * trials**2)) / (1 + z2 / trials)
    return max(0.0, middle - spread), min(1.0, middle + spread)
