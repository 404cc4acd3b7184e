"""Tests that our Deblockle contract has none of the defects of the published contract (section 4.7
of the game's rules), and none of the defects of the published rules.

If our contract could have a defect, `mutation/mutants.py` plants it in a copy of the contract, and
shows that the test with the defect's name fails. Defects that concern money are in
`test_defects_of_money.py`.

- Given a match
  - When a player makes an illegal call that the published contract would accept, such as a move out
    of turn
    - The contract should reject the call with an error that explains why, and change nothing
  - When the players keep passing, or play on without removing a cube
    - The match should end
"""

from __future__ import annotations

import pytest

from tests.contracts.support.contract import Contract, expect_revert
from tests.contracts.support.matches.deblockle import (
    BOARD,
    CLOCK,
    DRAW,
    FINISHED,
    HOP,
    NEAR,
    OPEN,
    PLAYING,
    ROLL,
    WON,
    DeblockleTable,
    squares,
)

CONTRACT = "Deblockle"
MONTH = 30 * 86_400


@pytest.fixture
def table(game: Contract) -> DeblockleTable:
    """A match with four cubes per player and the ruleset Near."""
    return DeblockleTable(game, 4)


# ---- defect 01: the loser is named as the winner


def test_defect_01_who_removes_the_last_cube_wins(game: Contract) -> None:
    table = DeblockleTable(game)
    *_, last = table.play()
    assert last.named("MatchEnded") == [{"winner": table.accounts[0], "reason": WON}]
    assert last.named("Removed") == [{"player": table.accounts[0], "cube": 0, "left": 0}]
    assert (table.view.winner, table.call("gameState")[1]) == (table.accounts[0], 0)


# ---- defect 02: anybody can reset or start a match


def test_defect_02_nobody_begins_anew(game: Contract) -> None:
    """Tests that the contract has no function that restarts a match, and that a stranger can't end
    a match."""
    table = DeblockleTable(game)
    stranger = table.node.accounts[5]
    names = {entry["name"] for entry in game.abi if entry["type"] == "function"}
    assert not {"reset", "start", "new", "connectStreamingContract"} & names
    for call in (("resign",), ("passMove", 0), ("makeMove", 0, 4, 7, 3, 7)):
        with expect_revert(table, "NotAPlayer", table.match, stranger):
            game.send(stranger, call[0], table.match, *call[1:])


def test_defect_02_only_who_opened_it_takes_it_back(game: Contract) -> None:
    table = DeblockleTable(game, named=True, join=False)
    host, guest = table.accounts
    for who in (guest, table.node.accounts[5]):
        with expect_revert(table, "NotTheInviter", table.match, who, host):
            game.send(who, "cancel", table.match)
    table.join()
    with expect_revert(table, "WrongStatus", table.match, PLAYING, OPEN):
        table.send(0, "cancel")


def test_defect_02_a_named_seat_is_for_the_named(game: Contract) -> None:
    table = DeblockleTable(game, named=True, join=False)
    host, guest = table.accounts
    stranger = table.node.accounts[5]
    with expect_revert(table, "NotInvited", table.match, stranger, guest):
        game.send(stranger, "join", table.match, *table.terms)
    with expect_revert(table, "SamePlayer", host):
        table.send(0, "join", *table.terms)


# ---- defect 03: moves before the start, and after the end


def test_defect_03_nothing_is_moved_before_the_start(game: Contract) -> None:
    table = DeblockleTable(game, join=False)
    for call in (("makeMove", 0, 4, 7, 3, 7), ("passMove", 0), ("resign",), ("claimTimeout",)):
        with expect_revert(table, "NotStarted", table.match):
            table.send(0, *call)


def test_defect_03_nothing_is_moved_after_the_end(game: Contract) -> None:
    table = DeblockleTable(game)
    table.play()
    for call in (("makeMove", 10, 5, 5, 5, 6), ("passMove", 10), ("resign",), ("claimTimeout",)):
        for seat in (0, 1):
            with expect_revert(table, "WrongStatus", table.match, FINISHED, PLAYING):
                table.send(seat, *call)


