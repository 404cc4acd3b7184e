"""Plays each move in each position that a game of Tic-tac-toe can reach, and checks the contract's
results.

If several moves are the same after a rotation or a reflection of the board, `make test` plays only
one of them, chosen with a seed. `make soak` plays all moves.

- Given a match in any position that a game can reach
  - When the mover sets a mark on any free cell
    - The board should show the next position and the result that the rules give
    - The move should cost at most 45,000 gas
  - When the mover sets a mark on a taken cell, or a player sets a mark after the end
    - The contract should reject the call
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from random import Random

import pytest
from eth_utils import to_checksum_address

from indexer.rules.tic_tac_toe import Position, legal_moves, play, tree
from tests.contracts.models.tic_tac_toe import lines
from tests.contracts.support.contract import Contract, Reverted
from tests.contracts.support.dry_run import Call, SimulatedCall, simulate_calls
from tests.contracts.support.matches.tic_tac_toe import DRAW, FINISHED, NOBODY, PLAYING, WON, TicTacToeView, plain

pytestmark = pytest.mark.anvil  # only Anvil has real gas costs
CONTRACT = "TicTacToe"
CHALLENGER = to_checksum_address("0x" + 40 * "b")
CLOCK = 60
MOVE_GAS = 45_000

MASKS = [sum(1 << 3 * row + column for row, column in line) for line in lines()]

Path = tuple[int, ...]


@cache
def host(match: int) -> str:
    """Return a host for a match. Each match gets a different host, because a host can have only one
    unfinished match with the same challenger."""
    return to_checksum_address(f"0x{0xAAAA0000 + match:040x}")


def opening(match: int) -> list[Call]:
    return [(host(match), "create", CHALLENGER, CLOCK), (CHALLENGER, "accept", match)]


def set_marks(match: int, path: Path) -> list[Call]:
    players = host(match), CHALLENGER
    return [(players[ply % 2], "move", match, ply, cell // 3, cell % 3) for ply, cell in enumerate(path)]


def story(path: Path, also: Path = ()) -> Callable[[int], list[Call]]:
    """Return a function that takes a match number and returns the calls in this match.

    The calls are the moves of `path`, then a move for each cell in `also`, and finally a view.
    """
    return lambda match: [
        *opening(match),
        *set_marks(match, path),
        *[set_marks(match, (*path, cell))[-1] for cell in also],
        (CHALLENGER, "board", match),
    ]


def moves(one_of_each: bool) -> Iterator[tuple[Path, Position, Path]]:
    """Yield all moves of the game. If `one_of_each` is True, yield only one of the moves that are
    equal by symmetry.

    Each item has three parts: the path that ends with the move, the position after the move, and
    the cells that are illegal in this position. The third part is empty if an earlier item has the
    same position.
    """
    all_moves = [(position, (*path, cell)) for position, path in tree() for cell in legal_moves(position)]
    if one_of_each:
        Random(8).shuffle(all_moves)
        all_moves = list({alike(position, path[-1]): (position, path) for position, path in all_moves}.values())
    seen: set[Position] = set()
    for position, path in all_moves:
        after = play(position, path[-1])
        taken = tuple(other for other in range(9) if other not in legal_moves(after))
        yield path, after, () if after in seen else taken
        seen.add(after)


def alike(position: Position, cell: int) -> tuple[int, ...]:
    """Return a key for a move in a position. Two moves have the same key if a rotation or a
    reflection turns one move and its position into the other move and its position."""
    host, challenger = position
    return min((_turned(host, way), _turned(challenger, way), way[cell]) for way in WAYS)


def _turned(cells: int, way: Path) -> int:
    return sum(1 << way[cell] for cell in range(9) if cells >> cell & 1)


def _ways() -> Iterator[Path]:
    """Yield the new place of each cell, for each rotation and each reflection of the board."""
    cells = [(row, column) for row in range(3) for column in range(3)]
    for _ in range(4):
        cells = [(column, 2 - row) for row, column in cells]
        yield tuple(3 * row + column for row, column in cells)
        yield tuple(3 * row + 2 - column for row, column in cells)


WAYS = tuple(_ways())


def result(position: Position, by: int) -> tuple[int, int, int]:
    """Return the status of the match, the reason for its end, and the last mover's completed lines.
    The lines are a bitmap."""
    line = 0
    for mask in MASKS:
        line |= mask if position[by] & mask == mask else 0
    if line:
        return FINISHED, WON, line
    return (FINISHED, DRAW, 0) if position[0] | position[1] == 0x1FF else (PLAYING, 0, 0)


@pytest.mark.parametrize(
    ("one_of_each", "positions"),
    [pytest.param(True, 764, id="one-of-each"), pytest.param(False, 5_477, id="all", marks=pytest.mark.soak)],
)
def test_every_move_of_every_position_on_the_contract(game: Contract, one_of_each: bool, positions: int) -> None:
    cases = list(moves(one_of_each))
    assert len({alike(position, 0)[:2] if one_of_each else position for _, position, _ in cases}) == positions
    marks = [cells for _, position, _ in cases for cells in position]
    assert all(any(cells & line == line for cells in marks) for line in MASKS)
    for (path, position, also), calls in zip(
        cases, simulate_calls(game, (story(p, a) for p, _, a in cases)), strict=True
    ):
        match, made, others = calls[0].answer, calls[2 : 2 + len(path)], calls[2 + len(path) : -1]
        _position_holds(path, position, (host(match), CHALLENGER), made[-1], plain(calls[-1].answer))
        _others_refused(match, path, position, also, others)
        assert max(move.gas for move in made) <= MOVE_GAS


def _position_holds(
    path: Path, position: Position, players: tuple[str, str], last: SimulatedCall, view: TicTacToeView
) -> None:
    by = (len(path) - 1) % 2
    status, reason, line = result(position, by)
    assert (view.host_cells, view.challenger_cells, view.ply) == (*position, len(path))
    assert (view.status, view.reason) == (status, reason)
    assert view.winner == (players[by] if line else NOBODY)
    assert view.mover == (players[1 - by] if status == PLAYING else NOBODY)
    args = {"ply": len(path) - 1, "by": players[by], "row": path[-1] // 3, "column": path[-1] % 3, "mark": by + 1}
    expected = [("Moved", args)]
    if line:
        expected.append(("GameWon", {"winner": players[by], "line": line}))
    if status == FINISHED:
        expected.append(("MatchEnded", {"winner": view.winner, "reason": reason}))
    assert [(event.name, event.args) for event in last.events] == expected


def _others_refused(match: int, path: Path, position: Position, also: Path, others: list[SimulatedCall]) -> None:
    """Check that the contract rejects moves to marked cells and, after the end, moves to any
    cell."""
    status, _, _ = result(position, (len(path) - 1) % 2)
    for cell, tried_there in zip(also, others, strict=True):
        taken = Reverted("CellTaken", cell // 3, cell % 3)
        assert tried_there.answer == (taken if status == PLAYING else Reverted("WrongStatus", match, status, PLAYING))
