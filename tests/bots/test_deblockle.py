"""Tests how the computer players of Deblockle evaluate positions, how deep `thinker` searches, and
that the players make progress in both rulesets."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from bots import deblockle
from bots.arena import play_matches
from bots.deblockle import (
    MIN_DEPTH,
    NODES,
    OPPONENTS,
    WON,
    Search,
    careful_move,
    expand,
    search_moves,
    turns_left,
    turns_left_after_hop,
    worth,
)
from bots.opponent import Choice
from bots.registry import Opponent
from bots.tally import Tally
from indexer.gamekit.lifecycle import NOBODY
from indexer.games import GAMES
from indexer.model import Json
from indexer.rules.deblockle import position_of
from indexer.rules.deblockle_cube import ORIENTATIONS, STARS
from indexer.rules.deblockle_position import (
    NO_HOP,
    PASS,
    REMOVED,
    Position,
    cube_of,
    is_over,
    legal_moves,
    may_pass,
    play,
    position,
    set_up,
    winner,
)

GAME = GAMES["deblockle"]
A, B, TOKEN = (f"0x{digit * 40}" for digit in "12c")


def cell(x: int, y: int) -> int:
    return 7 * (y - 1) + x - 1


STAR_COMES_UP = cube_of(cell(4, 3), 2, 6, 4)
"""Player 1's cube next to its own star square, before the last roll of the example match in the
game's rules."""
IDLE = cube_of(cell(1, 1), 6, 3, 5)


def positions(seed: int, board_ruleset: bool, number: int) -> list[Position]:
    """Return positions from random matches. The positions can be in any phase and have any number
    of cubes."""
    random, found = Random(seed), list[Position]()
    while len(found) < number:
        at = set_up(random.randint(1, 4), board_ruleset)
        for _ in range(random.randrange(40)):
            moves = legal_moves(at)
            at = play(at, random.choice(moves) if moves else PASS)
        if not is_over(at):
            found.append(at)
    return found


# ---- the values of positions


@pytest.mark.parametrize("board_ruleset", [False, True])
@pytest.mark.parametrize("seat", [0, 1])
def test_turns_that_are_left_are_those_of_the_shortest_way(seat: int, board_ruleset: bool) -> None:
    """Tests that `turns_left` gives the same number of turns as a search over whole turns of a
    single cube. The search uses the move generator."""
    random, left = Random(3), turns_left(seat, board_ruleset)
    assert left[REMOVED] == 0
    for _ in range(40):
        start = cube_of(random.randrange(49), *random.choice(ORIENTATIONS))
        if start // 24 == STARS[1 - seat]:
            continue
        level, turns = {start}, 0
        while REMOVED not in level and turns < 3:
            level, turns = {one for cube in level for one in after_a_turn(seat, cube, board_ruleset)}, turns + 1
        assert (left[start] == turns) if REMOVED in level else (left[start] > 3), start


