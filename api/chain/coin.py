"""The chain's coin: its symbol, the price that the operator has set, and the lowest cost that the
page shows."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from api.shapes.status import RateShape

SYMBOL = re.compile(r"[A-Za-z][A-Za-z0-9.$]{0,10}")
CURRENCY = re.compile("[A-Z]{3}")
MAX_AMOUNT = 1e12


class BadCoin(ValueError):
    """An invalid symbol, rate or amount. The message says what is allowed."""


@dataclass(frozen=True, slots=True)
class Coin:
    """The symbol of a coin and, if it is known, the price of one coin in a currency (ISO 4217).

    The page shows no costs below `tell_costs_above`, which is an amount in that currency."""

    symbol: str = "ETH"
    rate: tuple[str, float] | None = None
    tell_costs_above: float = 0.01

    def rate_shape(self) -> RateShape | None:
        """Return the rate as it appears in the response of /api/health. Return None if the operator
        has set no price."""
        return {"currency": self.rate[0], "price": self.rate[1]} if self.rate else None


def parse_symbol(text: str) -> str:
    """Return the symbol unchanged. Raises BadCoin if it is invalid."""
    if SYMBOL.fullmatch(text) is None:
        raise BadCoin(f"{text!r} is not a valid coin symbol: use up to 11 letters and digits, such as ETH")
    return text


def parse_rate(text: str) -> tuple[str, float]:
    """Parse a rate, such as `EUR:2500`, into a currency and the price of one coin. Raises BadCoin
    if it is invalid."""
    currency, _colon, amount = text.partition(":")
    try:
        price = float(amount)
    except ValueError:
        price = math.nan
    if CURRENCY.fullmatch(currency) is None or not 0 < price <= MAX_AMOUNT:
        raise BadCoin(
            f"{text!r} is not a rate: use a currency's three capital letters, a colon and the price of one coin, such "
            "as EUR:2500"
        )
    return currency, price


def parse_amount(text: str) -> float:
    """Parse an amount of money. Raises BadCoin if it is invalid or negative."""
    try:
        amount = float(text)
    except ValueError:
        amount = math.nan
    if not 0 <= amount <= MAX_AMOUNT:
        raise BadCoin(f"{text!r} is not an amount: use 0 or a positive number, such as 0.01")
    return amount
