"""Positions of Deblockle, their legal moves, and the positions after these moves."""

from __future__ import annotations

from typing import NamedTuple

from indexer.games.deblockle import CUBES, SET_UPS, cell_of
from indexer.rules.deblockle_cube import ORIENTATION, ROLLS, STAR, TURNS, UP, hops

REMOVED = -1
"""The value of a cube that was removed or never existed."""
NO_HOP = -1
PASS = -1
MOVE_CELLS = 64
"""The factor of the cube in a move. A move is the number `64 * cube + cell`, or PASS. The
position's phase shows whether the move is a roll or a hop."""
MAX_PASSES, MAX_QUIET = 6, 100
"""The limits at which the match ends as a draw: passes in a row, and plies since a cube was last
removed."""


class Position(NamedTuple):
    """A position.

    - `cubes`: by id, each as `24 * cell + orientation`
    - `occupied`: a mask of the cells with a cube
    - `hopper`: the cube that must hop, or NO_HOP if the mover rolls
    - `quiet`: plies since a cube was last removed
    """

    cubes: tuple[int, ...]
    occupied: int
    mover: int
    hopper: int
    passes: int
    quiet: int
    board_ruleset: bool


def set_up(number: int, board_ruleset: bool = False) -> Position:
    """Return the starting position of a match with this number of cubes per player."""
    cubes = [REMOVED] * (2 * CUBES)
    for seat, side in enumerate(SET_UPS[number - 1]):
        for cube, (x, y, *faces) in enumerate(side):
            cubes[CUBES * seat + cube] = cube_of(cell_of(x, y), *faces)
    return position(cubes, board_ruleset=board_ruleset)


def position(cubes: list[int], mover: int = 0, hopper: int = NO_HOP, board_ruleset: bool = False) -> Position:
    occupied = sum(1 << cube // TURNS for cube in cubes if cube != REMOVED)
    return Position(tuple(cubes), occupied, mover, hopper, 0, 0, board_ruleset)


def cube_of(cell: int, up: int, front: int, right: int) -> int:
    return TURNS * cell + ORIENTATION[up, front, right]


def legal_moves(at: Position) -> list[int]:
    """Return the legal rolls, or the hops of the cube that has rolled. The list is empty after the
    end. It never contains PASS. Use `may_pass` for that."""
    return [move for move, _ in successors(at)]


def successors(at: Position) -> list[tuple[int, Position]]:
    """Return each legal roll or hop together with the position that it leads to."""
    if is_over(at):
        return []
    cubes, occupied, mover, hopper, _, quiet, board_ruleset = at
    found = []
    if hopper != NO_HOP:
        cube, first = cubes[hopper], MOVE_CELLS * hopper
        orientation, left, right = cube % TURNS, cubes[:hopper], cubes[hopper + 1 :]
        targets, others = hops(mover, cube, occupied, board_ruleset), occupied ^ 1 << cube // TURNS
        while targets:
            bit = targets & -targets
            cell = bit.bit_length() - 1
            moved = (*left, TURNS * cell + orientation, *right)
            found.append((first + cell, Position(moved, others | bit, 1 - mover, NO_HOP, 0, quiet + 1, board_ruleset)))
            targets ^= bit
        return found
    first = CUBES * mover
    for number in range(first, first + CUBES):
        cube = cubes[number]
        if cube == REMOVED:
            continue
        left, right, others = cubes[:number], cubes[number + 1 :], occupied ^ 1 << cube // TURNS
        for bit, cell, after in ROLLS[mover][cube]:
            if occupied & bit:
                continue
            if UP[after % TURNS] == STAR:
                following = Position((*left, REMOVED, *right), others, 1 - mover, NO_HOP, 0, 0, board_ruleset)
            elif hops(mover, after, others | bit, board_ruleset):
                following = Position((*left, after, *right), others | bit, mover, number, 0, quiet + 1, board_ruleset)
            else:
                following = Position(
                    (*left, after, *right), others | bit, 1 - mover, NO_HOP, 0, quiet + 1, board_ruleset
                )
            found.append((MOVE_CELLS * number + cell, following))
    return found


def may_pass(at: Position) -> bool:
    """Return True if the mover can pass. The ruleset NEAR always allows this until the end.
    The wooden board's ruleset allows it only if no roll is possible."""
    return not is_over(at) and (not at.board_ruleset or (at.hopper == NO_HOP and not legal_moves(at)))


def play(at: Position, move: int) -> Position:
    """Return the position after a legal move or PASS."""
    if move == PASS:
        return Position(at.cubes, at.occupied, 1 - at.mover, NO_HOP, at.passes + 1, at.quiet + 1, at.board_ruleset)
    return dict(successors(at))[move]


def winner(at: Position) -> int | None:
    """Return the seat that has no cubes left and therefore has won, or None. Only the player who
    moved last can have won."""
    last = CUBES * (1 - at.mover)
    return 1 - at.mover if at.hopper == NO_HOP and max(at.cubes[last : last + CUBES]) == REMOVED else None


def is_drawn(at: Position) -> bool:
    return (at.passes >= MAX_PASSES or at.quiet >= MAX_QUIET) and winner(at) is None


def is_over(at: Position) -> bool:
    return winner(at) is not None or is_drawn(at)
