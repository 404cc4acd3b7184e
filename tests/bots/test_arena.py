"""Tests that matches without a chain come to an end, and that the same seed gives the same match. A
player that makes an illegal move loses, and the report names the player."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from bots.arena import play, play_matches
from bots.opponent import BadOpponents, Choice, Opponents
from bots.registry import OPPONENTS, Opponent, find
from bots.tally import Tally, wilson
from indexer.games import GAMES

GAME = GAMES["tic-tac-toe"]
TIC_TAC_TOE = OPPONENTS["tic-tac-toe"]


def mine(choose: Any, **parts: Any) -> Opponent:
    return Opponent("mine", replace(TIC_TAC_TOE, strengths=("mine",), choose=choose, **parts), "mine")


@pytest.mark.parametrize("slug", OPPONENTS)
def test_each_strength_plays_to_the_end_without_a_fault(slug: str) -> None:
    game = GAMES[slug]
    for name in (*OPPONENTS[slug].strengths, "random"):
        for _, played in play_matches(game, find(game, name), find(game, "random"), 2, 5):
            assert (played.fault, played.board["status"]) == ("", "finished")
            assert played.winner is None or played.board["reason"] == "won"


@pytest.mark.parametrize("slug", OPPONENTS)
def test_a_seed_repeats_the_matches(slug: str) -> None:
    game = GAMES[slug]
    players = find(game, "random"), find(game, OPPONENTS[slug].strengths[0])
    once, again, other = (list(play_matches(game, *players, 2, seed)) for seed in (5, 5, 6))
    assert once == again != other


def test_seats_are_swapped() -> None:
    places = [place for place, _ in play_matches(GAME, find(GAME, "careful"), find(GAME, "random"), 4, 1)]
    assert places == [0, 1, 0, 1]


def test_in_battleship_the_fleets_answer_and_are_shown_at_the_end() -> None:
    game = GAMES["battleship"]
    played = play(game, (find(game, "hunter"), find(game, "random")), "1")
    fleets = played.board["fleets"].values()
    assert [fleet["fault"] for fleet in fleets] == [0, 0]
    assert played.board["cause"] == "won"


def raises(*_given: object) -> Choice | None:
    raise KeyError("mover\x1b[2J")


def ends_the_process(*_given: object) -> Choice | None:
    raise SystemExit(3)


def breaks_the_board(board: Any, *_given: object) -> Choice | None:
    board.clear()
    return Choice("move", {"ply": 0, "row": 0, "column": 0})


def says(answer: Any) -> Any:
    return lambda *_given: answer


@pytest.mark.parametrize(
    ("choose", "words"),
    [
        (raises, "raised KeyError: 'mover"),
        (ends_the_process, "raised SystemExit: 3"),
        (says(7), "returned 7, which is not a Choice"),
        (says(("move", {})), "returned ('move', {}), which is not a Choice"),
        (says(Choice(7, {})), "which is not a Choice"),  # type: ignore[arg-type]
        (says(Choice("move", "a1")), "which is not a Choice"),  # type: ignore[arg-type]
        (says(Choice("fly")), "returned fly(), which is illegal: there is no action 'fly'; the actions are create"),
        (says(Choice("move")), "which is illegal: move needs the argument ply, but the call has no arguments"),
        (says(Choice("move", {"ply": "x"})), "ply must be a whole number from 0 to"),
        (says(Choice("move", {"ply": True, "row": 0, "column": 0})), "ply must be a whole number"),
        (says(Choice("move", {"ply": 0, "row": -1, "column": 0})), "row must be a whole number"),
        (says(Choice("move", {"ply": 0, "row": 3, "column": 0})), "the row and the column must be 0 to 2, not 3 and 0"),
        (says(Choice("move", {"ply": 5, "row": 0, "column": 0})), "the match is at ply 0, not 5"),
        (says(Choice("accept")), "the match is playing, not open"),
        (says(None), "has to move but returned no move"),
        (breaks_the_board, ""),
    ],
)
def test_who_does_what_none_may_loses_and_is_named(choose: Any, words: str) -> None:
    """Tests that a player whose choice is illegal loses, and that the report names it. The report
    contains the board as JSON, so that a developer can repeat the move. A player that modifies its
    copy of the board doesn't change the match."""
    played = play(GAME, (mine(choose), find(GAME, "careful")), "1")
    if not words:
        assert played.board["cells"]["0"] == 1
    assert played.winner == 1
    assert played.fault.startswith("mine (0x1111111111111111111111111111111111111111) ")
    assert words in played.fault
    assert '. The board: {"' in played.fault
    assert "\x1b" not in played.fault


def test_a_joiner_at_fault_loses_too() -> None:
    played = play(GAME, (find(GAME, "careful"), mine(raises)), "1")
    assert played.winner == 0
    assert "\n" not in played.fault


def test_who_opens_no_match_loses() -> None:
    assert play(GAME, (mine(TIC_TAC_TOE.choose, invite=says(None)), find(GAME, "careful")), "1").winner == 1


def test_a_match_in_which_nobody_does_anything_is_drawn() -> None:
    game = GAMES["touche-coule"]
    idle = Opponents(("idle",), says(None), says([]), OPPONENTS["touche-coule"].invite)
    played = play(game, (Opponent("a", idle, "idle"), Opponent("b", idle, "idle")), "1")
    assert (played.winner, played.fault) == (None, "")


def test_a_game_without_rules_is_played_on_a_chain_alone() -> None:
    with pytest.raises(BadOpponents, match="can only be played on a chain"):
        play(replace(GAME, slug="no-such-game"), (find(GAME, "careful"), find(GAME, "careful")), "1")


def test_wilsons_interval_is_as_published() -> None:
    """Tests the confidence intervals. The expected values for 81 of 263 and 15 of 148 are from
    Newcombe 1998, table I."""
    assert wilson(81, 263) == pytest.approx((0.2553, 0.3662), abs=1e-4)
    assert wilson(15, 148) == pytest.approx((0.0624, 0.1605), abs=1e-4)
    assert wilson(0, 0) == (0, 1)


def test_a_tally_counts_from_one_side() -> None:
    tally = Tally()
    for winner in (1, 0, None, 1):
        tally.count(winner, 1)
    assert tally == Tally(2, 1, 1)
    assert (tally.matches, tally.share) == (4, 2 / 3)
    assert Tally(drawn=3).as_text() == "no decided match"
