"""Tests Conquest's random draws of items, which decide how often items appear, on which lands, and
which types the items have.

Each draw on the chain must match the draw of the engine, which is Conquest's rules in Python.

- a turn's draw
  - An item should appear in 12 of 100 turns
  - The item should appear on a land without an item: a neutral land, or a fort, which counts twice
  - The draw should count the possible lands in the order of their numbers
  - When the item appears in a fort that a player owns
    - The owner should collect the item immediately, and the seed of the draw should decide its type
  - When the block's hash is no longer available
    - No item should appear, but the other items should still become older
- the draw COLLECT, which decides the type of a captured item
  - When the block's hash is no longer available
    - The player should get nothing and keep the stored items
"""

from __future__ import annotations

from collections import Counter

import pytest

from indexer.rules.conquest_state.chance import NO_HASH, SPOT, Chance
from tests.contracts.support.conquest.storage import table_at
from tests.contracts.support.contract import Contract
from tests.contracts.support.matches.conquest import ConquestTable
from tests.support.conquest.maps import row_of_lands
from tests.support.conquest.states import item_appears, item_is, seeds

CONTRACT = "Conquest"
TURNS = 300


def begun(game: Contract, owned: list[list[int]], forts: tuple[int, ...] = (), **more: object) -> ConquestTable:
    """Return a match at the beginning of a turn. The random draw of this turn is still open."""
    table = table_at(game, row_of_lands(8, forts=forts), owned, **more)
    table.send_command("pass", phaseOnly=False)
    return table


def test_items_appear_in_twelve_of_a_hundred_turns(game: Contract) -> None:
    """Tests how often items appear. In the original game, items never appear. Each try in this test
    uses a new seed."""
    table = begun(game, [[0], [7]])
    table.wait(lambda _chance: True)
    found = Counter[str]()
    for _, seed in zip(range(TURNS), seeds(7), strict=False):
        chance = Chance(seed, table.match, table.state.ply)
        snapshot = game.node.rpc("evm_snapshot")
        table.set_block_hash(table.state.anchor + 1, seed)
        raw = game.node.send(table.stranger, game.address, game.data("settle", table.match))
        names = [event.name for event in game.receipt(raw).events]
        game.node.rpc("evm_revert", snapshot)
        found.update(names)
        assert ("ItemAppeared" in names) == (chance.number(0) % 100 < 12)
    assert 20 <= found["ItemAppeared"] <= 55


@pytest.mark.parametrize("at", range(6))
def test_forts_count_twice_and_lands_from_the_lowest(game: Contract, at: int) -> None:
    """Tests the lands on which an item can appear: the neutral lands 1 and 4, the neutral fort 2,
    and seat 0's fort 3. Land 5 already has an item, so none can appear there."""
    table = begun(game, [[0, 3], [7, 6]], (2, 3), items={5: False})
    found = table.settle(lambda chance: item_appears(chance) and chance.number(SPOT) % 6 == at)
    (appeared,) = [args for name, args in found if name == "ItemAppeared"]
    assert appeared == {"land": [1, 2, 2, 3, 3, 4][at], "fat": False}
    assert ("ItemCollected" in dict(found)) == (appeared["land"] == 3)


@pytest.mark.parametrize("item", range(1, 8))
def test_a_forts_owner_collects_with_the_same_seed(game: Contract, item: int) -> None:
    """Tests that seat 0, which owns the fort, collects the item in it, although it is seat 1's
    turn."""
    table = begun(game, [[0, 1, 2, 3], [7, 6, 5, 4]], (2,), soldiers=[20] * 8)
    found = table.settle(lambda chance: item_appears(chance) and item_is(chance, item))
    assert [args for name, args in found if name == "ItemCollected"] == [{"seat": 0, "land": 2, "item": item}]
    assert table.view["items"] == []


def test_a_fat_one_in_an_owned_fort_works_at_once(game: Contract) -> None:
    table = begun(game, [[0, 1, 2, 3], [7, 6, 5, 4]], (2,), soldiers=[1, 1, 1, 1, 3, 9, 3, 50])
    table.settle(lambda chance: item_appears(chance, fat=True))
    assert table.state.owners[5] == 0


def test_where_no_land_is_free_none_appears(game: Contract) -> None:
    table = begun(game, [[0, 1, 2, 3], [7, 6, 5, 4]])
    assert [name for name, _ in table.settle(item_appears)] == ["Drawn"]


def test_of_a_forgotten_block_none_appears_and_the_others_get_older(game: Contract) -> None:
    table = begun(game, [[0], [7]], items={3: True})
    forget(table)
    assert [name for name, _ in table.settle()] == ["Drawn"]
    assert table.view["items"] == [{"land": 3, "fat": True, "turns": 3}]


def test_of_a_forgotten_block_nothing_is_collected(game: Contract) -> None:
    table = table_at(game, row_of_lands(8), [[0], [7]], items={1: False}, stored={0: 4})
    table.send_command("capture", **{"from": 0, "to": 1})
    forget(table)
    assert table.settle()[-1] == ("ItemCollected", {"seat": 0, "land": 1, "item": 0})
    assert table.view["stored"] == [4, 0]


def forget(table: ConquestTable) -> None:
    """Make a block hash unavailable, both from BLOCKHASH and from the history contract. The open
    draw needs this hash."""
    height = table.state.anchor + 1
    table.node.mine(258)
    table.set_block_hash(height, NO_HASH)
