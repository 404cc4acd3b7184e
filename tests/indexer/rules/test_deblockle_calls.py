"""Tests Deblockle's calls in the Python rules: the example matches, rejected calls, and the ends of
matches. In random matches, the board must also agree with the move generator after each ply."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from indexer.model import Json
from indexer.rules.call import IllegalMove
from indexer.rules.deblockle import due, position_of
from indexer.rules.deblockle_cube import ORIENTATIONS, TURNS, rolled
from indexer.rules.deblockle_position import (
    MOVE_CELLS,
    PASS,
    is_over,
    legal_moves,
    may_pass,
    play,
    set_up,
    successors,
)
from tests.indexer.rules.deblockle_table import SHEET_GAME, A, B, C, P, RulesTable, T, cube, square
from tests.indexer.rules.overdue import check_overdue

LEFT = 3
NEAR, BOARD = False, True


# ---- the example matches in the game's rules


def test_the_sheets_game() -> None:
    table = RulesTable()
    names = [name for start, to, faces in SHEET_GAME[:-1] for name in played(table, start, to, faces)]
    assert names.count("TurnChanged") == 6
    assert table.move(*SHEET_GAME[-1][:2]) == ["Rolled", "Removed", "MatchEnded"]
    assert (table.board["winner"], table.board["reason"], table.board["ply"]) == (A, "won", 10)
    assert list(table.board["cubes"]) == ["4"]


def played(table: RulesTable, start: tuple[int, int], to: tuple[int, int], faces: tuple[int, int, int]) -> list[str]:
    names = table.move(start, to)
    assert table.faces(to) == faces
    return names


def test_on_the_board_its_sixth_ply_must_slide_to_the_end() -> None:
    table = RulesTable(ruleset=1)
    for start, to, _ in SHEET_GAME[:5]:
        table.move(start, to)
    with pytest.raises(IllegalMove, match=r"face 3 up can't hop to \(5, 6\)"):
        table.move((5, 2), (5, 6))
    assert table.move((5, 2), (5, 7)) == ["Hopped", "TurnChanged"]


def test_the_published_sample_of_three_cubes() -> None:
    table = RulesTable(cubes=3)
    assert table.move((4, 5), (4, 4)) == ["Rolled", "TurnChanged"]
    assert table.faces((4, 4)) == (6, 4, 2)
    cubes = table.board["cubes"]
    assert table.board["mover"] == B
    table.skip()
    assert (table.board["mover"], table.board["phase"], table.board["cubes"]) == (A, "roll", cubes)


def test_a_turn_ends_by_itself_where_nothing_can_be_hopped() -> None:
    """A cube rolls into a corner and shows X-hop, which allows a diagonal hop. Tests that the turn
    ends, because the only diagonal square is occupied."""
    for ruleset in (0, 1):
        table = RulesTable(ruleset=ruleset)
        corner = next(faces for faces in ORIENTATIONS if rolled(faces, LEFT)[0] == 2)
        table.put(c0=cube(0, (2, 1), corner), c4=cube(1, (2, 2), P))
        assert table.move((2, 1), (1, 1)) == ["Rolled", "TurnChanged"]
        assert table.board["mover"] == B


# ---- rejections


@pytest.mark.parametrize(
    ("cubes", "start", "to", "words"),
    [
        (4, (3, 7), (3, 8), r"squares are \(1, 1\) to \(7, 7\), not \(3, 8\)"),
        (4, (0, 7), (3, 7), r"squares are \(1, 1\) to \(7, 7\), not \(0, 7\)"),
        (4, (4, 4), (4, 5), r"there is no cube on \(4, 4\)"),
        (4, (3, 3), (3, 4), r"the cube on \(3, 3\) belongs to the opponent"),
        (1, (4, 7), (4, 6), r"\(4, 6\) is the opponent's star square"),
        (
            1,
            (4, 7),
            (5, 7),
            r"on \(5, 7\), face 1 would be up\. The star \(face 1\) must be up on your own star square, and must not "
            "be up on any other square",
        ),
        (1, (4, 7), (4, 5), r"\(4, 5\) is not next to \(4, 7\)"),
        (1, (4, 7), (4, 1), r"there is already a cube on \(4, 1\)"),
    ],
)
def test_a_roll_that_is_none_is_rejected(cubes: int, start: tuple[int, int], to: tuple[int, int], words: str) -> None:
    with pytest.raises(IllegalMove, match=words):
        RulesTable(cubes).move(start, to)


def test_only_the_cube_that_has_rolled_hops() -> None:
    table = RulesTable(cubes=2)
    roll = next(move for move, after in successors(set_up(2)) if after.hopper >= 0)
    table.carry_out(roll)
    other = next(one for name, one in table.board["cubes"].items() if name not in (str(roll // MOVE_CELLS), "4", "5"))
    with pytest.raises(IllegalMove, match="has rolled, so it must hop"):
        table.move(square(other["cell"]), (1, 4))


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda table: table.move((4, 7), (3, 7), B), "is to move, not"),
        (lambda table: table.move((4, 7), (3, 7), C), "has no seat"),
        (lambda table: table.call(A, "passMove", ply=7), "the match is at ply 0, not 7"),
        (lambda table: table.call(C, "resign"), "has no seat"),
        (lambda table: table.call(A, "cancel"), "the match is playing, not open"),
        (lambda table: table.call(A, "withdraw"), "nothing"),
        (lambda table: table.call(C, "claimTimeout"), "no clock is running"),
        (lambda table: table.call(C, "join", **table.terms), "the match is playing, not open"),
    ],
)
def test_who_may_not_is_rejected(call: Callable[[RulesTable], object], words: str) -> None:
    with pytest.raises(IllegalMove, match=words):
        call(RulesTable())


@pytest.mark.parametrize(
    ("terms", "words"),
    [
        ({"cubes": 0}, "each player must have 1 to 4 cubes, not 0"),
        ({"cubes": 5}, "each player must have 1 to 4 cubes, not 5"),
        ({"ruleset": 2}, r"rulesets are 0 \(near\) and 1 \(board\), not 2"),
        ({"stake": 600, "rate": 0, "clock": 60}, "for a stake of 600, the refund must be 1 to 10 per second, not 0"),
        ({"stake": 600, "rate": 11, "clock": 60}, "for a stake of 600, the refund must be 1 to 10 per second, not 11"),
        ({"stake": 59, "rate": 1, "clock": 60}, "for a stake of 59, the refund must be 0 to 0 per second, not 1"),
        ({"rate": 1}, "for a stake of 0, the refund must be 0 to 0 per second, not 1"),
        ({"stake": 600, "rate": 1, "clock": 59}, "the clock must be 60 to 2592000 seconds, not 59"),
        ({"stake": 600, "rate": 1}, "the clock must be 60 to 2592000 seconds, not 0"),
    ],
)
def test_terms_that_are_none_are_rejected(terms: dict[str, int], words: str) -> None:
    with pytest.raises(IllegalMove, match=words):
        RulesTable(**terms)


@pytest.mark.parametrize(
    ("named", "words"),
    [
        ({"token": B}, "the token of the match is 0x0"),
        ({"stake": "599"}, "the stake is 600, not 599"),
        (
            {"cubes": 2},
            "the terms are 1 cubes per player, ruleset 0, 10 per second, 60 seconds per turn, not 2 cubes per player",
        ),
        ({"ruleset": 1}, "not 1 cubes per player, ruleset 1, 10 per second, 60 seconds per turn"),
        ({"rate": "9"}, "not 1 cubes per player, ruleset 0, 9 per second, 60 seconds per turn"),
        ({"clock": 61}, "not 1 cubes per player, ruleset 0, 10 per second, 61 seconds per turn"),
    ],
)
def test_who_joins_says_what_it_takes_the_terms_to_be(named: Json, words: str) -> None:
    table = RulesTable(stake=600, rate=10, clock=60, join=False)
    with pytest.raises(IllegalMove, match=words):
        table.call(B, "join", **table.terms | named)


def test_on_the_board_who_can_move_must() -> None:
    table = RulesTable(cubes=2, ruleset=1)
    with pytest.raises(IllegalMove, match="you can pass only if"):
        table.skip()
    table.carry_out(next(move for move, after in successors(set_up(2, BOARD)) if after.hopper >= 0))
    with pytest.raises(IllegalMove, match="you can pass only if"):
        table.skip()


def test_on_the_board_who_can_roll_nothing_passes() -> None:
    table = RulesTable(ruleset=1)
    table.put(c0=cube(0, (1, 7), P), c1=cube(0, (1, 6), P), c2=cube(0, (2, 7), P), c4=cube(1, (4, 1), T))
    walls = {f"c{name}": cube(1, at, P) for name, at in ((5, (1, 5)), (6, (2, 6)), (7, (3, 7)))}
    table.put(**{f"c{name}": one for name, one in table.board["cubes"].items()}, **walls)
    assert legal_moves(position_of(table.board)) == []
    assert table.skip() == ["Passed", "TurnChanged"]


# ---- ends of matches


def test_six_passes_in_a_row_are_a_draw() -> None:
    table = RulesTable()
    names = [table.skip() for _ in range(6)]
    assert names == [["Passed", "TurnChanged"]] * 5 + [["Passed", "MatchEnded"]]
    assert (table.board["reason"], "winner" in table.board) == ("draw", False)


def test_a_hundred_plies_without_a_removal_are_a_draw() -> None:
    """Tests that the hundredth ply without a removal ends the match in a draw, even in the middle
    of a turn. If this ply wins the match, the win counts."""
    table = RulesTable()
    for number in range(100):
        assert table.board["status"] == "playing", number
        table.skip() if table.board["passes"] < 5 else table.carry_out(legal_moves(position_of(table.board))[0])
    assert (table.board["reason"], table.board["quiet"]) == ("draw", 100)
    late = RulesTable()
    for start, to, _ in SHEET_GAME[:-1]:
        late.move(start, to)
    late.board = {**late.board, "quiet": 99}
    late.move(*SHEET_GAME[-1][:2])
    assert late.board["reason"] == "won"


# ---- random matches


@pytest.mark.parametrize("seed", range(48))
def test_what_the_rules_emit_folds_to_what_the_generator_says(seed: int) -> None:
    """Tests that, after each ply, the board offers exactly the moves that the generator finds.
    After the match, all deposited money must be paid out."""
    random = Random(seed)
    stake, rulesets = random.choice((0, 6_000)), (NEAR, BOARD)
    table = RulesTable(1 + seed % 4, seed // 4 % 2, stake, stake // 100, 60 if stake else 0)
    assert position_of(table.board) == set_up(1 + seed % 4, rulesets[seed // 4 % 2])
    while table.board["status"] == "playing":
        at, board = position_of(table.board), table.board
        offered = sorted(MOVE_CELLS * int(name) + to for name, cells in board["moves"].items() for to in cells)
        assert offered == sorted(legal_moves(at))
        table.now += random.randrange(12)
        check_overdue(table.game, board, table.now)
        if random.random() < 0.02:
            table.call(random.choice((A, B)), "resign")
            break
        if stake and random.random() < 0.1 and due(board, who := random.choice((A, B)), table.now):
            table.call(who, "withdraw")
        move = PASS if not offered or (may_pass(at) and random.random() < 0.05) else random.choice(offered)
        after = play(at, move)
        table.carry_out(move)
        assert table.board["ply"] == board["ply"] + 1
        if table.board["status"] == "playing":
            assert position_of(table.board) == after
        assert is_over(after) == (table.board["status"] == "finished")
        assert after.occupied == sum(1 << one // TURNS for one in after.cubes if one >= 0)
    for who in (A, B) if stake else ():
        if due(table.board, who, table.now):
            table.call(who, "withdraw")
    assert sum(int(player["withdrawn"]) for player in table.board["players"].values()) == 2 * stake
