"""Tests of Reversi's reducer: the boards that it computes from events."""

from __future__ import annotations

from typing import Any

from indexer.gamekit.game import fold
from indexer.gamekit.lifecycle import NOBODY
from indexer.games.reversi import GAME
from indexer.model import Event

A, B = (f"0x{digit * 40}" for digit in "ab")


def event(name: str, **args: Any) -> Event:
    return Event("reversi", 1, 0, name, args, 7, "0xblock", 1000, "0xtx", 0)


BEGIN = [
    event("MatchCreated", creator=A, opponent=NOBODY, clock=60, rematchOf=0),
    event("PlayerJoined", player=A, seat=0),
    event("PlayerJoined", player=B, seat=1),
    event("MatchStarted"),
]


def test_the_creator_begins() -> None:
    board = fold(GAME, GAME.start, BEGIN)
    assert (board["mover"], board["deadline"]) == (A, 1060)
    assert [GAME.overdue(board, now) for now in (1059, 1060)] == [None, "claimTimeout"]


def test_a_move_lays_a_disc_turns_others_and_gives_the_turn_on() -> None:
    begun = fold(GAME, GAME.start, BEGIN)
    board = fold(GAME, begun, [event("Moved", ply=0, by=A, cell=19, turned=str(1 << 27))])
    assert (board["mover"], board["ply"], board["last"], board["turned"]) == (B, 1, 19, [27])
    assert board["cells"] == {"19": 0, "27": 0, "28": 0, "35": 0, "36": 1}
    assert begun["cells"] == GAME.start["cells"]


def test_who_passes_lets_the_other_move_again() -> None:
    moved = event("Moved", ply=0, by=A, cell=19, turned=str(1 << 27))
    board = fold(GAME, GAME.start, [*BEGIN, moved, event("Passed", by=B)])
    assert (board["mover"], board["ply"]) == (A, 1)
