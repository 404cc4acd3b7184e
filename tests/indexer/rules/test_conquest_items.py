"""Tests items in the Conquest engine, which implements the rules in Python. Items must appear at
the right places and times, expire, and have the right effects."""

from __future__ import annotations

from collections import Counter

import pytest

from indexer.rules.conquest_state.chance import NO_HASH, SPOT, Chance
from indexer.rules.conquest_state.commands import attack, build_port, capture, move, pass_on, use_item
from indexer.rules.conquest_state.custom_error import CustomError
from indexer.rules.conquest_state.draws import carry_out
from indexer.rules.conquest_state.state import ACTION, BATTLE, COLLECT, MOVE, NONE, REINFORCEMENT, TURN, ConquestState
from tests.support.conquest.maps import graph_bytes, row_of_lands
from tests.support.conquest.states import (
    FAT_BONUS,
    FOUR,
    MATCH,
    args_of,
    item_appears,
    item_is,
    position,
    seed_for,
    seed_with_luck,
    seeds,
    take_events,
)

LANDS = 8


def begun(owned: list[list[int]], **more: object) -> ConquestState:
    """Return the state at the start of seat 0's turn. The random draw for this turn hasn't been
    settled yet."""
    graph = row_of_lands(LANDS, forts=more.pop("forts", ()))
    state = position(graph, owned, phase=REINFORCEMENT, **more)  # type: ignore[arg-type]
    state.draw = TURN
    return state


def collected(item: int, owned: list[list[int]], **more: object) -> ConquestState:
    """Return the state after seat 0 has captured land 1, and has collected the item on that
    land."""
    graph = row_of_lands(LANDS, types=more.pop("types", {}))
    state = position(graph, owned, items={1: item == 8}, **more)  # type: ignore[arg-type]
    capture(state, 0, 1)
    if item != 8:
        carry_out(state, seed_for(state, lambda chance: item_is(chance, item)))
    return state


# ---- how items appear


def test_items_appear_in_twelve_of_a_hundred_turns() -> None:
    found = Counter[bool]()
    for _, seed in zip(range(2_000), seeds(), strict=False):
        state = begun([[0], [7]])
        carry_out(state, seed)
        found["ItemAppeared" in dict(state.events)] += 1
    assert 200 <= found[True] <= 280


def test_one_appears_on_neutral_lands_and_forts_alone_and_twice_as_often_on_a_fort() -> None:
    found = Counter[int]()
    for _, seed in zip(range(12_000), seeds(), strict=False):
        state = begun([[0, 3], [7, 6]], forts=(2, 3), items={5: False})
        carry_out(state, seed)
        found.update(args["land"] for args in args_of(state, "ItemAppeared"))
    assert set(found) == {1, 2, 3, 4}
    assert all(1.6 < found[fort] / found[plain] < 2.4 for fort in (2, 3) for plain in (1, 4))


def test_the_weights_count_from_the_lowest_land() -> None:
    state = begun([[0, 3], [7, 6]], forts=(2, 3), items={5: False})
    seed = seed_for(state, lambda chance: item_appears(chance) and chance.number(SPOT) % 6 == 2)
    carry_out(state, seed)
    assert args_of(state, "ItemAppeared") == [{"land": 2, "fat": False}]


def test_no_land_is_left_for_one() -> None:
    state = begun([[0, 1, 2, 3], [7, 6, 5, 4]])
    carry_out(state, seed_for(state, item_appears))
    assert not state.items


def test_in_an_owned_fort_it_is_collected_at_once_by_its_owner() -> None:
    state = begun([[0, 1, 2, 3], [7, 6, 5, 4]], forts=(5,))
    carry_out(state, seed_for(state, lambda chance: item_appears(chance) and item_is(chance, 2)))
    assert args_of(state, "ItemAppeared") == [{"land": 5, "fat": False}]
    assert args_of(state, "ItemCollected") == [{"seat": 1, "land": 5, "item": 2}]
    assert (state.stored, state.items) == ([0, 2], {})


