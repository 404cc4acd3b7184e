"""What is paid for gas (EIP-1559), and how it is raised."""

from __future__ import annotations

from dataclasses import dataclass

CEILING_FACTOR = 5
"""So many times its first fee is what a transaction is raised to by itself."""


@dataclass(frozen=True, slots=True)
class Fees:
    """Wei for a unit of gas: the most in all, and the tip in it."""

    max_fee: int
    priority_fee: int

    def bumped(self) -> Fees:
        """The least step up: 1/8, rounded up, as nodes want 1/10 more to replace a transaction."""
        return Fees(_bump(self.max_fee), _bump(self.priority_fee))

    def at_least(self, other: Fees) -> Fees:
        """The higher of each."""
        return Fees(max(self.max_fee, other.max_fee), max(self.priority_fee, other.priority_fee))

    def capped(self, ceiling: int) -> Fees:
        max_fee = min(self.max_fee, ceiling)
        return Fees(max_fee, min(self.priority_fee, max_fee))


def suggested(base_fee: int, priority_fee: int) -> Fees:
    """What one would offer now: enough for six blocks that are full, each of which raises the base fee by 1/8."""
    return Fees(2 * base_fee + priority_fee, priority_fee)


def _bump(fee: int) -> int:
    return -(-fee * 9 // 8)
