"""Tests the effect of each Conquest item on the chain. An item lies on a land for four turns, and
its effect lasts for one turn.

- capture
  - When an item lies on the captured land
    - The capture should open the draw COLLECT, whose block should decide the item's type
  - When the fat item (item 8) lies on the captured land
    - The item should immediately take the largest land of each of the two strongest opponents
- useItem
  - When the player uses item 1
    - One attack should need no path to its target, but the target can't be a capital
  - When the player uses item 2
    - Each attack should have its full strength
  - When the player uses item 3
    - The player should be able to build a port and launch or capture once, in any order
  - When the player uses item 4
    - The same player should have the next turn, unless the clock ended this turn
- a turn's draw
  - When an item has lain for four turns
    - The item should expire
"""

from __future__ import annotations

from typing import Any

import pytest

from indexer.rules.conquest_state.state import ACTION, MOVE, NONE, REINFORCEMENT, TURN
from tests.contracts.support.conquest.storage import table_at
from tests.contracts.support.contract import Contract, Reverted
from tests.contracts.support.matches.conquest import ConquestTable
from tests.support.conquest.maps import graph_bytes, row_of_lands
from tests.support.conquest.states import FAT_BONUS, FOUR, item_appears, item_is

CONTRACT = "Conquest"
LANDS = 8
ROW = row_of_lands(LANDS)
SHORE = graph_bytes(LANDS, [(land, land + 1) for land in range(LANDS - 1)], [[0, 5, 7]])


def captured(game: Contract, item: int, owned: list[list[int]], **more: Any) -> ConquestTable:
    """Return a match in which seat 0 has captured land 1 and collected the item on it."""
    graph = row_of_lands(4 * len(owned), types=more.pop("types", {}))
    table = table_at(game, graph, owned, items={1: item == 8}, **more)
    table.send_command("capture", **{"from": 0, "to": 1})
    if item != 8:
        table.settle(lambda chance: item_is(chance, item))
    collected = [args for name, args in _events(table) if name == "ItemCollected"]
    assert collected == [{"seat": 0, "land": 1, "item": item}]
    return table


def _events(table: ConquestTable) -> list[tuple[str, Any]]:
    return [(event.name, event.args) for event in table.receipt.events]


def used(game: Contract, item: int, owned: list[list[int]], graph: bytes = ROW, **more: Any) -> ConquestTable:
    table = table_at(game, graph, owned, stored={0: item}, **more)
    assert table.send_command("useItem")[-1] == ("ItemUsed", {"seat": 0, "item": item})
    assert table.view["used"] == 1 << item - 1
    return table


def pairs(*lands: int) -> str:
    return "0x" + bytes(lands).hex()


# ---- items that take effect immediately


@pytest.mark.parametrize("item", range(1, 5))
def test_four_of_them_are_stored(game: Contract, item: int) -> None:
    table = captured(game, item, [[0], [7]], stored={0: 1 + item % 4})
    assert table.view["stored"] == [item, 0]


@pytest.mark.parametrize(("item", "after"), [(5, [20, 22, 9, 110]), (6, [18, 18, 9, 90])])
def test_ten_percent_come_or_go(game: Contract, item: int, after: list[int]) -> None:
    table = captured(game, item, [[0, 3], [7]], soldiers=[19, 20, 9, 100, 5, 5, 5, 30])
    assert table.view["soldiers"] == [*after, 5, 5, 5, 30]


def test_a_land_is_lost_that_is_neither_capital_nor_strongest(game: Contract) -> None:
    """Tests that a player who gets item 7 loses a land. In the original game, nobody loses one."""
    table = captured(game, 7, [[0, 2, 3], [7]], soldiers=[5, 6, 8, 8, 2, 0, 0, 0])
    ((_, lost),) = [one for one in _events(table) if one[0] == "LandsTaken"]
    assert (int(lost["lands"]) in (1 << 1, 1 << 3), lost["from"], lost["to"]) == (True, 0, NONE)
    assert table.view["soldiers"][:4] == [5, 6, 8, 8]


def test_a_hero_dies_with_the_lost_land_and_half_of_all_soldiers_with_it(game: Contract) -> None:
    table = captured(game, 7, [[0, 2], [7]], soldiers=[40, 60, 31, 0, 0, 0, 0, 0], heroes={0: 2})
    assert [name for name, _ in _events(table)] == ["Drawn", "ItemCollected", "HeroDied", "Soldiers", "LandsTaken"]
    assert table.view["soldiers"][:3] == [20, 30, 15]


def test_who_has_nothing_to_lose_loses_nothing(game: Contract) -> None:
    table = captured(game, 7, [[0], [7]], soldiers=[1, 6, 0, 0, 0, 0, 0, 0])
    assert [name for name, _ in _events(table)] == ["Drawn", "ItemCollected"]


@pytest.mark.parametrize("case", FAT_BONUS)
def test_the_fat_one_takes_the_largest_land_of_the_two_strongest_but_the_collector(game: Contract, case: str) -> None:
    """Tests that the fat item takes lands from the strongest players. In the original game, it
    takes no land from anybody."""
    soldiers, givers = FAT_BONUS[case]
    table = captured(game, 8, FOUR, soldiers=[*soldiers, *[0] * 8])
    lost = [args["from"] for name, args in _events(table) if name == "LandsTaken"]
    assert lost == [NONE, *givers]
    assert table.view["draw"] == 0


def test_a_hero_on_the_land_that_the_fat_one_takes_dies_before(game: Contract) -> None:
    table = captured(game, 8, [[0], [7, 6]], soldiers=[1, 1, 0, 0, 0, 0, 31, 60], heroes={1: 6})
    assert [name for name, _ in _events(table)][2:] == ["ItemCollected", "HeroDied", "Soldiers", "LandsTaken", "Phase"]
    assert table.view["soldiers"] == [1, 1, 0, 0, 0, 0, 15, 30]


