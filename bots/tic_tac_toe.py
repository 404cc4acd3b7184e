"""Opponents of Tic-tac-toe: `careful` sees one move ahead, `perfect` all of them."""

from __future__ import annotations

from functools import cache
from random import Random

from bots.opponent import Move, Opponents
from indexer.games.tic_tac_toe import SIDE
from indexer.model import Json
from indexer.rules.tic_tac_toe import Position, legal_moves, line, mark_to_move, outcomes, play, winner


def choose(board: Json, seat: int, strength: str, random: Random) -> Move | None:
    """A move when it is this seat's turn; an offered restart is left to the clock."""
    position = position_of(board)
    if board["status"] != "playing" or mark_to_move(position) != seat + 1:
        return None
    cells = perfect_cells(position) if strength == "perfect" else careful_cells(position)
    row, column = divmod(random.choice(cells), SIDE)
    return Move("move", {"ply": board["ply"], "row": row, "column": column})


def position_of(board: Json) -> Position:
    """The board's marks as masks."""
    masks = [0, 0]
    for cell, mark in board["cells"].items():
        masks[mark - 1] |= 1 << int(cell)
    return masks[0], masks[1]


def careful_cells(position: Position) -> list[int]:
    """Cells that win at once, else those where the other would; else any free one."""
    mine, theirs = _masks(position)
    free = legal_moves(position)
    for cells in (mine, theirs):
        if found := [cell for cell in free if line(cells | 1 << cell)]:
            return found
    return free


def perfect_cells(position: Position) -> list[int]:
    """Of the cells with the best outcome, those after which most of the games that can follow are won."""
    free = legal_moves(position)
    best = max(_value_of(position, cell) for cell in free)
    good = [cell for cell in free if _value_of(position, cell) == best]
    share = {cell: _won_share(play(position, cell), mark_to_move(position)) for cell in good}
    return [cell for cell in good if share[cell] == max(share.values())]


def _value_of(position: Position, cell: int) -> int:
    return -value(play(position, cell))


@cache
def value(position: Position) -> int:
    """1, 0 or -1: who is to move wins, draws or loses, both playing perfectly."""
    if winner(position):
        return -1
    return max((_value_of(position, cell) for cell in legal_moves(position)), default=0)


def _won_share(position: Position, mark: int) -> float:
    counts = outcomes(position)
    return counts[mark - 1] / sum(counts)


def _masks(position: Position) -> tuple[int, int]:
    """Of who is to move, and of the other."""
    return position if mark_to_move(position) == 1 else (position[1], position[0])


OPPONENTS = Opponents(("careful", "perfect"), choose)
