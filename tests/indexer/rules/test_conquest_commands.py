"""Tests Conquest's commands in the engine, which implements the rules in Python. Each command must
cause the right changes and events, or raise the right error with its values."""

from __future__ import annotations

from typing import Any

import pytest

from indexer.rules.conquest_state import commands
from indexer.rules.conquest_state.chance import trail_after_command
from indexer.rules.conquest_state.custom_error import CustomError
from indexer.rules.conquest_state.state import ACTION, MOVE, NONE, REINFORCEMENT, ConquestState
from tests.support.conquest.maps import graph_bytes
from tests.support.conquest.play import apply_command
from tests.support.conquest.rejections import GRAPH, LANDS, OWNED, REJECTED
from tests.support.conquest.states import args_of, position, take_events, without_events


def at(phase: int, **more: Any) -> ConquestState:
    return position(GRAPH, more.pop("owned", OWNED), phase=phase, **more)


@pytest.mark.parametrize(("phase", "more", "action", "arguments", "error"), REJECTED)
def test_it_is_rejected_and_nothing_moves(
    phase: int, more: dict[str, Any], action: str, arguments: dict[str, Any], error: tuple[Any, ...]
) -> None:
    state = at(phase, **more)
    before = without_events(state)
    with pytest.raises(CustomError) as refused:
        apply_command(state, action, arguments)
    assert refused.value.args == error
    assert str(refused.value) == f"{error[0]}({', '.join(map(str, error[1:]))})"
    assert (without_events(state), state.events) == (before, [])


def test_every_rejection_of_a_command_is_tried() -> None:
    # `test_conquest_items.py` tests the error OncePerTurn.
    assert len({error[0] for *_, error in REJECTED}) == 14


def test_a_command_names_itself_and_leads_the_trail_on() -> None:
    state = at(MOVE)
    commands.move(state, 0, 1, 3, False)
    trail = trail_after_command(0, 6, 0, bytes([0, 1, 3, 0]))
    assert state.events[0] == ("Commanded", {"ply": 0, "kind": 6, "seat": 0, "data": "0x00010300", "trail": trail})
    assert (state.ply, state.trail) == (1, trail)


def test_three_soldiers_come_for_each_land() -> None:
    state = at(REINFORCEMENT)
    commands.reinforce(state, 1)
    assert args_of(state, "Soldiers") == [{"changes": "0x01000013"}]
    assert (state.soldiers[1], state.phase) == (19, ACTION)


def test_no_land_is_reinforced_above_99999() -> None:
    state = at(REINFORCEMENT, soldiers=[9, 99_995, *[1] * 6])
    commands.reinforce(state, 1)
    assert state.soldiers[1] == 99_999
    state.phase = REINFORCEMENT
    take_events(state)
    commands.reinforce(state, 1)
    assert [name for name, _ in state.events] == ["Commanded", "Phase"]


def test_a_neutral_land_is_captured_with_its_soldiers_and_needs_no_strength() -> None:
    state = at(ACTION, soldiers=[0, 0, 55, *[1] * 5])
    commands.capture(state, 1, 2)
    assert [name for name, _ in state.events] == ["Commanded", "LandsTaken", "Phase"]
    assert args_of(state, "LandsTaken") == [{"lands": "4", "from": 255, "to": 0}]
    assert (state.owners[2], state.soldiers[2], state.phase) == (0, 55, MOVE)


def test_the_way_by_sea_needs_a_port_at_its_start() -> None:
    state = at(ACTION, ports=[0])
    commands.capture(state, 0, 5)
    assert state.owners[5] == 0
    with pytest.raises(CustomError, match="NotConnected"):
        commands.capture(at(ACTION, ports=[5]), 0, 5)


@pytest.mark.parametrize(("quarters", "left"), [(1, 9), (2, 6), (3, 3), (4, 0)])
def test_quarters_of_the_soldiers_move(quarters: int, left: int) -> None:
    """Tests that a part of 11 soldiers is rounded down to a whole number of soldiers."""
    state = at(MOVE, soldiers=[11, *[1] * 7])
    commands.move(state, 0, 1, quarters, False)
    assert state.soldiers[:2] == [left, 12 - left]
    assert state.mover == 1


def test_the_hero_comes_along_or_goes_alone() -> None:
    state = at(MOVE, heroes={0: 0}, soldiers=[0, *[1] * 7])
    commands.move(state, 0, 1, 4, True)
    assert [name for name, _ in state.events] == ["Commanded", "HeroAt", "Phase"]
    assert state.heroes[0] == 1
    state = at(MOVE, heroes={0: 0})
    commands.move(state, 0, 1, 4, False)
    assert state.heroes[0] == 0


def test_no_more_move_than_fit() -> None:
    state = at(MOVE, soldiers=[60_000, 99_990, *[1] * 6])
    commands.move(state, 0, 1, 4, False)
    assert state.soldiers[:2] == [59_991, 99_999]


def test_who_takes_the_fourth_type_has_the_hero_once() -> None:
    graph = graph_bytes(LANDS, [(land, land + 1) for land in range(7)], types={0: 1, 1: 2, 2: 3, 3: 4})
    state = position(graph, [[1, 0, 2], [7]])
    commands.capture(state, 2, 3)
    assert args_of(state, "HeroAt") == [{"seat": 0, "land": 1}]
    state = position(graph, [[1, 0, 2], [7]])
    state.had_hero = 1
    commands.capture(state, 2, 3)
    assert not args_of(state, "HeroAt")


def test_who_surrenders_leaves_lands_and_soldiers_and_its_hero_dies_without_a_loss() -> None:
    state = at(MOVE, owned=[[0, 1], [7], [5]], heroes={0: 1}, stored={0: 2})
    soldiers = [*state.soldiers]
    commands.surrender(state)
    assert [name for name, _ in state.events] == ["Commanded", "PlayerOut", "LandsTaken", "Phase"]
    assert args_of(state, "PlayerOut") == [{"seat": 0, "by": NONE, "reason": 3}]
    assert args_of(state, "LandsTaken") == [{"lands": "3", "from": 0, "to": NONE}]
    assert (state.soldiers, state.heroes[0], state.stored[0], state.mover) == (soldiers, NONE, 0, 1)
