"""Tests that our Tic-tac-toe contract has none of the defects of the published contract (section
3.3 of the game's rules).

If our contract could have a defect, `mutation/mutants.py` plants it in a copy of the contract, and
shows that the test with the defect's name fails.
"""

from __future__ import annotations

from itertools import combinations

import pytest

from indexer.rules.tic_tac_toe import FULL, Position, tree, winner
from tests.contracts.models.tic_tac_toe import lines
from tests.contracts.support.contract import Contract, Reverted
from tests.contracts.support.matches.tic_tac_toe import (
    CANCELLED,
    CHALLENGER_WINS,
    DRAW,
    DRAWN,
    FINISHED,
    HOST_WINS,
    NOBODY,
    OPEN,
    PLAYING,
    RESIGNED,
    TIMEOUT,
    WON,
    Grid,
    begun,
    funded_address,
)

CONTRACT = "TicTacToe"
CLOCK = 60


@pytest.fixture
def grid(game: Contract) -> Grid:
    """A running match between two players who play no other matches."""
    return begun(game)


def test_defect_01_a_full_board_is_a_draw(game: Contract) -> None:
    drawn = {position: path for position, path in tree() if position[0] | position[1] == FULL and not winner(position)}
    assert len(drawn) == 16
    for position, path in drawn.items():
        grid = begun(game)
        *_, last = grid.play(*path)
        assert last.named("MatchEnded") == [{"winner": NOBODY, "reason": DRAW}]
        view = grid.view
        assert (view.host_cells, view.challenger_cells) == position
        assert (view.status, view.reason, view.winner, view.mover) == (FINISHED, DRAW, NOBODY, NOBODY)


def test_defect_01_an_empty_board_is_none(grid: Grid) -> None:
    assert (grid.view.status, grid.view.reason, grid.view.ply) == (PLAYING, 0, 0)
    for cell in DRAWN[:8]:
        grid.play(cell)
        assert (grid.view.status, grid.view.reason) == (PLAYING, 0)


@pytest.mark.parametrize(("row", "column"), [(row, column) for row in range(3) for column in range(3)])
def test_defect_02_rows_are_rows_and_columns_columns(game: Contract, row: int, column: int) -> None:
    grid = begun(game)
    (moved,) = grid.move(row, column).named("Moved")
    assert (moved["row"], moved["column"]) == (row, column)
    assert [cell for cell, mark in enumerate(grid.marks) if mark] == [row * 3 + column]


@pytest.mark.parametrize(
    ("row", "column"), [(0, 5), (0, 8), (1, 3), (3, 0), (0, 65_535), (65_535, 0), (21_845, 1), (21_846, 0), (1, 65_534)]
)
def test_defect_03_no_cell_outside_the_board(grid: Grid, row: int, column: int) -> None:
    assert grid.expect_revert(grid.host, "move", 0, row, column) == Reverted("BadCell", row, column)


def test_defect_04_three_in_a_row_are_the_eight_lines_of_the_square(game: Contract) -> None:
    square = [sorted(3 * row + column for row, column in line) for line in lines()]
    assert len(square) == 8
    for cells in combinations(range(9), 3):
        grid = begun(game)
        first, second = [cell for cell in range(9) if cell not in cells][:2]
        *_, last = grid.play(cells[0], first, cells[1], second, cells[2])
        line = sum(1 << cell for cell in cells)
        assert last.named("GameWon") == ([{"winner": grid.host, "line": line}] if [*cells] in square else [])


def test_defect_05_nobody_alone_begins_anew(grid: Grid) -> None:
    """Tests that a restart needs the consent of both players. The player who has offered a restart
    can't accept this offer."""
    grid.play(*HOST_WINS[:4])
    no_offer = Reverted("NoOffer", grid.match)
    for player in (grid.host, grid.challenger):
        assert grid.expect_revert(player, "acceptRestart", 4) == no_offer
    grid.send(grid.challenger, "offerRestart")
    assert (grid.view.status, grid.marks) == (PLAYING, [1, 1, 0, 2, 2, 0, 0, 0, 0])
    assert grid.expect_revert(grid.challenger, "acceptRestart", 4) == no_offer


def test_defect_05_an_offer_is_for_the_position_it_was_made_in(grid: Grid) -> None:
    grid.play(*HOST_WINS[:4])
    grid.send(grid.host, "offerRestart")
    grid.play(8)
    assert grid.view.offered_by == NOBODY
    assert grid.expect_revert(grid.challenger, "acceptRestart", 5) == Reverted("NoOffer", grid.match)


def test_defect_05_a_result_is_not_wiped(grid: Grid) -> None:
    grid.play(*HOST_WINS[:4])
    grid.send(grid.challenger, "offerRestart")
    grid.play(HOST_WINS[4])
    ended = Reverted("WrongStatus", grid.match, FINISHED, PLAYING)
    for player in (grid.host, grid.challenger):
        assert grid.expect_revert(player, "offerRestart") == ended
        assert grid.expect_revert(player, "acceptRestart", 5) == ended
    grid.send(grid.challenger, "rematch")
    assert (grid.view.winner, grid.marks) == (grid.host, [1, 1, 1, 2, 2, 0, 0, 0, 0])


def test_defect_06_a_game_that_began_is_not_closed(grid: Grid) -> None:
    playing = Reverted("WrongStatus", grid.match, PLAYING, OPEN)
    assert grid.expect_revert(grid.host, "close") == playing
    grid.play(*CHALLENGER_WINS[:5])
    assert grid.expect_revert(grid.host, "close") == playing
    grid.play(*CHALLENGER_WINS[5:])
    assert grid.expect_revert(grid.host, "close") == Reverted("WrongStatus", grid.match, FINISHED, OPEN)
    assert grid.view.winner == grid.challenger


