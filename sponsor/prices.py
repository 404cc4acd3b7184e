"""Computes what a game's next moves cost at today's fees, including the L1 fee for data."""

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
"""The number of moves that a grant pays for. In addition, it pays for the game's most expensive
action, which opens or joins a match."""
SAMPLE_DATA = b"".join(keccak(bytes([number])) for number in range(14))
"""Sample data for estimating the L1 fee. It is as long as a signed move (448 bytes) and as hard to
compress."""
STAKE_ACTIONS = ("withdraw",)
"""The actions that are needed only in matches with a stake."""


@dataclass(frozen=True, slots=True)
class Price:
    """Prices in wei: the maximum price per unit of gas, the L1 fee for the data of one transaction,
    and the expected price per unit of gas. The page uses the expected price when it shows costs."""

    max_fee: int
    l1_fee: int
    expected_fee: int

    def of(self, gas: int, transactions: int = 1) -> int:
        """Return the maximum cost, in wei, of this number of transactions that together use
        `gas`."""
        return gas * self.max_fee + transactions * self.l1_fee

    @property
    def transfer(self) -> int:
        """The maximum cost of a transfer, in wei. It covers the case that the transfer's fee is
        bumped up to the ceiling."""
        return CEILING_FACTOR * TRANSFER_GAS * self.max_fee + 2 * self.l1_fee


@dataclass(frozen=True, slots=True)
class MovesGas:
    """The gas limits of a game's most expensive action (`most_expensive`) and of a typical action
    (`move`). `usual` is the gas that a typical action really uses."""

    most_expensive: int
    move: int
    usual: int

    def needed(self, price: Price) -> int:
        """Return the maximum cost of the most expensive action and MOVES more moves, in wei."""
        return price.of(self.most_expensive + MOVES * self.move, MOVES + 1)

    def minimum(self, price: Price) -> int:
        """Return the maximum cost of the most expensive action, in wei. A player with less ether
        can't start to play."""
        return price.of(self.most_expensive)

    def affordable_moves(self, wei: int, price: Price) -> int:
        """Return the number of typical moves that this amount of wei probably pays for. Before each
        move, a player must have enough for the move's maximum cost, but will probably pay less."""
        max_cost = price.of(self.move)
        if wei < max_cost:
            return 0
        return 1 + (wei - max_cost) // max(1, self.usual * price.expected_fee + price.l1_fee)


def moves_gas(game: Game) -> MovesGas:
    """Return the gas limits of the game's actions at the start of a match. Also return the gas that
    they really use, as measured by `bench costs`."""
    friendly = [one for one in game.actions if one.name not in STAKE_ACTIONS]
    limits = [one.gas_limit({}) for one in friendly]
    move = int(statistics.median_low(limits))
    measured = [one.usual_gas for one in friendly if one.usual_gas] or [move]
    return MovesGas(max(limits), move, int(statistics.median_high(measured)))


async def price_now(request: Request) -> Price:
    """Return the prices at the node's current fees. Raises NoResponse or RpcError."""
    quote, l1_fee = await asyncio.gather(fee_quote(request), L1FeeOracle(request).fee(SAMPLE_DATA))
    return Price(quote.fees.max_fee, l1_fee, quote.price)
