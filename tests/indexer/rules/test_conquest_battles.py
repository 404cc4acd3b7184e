"""Tests battles in the Conquest engine, which implements the rules in Python. Battles must end as
in the test vectors, and follow the rules on support, luck and lost lands."""

from __future__ import annotations

import pytest

from indexer.model import Json
from indexer.rules.conquest_state.battle import damage_of, powers
from indexer.rules.conquest_state.chance import NO_HASH
from indexer.rules.conquest_state.commands import attack
from indexer.rules.conquest_state.custom_error import CustomError
from indexer.rules.conquest_state.draws import carry_out
from indexer.rules.conquest_state.graph import BY_SEA
from indexer.rules.conquest_state.state import MOVE, NONE, ConquestState
from tests.support.conquest.maps import VECTORS, graph_bytes, row_of_lands
from tests.support.conquest.states import args_of, position, seed_with_luck, take_events, vector_pairs, vector_position

BATTLES = VECTORS["battles"]


def launched(state: ConquestState, *pairs: tuple[int, int]) -> None:
    attack(state, bytes(land for pair in pairs for land in pair))


@pytest.mark.parametrize("battle", BATTLES, ids=range(len(BATTLES)))
def test_a_battle_of_the_vectors(battle: Json) -> None:
    state, expected = vector_position(battle), battle["expected"]
    assert powers(state, 0, 1) == (expected["attack20"], expected["defence20"])
    assert (state.connection(0, 1) == BY_SEA) == expected["by sea"]
    if not expected["allowed"]:
        with pytest.raises(CustomError) as refused:
            attack(state, vector_pairs(battle))
        assert refused.value.args == ("NotStronger", 0, expected["attack20"], expected["defence20"])
        return
    attack(state, vector_pairs(battle))
    carry_out(state, seed_with_luck(state, battle["luck"]))
    fought = args_of(state, "BattleResolved")[0]
    assert fought == {
        "from": 0,
        "to": 1,
        "attack20": expected["attack20"],
        "needed20": expected["needed20"],
        "luck": battle["luck"],
        "damage": expected["damage"],
        "conquered": expected["conquered"],
    }
    count = len(battle["soldiers"])
    assert state.soldiers[:count] == expected["soldiers after"]
    assert [land for land in state.lands(0) if land < count] == expected["attacker owns"]
    assert [land for land in state.lands(1) if land < count] == expected["victim owns"]
    assert bool(args_of(state, "HeroDied")) == expected["victim hero died"]
    assert (not state.is_alive(1)) == expected["victim out"]
    assert state.is_over == expected["victim out"]


def test_all_of_the_vectors_are_there() -> None:
    assert len(BATTLES) == 20


@pytest.mark.parametrize(
    ("attack20", "needed20", "divisor", "luck", "damage"),
    [
        (1200, 800, 1, 80, 16),
        (1200, 800, 1, 100, 20),
        (1200, 800, 1, 120, 24),
        (2000, 1600, 4, 80, 4),
        (2000, 1600, 4, 100, 5),
        (2000, 1600, 4, 120, 6),
        (820, 800, 1, 99, 0),
        (820, 800, 1, 100, 1),
        (16 * 2 * 20 + 1, 16 * 2 * 20, 32, 120, 0),
    ],
)
def test_the_damage_of_the_sheet(attack20: int, needed20: int, divisor: int, luck: int, damage: int) -> None:
    assert damage_of(attack20, needed20, divisor, luck) == damage


def test_the_luck_is_that_of_each_attack() -> None:
    """Tests that all clients compute the same luck. In the original game, each client rolled its
    own dice, so clients could get different battles."""
    state = position(row_of_lands(8), [[0, 2], [7, 1]], soldiers=[90, 30, 90, 0, 0, 0, 0, 1])
    launched(state, (0, 1), (2, 1))
    seed = seed_with_luck(state, 93, 1)
    other = state.copy()
    carry_out(state, seed)
    carry_out(other, seed)
    assert take_events(state) == take_events(other)
    state.events = other.events
    assert state == other


