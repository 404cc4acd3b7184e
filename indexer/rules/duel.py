"""The rules that games for two share (Duel.sol): seats, whose turn it is, clocks. Each check raises IllegalMove.

Of other matches they know nothing: a second unfinished one of a pair, or a session key, the contract alone judges.
"""

from __future__ import annotations

from indexer.gamekit.contract_view import seats
from indexer.gamekit.lifecycle import ENDED, MAX_CLOCK, NOBODY, REASONS
from indexer.model import Json
from indexer.rules.call import Call, Emitted, IllegalMove, require_status

MIN_CLOCK = 30
"""Seconds for a move; a match without a stake may have none."""


def opened(board: Json, call: Call, opponent: str, minimum: int = 0, rematch_of: int = 0) -> list[Emitted]:
    """The caller opens the match and takes seat 0. `minimum`: the shortest clock; 0: the shared one, or none."""
    require_status(board, "none")
    clock = call.uint("clock", 24)
    if opponent == call.account:
        raise IllegalMove(f"{call.account} can't play itself")
    minimum = minimum or (MIN_CLOCK if clock else 0)
    if not minimum <= clock <= MAX_CLOCK:
        raise IllegalMove(f"the clock is {minimum} to {MAX_CLOCK} seconds, not {clock}")
    created = {"creator": call.account, "opponent": opponent, "clock": clock, "rematchOf": rematch_of}
    return [("MatchCreated", created), ("PlayerJoined", {"player": call.account, "seat": 0})]


def joined(board: Json, call: Call) -> list[Emitted]:
    """The caller takes the free seat."""
    require_status(board, "open")
    ((other, player),) = board["players"].items()
    if call.account == other:
        raise IllegalMove(f"{call.account} can't play itself")
    if board.get("opponent", call.account) != call.account:
        raise IllegalMove(f"the seat is for {board['opponent']}, not for {call.account}")
    return [("PlayerJoined", {"player": call.account, "seat": 1 - player["seat"]}), ("MatchStarted", {})]


def cancelled(board: Json, call: Call) -> list[Emitted]:
    """By who has opened the match, while nobody has joined."""
    require_status(board, "open")
    require_player(board, call)
    return [ended(None, "cancelled")]


def require_player(board: Json, call: Call) -> int:
    """The caller's seat."""
    if call.account not in board["players"]:
        raise IllegalMove(f"{call.account} holds no seat")
    return int(board["players"][call.account]["seat"])


def require_turn(board: Json, call: Call) -> int:
    """The caller's seat, when it is to move and answers the position that is there."""
    require_status(board, "playing")
    seat, ply = require_player(board, call), call.uint("ply", 32)
    if ply != board["ply"]:
        raise IllegalMove(f"the match is at ply {board['ply']}, not {ply}")
    if board.get("mover") != call.account:
        raise IllegalMove(f"{board.get('mover', 'nobody')} is to move, not {call.account}")
    return seat


def require_timeout(board: Json, call: Call) -> None:
    require_status(board, "playing")
    if not board["deadline"]:
        raise IllegalMove("no clock runs")
    if call.block.time < board["deadline"]:
        raise IllegalMove(f"there is time until {board['deadline']}; it is {call.block.time}")


def ended(winner: str | None, reason: str) -> Emitted:
    return ENDED, {"winner": winner or NOBODY, "reason": REASONS.index(reason)}


def other_than(board: Json, account: str) -> str:
    """The account in the other seat."""
    return next(player for player in seats(board) if player != account)


def resign(board: Json, call: Call) -> list[Emitted]:
    """At any time, by either player."""
    require_status(board, "playing")
    require_player(board, call)
    return [ended(other_than(board, call.account), "resigned")]


def claim_timeout(board: Json, call: Call) -> list[Emitted]:
    """By anybody, when who is to move has no time left."""
    require_timeout(board, call)
    return [ended(other_than(board, board["mover"]), "timeout")]