# ---- defect 04: a cube hops although it has not rolled


def test_defect_04_the_cube_that_rolled_hops_and_no_other(table: DeblockleTable) -> None:
    """Tests that only the cube that has just rolled can hop. In the published contract, any of the
    mover's cubes could hop."""
    table.move((3, 5), (3, 6))
    assert (table.view.phase, table.view.hopper) == (HOP, 0)
    for start, end in (((5, 5), (5, 4)), ((5, 5), (4, 4)), ((5, 7), (6, 7))):
        with expect_revert(table, "WrongPhase", 3, 6):
            table.move(start, end)


def test_defect_04_a_cube_hops_once(table: DeblockleTable) -> None:
    table.move((3, 5), (3, 6))
    table.move((3, 6), (3, 4))
    assert (table.view.phase, table.view.mover) == (ROLL, table.accounts[1])
    with expect_revert(table, "NotYourTurn", table.match, *table.accounts):
        table.move((3, 4), (3, 5), seat=0)


# ---- defect 05: moves out of turn or for another position


def test_defect_05_only_who_is_to_move_moves(table: DeblockleTable) -> None:
    host, guest = table.accounts
    with expect_revert(table, "NotYourTurn", table.match, guest, host):
        table.move((5, 3), (5, 4), seat=1)
    with expect_revert(table, "NotYourTurn", table.match, guest, host):
        table.skip(seat=1)
    with expect_revert(table, "NotYourCube", 5, 3):
        table.move((5, 3), (5, 4), seat=0)


@pytest.mark.parametrize("ply", [0, 2, 2**32 - 1])
def test_defect_05_a_move_for_another_position_is_refused(table: DeblockleTable, ply: int) -> None:
    table.move((3, 5), (3, 6))
    with expect_revert(table, "StaleMove", 1, ply):
        table.move((3, 6), (3, 4), seat=0, ply=ply)
    with expect_revert(table, "StaleMove", 1, ply):
        table.send(0, "passMove", ply)


# ---- defect 06: the players pass forever, and the match never ends


def test_defect_06_passing_ends(game: Contract) -> None:
    table = DeblockleTable(game)
    for _ in range(6):
        assert table.view.status == PLAYING
        table.skip()
    assert (table.view.status, table.view.reason) == (FINISHED, DRAW)


def test_defect_06_a_match_without_removals_ends(game: Contract) -> None:
    table = DeblockleTable(game)
    while table.view.status == PLAYING and table.view.ply < 101:
        table.skip()
        if table.view.passes == 5:
            view = table.view
            direction = (view.rolls & -view.rolls).bit_length() - 1
            cube = table.cube(4 * view.players.index(view.mover))
            dx, dy = ((0, -1), (1, 0), (0, 1), (-1, 0))[direction % 4]
            table.move((cube.x, cube.y), (cube.x + dx, cube.y + dy))
    assert (table.view.status, table.view.reason, table.view.ply) == (FINISHED, DRAW, 100)


def test_defect_06_who_can_move_must_by_the_rules_of_the_board(game: Contract) -> None:
    table = DeblockleTable(game, 4, BOARD)
    with expect_revert(table, "MoveRequired", table.match):
        table.skip()
    table.move((3, 5), (3, 6))
    with expect_revert(table, "MoveRequired", table.match):
        table.skip()


def test_defect_06_who_does_not_move_loses(game: Contract) -> None:
    table = DeblockleTable(game)
    table.at(table.view.deadline - 1)
    with expect_revert(table, "NotExpired", table.view.deadline - 1, table.view.deadline):
        table.send(1, "claimTimeout")
    table.at(table.view.deadline)
    table.send(1, "claimTimeout")
    assert table.view.winner == table.accounts[1]


def test_defect_06_a_roll_does_not_wind_the_clock(table: DeblockleTable) -> None:
    """Tests that a roll doesn't change the deadline. The roll and the hop after it belong to the
    same turn."""
    deadline = table.view.deadline
    table.at(table.now + 100)
    table.move((3, 5), (3, 6))
    assert table.view.deadline == deadline
    table.move((3, 6), (3, 4))
    assert table.view.deadline == table.now + CLOCK


