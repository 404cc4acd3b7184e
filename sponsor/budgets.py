"""A sponsor's daily budgets, and functions that compute how much of them is left."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

DAY = 86_400
ADDRESS_SHARE, NETWORK_SHARE = 10, 4
"""The divisors of the default budgets. A recipient's address gets at most 1/10 of the daily budget,
and all requests from one network address get at most 1/4."""

Limit: TypeAlias = Literal["day", "game", "network", "address"]


@dataclass(frozen=True, slots=True)
class Budgets:
    """The budgets in wei per UTC day: in total, per game, per network address that sends requests,
    and per recipient. The transfers' fees count against the budgets, too."""

    day: int
    game: int
    network: int
    address: int

    @classmethod
    def of(cls, day: int, game: int | None = None, network: int | None = None, address: int | None = None) -> Budgets:
        """Return the budgets. If an argument is None, that budget is a default share of `day`. No
        budget is higher than `day`."""
        return cls(
            day,
            min(day, day if game is None else game),
            min(day, day // NETWORK_SHARE if network is None else network),
            min(day, day // ADDRESS_SHARE if address is None else address),
        )


@dataclass(frozen=True, slots=True)
class Spent:
    """The amounts, in wei, that have been paid or reserved on one day. There is a sum for each of
    the four budgets."""

    day: int = 0
    game: int = 0
    network: int = 0
    address: int = 0


class BudgetSpent(Exception):
    """Too little is left of a budget to pay for a move. `limit` is the name of the budget."""

    def __init__(self, limit: Limit) -> None:
        super().__init__(f"the budget per {limit} is used up")
        self.limit = limit


def allowance(budgets: Budgets, spent: Spent, wanted: int, minimum: int, cost: int) -> int:
    """Return the number of wei to send: `wanted`, or less if too little is left of a budget. The
    budgets must also cover `cost`, the transfer's maximum fee. Raises BudgetSpent if less than
    `minimum` could be sent."""
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
    """Convert a time in seconds since 1970 to its UTC day, as a number of days since 1970."""
    return int(seconds // DAY)


def seconds_to_next(day: int, now: float) -> int:
    """Return the number of seconds until the UTC day `day` ends, rounded up. It is at least one."""
    return max(1, -int(-((day + 1) * DAY - now) // 1))