def test_the_fat_one_may_bring_the_hero(game: Contract) -> None:
    table = captured(game, 8, [[0, 2], [7, 4]], types={0: 1, 1: 2, 2: 3, 4: 4})
    assert [name for name, _ in _events(table)][-3:] == ["LandsTaken", "HeroAt", "Phase"]


# ---- items that a player stores


def test_one_attack_goes_anywhere_but_to_a_capital(game: Contract) -> None:
    """Tests that item 1 allows an attack on any land. In the original game, it has no effect."""
    table = used(game, 1, [[0], [7, 4]], soldiers=[90, 0, 0, 0, 5, 0, 0, 9])
    for wrong, land in (((0, 7), 7), ((0, 4, 0, 4), 4)):
        found = table.expect_revert(table.mover, "attack", **table.named(), pairs=pairs(*wrong))
        assert found == Reverted("NotConnected", 0, land)
    table.send_command("attack", pairs=pairs(0, 4))
    table.settle()
    assert table.state.owners[4] == 0


def test_a_distant_land_is_captured(game: Contract) -> None:
    table = used(game, 1, [[0], [7]])
    table.send_command("capture", **{"from": 0, "to": 4})
    assert table.state.owners[4] == 0


@pytest.mark.parametrize(("full", "needed"), [(True, 180), (False, 360)])
def test_attacks_at_full_power(game: Contract, full: bool, needed: int) -> None:
    """Tests that item 2 gives attacks full strength. In the original game, it has no effect."""
    table = used(game, 2 if full else 4, [[1], [7, 0, 2]], soldiers=[9, 90, 9, 0, 0, 0, 0, 9])
    table.send_command("attack", pairs=pairs(1, 0, 1, 2))
    found = table.settle()
    assert [args["needed20"] for name, args in found if name == "BattleResolved"] == [needed, needed]


@pytest.mark.parametrize("port_first", [True, False])
def test_port_and_attack_in_one_turn(game: Contract, port_first: bool) -> None:
    table = used(game, 3, [[0, 5], [7, 1]], SHORE, soldiers=[90, 9, 0, 0, 0, 0, 0, 9])

    def launch() -> None:
        table.send_command("attack", pairs=pairs(0, 1))
        table.settle()

    def build() -> None:
        table.send_command("buildPort", land=0)

    for act in (build, launch) if port_first else (launch, build):
        assert table.view["phase"] == ACTION
        act()
    assert table.view["phase"] == MOVE


@pytest.mark.parametrize("kind", [2, 5])
def test_not_twice_the_same_in_one_turn(game: Contract, kind: int) -> None:
    table = used(game, 3, [[0, 5], [7]], SHORE)
    steps = {2: ("buildPort", {"land": 0}, {"land": 5}), 5: ("capture", {"from": 0, "to": 1}, {"from": 1, "to": 2})}
    action, first, second = steps[kind]
    table.send_command(action, **first)
    assert table.expect_revert(table.mover, action, **table.named(), **second) == Reverted("OncePerTurn", kind)


def test_without_it_a_port_ends_the_phase(game: Contract) -> None:
    table = table_at(game, SHORE, [[0], [7]])
    table.send_command("buildPort", land=0)
    assert table.view["phase"] == MOVE


def test_two_turns_in_a_row(game: Contract) -> None:
    table = used(game, 4, [[0], [7]])
    table.send_command("pass", phaseOnly=False)
    assert (table.state.mover, table.view["used"], table.view["draw"]) == (0, 0, TURN)
    table.send_command("pass", phaseOnly=False)
    assert table.state.mover == 1


def test_after_a_forced_pass_the_second_turn_is_lost(game: Contract) -> None:
    table = used(game, 4, [[0], [7]])
    table.late()
    table.call(table.stranger, "claimTimeout")
    assert (table.state.mover, table.view["used"]) == (1, 0)


def test_an_item_that_is_used_too_late_is_wasted(game: Contract) -> None:
    table = used(game, 2, [[0], [7]], phase=MOVE)
    table.send_command("pass", phaseOnly=False)
    assert table.view["used"] == 0


def test_two_items_are_valid_together(game: Contract) -> None:
    table = used(game, 3, [[0], [7]])
    state = table.state
    assert state.used == {3}
    table.send_command("capture", **{"from": 0, "to": 1})
    assert table.view["phase"] == ACTION


# ---- items that lie on a land


def test_an_item_expires_after_four_turns(game: Contract) -> None:
    table = table_at(game, ROW, [[0], [7]])
    table.send_command("pass", phaseOnly=False)
    (appeared,) = [args for name, args in table.settle(item_appears) if name == "ItemAppeared"]
    lying = []
    for _ in range(4):
        lying.append(table.view["items"][0]["turns"])
        table.send_command("pass", phaseOnly=False)
        found = table.settle(lambda chance: not item_appears(chance) and not item_appears(chance, fat=True))
    assert lying == [4, 3, 2, 1]
    assert found[-1] == ("ItemExpired", {"land": appeared["land"]})
    assert table.view["items"] == []


def test_four_lie_about_at_most_and_age_together(game: Contract) -> None:
    table = table_at(game, ROW, [[0], [7]], phase=REINFORCEMENT)
    for _ in range(6):
        table.send_command("pass", phaseOnly=False)
        table.settle(item_appears)
    assert sorted(item["turns"] for item in table.view["items"]) == [1, 2, 3, 4]