def after_a_turn(seat: int, cube: int, board_ruleset: bool) -> set[int]:
    """Return the possible places of a cube after a whole turn. The opponent's cube is on the board
    but blocks no cell, because its own cell isn't marked as occupied."""
    cubes = [REMOVED] * 8
    cubes[4 * seat], cubes[4 - 4 * seat] = cube, IDLE
    at, found = Position(tuple(cubes), 1 << cube // 24, seat, NO_HOP, 0, 0, board_ruleset), set()
    for _, after in expand(at):
        ends = [after] if after.mover != seat else [end for _, end in expand(after)]
        found |= {end.cubes[4 * seat] for end in ends}
    return found


@pytest.mark.parametrize("board_ruleset", [False, True])
def test_one_sides_lead_is_the_others_arrears(board_ruleset: bool) -> None:
    """Tests that a lead for one player is an equal deficit for the opponent. The comparison leaves
    out the half turn by which the player to move is ahead."""
    for at in positions(1, board_ruleset, 60):
        if at.hopper == NO_HOP:
            assert worth(at) - 0.5 == -(worth(at._replace(mover=1 - at.mover)) - 0.5)
        else:
            best = turns_left_after_hop(at.mover, board_ruleset)[at.cubes[at.hopper]]
            assert best <= turns_left(at.mover, board_ruleset)[at.cubes[at.hopper]] or board_ruleset


# ---- choices


@pytest.mark.parametrize("board_ruleset", [False, True])
def test_both_take_the_win_that_is_there(board_ruleset: bool) -> None:
    at = position(
        [STAR_COMES_UP, REMOVED, REMOVED, REMOVED, IDLE, REMOVED, REMOVED, REMOVED], board_ruleset=board_ruleset
    )
    assert careful_move(at, Random(1)) == search_moves(at, Random(1)).move == STARS[0]


def minimax(at: Position, depth: int) -> float:
    """Return a position's value for the player to move, from a search that cuts off no branch."""
    if is_over(at):
        return 0.0 if winner(at) is None else -WON - depth
    if depth == 0:
        return worth(at)
    return max(minimax(after, depth - 1) * (1 if after.mover == at.mover else -1) for _, after in expand(at))


@pytest.mark.parametrize("board_ruleset", [False, True])
def test_alpha_beta_finds_the_value_of_the_whole_tree(board_ruleset: bool) -> None:
    for at in positions(4, board_ruleset, 12):
        search = Search()
        best = search.ordered(at, expand(at), 3)[0][1]
        assert search.value == minimax(at, 3) == minimax(best, 2) * (1 if best.mover == at.mover else -1)


@pytest.mark.parametrize("board_ruleset", [False, True])
def test_the_thinker_searches_four_plies_with_few_nodes(board_ruleset: bool) -> None:
    """Tests that `thinker` searches four plies with a limited number of nodes. The search has no
    time limit, so the same random draws give the same move."""
    for at in positions(6, board_ruleset, 24):
        found = search_moves(at, Random(9))
        assert found == search_moves(at, Random(9))
        assert found.move in [move for move, _ in expand(at)]
        assert found.nodes <= 2 * NODES
        decided = len(expand(at)) == 1 or abs(found.value) >= WON
        assert found.depth >= MIN_DEPTH or decided


@pytest.mark.parametrize("ruleset", [0, 1])
@pytest.mark.parametrize("cubes", [1, 4])
def test_they_play_to_the_end_with_any_rules(ruleset: int, cubes: int) -> None:
    def invite(opponent: str) -> Choice:
        terms = {**deblockle.invite(opponent).arguments, "cubes": cubes, "ruleset": ruleset}
        return Choice("create", terms)

    players = replace(OPPONENTS, invite=invite)
    tally = Tally()
    for seat, played in play_matches(GAME, *(Opponent(name, players, name) for name in ("careful", "random")), 6, 1):
        assert (played.fault, played.board["status"]) == ("", "finished")
        assert (played.board["ruleset"], played.board["setup"]) == (("near", "board")[ruleset], cubes)
        tally.count(played.winner, seat)
    assert tally.won >= 5


@pytest.mark.parametrize(("ruleset", "cubes", "drawn"), [(0, 3, 0), (0, 4, 1), (1, 3, 1), (1, 4, 3)])
def test_the_careful_one_does_not_shuffle_against_random_moves(ruleset: int, cubes: int, drawn: int) -> None:
    """Tests that `careful` makes progress against random moves. With the settings that `careful`
    itself proposes, none of 60 matches ends in a draw for lack of a removal. With other settings,
    few matches do."""

    def invite(opponent: str) -> Choice:
        return Choice("create", {**deblockle.invite(opponent).arguments, "cubes": cubes, "ruleset": ruleset})

    players = (Opponent(name, replace(OPPONENTS, invite=invite), name) for name in ("careful", "random"))
    winners = [
        played.winner == seat if played.winner is not None else None
        for seat, played in play_matches(GAME, *players, 60, 7)
    ]
    assert winners.count(None) <= drawn
    assert winners.count(True) >= 56


def test_the_thinker_beats_the_careful_one() -> None:
    """`thinker` wins about nine of ten matches against `careful` (measured by `python -m bench
    strength`). This test therefore requires at least two wins in four matches."""
    players = (Opponent(name, OPPONENTS, name) for name in ("thinker", "careful"))
    assert sum(played.winner == seat for seat, played in play_matches(GAME, *players, 4, 2)) >= 2


# ---- actions


def board(**more: object) -> Json:
    start = {"up": 2, "front": 3, "right": 6}
    return {
        **GAME.start, "status": "playing", "ruleset": "near", "phase": "roll", "setup": 1, "mover": A, "ply": 4,
        "players": {who: {"seat": seat, "streamed": 0, "withdrawn": "0"} for seat, who in enumerate((A, B))},
        "cubes": {"0": {"seat": 0, "cell": 45, **start}, "4": {"seat": 1, "cell": 3, "up": 5, "front": 3, "right": 1}},
        **more,
    }  # fmt: skip


@pytest.mark.parametrize("strength", OPPONENTS.strengths)
def test_a_move_answers_the_ply_of_its_board(strength: str) -> None:
    found = OPPONENTS.choose(board(), 0, strength, Random(1))
    rolls = {"ply": 4, "fromX": 4, "fromY": 7, "toX": 3, "toY": 7}
    assert found in (Choice("makeMove", rolls), Choice("passMove", {"ply": 4}))
    assert OPPONENTS.choose(board(), 1, strength, Random(1)) is None


@pytest.mark.parametrize("strength", OPPONENTS.strengths)
def stops(seat: int, *squares: tuple[int, int]) -> Json:
    faces = {"up": 6, "front": 3, "right": 5}
    return {str(4 * seat + number): {"seat": seat, "cell": cell(*at), **faces} for number, at in enumerate(squares)}


@pytest.mark.parametrize("strength", OPPONENTS.strengths)
@pytest.mark.parametrize("ruleset", ["near", "board"])
def test_who_can_only_pass_does(strength: str, ruleset: str) -> None:
    cubes = stops(0, (1, 7), (1, 6), (2, 7)) | stops(1, (1, 5), (2, 6), (3, 7))
    shut = board(cubes=cubes, ruleset=ruleset)
    assert may_pass(position_of(shut))
    assert OPPONENTS.choose(shut, 0, strength, Random(1)) == Choice("passMove", {"ply": 4})
    assert OPPONENTS.moves(shut, 0) == [Choice("passMove", {"ply": 4})]


def test_by_the_boards_rules_nobody_offers_to_pass() -> None:
    free = board(ruleset="board")
    assert [move.action for move in OPPONENTS.moves(free, 0)] == ["makeMove"]
    assert [move.action for move in OPPONENTS.moves(board(), 0)] == ["makeMove", "passMove"]


def test_a_seat_is_taken_by_the_terms_of_the_match() -> None:
    terms = {"stake": "6000", "rate": "10", "token": TOKEN, "clock": 90}
    waiting = board(**terms, setup=3, ruleset="board", status="open")
    waiting["players"] = {A: {"seat": 0, "streamed": 0, "withdrawn": "0"}}
    assert OPPONENTS.choose(waiting, 1, "careful", Random(1)) == Choice("join", {"cubes": 3, "ruleset": 1, **terms})
    assert OPPONENTS.choose(waiting, 0, "careful", Random(1)) is None
    friendly = {**waiting, "stake": "0", "rate": "0", "clock": 0, "ruleset": "near"}
    del friendly["token"]
    terms = {"cubes": 3, "ruleset": 0, "token": NOBODY, "stake": "0", "rate": "0", "clock": 0}
    assert OPPONENTS.moves(friendly, 1) == [Choice("join", terms)]


def test_what_has_come_to_it_is_taken_out_at_the_end() -> None:
    over = board(stake="6000", rate="10", status="finished", winner=A, reason="won")
    del over["mover"]
    assert OPPONENTS.choose(over, 0, "careful", Random(1)) == Choice("withdraw")
    assert OPPONENTS.choose(over, 1, "careful", Random(1)) is None, "nothing has streamed back to the player"
    over["players"][A]["withdrawn"] = "12000"
    assert OPPONENTS.choose(over, 0, "careful", Random(1)) is None
