"""The rules of Tic-tac-toe: positions, legal moves, winners, and the events that calls emit."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import TypeAlias

from indexer.games.tic_tac_toe import CELLS, SIDE
from indexer.model import Json
from indexer.rules.call import Call, Emitted, IllegalMove, carry_out, require_status
from indexer.rules.duel import cancelled, claim_timeout, ended, joined, opened, require_player, require_turn, resign

Position: TypeAlias = tuple[int, int]
"""Bit masks of the cells with mark 1 and those with mark 2. A cell is bit `row * 3 + column`."""

EMPTY: Position = (0, 0)
FULL = 0x1FF
LINES = (0x007, 0x038, 0x1C0, 0x049, 0x092, 0x124, 0x111, 0x054)
"""Bit masks of the rows, columns and diagonals."""


def line(cells: int) -> int:
    """Return a mask of all lines that these cells fill, or 0 if they fill none."""
    filled = 0
    for each in LINES:
        if cells & each == each:
            filled |= each
    return filled


def mark_to_move(position: Position) -> int:
    """Return the mark whose turn it is, 1 or 2. Mark 1 begins."""
    return 1 + (position[0] | position[1]).bit_count() % 2


def winner(position: Position) -> int:
    """Return the mark that has won, or 0. Only the player who moved last can have won."""
    last = 3 - mark_to_move(position)
    return last if line(position[last - 1]) else 0


def legal_moves(position: Position) -> list[int]:
    """Return the cells that are free. After the end of the match, return none."""
    taken = position[0] | position[1]
    return [] if winner(position) else [cell for cell in range(CELLS) if not taken >> cell & 1]


def play(position: Position, cell: int) -> Position:
    """Return the position after a legal move."""
    one, two = position
    return (one | 1 << cell, two) if mark_to_move(position) == 1 else (one, two | 1 << cell)


@cache
def outcomes(position: Position = EMPTY) -> tuple[int, int, int]:
    """Count the continuations of the match. Return three numbers: the wins of mark 1, the wins of
    mark 2, and the ties."""
    moves = legal_moves(position)
    if not moves:
        won = winner(position)
        return int(won == 1), int(won == 2), int(won == 0)
    one, two, drawn = zip(*(outcomes(play(position, cell)) for cell in moves), strict=True)
    return sum(one), sum(two), sum(drawn)


def tree() -> Iterator[tuple[Position, tuple[int, ...]]]:
    """Yield each reachable position once, with moves that lead to it. Positions with fewer marks
    come first."""
    level: dict[Position, tuple[int, ...]] = {EMPTY: ()}
    while level:
        yield from level.items()
        level = {
            play(position, cell): (*path, cell) for position, path in level.items() for cell in legal_moves(position)
        }


def position_of(board: Json) -> Position:
    """Return the position that a board shows."""
    masks = [0, 0]
    for cell, mark in board["cells"].items():
        masks[mark - 1] |= 1 << int(cell)
    return masks[0], masks[1]


# ---- contract calls: each function returns the call's events, or raises IllegalMove


def create(board: Json, call: Call) -> list[Emitted]:
    return opened(board, call, call.address("challenger"))


def move(board: Json, call: Call) -> list[Emitted]:
    seat, row, column = require_turn(board, call), call.uint("row", 16), call.uint("column", 16)
    if row >= SIDE or column >= SIDE:
        raise IllegalMove(f"the row and the column must be 0 to {SIDE - 1}, not {row} and {column}")
    before, cell = position_of(board), row * SIDE + column
    if (before[0] | before[1]) >> cell & 1:
        raise IllegalMove(f"the cell in row {row}, column {column} is taken")
    found: list[Emitted] = [
        ("Moved", {"ply": board["ply"], "by": call.account, "row": row, "column": column, "mark": seat + 1})
    ]
    after = play(before, cell)
    if filled := line(after[seat]):
        return [*found, ("GameWon", {"winner": call.account, "line": filled}), ended(call.account, "won")]
    return found if after[0] | after[1] != FULL else [*found, ended(None, "draw")]


def rematch(board: Json, call: Call) -> list[Emitted]:
    """Open a new match as a finished match's rematch. The opponent accepts by joining it."""
    require_player(board, call)
    if "rematch" in board:
        raise IllegalMove(f"there is already a rematch: accept match {board['rematch']}")
    require_status(board, "finished")
    return [("RematchOpened", {"by": call.account, "rematch": call.next_match})]


def offer_restart(board: Json, call: Call) -> list[Emitted]:
    require_status(board, "playing")
    require_player(board, call)
    if "offer" in board:
        raise IllegalMove(f"{board['offer']['by']} has already offered a restart")
    return [("RestartOffered", {"by": call.account, "ply": board["ply"]})]


def accept_restart(board: Json, call: Call) -> list[Emitted]:
    require_status(board, "playing")
    require_player(board, call)
    if call.uint("ply", 32) != board["ply"]:
        raise IllegalMove(f"the match is at ply {board['ply']}, not {call.arguments['ply']}")
    if board.get("offer", {}).get("by", call.account) == call.account:
        raise IllegalMove("the opponent has not offered a restart")
    return [ended(None, "cancelled"), ("RematchOpened", {"by": call.account, "rematch": call.next_match})]


ACTIONS = {
    "create": create,
    "accept": joined,
    "move": move,
    "rematch": rematch,
    "offerRestart": offer_restart,
    "acceptRestart": accept_restart,
    "close": cancelled,
    "resign": resign,
    "claimTimeout": claim_timeout,
}


def events(board: Json, call: Call) -> list[Emitted]:
    """Return the events that the contract emits for a call. Raises IllegalMove."""
    return carry_out(ACTIONS, board, call)
