"""Nim's computer players. `perfect` leaves a multiple of four stones on the heap whenever possible.
`careful` plays like this only near the end."""

from __future__ import annotations

from random import Random

from bots.opponent import Choice, Opponents, is_to_move, may_join
from indexer.model import Json
from indexer.rules.nim import MOST


def choose(board: Json, seat: int, strength: str, random: Random) -> Choice | None:
    found = moves(board, seat)
    seen = board["stones"] if strength == "perfect" else 2 * MOST + 1
    good = [move for move in found if board["stones"] <= seen and left_by(board, move) % (MOST + 1) == 0]
    return random.choice(good or found) if found else None


def left_by(board: Json, move: Choice) -> int:
    return int(board["stones"] - move.arguments.get("stones", 0))


def moves(board: Json, seat: int) -> list[Choice]:
    if may_join(board, seat):
        return [Choice("join")]
    most = min(MOST, board["stones"]) if is_to_move(board, seat) else 0
    return [Choice("take", {"ply": board["ply"], "stones": stones}) for stones in range(1, most + 1)]


def invite(opponent: str) -> Choice:
    return Choice("create", {"opponent": opponent, "clock": 0})


OPPONENTS = Opponents(("careful", "perfect"), choose, moves, invite, concede=Choice("resign"))
