"""Fees of a transaction (EIP-1559), and how they are bumped."""

from __future__ import annotations

from dataclasses import dataclass

CEILING_FACTOR = 5
"""A transaction's fee is bumped by itself up to so many times its first one."""


@dataclass(frozen=True, slots=True)
class Fees:
    """Wei for a unit of gas: the maximum in all, and the priority fee within it."""

    max_fee: int
    priority_fee: int

    def bumped(self) -> Fees:
        """The smallest replacement: 1/8 more, rounded up, as nodes ask for 1/10 more."""
        return Fees(_bump(self.max_fee), _bump(self.priority_fee))

    def at_least(self, other: Fees) -> Fees:
        """The higher of each."""
        return Fees(max(self.max_fee, other.max_fee), max(self.priority_fee, other.priority_fee))

    def capped(self, ceiling: int) -> Fees:
        """At most `ceiling` wei for a unit of gas, the priority fee included."""
        max_fee = min(self.max_fee, ceiling)
        return Fees(max_fee, min(self.priority_fee, max_fee))


def suggested(base_fee: int, priority_fee: int) -> Fees:
    """Fees to offer now: enough for six full blocks, each of which raises the base fee by 1/8."""
    return Fees(2 * base_fee + priority_fee, priority_fee)


def _bump(fee: int) -> int:
    return -(-fee * 9 // 8)