def test_a_fat_one_in_an_owned_fort_works_at_once() -> None:
    state = begun([[0, 1, 2, 3], [7, 6, 5, 4]], forts=(2,), soldiers=[1, 1, 1, 1, 3, 9, 3, 50])
    carry_out(state, seed_for(state, lambda chance: item_appears(chance, fat=True)))
    assert args_of(state, "ItemCollected") == [{"seat": 0, "land": 2, "item": 8}]
    assert args_of(state, "LandsTaken") == [{"lands": str(1 << 5), "from": 1, "to": 0}]


def test_an_item_lies_for_four_turns_its_first_one_included() -> None:
    state = begun([[0], [7]])
    carry_out(state, seed_for(state, item_appears))
    (land,) = state.items
    for turns in (3, 2, 1):
        state.draw = TURN
        carry_out(state, NO_HASH)
        assert state.items[land].turns == turns
    take_events(state)
    state.draw = TURN
    carry_out(state, NO_HASH)
    assert args_of(state, "ItemExpired") == [{"land": land}]
    assert not state.items


def test_items_expire_before_another_one_appears() -> None:
    state = begun([[0], [7]], items=dict.fromkeys(range(1, 7), False))
    for item in state.items.values():
        item.turns = 1
    carry_out(state, seed_for(state, item_appears))
    names = [name for name, _ in state.events]
    assert names == ["Drawn", *["ItemExpired"] * 6, "ItemAppeared"]
    assert [args["land"] for args in args_of(state, "ItemExpired")] == [1, 2, 3, 4, 5, 6]


def test_when_the_hash_is_gone_none_appears_and_none_is_given() -> None:
    state = begun([[0], [7]])
    carry_out(state, NO_HASH)
    assert [name for name, _ in state.events] == ["Drawn"]
    state = position(row_of_lands(LANDS), [[0], [7]], items={1: False}, stored={0: 4})
    capture(state, 0, 1)
    carry_out(state, NO_HASH)
    assert args_of(state, "ItemCollected") == [{"seat": 0, "land": 1, "item": 0}]
    assert (state.stored[0], state.items) == (4, {})


# ---- the effects of each type of item


def test_the_types_come_as_often_as_the_sheet_says() -> None:
    found = Counter[int]()
    tries = 6_000
    for _, seed in zip(range(tries), seeds(), strict=False):
        chance = Chance(seed, MATCH, 9)
        found[next(item for item in range(1, 8) if item_is(chance, item))] += 1
    for item in range(1, 6):
        assert abs(found[item] / tries - 85 / 95 / 5) < 0.02
    for item in (6, 7):
        assert abs(found[item] / tries - 10 / 95 / 2) < 0.01


@pytest.mark.parametrize("item", range(1, 8))
def test_a_capture_opens_a_draw_that_says_which_one_it_is(item: int) -> None:
    state = position(row_of_lands(LANDS), [[0], [7]], items={1: False})
    capture(state, 0, 1)
    assert (state.draw, state.phase, state.collecting) == (COLLECT, MOVE, 1)
    carry_out(state, seed_for(state, lambda chance: item_is(chance, item)))
    assert args_of(state, "ItemCollected") == [{"seat": 0, "land": 1, "item": item}]
    assert state.stored[0] == (item if item < 5 else 0)
    assert (state.draw, state.collecting, state.items) == (0, NONE, {})


def test_a_new_stored_item_replaces_the_one_before() -> None:
    assert collected(2, [[0], [7]], stored={0: 4}).stored[0] == 2


# ---- items that take effect immediately


def test_ten_percent_more_and_ten_percent_fewer() -> None:
    soldiers = [19, 20, 9, 100, 5, 5, 5, 30]
    assert collected(5, [[0, 3], [7]], soldiers=soldiers).soldiers == [20, 22, 9, 110, 5, 5, 5, 30]
    assert collected(6, [[0, 3], [7]], soldiers=soldiers).soldiers == [18, 18, 9, 90, 5, 5, 5, 30]


def test_no_land_holds_more_than_99999() -> None:
    assert collected(5, [[0], [7]], soldiers=[95_000, 20, 0, 0, 0, 0, 0, 0]).soldiers[0] == 99_999


