"""Tests the rules of Conquest in the engine: the first player to move, capitals, turns, players who
don't move, and the end of a match."""

from __future__ import annotations

import pytest

from indexer.rules.conquest_state.chance import NO_HASH, STARTER, trail_after_draw
from indexer.rules.conquest_state.commands import (
    choose_capital,
    forced_pass,
    pass_on,
    surrender,
)
from indexer.rules.conquest_state.draws import carry_out
from indexer.rules.conquest_state.graph import LandGraph
from indexer.rules.conquest_state.state import ACTION, CAPITAL, FIRST, MOVE, NONE, REINFORCEMENT, TURN, ConquestState
from tests.support.conquest.maps import row_of_lands
from tests.support.conquest.states import ACCOUNTS, MATCH, args_of, position, seed_for, take_events

GRAPH = row_of_lands(24)


def begun(seats: int, first: int) -> ConquestState:
    state = ConquestState.begun(LandGraph.read(GRAPH), MATCH, ACCOUNTS[:seats])
    assert take_events(state) == [("Phase", {"seat": NONE, "phase": CAPITAL, "draw": FIRST})]
    carry_out(state, seed_for(state, lambda chance: chance.number(STARTER) % seats == first))
    return state


@pytest.mark.parametrize("seats", range(2, 7))
def test_capitals_are_chosen_backwards_and_the_first_player_chooses_last(seats: int) -> None:
    for first in range(seats):
        state, choosers = begun(seats, first), []
        assert state.first == first
        while state.phase == CAPITAL:
            choosers.append(state.mover)
            choose_capital(state, 3 * state.mover)
        assert choosers == [(first - 1 - k) % seats for k in range(seats)]
        assert (state.mover, state.phase, state.draw) == (first, REINFORCEMENT, TURN)
        assert state.capitals == [3 * seat for seat in range(seats)]


def test_a_capital_comes_with_its_soldiers() -> None:
    state = begun(2, 0)
    choose_capital(state, 5)
    assert [name for name, _ in state.events][-3:] == ["Commanded", "LandsTaken", "Phase"]
    assert args_of(state, "LandsTaken") == [{"lands": "32", "from": NONE, "to": 1}]
    assert state.soldiers[5] == 10


def test_when_the_hash_is_gone_seat_0_is_first() -> None:
    state = ConquestState.begun(LandGraph.read(GRAPH), MATCH, ACCOUNTS[:3])
    trail = trail_after_draw(0, NO_HASH)
    take_events(state)
    carry_out(state, NO_HASH)
    drawn = {"kind": FIRST, "entropyBlock": 1, "seed": "0x" + NO_HASH.hex(), "trail": trail}
    assert take_events(state) == [("Drawn", drawn), ("Phase", {"seat": 2, "phase": CAPITAL, "draw": 0})]
    assert (state.first, state.trail) == (0, trail)


@pytest.mark.parametrize("out", [surrender, forced_pass])
@pytest.mark.parametrize("who", range(3))
def test_who_leaves_before_its_capital_is_skipped(out: object, who: int) -> None:
    state, choosers = begun(3, 1), []
    while state.phase == CAPITAL:
        choosers.append(state.mover)
        if state.mover == who:
            out(state)  # type: ignore[operator]
            assert not [args for args in args_of(state, "LandsTaken") if args["to"] == NONE]
        else:
            choose_capital(state, state.mover)
    assert choosers == [0, 2, 1]
    assert state.mover == (1 if who != 1 else 2)
    assert not state.is_alive(who)


@pytest.mark.parametrize(("out", "reason"), [(surrender, 3), (forced_pass, 4)])
def test_the_last_one_wins_already_while_capitals_are_chosen(out: object, reason: int) -> None:
    state = begun(2, 0)
    out(state)  # type: ignore[operator]
    assert (state.winner, state.reason) == (0, reason)
    assert [name for name, _ in state.events][-3:] == ["Commanded", "PlayerOut", "MatchEnded"]


@pytest.mark.parametrize("phase", [REINFORCEMENT, ACTION, MOVE])
def test_a_pass_ends_the_turn_in_any_phase(phase: int) -> None:
    state = position(GRAPH, [[0], [9], [20]], mover=2, phase=phase)
    pass_on(state, False)
    assert state.events[-1] == ("Phase", {"seat": 0, "phase": REINFORCEMENT, "draw": TURN})


def test_the_phase_alone_may_be_passed() -> None:
    state = position(GRAPH, [[0], [9]])
    pass_on(state, True)
    assert (state.mover, state.phase) == (0, MOVE)


def test_who_is_out_has_no_turn() -> None:
    state = position(GRAPH, [[0], [], [20]])
    state.alive = 0b101
    pass_on(state, False)
    assert state.mover == 2


def test_at_the_third_forced_pass_in_a_row_the_player_is_out() -> None:
    state = position(GRAPH, [[0, 1], [9], [20]], phase=REINFORCEMENT)
    for times in (1, 2):
        forced_pass(state)
        assert state.forced[0] == times
        state.mover = 0
    take_events(state)
    forced_pass(state)
    assert [name for name, _ in state.events] == ["Commanded", "PlayerOut", "LandsTaken", "Phase"]
    assert args_of(state, "Commanded")[0]["data"] == "0x02"
    assert args_of(state, "PlayerOut") == [{"seat": 0, "by": NONE, "reason": 4}]
    assert (state.forced[0], state.mover) == (0, 1)


def test_a_command_between_makes_them_begin_again() -> None:
    state = position(GRAPH, [[0], [9]], phase=ACTION)
    for _ in range(4):
        forced_pass(state)
        assert state.forced[0] == 1
        state.mover = 0
        pass_on(state, False)
        assert state.forced[0] == 0
        state.mover = 0


def test_after_a_forced_pass_no_second_turn_follows() -> None:
    state = position(GRAPH, [[0], [9]], used=[4])
    forced_pass(state)
    assert (state.mover, state.used) == (1, frozenset())


def test_a_turn_that_ends_at_ply_5000_draws_the_match() -> None:
    state = position(GRAPH, [[0], [9]])
    state.ply = 4_998
    pass_on(state, False)
    assert not state.is_over
    state.draw = 0
    pass_on(state, False)
    assert (state.reason, state.winner) == (2, NONE)
    assert state.events[-1] == ("MatchEnded", {"winner": "0x" + 40 * "0", "reason": 2})


def test_within_a_turn_ply_5000_ends_nothing() -> None:
    state = position(GRAPH, [[0], [9]])
    state.ply = 5_003
    pass_on(state, True)
    assert not state.is_over
    forced_pass(state)
    assert state.reason == 2
