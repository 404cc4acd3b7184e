"""Budgets of a sponsor, and what of them is left. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

DAY = 86_400
"""Seconds."""
ADDRESS_SHARE, NETWORK_SHARE = 10, 4
"""Divisors of a day's budget: one address gets at most 1/10 of it, one network address 1/4."""

Limit: TypeAlias = Literal["day", "game", "network", "address"]


@dataclass(frozen=True, slots=True)
class Budgets:
    """Wei a day (UTC), the fees of the transfers included: in all, for a game, for who asks from one network address,
    and for one address."""

    day: int
    game: int
    network: int
    address: int

    @classmethod
    def of(cls, day: int, game: int | None = None, network: int | None = None, address: int | None = None) -> Budgets:
        """None: the usual share of `day`. No part is more than that."""
        return cls(
            day,
            min(day, day if game is None else game),
            min(day, day // NETWORK_SHARE if network is None else network),
            min(day, day // ADDRESS_SHARE if address is None else address),
        )


@dataclass(frozen=True, slots=True)
class Spent:
    """Wei that is paid or reserved on one day, for the same four."""

    day: int = 0
    game: int = 0
    network: int = 0
    address: int = 0


class BudgetSpent(Exception):
    """What is left of the budget `limit` does not pay for a move."""

    def __init__(self, limit: Limit) -> None:
        super().__init__(f"the budget by {limit} is spent")
        self.limit = limit


def allowance(budgets: Budgets, spent: Spent, wanted: int, least: int, cost: int) -> int:
    """Wei to give: what is wanted, or what the budgets leave of it when a transfer costs up to `cost`. Raises
    BudgetSpent where that is below `least`."""
    left: dict[Limit, int] = {
        "day": budgets.day - spent.day,
        "game": budgets.game - spent.game,
        "network": budgets.network - spent.network,
        "address": budgets.address - spent.address,
    }
    limit = min(left, key=lambda one: left[one])
    found = min(wanted, left[limit] - cost)
    if found < max(1, min(least, wanted)):
        raise BudgetSpent(limit)
    return found


def day_of(seconds: float) -> int:
    """The number of a UTC day since 1970."""
    return int(seconds // DAY)


def seconds_to_next(day: int, now: float) -> int:
    """Seconds until the day after this one begins, rounded up; at least one."""
    return max(1, -int(-((day + 1) * DAY - now) // 1))