def test_a_land_is_lost_but_neither_the_capital_nor_the_strongest() -> None:
    lost = set()
    for item_seed in range(40):
        state = position(row_of_lands(LANDS), [[0, 2, 3, 4], [7]], items={1: False}, soldiers=[5, 6, 8, 8, 2, 0, 0, 0])
        state.ply = item_seed
        capture(state, 0, 1)
        carry_out(state, seed_for(state, lambda chance: item_is(chance, 7)))
        (lands,) = [args for args in args_of(state, "LandsTaken") if args["to"] == NONE]
        lost.add(int(lands["lands"]).bit_length() - 1)
        assert state.soldiers == [5, 6, 8, 8, 2, 0, 0, 0]
    # Lands 2 and 3 both have 8 soldiers. Land 2 counts as the strongest land.
    assert lost == {1, 3, 4}


def test_who_has_no_such_land_loses_none() -> None:
    state = collected(7, [[0], [7]], soldiers=[1, 6, 0, 0, 0, 0, 0, 0])
    assert state.lands(0) == [0, 1]


def test_a_hero_dies_with_the_land_that_is_lost() -> None:
    state = collected(7, [[0, 2], [7]], soldiers=[40, 60, 31, 0, 0, 0, 0, 0], heroes={0: 2})
    assert args_of(state, "HeroDied") == [{"seat": 0, "land": 2}]
    assert [name for name, _ in state.events][-3:] == ["HeroDied", "Soldiers", "LandsTaken"]
    assert state.soldiers[:3] == [20, 30, 15]
    assert (state.owners[2], state.heroes[0]) == (NONE, NONE)


@pytest.mark.parametrize("case", FAT_BONUS)
def test_the_fat_one_takes_the_largest_land_of_the_two_strongest_but_the_collector(case: str) -> None:
    soldiers, givers = FAT_BONUS[case]
    state = collected(8, FOUR, soldiers=soldiers)
    assert [args["from"] for args in args_of(state, "LandsTaken")[1:]] == givers


def test_the_fat_one_works_at_once() -> None:
    state = collected(8, FOUR, soldiers=[1, 1, 8, 2, 4, 50, 7, 60])
    assert [name for name, _ in state.events][-4:] == ["ItemCollected", "LandsTaken", "LandsTaken", "Phase"]
    assert args_of(state, "LandsTaken")[1:] == [
        {"lands": str(1 << 6), "from": 1, "to": 0},
        {"lands": str(1 << 4), "from": 2, "to": 0},
    ]
    assert (state.draw, state.phase) == (0, MOVE)


def test_who_has_a_capital_alone_gives_nothing() -> None:
    state = collected(8, [[0], [7], [5, 4], [3, 2]], soldiers=[1, 1, 1, 1, 9, 9, 1, 99])
    assert [args["from"] for args in args_of(state, "LandsTaken")[1:]] == [2]


def test_a_hero_on_the_land_that_the_fat_one_takes_dies_before() -> None:
    state = collected(8, [[0], [7, 6]], soldiers=[1, 1, 0, 0, 0, 0, 31, 60], heroes={1: 6})
    assert [name for name, _ in state.events][-5:] == ["ItemCollected", "HeroDied", "Soldiers", "LandsTaken", "Phase"]
    assert (state.soldiers[6], state.soldiers[7]) == (15, 30)


def test_the_fat_one_may_bring_the_hero() -> None:
    types = {0: 1, 1: 2, 2: 3, 4: 4}
    state = collected(8, [[0, 2], [7, 4]], types=types)
    assert [name for name, _ in state.events][-3:] == ["LandsTaken", "HeroAt", "Phase"]


# ---- items that a player stores


def used(item: int, owned: list[list[int]], **more: object) -> ConquestState:
    state = position(row_of_lands(LANDS), owned, stored={0: item}, **more)  # type: ignore[arg-type]
    use_item(state)
    assert args_of(state, "ItemUsed") == [{"seat": 0, "item": item}]
    assert state.stored[0] == 0
    return state


def test_a_distant_land_is_attacked() -> None:
    state = used(1, [[0], [7, 4]], soldiers=[90, 0, 0, 0, 5, 0, 0, 9])
    with pytest.raises(CustomError, match="NotConnected"):
        attack(state, bytes([0, 7]))  # land 7 is a capital, so the item can't attack it
    with pytest.raises(CustomError, match="NotConnected"):
        attack(state, bytes([0, 4, 0, 4]))  # the item allows only one attack on a distant land
    attack(state, bytes([0, 4]))
    carry_out(state, seed_with_luck(state, 100))
    assert args_of(state, "BattleResolved")[0]["needed20"] == 100
    assert state.owners[4] == 0


