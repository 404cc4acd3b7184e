"""Tests of Nim's reducer: the boards that it computes from events."""

from __future__ import annotations

from typing import Any

from indexer.gamekit.game import fold
from indexer.gamekit.lifecycle import NOBODY
from indexer.games.nim import GAME
from indexer.model import Event

A, B = (f"0x{digit * 40}" for digit in "ab")


def event(name: str, **args: Any) -> Event:
    return Event("nim", 1, 0, name, args, 7, "0xblock", 1000, "0xtx", 0)


BEGIN = [
    event("MatchCreated", creator=A, opponent=NOBODY, clock=60, rematchOf=0),
    event("PlayerJoined", player=A, seat=0),
    event("PlayerJoined", player=B, seat=1),
    event("MatchStarted"),
]


def test_the_creator_begins_with_a_full_heap() -> None:
    board = fold(GAME, GAME.start, BEGIN)
    assert (board["mover"], board["stones"], board["deadline"]) == (A, 21, 1060)
    assert [GAME.overdue(board, now) for now in (1059, 1060)] == [None, "claimTimeout"]


def test_a_move_takes_stones_and_gives_the_turn_on() -> None:
    board = fold(GAME, GAME.start, [*BEGIN, event("Taken", ply=0, by=A, stones=3, left=18)])
    assert (board["mover"], board["stones"], board["ply"], board["last"]) == (B, 18, 1, 3)


def test_the_end_names_the_winner_and_nobody_to_move() -> None:
    last = [event("Taken", ply=9, by=A, stones=1, left=0), event("MatchEnded", winner=A, reason=1)]
    board = fold(GAME, GAME.start, [*BEGIN, *last])
    assert (board["status"], board["winner"], "mover" in board) == ("finished", A, False)
