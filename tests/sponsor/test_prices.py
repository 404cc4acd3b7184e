"""Tests that the sponsor announces exactly as many moves as the allowance really pays for."""

from __future__ import annotations

import pytest

from indexer.games import GAMES
from sponsor.prices import MOVES, MovesGas, Price, moves_gas

GWEI = 10**9
GAS = MovesGas(250_000, 80_000, 40_000)


def made(wei: int, price: Price, gas: MovesGas) -> int:
    """Return the number of moves that a player can make one after another. For each move, the
    account must hold the move's maximum cost, but pays only the expected price."""
    count = 0
    while wei >= price.of(gas.move):
        wei -= gas.usual * price.expected_fee + price.l1_fee
        count += 1
    return count


@pytest.mark.parametrize("price", [Price(3 * GWEI, 0, GWEI), Price(GWEI, 10**13, GWEI // 2), Price(2 * GWEI, 7, GWEI)])
@pytest.mark.parametrize("wei", [0, 10**13, 10**14, 9 * 10**14, 10**16])
def test_as_many_as_can_be_made(price: Price, wei: int) -> None:
    assert GAS.affordable_moves(wei, price) == made(wei, price, GAS)


@pytest.mark.parametrize("slug", GAMES)
def test_an_allowance_is_for_more_moves_than_its_limits(slug: str) -> None:
    """An allowance pays for more moves than its limits suggest, because a move uses less gas than
    its limit and pays less than the maximum fee. For Tic-tac-toe, an earlier version announced 9
    moves instead of 36."""
    gas, price = moves_gas(GAMES[slug]), Price(2 * GWEI, 0, GWEI)
    assert 0 < gas.usual <= gas.most_expensive
    count = gas.affordable_moves(gas.needed(price), price)
    assert count > MOVES
    assert count * gas.usual * price.expected_fee <= gas.needed(price)
