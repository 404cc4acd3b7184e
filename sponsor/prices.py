"""Computes what a game's next moves cost at today's fees, including the L1 fee for their data."""

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
"""The number of moves that a grant pays for, in addition to the game's most expensive action. That
action opens or joins a match."""
SAMPLE_DATA = b"".join(keccak(bytes([number])) for number in range(14))
"""Sample data for the L1 fee. It is as long as a signed move (448 bytes) and compresses as
badly."""
STAKE_ACTIONS = ("withdraw",)
"""The actions that exist only in matches with a stake."""


@dataclass(frozen=True, slots=True)
class Price:
    """Prices in wei: the maximum price per unit of gas, the L1 fee for one transaction's data, and
    the expected price per unit of gas. The page shows costs at the expected price."""

    max_fee: int
    l1_fee: int
    expected_fee: int

    def of(self, gas: int, transactions: int = 1) -> int:
        """Return the maximum cost, in wei, of `transactions` transactions that together use
        `gas`."""
        return gas * self.max_fee + transactions * self.l1_fee

    @property
    def transfer(self) -> int:
        """The maximum cost of a transfer in wei, even if its fee is bumped to the ceiling."""
        return CEILING_FACTOR * TRANSFER_GAS * self.max_fee + 2 * self.l1_fee


@dataclass(frozen=True, slots=True)
class MovesGas:
    """The gas limits of a game's most expensive action (`most_expensive`) and of a typical action
    (`move`). `usual` is the gas that a typical action actually uses."""

    most_expensive: int
    move: int
    usual: int

    def needed(self, price: Price) -> int:
        """Return the maximum cost in wei of the most expensive action and of MOVES more moves."""
        return price.of(self.most_expensive + MOVES * self.move, MOVES + 1)

    def minimum(self, price: Price) -> int:
        """Return the maximum cost in wei of the most expensive action. A player who has less can't
        begin."""
        return price.of(self.most_expensive)

    def affordable_moves(self, wei: int, price: Price) -> int:
        """Return the number of typical moves that this amount probably pays for. A player must have
        the maximum cost of a move before each move, but probably pays less for it."""
        max_cost = price.of(self.move)
        if wei < max_cost:
            return 0
        return 1 + (wei - max_cost) // max(1, self.usual * price.expected_fee + price.l1_fee)


def moves_gas(game: Game) -> MovesGas:
    """Return the gas limits of the game's actions at the start of a match, and the gas that they
    use according to the measurements of `bench costs`."""
    friendly = [one for one in game.actions if one.name not in STAKE_ACTIONS]
    limits = [one.gas_limit({}) for one in friendly]
    move = int(statistics.median_low(limits))
    measured = [one.usual_gas for one in friendly if one.usual_gas] or [move]
    return MovesGas(max(limits), move, int(statistics.median_high(measured)))


async def price_now(request: Request) -> Price:
    """Return the current prices. Raises NoResponse or RpcError."""
    quote, l1_fee = await asyncio.gather(fee_quote(request), L1FeeOracle(request).fee(SAMPLE_DATA))
    return Price(quote.fees.max_fee, l1_fee, quote.price)
