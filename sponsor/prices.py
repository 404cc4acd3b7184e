"""What the next moves of a game cost at today's fees, the fee for their data included."""

from __future__ import annotations

import asyncio
import statistics
from dataclasses import dataclass

from eth_utils.crypto import keccak

from contracts.rpc_errors import Request
from indexer.gamekit.game import Game
from transactions.chain_client import TRANSFER_GAS
from transactions.fees import CEILING_FACTOR, fee_quote
from transactions.l1_fee import L1FeeOracle

MOVES = 6
"""How many moves are paid for, beside the game's dearest action, which opens or joins a match."""
DATA = b"".join(keccak(bytes([number])) for number in range(14))
"""As long as a signed move, 448 bytes, and no more compressible."""
OF_STAKES = ("withdraw",)
"""Actions that no friendly match has."""


@dataclass(frozen=True, slots=True)
class Price:
    """Wei: what a unit of gas may cost at most, the fee for the data of one transaction, and what a unit of gas is
    likely to cost, as the page tells it beside a button."""

    max_fee: int
    l1_fee: int
    likely: int

    def of(self, gas: int, transactions: int = 1) -> int:
        """Wei that so much gas in so many transactions costs at most."""
        return gas * self.max_fee + transactions * self.l1_fee

    @property
    def transfer(self) -> int:
        """Wei that a transfer costs at most, bumped as far as a transaction's fee ever is."""
        return CEILING_FACTOR * TRANSFER_GAS * self.max_fee + 2 * self.l1_fee


@dataclass(frozen=True, slots=True)
class MovesGas:
    """Gas limits: of the game's dearest action, and of a usual one; and `usual`, what a usual one takes of it."""

    dearest: int
    move: int
    usual: int

    def needed(self, price: Price) -> int:
        """Wei for the next moves."""
        return price.of(self.dearest + MOVES * self.move, MOVES + 1)

    def least(self, price: Price) -> int:
        """Wei for the dearest action alone: who has less can't begin."""
        return price.of(self.dearest)

    def count(self, wei: int, price: Price) -> int:
        """How many usual moves so much is likely to pay for, one after the other. The last one, too, can be sent only
        with what it may cost at most in hand."""
        at_most = price.of(self.move)
        if wei < at_most:
            return 0
        return 1 + (wei - at_most) // max(1, self.usual * price.likely + price.l1_fee)


def moves_gas(game: Game) -> MovesGas:
    """By the limits that the game's actions have at the start of a match, and by what `bench costs` has measured."""
    friendly = [one for one in game.actions if one.name not in OF_STAKES]
    limits = [one.gas_limit({}) for one in friendly]
    move = int(statistics.median_low(limits))
    measured = [one.usual_gas for one in friendly if one.usual_gas] or [move]
    return MovesGas(max(limits), move, int(statistics.median_high(measured)))


async def price_now(request: Request) -> Price:
    """Today's. Raises NoResponse and RpcError."""
    quote, l1_fee = await asyncio.gather(fee_quote(request), L1FeeOracle(request).fee(DATA))
    return Price(quote.fees.max_fee, l1_fee, quote.price)
