"""A sponsor's budgets, and functions without side effects that compute what is left of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

DAY = 86_400
"""The number of seconds per day."""
ADDRESS_SHARE, NETWORK_SHARE = 10, 4
"""The divisors of the daily budget: an address gets at most 1/10 of it, and a network address
1/4."""

Limit: TypeAlias = Literal["day", "game", "network", "address"]


@dataclass(frozen=True, slots=True)
class Budgets:
    """The budgets in wei per UTC day, including the transfers' fees: in total, per game, per
    network address that sends requests, and per recipient."""

    day: int
    game: int
    network: int
    address: int

    @classmethod
    def of(cls, day: int, game: int | None = None, network: int | None = None, address: int | None = None) -> Budgets:
        """Create budgets. If an argument is None, that budget is the default share of `day`. No
        budget is higher than `day`."""
        return cls(
            day,
            min(day, day if game is None else game),
            min(day, day // NETWORK_SHARE if network is None else network),
            min(day, day // ADDRESS_SHARE if address is None else address),
        )


@dataclass(frozen=True, slots=True)
class Spent:
    """The wei paid or reserved on one day, for each of the four limits."""

    day: int = 0
    game: int = 0
    network: int = 0
    address: int = 0


class BudgetSpent(Exception):
    """The amount left in the budget named `limit` is too small for a move."""

    def __init__(self, limit: Limit) -> None:
        super().__init__(f"the budget per {limit} is used up")
        self.limit = limit


def allowance(budgets: Budgets, spent: Spent, wanted: int, minimum: int, cost: int) -> int:
    """Return the number of wei to send. It is `wanted`, or less if a budget is too small for
    `wanted` and the transfer's maximum fee `cost`. Raises BudgetSpent if it would be less than
    `minimum`."""
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
    """Return the UTC day of a time in seconds since 1970. Days are also counted from 1970."""
    return int(seconds // DAY)


def seconds_to_next(day: int, now: float) -> int:
    """Return the number of seconds until `day` ends, rounded up and at least one."""
    return max(1, -int(-((day + 1) * DAY - now) // 1))
