"""Tests that `perfect` never loses in any possible game of Tic-tac-toe, and that `careful` looks
one move ahead."""

from __future__ import annotations

from random import Random

import pytest

from bots.tic_tac_toe import OPPONENTS, careful_cells, perfect_cells, value
from indexer.games import GAMES
from indexer.model import Json
from indexer.rules.tic_tac_toe import EMPTY, Position, legal_moves, mark_to_move, outcomes, play, tree, winner

ALL_GAMES = 255_168
A, B = (f"0x{digit * 40}" for digit in "12")


def test_there_are_so_many_games() -> None:
    assert sum(outcomes(EMPTY)) == ALL_GAMES


def replies(position: Position, seat: int) -> list[int]:
    return perfect_cells(position) if mark_to_move(position) == seat + 1 else legal_moves(position)


@pytest.mark.parametrize("seat", [0, 1])
def test_perfect_never_loses(seat: int) -> None:
    """Tests that `perfect` never loses. The test tries each reply of the opponent and each cell
    that `perfect` can choose."""
    level: set[Position] = {EMPTY}
    met, ended = 0, [0, 0, 0]
    while level:
        met += len(level)
        assert not any(winner(position) == 2 - seat for position in level)
        for position in level:
            if not legal_moves(position):
                ended[winner(position)] += 1
        going_on = [position for position in level if legal_moves(position)]
        level = {play(position, cell) for position in going_on for cell in replies(position, seat)}
    assert met > 100
    assert ended[seat + 1] > 0
    assert ended[2 - seat] == 0


def test_perfect_takes_what_can_be_won() -> None:
    for position, _ in tree():
        if legal_moves(position):
            values = {cell: -value(play(position, cell)) for cell in legal_moves(position)}
            assert {values[cell] for cell in perfect_cells(position)} == {max(values.values())}


def test_careful_wins_at_once_or_stops_the_other() -> None:
    # `careful` has two cells in the first row, and its opponent has two cells in the second row
    mine, theirs = 0b000_000_011, 0b000_011_000
    assert careful_cells((mine, theirs)) == [2]
    assert careful_cells((0b100_000_001, theirs)) == [5]
    assert careful_cells(EMPTY) == legal_moves(EMPTY)


def board(cells: Json, mover: str = A, **more: object) -> Json:
    players = {A: {"seat": 0}, B: {"seat": 1}}
    return {
        **GAMES["tic-tac-toe"].start,
        "status": "playing",
        "players": players,
        "cells": cells,
        "mover": mover,
        **more,
    }


@pytest.mark.parametrize("strength", OPPONENTS.strengths)
def test_a_move_answers_the_ply_of_its_board(strength: str) -> None:
    move = OPPONENTS.choose(board({"0": 1, "3": 2, "1": 1, "4": 2}, ply=4), 0, strength, Random(1))
    assert move is not None
    assert (move.action, move.arguments) == ("move", {"ply": 4, "row": 0, "column": 2})


@pytest.mark.parametrize("strength", OPPONENTS.strengths)
def test_it_waits_for_its_turn_and_takes_a_free_seat(strength: str) -> None:
    assert OPPONENTS.choose(board({}, mover=B), 0, strength, Random(1)) is None
    waiting = {**GAMES["tic-tac-toe"].start, "status": "open", "players": {A: {"seat": 0}}}
    assert OPPONENTS.choose(waiting, 0, strength, Random(1)) is None
    joins = OPPONENTS.choose(waiting, 1, strength, Random(1))
    assert joins is not None
    assert joins.action == "accept"


def test_an_offered_restart_is_left_to_the_clock() -> None:
    offered = board({"4": 1}, mover=B, ply=1, offer={"by": A, "ply": 1})
    move = OPPONENTS.choose(offered, 1, "perfect", Random(1))
    assert move is not None
    assert move.action == "move"
