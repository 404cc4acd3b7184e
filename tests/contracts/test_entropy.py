"""Randomness that a revert can't draw again.

Given a running match whose anchor is block L
  When a turn is tried in block L + 1
    It should be refused, as the block that decides is not there yet
  When it is played anywhere from L + 2 to L + 257, by whomever
    It should be the same volley, drawn from the hash of block L + 1
  When it is played in block L + 258
    It should be another one, drawn from block L + 257
  When a ship changes position first
    It should become the anchor, and the volley another one
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.contracts.deployed import Contract, Receipt, Refused
from tests.contracts.table import Table, shots

CONTRACT = "ToucheCoule"


@pytest.fixture
def table(game: Contract) -> Table:
    table = Table(game, 64, 64, 2, 2)
    table.start()
    table.turns(4)
    return table


def _tried(table: Table, wait: int, play: Callable[[], Receipt]) -> Receipt:
    """What would come out if one waited so many blocks more; afterwards nothing has happened."""
    before = table.anvil.rpc("evm_snapshot")
    table.anvil.mine(wait)
    receipt = play()
    table.anvil.rpc("evm_revert", before)
    table.anvil.rpc("anvil_dropAllTransactions")  # one that Anvil had lost sight of would be mined in the next try
    return receipt


def _turn(table: Table, player: int = 0) -> Callable[[], Receipt]:
    return lambda: table.send(player, "turn", table.view.ply)


def _hash(table: Table, number: int) -> Any:
    return table.anvil.rpc("eth_getBlockByNumber", hex(number), False)["hash"]


def test_the_block_that_decides_must_be_there(table: Table) -> None:
    anchor = table.view.anchor
    assert anchor == table.anvil.height
    for call in (("turn", table.view.ply), ("changePosition",)):
        with pytest.raises(Refused) as refused:
            table.call(0, *call)
        assert refused.value == Refused("TooSoon", anchor + 1, anchor + 2)


def test_a_volley_is_fixed_for_256_blocks(table: Table) -> None:
    anchor = table.view.anchor
    table.anvil.mine()
    foreseen = _tried(table, 0, _turn(table))
    assert foreseen.height == anchor + 2
    for wait in (1, 100, 254, 255):
        again = _tried(table, wait, _turn(table, player=1))
        assert again.height == anchor + 2 + wait
        assert shots(again) == shots(foreseen)
    (played,) = foreseen.named("TurnPlayed")
    assert (played["entropyBlock"], played["seed"]) == (anchor + 1, _hash(table, anchor + 1))


def test_after_256_blocks_another_block_decides(table: Table) -> None:
    anchor = table.view.anchor
    table.anvil.mine()
    foreseen = _tried(table, 0, _turn(table))
    for wait, number in ((256, anchor + 257), (511, anchor + 257), (512, anchor + 513)):
        later = _tried(table, wait, _turn(table))
        (played,) = later.named("TurnPlayed")
        assert played["entropyBlock"] == number
        assert later.height - 256 <= number < later.height, "in reach of blockhash"
        assert int(played["seed"], 16) != 0
        assert shots(later) != shots(foreseen)


def test_a_new_position_is_fixed_as_well(table: Table) -> None:
    table.anvil.mine()
    first, later = (_tried(table, wait, lambda: table.send(0, "changePosition")) for wait in (0, 200))
    assert first.named("Moved") == later.named("Moved")


def test_a_change_of_position_draws_the_volley_anew(table: Table) -> None:
    table.anvil.mine()
    foreseen = _tried(table, 0, _turn(table))
    moved = table.send(0, "changePosition")
    assert table.view.anchor == moved.height
    with pytest.raises(Refused) as refused:
        table.call(1, "turn", table.view.ply)
    assert refused.value == Refused("TooSoon", moved.height + 1, moved.height + 2)
    redrawn = table.turn(1)
    (played,) = redrawn.named("TurnPlayed")
    assert played["entropyBlock"] == moved.height + 1
    assert shots(redrawn)[3] != shots(foreseen)[3]


def test_a_ship_is_placed_by_the_block_before(game: Contract) -> None:
    """What a player can still choose is the time of registering: another block, another cell."""
    table = Table(game, 64, 64)
    cells = set()
    for wait in range(6):
        receipt = _tried(table, wait, lambda: table.register(0))
        (placed,) = receipt.named("Registered")
        cells.add((placed["x"], placed["y"]))
    assert len(cells) >= 5