# ---- defect 07: illegal moves


def test_defect_07_illegal_rolls_are_refused(table: DeblockleTable) -> None:
    for start, end, told in (
        ((0, 7), (1, 7), ("OffBoard", 0, 7)),
        ((3, 7), (3, 8), ("OffBoard", 3, 8)),
        ((8, 255), (255, 0), ("OffBoard", 8, 255)),
        ((4, 4), (4, 5), ("EmptySquare", 4, 4)),
        ((3, 3), (3, 4), ("NotYourCube", 3, 3)),
        ((3, 7), (4, 6), ("RivalsStar", 4, 6)),
        ((3, 7), (3, 5), ("SquareTaken", 3, 5)),
        ((3, 7), (3, 7), ("SquareTaken", 3, 7)),
        ((3, 7), (3, 3), ("SquareTaken", 3, 3)),
        ((3, 7), (2, 6), ("NotBeside", 2, 6)),
        ((3, 5), (3, 2), ("NotBeside", 3, 2)),
    ):
        with expect_revert(table, *told):
            table.move(start, end)


def test_defect_07_no_roll_around_the_edge(game: Contract) -> None:
    """Tests that a cube can't roll from (1, y) to (7, y - 1). These squares have consecutive
    numbers, although they are on opposite edges of the board."""
    table = DeblockleTable(game)
    table.play(3)
    end = next(square for square in sorted(squares(table.view.hops)) if square[0] == 1)
    table.move((3, 6), end)
    table.skip()
    beyond = (7, end[1] - 1)
    with expect_revert(table, "NotBeside", *beyond):
        table.move(end, beyond)


def test_defect_07_star_shows_on_the_own_star_square_alone(game: Contract) -> None:
    """Tests that a cube shows Star on top after a roll onto its player's own star square, and only
    there."""
    single = DeblockleTable(game)
    with expect_revert(single, "StarOffSquare", 1, 5, 7):
        single.move((4, 7), (5, 7))
    single.play(3)
    single.move((3, 6), (3, 3))
    single.skip()
    single.move((3, 3), (4, 3))
    single.move((4, 3), (5, 2))
    single.skip()
    with expect_revert(single, "StarOffSquare", 4, 4, 2):
        single.move((5, 2), (4, 2))


def test_defect_07_hops_are_those_of_the_face(table: DeblockleTable) -> None:
    table.move((3, 5), (3, 6))
    for end, told in (
        ((2, 5), ("BadHop", 3, 2, 5)),
        ((4, 6), ("RivalsStar", 4, 6)),
        ((3, 3), ("SquareTaken", 3, 3)),
        ((3, 6), ("SquareTaken", 3, 6)),
    ):
        with expect_revert(table, *told):
            table.move((3, 6), end)


@pytest.mark.parametrize(("ruleset", "end"), [(NEAR, (3, 2)), (BOARD, (3, 4))])
def test_defect_07_slides_stop_where_the_ruleset_says(game: Contract, ruleset: int, end: tuple[int, int]) -> None:
    """Tests the end of a slide. In the ruleset Near, the cube can slide to squares beyond the cube
    on (3, 3). In the ruleset Board, it stops before that cube."""
    table = DeblockleTable(game, 4, ruleset)
    table.move((3, 5), (3, 6))
    if ruleset == BOARD:
        for short in ((3, 5), (3, 2), (2, 6)):
            with expect_revert(table, "BadHop", 3, *short):
                table.move((3, 6), short)
    table.move((3, 6), end)
    assert table.cube(0)[1:3] == end


def test_defect_07_a_clock_is_long_enough(game: Contract) -> None:
    table = DeblockleTable(game)
    for clock in (1, 29, MONTH + 1):
        with expect_revert(table, "BadClock", clock, 30, MONTH):
            DeblockleTable(game, clock=clock)