def test_without_it_a_distant_land_is_out_of_reach() -> None:
    """Tests that a player without the item can't attack a distant land. In the original game, every
    player could."""
    state = position(row_of_lands(LANDS), [[0], [7, 4]], soldiers=[90, 0, 0, 0, 5, 0, 0, 9])
    with pytest.raises(CustomError, match="NotConnected"):
        attack(state, bytes([0, 4]))


def test_a_distant_land_is_captured() -> None:
    state = used(1, [[0], [7]])
    capture(state, 0, 4)
    assert state.owners[4] == 0


def test_a_distant_attack_goes_with_connected_ones() -> None:
    state = used(1, [[0], [7, 4, 1]], soldiers=[90, 5, 0, 0, 5, 0, 0, 9])
    attack(state, bytes([0, 4, 0, 1]))
    carry_out(state, seed_with_luck(state, 100))
    assert [fought["needed20"] for fought in args_of(state, "BattleResolved")] == [200, 200]


def test_attacks_at_full_power() -> None:
    state = used(2, [[1], [7, 0, 2]], soldiers=[9, 10, 9, 0, 0, 0, 0, 9])
    attack(state, bytes([1, 0, 1, 2]))
    carry_out(state, seed_with_luck(state, 100))
    assert [fought["needed20"] for fought in args_of(state, "BattleResolved")] == [180, 180]


@pytest.mark.parametrize("port_first", [True, False])
def test_attack_and_port_in_the_same_turn(port_first: bool) -> None:
    graph = graph_bytes(LANDS, [(land, land + 1) for land in range(7)], [[0, 7, 5]])
    state = position(graph, [[0, 5], [7, 1]], stored={0: 3}, soldiers=[90, 9, 0, 0, 0, 0, 0, 9])
    use_item(state)

    def launch() -> None:
        attack(state, bytes([0, 1]))
        assert (state.phase, state.draw) == (ACTION, BATTLE)
        carry_out(state, seed_with_luck(state, 100))

    first, second = (lambda: build_port(state, 0), launch)[:: 1 if port_first else -1]
    first()
    assert state.phase == ACTION
    again = (lambda: build_port(state, 5)) if port_first else (lambda: attack(state, bytes([0, 7])))
    with pytest.raises(CustomError, match="OncePerTurn"):
        again()
    second()
    assert state.phase == MOVE


def test_after_port_and_capture_the_phase_is_over_too() -> None:
    graph = graph_bytes(LANDS, [(land, land + 1) for land in range(7)], [[0, 7]])
    state = position(graph, [[0], [7]], stored={0: 3})
    use_item(state)
    capture(state, 0, 1)
    assert state.phase == ACTION
    with pytest.raises(CustomError, match="OncePerTurn"):
        capture(state, 1, 2)
    build_port(state, 0)
    assert state.phase == MOVE


def test_without_it_a_port_ends_the_phase() -> None:
    graph = graph_bytes(LANDS, [(land, land + 1) for land in range(7)], [[0, 7]])
    state = position(graph, [[0], [7]])
    build_port(state, 0)
    assert state.phase == MOVE


def test_two_turns_in_a_row() -> None:
    state = used(4, [[0], [7]])
    pass_on(state, False)
    assert (state.mover, state.phase, state.draw, state.used) == (0, REINFORCEMENT, TURN, frozenset())
    carry_out(state, NO_HASH)
    pass_on(state, False)
    assert state.mover == 1


def test_an_item_is_valid_until_the_turn_ends() -> None:
    state = used(2, [[0], [7]])
    state.stored[0] = 1
    use_item(state)
    assert state.used == {1, 2}
    pass_on(state, False)
    assert state.used == frozenset()


def test_an_item_is_used_in_the_phase_move_too() -> None:
    state = position(row_of_lands(LANDS), [[0, 1], [7]], phase=MOVE, stored={0: 4})
    use_item(state)
    move(state, 0, 1, 4, False)
    assert state.mover == 0


def test_who_has_none_uses_none() -> None:
    with pytest.raises(CustomError) as refused:
        use_item(position(row_of_lands(LANDS), [[0], [7]]))
    assert refused.value.args == ("NoItem",)
