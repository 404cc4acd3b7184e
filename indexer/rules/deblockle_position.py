"""Positions of Deblockle, their legal moves, and the positions after these moves."""

from __future__ import annotations

from typing import NamedTuple

from indexer.games.deblockle import CUBES, SET_UPS, cell_of
from indexer.rules.deblockle_cube import ORIENTATION, ROLLS, STAR, TURNS, UP, hops

REMOVED = -1
"""Stands for a cube that has been removed from the board or was never on it."""
NO_HOP = -1
PASS = -1
MOVE_CELLS = 64
"""A move is the number `64 * cube + cell`, or PASS. It is a hop if the position has a hopper."""
MAX_PASSES, MAX_QUIET = 6, 100
"""The match is a draw after this number of passes in a row, or after this number of plies since a
cube was last removed."""


class Position(NamedTuple):
    """The cubes on the board, and whose turn it is.

    - `cubes`: the cubes in the order of their ids, each as `24 * cell + orientation`
    - `occupied`: a mask of the cells with a cube
    - `hopper`: the cube that must hop, or NO_HOP if the mover rolls
    - `quiet`: the number of plies since a cube was last removed
    """

    cubes: tuple[int, ...]
    occupied: int
    mover: int
    hopper: int
    passes: int
    quiet: int
    board_ruleset: bool


def set_up(number: int, board_ruleset: bool = False) -> Position:
    """Return the starting position for this number of cubes per player."""
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
    """Return all legal moves except PASS: rolls, or the hops of the cube that has just rolled.
    After the end, there are none. `may_pass` reports whether PASS is legal."""
    return [move for move, _ in successors(at)]


def successors(at: Position) -> list[tuple[int, Position]]:
    """Return each legal roll or hop, with the position after it."""
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
    """Return True if the player to move can pass. In the ruleset NEAR, this is possible until the
    match ends. By the rules of the wooden board, it is possible only if no cube can roll."""
    return not is_over(at) and (not at.board_ruleset or (at.hopper == NO_HOP and not legal_moves(at)))


def play(at: Position, move: int) -> Position:
    """Return the position after a move, which must be legal, or after PASS."""
    if move == PASS:
        return Position(at.cubes, at.occupied, 1 - at.mover, NO_HOP, at.passes + 1, at.quiet + 1, at.board_ruleset)
    return dict(successors(at))[move]


def winner(at: Position) -> int | None:
    """Return the seat that has won because it has no cubes left, or None. Only the player who moved
    last can have won."""
    last = CUBES * (1 - at.mover)
    return 1 - at.mover if at.hopper == NO_HOP and max(at.cubes[last : last + CUBES]) == REMOVED else None


def is_drawn(at: Position) -> bool:
    return (at.passes >= MAX_PASSES or at.quiet >= MAX_QUIET) and winner(at) is None


def is_over(at: Position) -> bool:
    return winner(at) is not None or is_drawn(at)
