"""Tests that the Deblockle contract follows the game's rules about cubes.

- Given the example match in the game's rules
  - When the players play it ply by ply
    - The contract should accept each ply and show the positions from the rules, and the last ply
      should win the match
- Given the starting positions with 1 to 4 cubes per player
  - When a player opens a match
    - The view should list the cubes in order, and as many first rolls as the game's rules say
- Given the samples of play that were published with the original game
  - When the players repeat the samples
    - The contract should give the published results and reject the illegal moves
- Given six passes in a row, or 100 plies without a removal
  - When the last of these plies is played
    - The match should be drawn immediately, unless a removal wins first
"""

from __future__ import annotations

import pytest

from tests.contracts.models.deblockle_board import SET_UPS
from tests.contracts.support.contract import Contract, Reverted, expect_revert
from tests.contracts.support.matches.deblockle import (
    BOARD,
    DRAW,
    END,
    FINISHED,
    HOP,
    NEAR,
    NO_CUBE,
    NOBODY,
    PLAYING,
    ROLL,
    SHEET_GAME,
    WON,
    DeblockleTable,
    squares,
)

CONTRACT = "Deblockle"
ROLLS = {1: 1, 2: 5, 3: 8, 4: 11}
"""The number of legal first rolls of player 1. The key is the number of cubes per player."""
SEATS = (0, 1, 0, 0, 1, 1, 0, 0, 1, 0)
"""For each ply of the example match in the game's rules, the seat of the player who plays it."""
QUIET = 100
STEPS = ((0, -1), (1, 0), (0, 1), (-1, 0))


def test_the_sheets_game(game: Contract) -> None:
    table = DeblockleTable(game)
    for ply, ((start, end, faces), seat) in enumerate(zip(SHEET_GAME, SEATS, strict=True)):
        assert table.view.mover == table.accounts[seat]
        moved = table.move(start, end).events[0]
        args = {"ply": ply, "player": table.accounts[seat], "cube": 4 * seat}
        args |= {"fromX": start[0], "fromY": start[1], "toX": end[0], "toY": end[1]}
        if faces:
            args |= dict(zip(("up", "front", "right"), faces, strict=True), hops=moved.args["hops"])
        assert (moved.name, moved.args) == ("Rolled" if faces else "Hopped", args)
    view = table.view
    assert (view.status, view.reason, view.winner, view.phase) == (FINISHED, WON, table.accounts[0], END)
    assert (view.mover, view.deadline, view.hopper, view.rolls, view.hops) == (NOBODY, 0, NO_CUBE, 0, 0)
    assert view.left == ((4, 5, 5, 6, 3, 5),)
    assert table.call("gameState") == (END, 0, view.left)


def test_the_published_boards(game: Contract) -> None:
    """Tests the positions that the game's rules show: the board after step 6, and the unfolded
    faces of a cube after step 7."""
    table = DeblockleTable(game)
    table.play(6)
    assert {(cube.x, cube.y): cube.up for cube in table.view.left} == {(4, 4): 4, (5, 6): 3}
    table.play(1, 6)
    assert table.call("cubeState", 5, 4) == (0, (0, 5, 4, 2, 6, 4), " P\nLXH\n S\n T")
    assert table.view.hopper == 0


@pytest.mark.parametrize("ruleset", [NEAR, BOARD])
@pytest.mark.parametrize("cubes", [1, 2, 3, 4])
def test_set_ups(game: Contract, cubes: int, ruleset: int) -> None:
    table = DeblockleTable(game, cubes, ruleset, join=False)
    (created,) = table.opened.named("GameCreated")
    assert (created["cubes"], created["ruleset"]) == (cubes, ruleset)
    view = table.view
    assert [(cube.id, (cube.x, cube.y), cube[3:]) for cube in view.left] == SET_UPS[cubes]
    assert (view.cubes, view.ruleset, view.phase, view.hopper) == (cubes, ruleset, ROLL, NO_CUBE)
    assert (view.rolls, view.hops, view.mover) == (0, 0, NOBODY)
    (turn,) = table.join().named("TurnChanged")
    view = table.view
    assert turn == {"player": table.accounts[0], "rolls": view.rolls}
    assert view.rolls.bit_count() == ROLLS[cubes]


@pytest.mark.parametrize("ruleset", [NEAR, BOARD])
def test_the_forced_opening_with_a_cube_each(game: Contract, ruleset: int) -> None:
    """Tests that the first moves with one cube each are forced: player 1 rolls to the left, and
    player 2 to the right. The square in front of each cube is the opponent's star square. A roll to
    the other side (right for player 1, left for player 2) would put Star on top."""
    table = DeblockleTable(game, 1, ruleset)
    assert table.view.rolls == 1 << 3
    table.play(1)
    assert table.view.rolls == 1 << 1
    assert table.view.mover == table.accounts[1]


def test_the_published_sample_with_three_cubes(game: Contract) -> None:
    table = DeblockleTable(game, 3)
    (rolled,) = table.move((4, 5), (4, 4)).named("Rolled")
    assert (rolled["up"], rolled["front"], rolled["right"], rolled["hops"]) == (6, 4, 2, "0")
    view = table.view
    assert (view.phase, view.mover) == (ROLL, table.accounts[1])
    (passed,) = table.skip().named("Passed")
    assert passed == {"ply": 1, "player": table.accounts[1], "phase": ROLL}
    assert table.view.mover == table.accounts[0]
    assert table.view.left == view.left


