"""Tests Tic-tac-toe's reducer alone, without a chain. Also tests the game's rules in every
reachable position."""

from __future__ import annotations

from typing import Any

import pytest

from contracts.artifacts import load
from indexer.gamekit.game import diff, fold
from indexer.gamekit.signatures import with_signatures
from indexer.games import GAMES
from indexer.model import Event, Json
from indexer.rules.tic_tac_toe import CELLS, EMPTY, FULL, legal_moves, line, mark_to_move, outcomes, play, tree, winner
from tests.indexer.games.purity import assert_pure

GAME = GAMES["tic-tac-toe"]
A, B, NOBODY = (f"0x{digit * 40}" for digit in "ab0")
NOW = 1000


def event(name: str, time: int = NOW, **args: Any) -> Event:
    return Event(GAME.slug, 1, 1, name, args, 7, "0x", time, "0x", 0)


def moved(ply: int, cell: int, time: int = NOW) -> Event:
    by, mark = ((A, 1), (B, 2))[ply % 2]
    return event("Moved", time, ply=ply, by=by, row=cell // 3, column=cell % 3, mark=mark)


CREATED = event("MatchCreated", creator=A, opponent=B, clock=60, rematchOf=0)
OPENING = [
    CREATED,
    event("PlayerJoined", player=A, seat=0),
    event("PlayerJoined", player=B, seat=1),
    event("MatchStarted"),
]


def board(*more: Event) -> Json:
    return fold(GAME, GAME.start, [*OPENING, *more])


def test_start_is_a_match_that_nobody_opened() -> None:
    assert GAME.start == {
        "status": "none", "ply": 0, "deadline": 0, "players": {}, "cells": {}, "width": 3, "height": 3,
    }  # fmt: skip


def test_opening() -> None:
    assert board() == {
        "status": "playing", "ply": 0, "clock": 60, "deadline": NOW + 60, "creator": A, "opponent": B, "mover": A,
        "players": {A: {"seat": 0}, B: {"seat": 1}}, "cells": {}, "width": 3, "height": 3,
    }  # fmt: skip


def test_open_match_waits_for_whom_it_names() -> None:
    anyone = event("MatchCreated", creator=A, opponent=NOBODY, clock=0, rematchOf=4)
    joined = event("PlayerJoined", player=A, seat=1)
    assert fold(GAME, GAME.start, [anyone, joined]) == GAME.start | {
        "status": "open", "creator": A, "clock": 0, "rematchOf": 4, "players": {A: {"seat": 1}},
    }  # fmt: skip
    assert fold(GAME, GAME.start, [CREATED])["opponent"] == B


def test_move_sets_a_mark_and_the_others_clock() -> None:
    after = board(moved(0, 4, NOW + 5), moved(1, 2, NOW + 9))
    assert after == board() | {
        "ply": 2, "cells": {"4": 1, "2": 2}, "last": 2, "mover": A, "deadline": NOW + 69,
    }  # fmt: skip


def test_match_without_a_clock_has_no_deadline() -> None:
    friendly = event("MatchCreated", creator=A, opponent=B, clock=0, rematchOf=0)
    assert fold(GAME, GAME.start, [friendly, *OPENING[1:], moved(0, 4)])["deadline"] == 0


def test_win_shows_its_line_and_stops_the_clock() -> None:
    win = [moved(ply, cell) for ply, cell in enumerate((0, 3, 1, 4, 2))]
    after = board(*win, event("GameWon", winner=A, line=0x007), event("MatchEnded", winner=A, reason=1))
    assert (after["status"], after["reason"], after["winner"]) == ("finished", "won", A)
    assert (after["line"], after["deadline"], after["last"]) == ([0, 1, 2], 0, 2)
    assert "mover" not in after


def test_two_lines_at_once_are_both_shown() -> None:
    assert board(event("GameWon", winner=A, line=0x111 | 0x007))["line"] == [0, 1, 2, 4, 8]


@pytest.mark.parametrize(
    ("winner", "reason", "told"),
    [
        (NOBODY, 2, {"status": "finished", "reason": "draw"}),
        (B, 3, {"status": "finished", "reason": "resigned", "winner": B}),
        (B, 4, {"status": "finished", "reason": "timeout", "winner": B}),
        (NOBODY, 6, {"status": "cancelled", "reason": "cancelled"}),
    ],
)
def test_end(winner: str, reason: int, told: Json) -> None:
    offered = event("RestartOffered", by=A, ply=0)
    before, after = board(), board(offered, event("MatchEnded", winner=winner, reason=reason))
    del before["mover"]
    assert after == before | told | {"deadline": 0}, "the offer has lapsed"


def test_offer_of_a_restart_lapses_with_the_next_move() -> None:
    offered = [moved(0, 4), event("RestartOffered", by=A, ply=1)]
    assert board(*offered)["offer"] == {"by": A, "ply": 1}
    assert "offer" not in board(*offered, moved(1, 0))


def test_match_names_its_rematch() -> None:
    ended = event("MatchEnded", winner=NOBODY, reason=6)
    assert board(ended, event("RematchOpened", by=B, rematch=9))["rematch"] == 9


def test_no_reducer_changes_the_board_it_is_given() -> None:
    story = [*OPENING, moved(0, 0), event("RestartOffered", by=B, ply=1), moved(1, 4), moved(2, 1), moved(3, 8)]
    story += [moved(4, 2), event("GameWon", winner=A, line=7), event("MatchEnded", winner=A, reason=1)]
    story.append(event("RematchOpened", by=B, rematch=2))
    assert_pure(GAME, story)


def test_patch_of_a_move_tells_only_what_changed() -> None:
    before = board(moved(0, 4))
    patch = diff(before, fold(GAME, before, [moved(1, 0, NOW + 1)]))
    assert patch == {"ply": 2, "cells": {"0": 2}, "last": 0, "mover": A, "deadline": NOW + 61}


def test_actions_are_the_contracts() -> None:
    functions = {
        f"{item['name']}({','.join(i['type'] for i in item['inputs'])})"
        for item in load("TicTacToe").abi
        if item["type"] == "function" and item["stateMutability"] == "nonpayable"
    }
    assert {action.signature for action in with_signatures(GAME, load(GAME.contract).abi).actions} == functions
    assert GAME.waits_for_block_after(board()) is None


# ---- the rules in all positions


def test_whole_game_tree() -> None:
    assert outcomes() == (131_184, 77_904, 46_080)
    assert sum(outcomes()) == 255_168


def test_every_position_that_a_game_can_reach() -> None:
    positions = dict(tree())
    assert len(positions) == 5_478
    for position, path in positions.items():
        assert position[0] & position[1] == 0
        assert mark_to_move(position) == 1 + len(path) % 2
        again = EMPTY
        for cell in path:
            assert cell in legal_moves(again)
            again = play(again, cell)
        assert again == position


def test_nobody_wins_twice_and_nobody_plays_on() -> None:
    ends = [position for position, _ in tree() if not legal_moves(position)]
    assert len(ends) == 958
    for position in ends:
        one, two = line(position[0]), line(position[1])
        assert not (one and two)
        assert winner(position) == (1 if one else 2 if two else 0)
        assert winner(position) or position[0] | position[1] == FULL
    assert all(winner(position) == 0 for position, _ in tree() if legal_moves(position))
    assert legal_moves(EMPTY) == [*range(CELLS)]