def test_when_the_hash_is_gone_luck_is_80() -> None:
    state = position(row_of_lands(8), [[0], [1, 7]], soldiers=[60, 20, 0, 0, 0, 0, 0, 1])
    launched(state, (0, 1))
    carry_out(state, NO_HASH)
    (fought,) = args_of(state, "BattleResolved")
    assert (fought["luck"], fought["damage"]) == (80, (1200 - 400) * 80 // 2000)


def test_more_than_one_attack_a_turn_is_launched_and_each_has_its_share() -> None:
    """Tests that all attacks that a player launches in a turn are fought. The original game fought
    only one of them."""
    state = position(row_of_lands(8), [[1, 4], [7, 0, 2, 3, 5]], soldiers=[9, 90, 9, 9, 90, 9, 0, 9])
    launched(state, (1, 0), (1, 2), (4, 5))
    carry_out(state, seed_with_luck(state, 100))
    fought = args_of(state, "BattleResolved")
    assert [(one["from"], one["to"]) for one in fought] == [(1, 0), (1, 2), (4, 5)]
    assert [one["needed20"] for one in fought] == [3 * 180, 3 * 360, 3 * 180]
    assert state.phase == MOVE
    assert [one["conquered"] for one in fought] == [True, True, True]


def test_attacks_that_no_longer_fit_are_skipped() -> None:
    state = position(row_of_lands(8), [[0, 2], [7, 1]], soldiers=[90, 3, 90, 0, 0, 0, 0, 9])
    launched(state, (0, 1), (2, 1))
    carry_out(state, seed_with_luck(state, 120))
    first, second = args_of(state, "BattleResolved")
    assert first["conquered"]
    skipped = {"attack20": 0, "needed20": 0, "luck": 0, "damage": 0, "conquered": False}
    assert second == {"from": 2, "to": 1, **skipped}
    assert state.lands(0) == [0, 1, 2]


def test_an_attack_that_became_too_weak_is_skipped_with_its_powers() -> None:
    """Tests that the engine checks an attack's strength again before the attack, as the rules
    require. One attack can't weaken a later attack of the same launch, so the test changes the
    state by hand."""
    state = position(row_of_lands(8), [[0], [7, 1]], soldiers=[60, 20, 0, 0, 0, 0, 0, 9])
    launched(state, (0, 1))
    state.soldiers[1] = 61
    carry_out(state, seed_with_luck(state, 100))
    (weak,) = args_of(state, "BattleResolved")
    assert weak == {"from": 0, "to": 1, "attack20": 1200, "needed20": 1220, "luck": 0, "damage": 0, "conquered": False}
    assert state.soldiers[1] == 61


@pytest.mark.parametrize(("ports", "defence20"), [((), 700), ((3,), 800)])
def test_support_by_sea_needs_a_port_of_its_own(ports: tuple[int, ...], defence20: int) -> None:
    """Tests that support by sea needs a port. The original game ignored ports."""
    graph = graph_bytes(8, [(0, 1), (1, 2)], [[1, 3]])
    soldiers = [60, 20, 15, 10, 9, 0, 0, 0]
    state = position(graph, [[0], [1, 2, 3, 4]], soldiers=soldiers, ports=ports)
    assert powers(state, 0, 1) == (1200, defence20)


def test_support_by_land_is_never_counted_by_sea_as_well() -> None:
    graph = graph_bytes(8, [(0, 1), (1, 2)], [[1, 2]])
    state = position(graph, [[0], [1, 2]], ports=[2])
    assert powers(state, 0, 1) == (200, 400)


def test_neutral_lands_do_not_support_each_other() -> None:
    assert powers(position(row_of_lands(8), [[0], [7]]), 0, 2) == (200, 200)


def test_the_capital_takes_all_lands_with_it() -> None:
    soldiers = [90, 5, 7, 8, 9, 3, 4, 6]
    state = position(row_of_lands(8), [[0], [1, 2, 3, 5], [7, 6]], soldiers=soldiers, ports=[2], stored={1: 3})
    launched(state, (0, 1))
    state.heroes[1] = 5
    carry_out(state, seed_with_luck(state, 100))
    taken_by_fall = [args for name, args in state.events if name in ("PlayerOut", "LandsTaken", "HeroDied", "Soldiers")]
    assert taken_by_fall == [
        {"changes": "0x01000000"},
        {"seat": 1, "by": 0, "reason": 1},
        {"lands": str(0b101110), "from": 1, "to": 0},
    ]
    assert state.soldiers == [90, 0, 7, 8, 9, 3, 4, 6]
    assert (state.stored[1], state.heroes[1], state.capitals[1], state.ports) == (0, NONE, NONE, 4)
    assert not state.is_over


def test_the_last_capital_ends_the_match_at_once() -> None:
    state = position(row_of_lands(8), [[0], [1, 2]], soldiers=[90, 5, 0, 0, 0, 0, 0, 0])
    launched(state, (0, 1), (0, 1))
    carry_out(state, seed_with_luck(state, 120))
    assert [name for name, _ in take_events(state)][-2:] == ["LandsTaken", "MatchEnded"]
    assert (state.winner, state.reason) == (0, 1)


def test_who_takes_the_fourth_type_by_battle_has_the_hero() -> None:
    graph = row_of_lands(8, types={0: 1, 1: 2, 2: 3, 3: 4})
    state = position(graph, [[0, 1, 2], [3, 7]], soldiers=[9, 9, 90, 1, 0, 0, 0, 0], capitals=[1, 7])
    launched(state, (2, 3))
    carry_out(state, seed_with_luck(state, 100))
    assert [name for name, _ in state.events][-3:] == ["LandsTaken", "HeroAt", "Phase"]
    assert args_of(state, "HeroAt") == [{"seat": 0, "land": 1}]
    assert state.heroes[0] == 1