def test_illegal_samples_of_the_sheet(game: Contract) -> None:
    table = DeblockleTable(game, 4)
    for start, end, told in (
        ((3, 7), (3, 8), ("OffBoard", 3, 8)),
        ((4, 4), (4, 5), ("EmptySquare", 4, 4)),
        ((3, 3), (3, 4), ("NotYourCube", 3, 3)),
    ):
        with expect_revert(table, *told):
            table.move(start, end)
    single = DeblockleTable(game)
    with expect_revert(single, "RivalsStar", 4, 6):
        single.move((4, 7), (4, 6))
    with expect_revert(single, "StarOffSquare", 1, 5, 7):
        single.move((4, 7), (5, 7))


def test_hops_are_told_and_shown(game: Contract) -> None:
    """After the third ply, the cube on (3, 6) shows Hoops. Tests that the cube can hop to the
    squares at a distance of 1 or 3, except the opponent's star square."""
    table = DeblockleTable(game)
    *_, rolled = table.play(3)
    view = table.view
    assert int(rolled.named("Rolled")[0]["hops"]) == view.hops
    reached = {(x, y) for x in range(1, 8) for y in range(1, 8) if abs(x - 3) + abs(y - 6) in (1, 3)}
    assert squares(view.hops) == reached - {(4, 6)}
    assert (view.phase, view.hopper, view.rolls, view.mover) == (HOP, 0, 0, table.accounts[0])


@pytest.mark.parametrize(
    ("ruleset", "reached"),
    [(NEAR, {(1, 6), (2, 6), (5, 6), (6, 6), (7, 6), (3, 2), (3, 4), (3, 5)}), (BOARD, {(1, 6), (3, 4)})],
    ids=["near", "board"],
)
def test_a_slide_goes_over_everything_or_to_the_end(
    game: Contract, ruleset: int, reached: set[tuple[int, int]]
) -> None:
    """Tests the squares to which the cube on (3, 6) can slide. Its neighbour (4, 6) is the
    opponent's star square. Other cubes are on (3, 7), (3, 3) and (3, 1)."""
    table = DeblockleTable(game, 4, ruleset)
    (rolled,) = table.move((3, 5), (3, 6)).named("Rolled")
    assert (rolled["up"], squares(int(rolled["hops"]))) == (3, reached)


def test_a_cube_may_block_its_own_star_square(game: Contract) -> None:
    """Tests that a cube can hop onto its own star square without showing Star. It then blocks this
    square for its player's other cubes."""
    table = DeblockleTable(game, 4)
    table.move((3, 5), (3, 4))
    assert (4, 2) in squares(table.view.hops)
    (hopped,) = table.move((3, 4), (4, 2)).named("Hopped")
    assert (hopped["toX"], hopped["toY"]) == (4, 2)
    assert len(table.view.left) == 8
    assert table.call("cubeState", 4, 2)[1][0] == 0


@pytest.mark.parametrize("others", [0, 1])
def test_six_passes_in_a_row_are_a_draw(game: Contract, others: int) -> None:
    table = DeblockleTable(game)
    table.play(others)
    for number in range(5):
        table.skip()
        view = table.view
        assert (view.status, view.passes) == (PLAYING, 1 + number)
        assert view.quiet == view.ply == 1 + number + others
    *_, ended = table.skip().events
    assert (ended.name, ended.args) == ("MatchEnded", {"winner": NOBODY, "reason": DRAW})
    assert (table.view.status, table.view.reason, table.view.winner) == (FINISHED, DRAW, NOBODY)


def test_a_roll_between_passes_begins_them_anew(game: Contract) -> None:
    table = DeblockleTable(game)
    for _ in range(5):
        table.skip()
    table.play(1, 1)
    assert (table.view.passes, table.view.quiet) == (0, 6)
    for _ in range(5):
        table.skip()
    assert table.view.status == PLAYING


def test_100_plies_without_a_removal_are_a_draw(game: Contract) -> None:
    """Tests that rolls, hops and passes all count as plies. The test repeats a few passes and a
    roll until the match is drawn."""
    table = DeblockleTable(game)
    while (view := table.view).status == PLAYING:
        assert view.quiet == view.ply < QUIET
        if view.passes < 3 or view.phase == HOP:
            table.skip()
            continue
        seat = view.players.index(view.mover)
        direction = (view.rolls & -view.rolls).bit_length() - 1
        (cube,) = (cube for cube in view.left if cube.id == 4 * seat)
        dx, dy = STEPS[direction]
        table.move((cube.x, cube.y), (cube.x + dx, cube.y + dy))
    assert (view.reason, view.ply, view.quiet) == (DRAW, QUIET, QUIET)


def test_who_must_move_can_not_pass(game: Contract) -> None:
    table = DeblockleTable(game, 4, BOARD)
    with expect_revert(table, "MoveRequired", table.match):
        table.skip()
    table.move((3, 5), (3, 6))
    assert table.view.phase == HOP
    with expect_revert(table, "MoveRequired", table.match):
        table.skip()


def test_squares_are_asked_for(game: Contract) -> None:
    table = DeblockleTable(game)
    for square in ((0, 1), (1, 0), (8, 1), (1, 8), (255, 255)):
        with pytest.raises(Reverted) as told:
            table.call("cubeState", *square)
        assert told.value == Reverted("OffBoard", *square)
    with pytest.raises(Reverted) as told:
        table.call("cubeState", 1, 1)
    assert told.value == Reverted("EmptySquare", 1, 1)
    assert table.call("cubeState", 4, 1) == (1, (4, 4, 1, 5, 3, 1), " L\nPTS\n H\n X")
