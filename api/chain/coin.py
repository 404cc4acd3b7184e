"""What the chain calls its coin, and what that is worth by the operator's word."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from api.shapes.status import RateShape

SYMBOL = re.compile(r"[A-Za-z][A-Za-z0-9.$]{0,10}")
CURRENCY = re.compile("[A-Z]{3}")
MOST = 1e12


class BadCoin(ValueError):
    """A symbol or a rate that can't be used, in a sentence."""


@dataclass(frozen=True, slots=True)
class Coin:
    """A symbol, and the price of one coin in a currency (ISO 4217), if it is known."""

    symbol: str = "ETH"
    rate: tuple[str, float] | None = None

    def rate_shape(self) -> RateShape | None:
        """The rate as the health answer has it."""
        return {"currency": self.rate[0], "price": self.rate[1]} if self.rate else None


def parse_symbol(text: str) -> str:
    """Raises BadCoin."""
    if SYMBOL.fullmatch(text) is None:
        raise BadCoin(f"{text!r} is no coin's symbol: up to 11 letters and digits, such as ETH")
    return text


def parse_rate(text: str) -> tuple[str, float]:
    """`EUR:2500` as a currency and the price of one coin. Raises BadCoin."""
    currency, _colon, amount = text.partition(":")
    try:
        price = float(amount)
    except ValueError:
        price = math.nan
    if CURRENCY.fullmatch(currency) is None or not 0 < price <= MOST:
        raise BadCoin(f"{text!r} is no rate: three capital letters and a price of one coin, such as EUR:2500")
    return currency, price
