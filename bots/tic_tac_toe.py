"""The computer players for Tic-tac-toe. `careful` looks one move ahead, and `perfect` looks ahead
to the end of the game."""

from __future__ import annotations

from functools import cache
from random import Random

from bots.opponent import Choice, Opponents, is_to_move, may_join
from indexer.games.tic_tac_toe import SIDE
from indexer.model import Json
from indexer.rules.tic_tac_toe import Position, legal_moves, line, mark_to_move, outcomes, play, position_of, winner


def choose(board: Json, seat: int, strength: str, random: Random) -> Choice | None:
    """Choose a move. If the opponent offers to restart the match, the player ignores the offer, and
    the clock decides the match."""
    if not is_to_move(board, seat):
        return next(iter(moves(board, seat)), None)
    position = position_of(board)
    cells = perfect_cells(position) if strength == "perfect" else careful_cells(position)
    return _move(board, random.choice(cells))


def moves(board: Json, seat: int) -> list[Choice]:
    if may_join(board, seat):
        return [Choice("accept")]
    return [_move(board, cell) for cell in legal_moves(position_of(board))] if is_to_move(board, seat) else []


def invite(opponent: str) -> Choice:
    return Choice("create", {"challenger": opponent, "clock": 0})


def _move(board: Json, cell: int) -> Choice:
    row, column = divmod(cell, SIDE)
    return Choice("move", {"ply": board["ply"], "row": row, "column": column})


def careful_cells(position: Position) -> list[int]:
    """Return the squares with which the player wins immediately. If there are none, return the
    squares with which the opponent would win. If there are none of these either, return all free
    squares."""
    mine, theirs = position if mark_to_move(position) == 1 else (position[1], position[0])
    free = legal_moves(position)
    for cells in (mine, theirs):
        if found := [cell for cell in free if line(cells | 1 << cell)]:
            return found
    return free


@cache
def perfect_cells(position: Position) -> list[int]:
    """Return the squares with the best outcome under perfect play. If there are several, keep only
    those from which the player wins the largest share of the possible games."""
    after = {cell: play(position, cell) for cell in legal_moves(position)}
    best = max(-value(following) for following in after.values())
    shares = {cell: _won_share(following, position) for cell, following in after.items() if -value(following) == best}
    return [cell for cell, share in shares.items() if share == max(shares.values())]


@cache
def value(position: Position) -> int:
    """Return the value of a position for the player to move if both sides play perfectly: 1 for a
    win, 0 for a draw, or -1 for a loss."""
    if winner(position):
        return -1
    return max((-value(play(position, cell)) for cell in legal_moves(position)), default=0)


def _won_share(following: Position, position: Position) -> float:
    """A player has just made a move. Of all games that can follow, return the share that this
    player wins. `position` is the position before the move, and `following` the position after
    it."""
    counts = outcomes(following)
    return counts[mark_to_move(position) - 1] / sum(counts)


OPPONENTS = Opponents(("careful", "perfect"), choose, moves, invite, concede=Choice("resign"))