def test_defect_07_the_challenger_consents(game: Contract) -> None:
    host, challenger = funded_address(game.node), funded_address(game.node)
    grid = Grid(game, host, challenger, accept=False)
    waiting = Reverted("WrongStatus", grid.match, OPEN, PLAYING)
    assert grid.expect_revert(host, "move", 0, 0, 0) == waiting
    assert grid.expect_revert(host, "claimTimeout") == waiting
    grid.send(challenger, "accept")
    assert grid.view.status == PLAYING


def test_defect_07_who_does_not_move_loses(game: Contract) -> None:
    grid = begun(game, CLOCK)
    grid.play(*HOST_WINS[:4])
    game.node.rpc("evm_setNextBlockTimestamp", grid.view.deadline)
    grid.send(funded_address(game.node), "claimTimeout")
    assert (grid.view.status, grid.view.reason, grid.view.winner) == (FINISHED, TIMEOUT, grid.challenger)


def test_defect_07_a_lost_game_can_be_resigned(grid: Grid) -> None:
    grid.play(*HOST_WINS[:4])
    grid.send(grid.challenger, "resign")
    assert (grid.view.status, grid.view.reason, grid.view.winner) == (FINISHED, RESIGNED, grid.host)


def test_defect_08_no_account_is_a_result(game: Contract) -> None:
    """The published contract used the literals "none" and "draw" as results. Tests that an account
    whose address equals one of these literals can play like any other account."""
    named = [funded_address(game.node, int.from_bytes(literal)) for literal in (b"none", b"draw")]
    for host, challenger in (named, named[::-1]):
        drawn = Grid(game, host, challenger)
        *_, last = drawn.play(*DRAWN)
        assert last.named("MatchEnded") == [{"winner": NOBODY, "reason": DRAW}]
        won = Grid(game, host, challenger)
        assert (won.view.status, won.view.winner) == (PLAYING, NOBODY)
        *_, last = won.play(*HOST_WINS)
        assert last.named("MatchEnded") == [{"winner": host, "reason": WON}]
        assert [grid.view[2] for grid in (drawn, won)] == [DRAW, WON]
        assert [grid.view.winner for grid in (drawn, won)] == [NOBODY, host]


@pytest.mark.anvil  # gas costs ether only on Anvil
def test_defect_09_who_calls_pays(grid: Grid) -> None:
    def balance(account: str) -> int:
        return int(grid.game.node.rpc("eth_getBalance", account, "latest"), 16)

    players = grid.host, grid.challenger
    for ply, cell in enumerate(DRAWN):
        mover, other = players[ply % 2], players[1 - ply % 2]
        before = balance(mover), balance(other)
        grid.play(cell)
        assert balance(mover) < before[0]
        assert balance(other) == before[1]


def test_defect_10_an_empty_line_hides_no_win(game: Contract) -> None:
    hidden = {position: path for position, path in tree() if winner(position) and not _published(position)}
    assert len(hidden) == 18
    assert (0b001001001, 0b000100100) in hidden, "the win with 0, 3, 6 is hidden by the empty column 1, 4, 7"
    for position, path in hidden.items():
        grid = begun(game)
        grid.play(*path)
        view = grid.view
        assert (view.host_cells, view.challenger_cells) == position
        assert (view.status, view.reason) == (FINISHED, WON)
        assert view.winner == (grid.host, grid.challenger)[winner(position) - 1]


def _published(position: Position) -> int:
    """Return the mark that the published contract would consider the winner's.

    That contract looks for three equal cells in a line, even if they are empty. It checks lines
    through the centre first, and then lines through a corner."""
    board = [(position[0] >> cell & 1) + 2 * (position[1] >> cell & 1) for cell in range(9)]
    for shared in (4, 0, 8):
        through = [[3 * row + column for row, column in line] for line in lines()]
        if any(len({board[cell] for cell in line}) == 1 for line in through if shared in line):
            return board[shared]
    return 0


def test_walk_through_of_the_sheet(game: Contract) -> None:
    """Tests the example calls in the game's rules: create, two moves, a view, a restart and close.
    In our contract, the restart also needs the opponent's consent."""
    host, challenger = funded_address(game.node), funded_address(game.node)
    grid = Grid(game, host, challenger)
    grid.move(0, 0)
    grid.move(1, 1)
    assert grid.marks == [1, 0, 0, 0, 2, 0, 0, 0, 0]
    assert (grid.view.mover, grid.view.winner) == (host, NOBODY)
    grid.send(host, "offerRestart")
    restarted = grid.send(challenger, "acceptRestart", 2)
    anew = Grid(game, host, challenger, number=restarted.named("RematchOpened")[0]["rematch"])
    assert (anew.view.status, anew.view.mover, anew.marks) == (PLAYING, host, [0] * 9)
    assert anew.expect_revert(host, "close") == Reverted("WrongStatus", anew.match, PLAYING, OPEN)
    anew.send(host, "resign")
    another = Grid(game, host, challenger, accept=False)
    another.send(host, "close")
    assert another.view.status == CANCELLED


@pytest.mark.parametrize(("cells", "line"), [(HOST_WINS, 0x007), (CHALLENGER_WINS, 0x054), (DRAWN, 0)])
def test_sequences_of_the_sheet(grid: Grid, cells: tuple[int, ...], line: int) -> None:
    *before, last = grid.play(*cells)
    assert not any(receipt.named("MatchEnded") for receipt in before)
    assert [won["line"] for won in last.named("GameWon")] == ([line] if line else [])
    assert len(last.named("MatchEnded")) == 1
    if cells == DRAWN:
        assert grid.marks == [1, 2, 1, 1, 2, 2, 2, 1, 1]
