"""A sponsor's budgets and the amounts left of them. Pure functions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

DAY = 86_400
"""Seconds per day."""
ADDRESS_SHARE, NETWORK_SHARE = 10, 4
"""Divisors of the daily budget: an address gets at most 1/10, a network address 1/4."""

Limit: TypeAlias = Literal["day", "game", "network", "address"]


@dataclass(frozen=True, slots=True)
class Budgets:
    """Wei per day (UTC), including the transfers' fees: in total, per game, per network address of
    the requests, and per address."""

    day: int
    game: int
    network: int
    address: int

    @classmethod
    def of(cls, day: int, game: int | None = None, network: int | None = None, address: int | None = None) -> Budgets:
        """Create budgets. None stands for the usual share of `day`, and no budget is higher than
        `day`."""
        return cls(
            day,
            min(day, day if game is None else game),
            min(day, day // NETWORK_SHARE if network is None else network),
            min(day, day // ADDRESS_SHARE if address is None else address),
        )


@dataclass(frozen=True, slots=True)
class Spent:
    """Wei paid or reserved on one day, by the same four limits."""

    day: int = 0
    game: int = 0
    network: int = 0
    address: int = 0


class BudgetSpent(Exception):
    """The amount left of the budget `limit` is too small for a move."""

    def __init__(self, limit: Limit) -> None:
        super().__init__(f"the budget per {limit} is used up")
        self.limit = limit


def allowance(budgets: Budgets, spent: Spent, wanted: int, minimum: int, cost: int) -> int:
    """Return the wei to give: `wanted`, or as much as the budgets leave after a transfer that costs
    up to `cost`. Raises BudgetSpent if that is below `minimum`."""
    left: dict[Limit, int] = {
        "day": budgets.day - spent.day,
        "game": budgets.game - spent.game,
        "network": budgets.network - spent.network,
        "address": budgets.address - spent.address,
    }
    limit = min(left, key=lambda one: left[one])
    found = min(wanted, left[limit] - cost)
    if found < max(1, min(minimum, wanted)):
        raise BudgetSpent(limit)
    return found


def day_of(seconds: float) -> int:
    """Return the number of the UTC day, counted from 1970."""
    return int(seconds // DAY)


def seconds_to_next(day: int, now: float) -> int:
    """Return the seconds until the next day begins, rounded up; at least one."""
    return max(1, -int(-((day + 1) * DAY - now) // 1))
