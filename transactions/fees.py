"""What is paid for gas (EIP-1559), and how it is raised."""

from __future__ import annotations

from dataclasses import dataclass

CEILING = 5
"""So many times its first fee is what a transaction is raised to by itself."""


@dataclass(frozen=True, slots=True)
class Fees:
    """Wei for a unit of gas: the most in all, and the tip in it."""

    most: int
    tip: int

    def raised(self) -> Fees:
        """The least step up: 1/8, rounded up, as nodes want 1/10 more to replace a transaction."""
        return Fees(_more(self.most), _more(self.tip))

    def or_more(self, other: Fees) -> Fees:
        """The higher of each."""
        return Fees(max(self.most, other.most), max(self.tip, other.tip))

    def within(self, ceiling: int) -> Fees:
        most = min(self.most, ceiling)
        return Fees(most, min(self.tip, most))


def offered(base: int, tip: int) -> Fees:
    """What one would offer now: enough for six blocks that are full, each of which raises the base fee by 1/8."""
    return Fees(2 * base + tip, tip)


def _more(fee: int) -> int:
    return -(-fee * 9 // 8)
