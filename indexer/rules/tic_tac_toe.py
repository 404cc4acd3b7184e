"""The rules of Tic-tac-toe: positions, what may follow them, and who has won."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import TypeAlias

from indexer.games.tic_tac_toe import CELLS

Position: TypeAlias = tuple[int, int]
"""The cells with mark 1 and those with mark 2, as masks: bit `row * 3 + column`."""

EMPTY: Position = (0, 0)
FULL = 0x1FF
LINES = (0x007, 0x038, 0x1C0, 0x049, 0x092, 0x124, 0x111, 0x054)
"""Rows, columns, diagonals."""


def line(cells: int) -> int:
    """All lines that these cells fill, as one mask; 0: none."""
    filled = 0
    for each in LINES:
        if cells & each == each:
            filled |= each
    return filled


def mark_to_move(position: Position) -> int:
    """1 or 2. Mark 1 begins."""
    return 1 + (position[0] | position[1]).bit_count() % 2


def winner(position: Position) -> int:
    """The mark that has won; 0: none. Only who moved last can have."""
    last = 3 - mark_to_move(position)
    return last if line(position[last - 1]) else 0


def legal_moves(position: Position) -> list[int]:
    """The cells where a mark may be set: none after the end."""
    taken = position[0] | position[1]
    return [] if winner(position) else [cell for cell in range(CELLS) if not taken >> cell & 1]


def play(position: Position, cell: int) -> Position:
    """The position after a legal move."""
    one, two = position
    return (one | 1 << cell, two) if mark_to_move(position) == 1 else (one, two | 1 << cell)


@cache
def outcomes(position: Position = EMPTY) -> tuple[int, int, int]:
    """Counts all games from here: those that mark 1 wins, that mark 2 wins, and draws."""
    moves = legal_moves(position)
    if not moves:
        won = winner(position)
        return int(won == 1), int(won == 2), int(won == 0)
    one, two, drawn = zip(*(outcomes(play(position, cell)) for cell in moves), strict=True)
    return sum(one), sum(two), sum(drawn)


def tree() -> Iterator[tuple[Position, tuple[int, ...]]]:
    """Each position that a game can reach, once, with the cells of a game that leads there; shorter ones first."""
    level: dict[Position, tuple[int, ...]] = {EMPTY: ()}
    while level:
        yield from level.items()
        level = {
            play(position, cell): (*path, cell) for position, path in level.items() for cell in legal_moves(position)
        }
