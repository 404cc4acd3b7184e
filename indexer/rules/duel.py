"""The rules that all games for two players share (Duel.sol): seats, turns and clocks. The checks
raise IllegalMove.

Session keys and the players' other matches are ignored. Only the contract rejects, for example, a
second unfinished match between the same two players."""

from __future__ import annotations

from indexer.gamekit.contract_view import seats
from indexer.gamekit.lifecycle import ENDED, MAX_CLOCK, NOBODY, REASONS
from indexer.model import Json
from indexer.rules.call import Call, Emitted, IllegalMove, require_status

MIN_CLOCK = 30
"""The shortest clock, in seconds per move. A match without a stake can also be played without a
clock."""


def opened(board: Json, call: Call, opponent: str, minimum: int = 0, rematch_of: int = 0) -> list[Emitted]:
    """Open a match. The caller takes seat 0. `minimum`: the shortest clock, in seconds. If
    `minimum` is 0, the match can have no clock (0), or a clock of at least MIN_CLOCK."""
    require_status(board, "none")
    clock = call.uint("clock", 24)
    if opponent == call.account:
        raise IllegalMove(f"{call.account} can't play itself")
    minimum = minimum or (MIN_CLOCK if clock else 0)
    if not minimum <= clock <= MAX_CLOCK:
        raise IllegalMove(f"the clock must be {minimum} to {MAX_CLOCK} seconds, not {clock}")
    created = {"creator": call.account, "opponent": opponent, "clock": clock, "rematchOf": rematch_of}
    return [("MatchCreated", created), ("PlayerJoined", {"player": call.account, "seat": 0})]


def joined(board: Json, call: Call) -> list[Emitted]:
    """Join the match as its second player."""
    require_status(board, "open")
    ((other, player),) = board["players"].items()
    if call.account == other:
        raise IllegalMove(f"{call.account} can't play itself")
    if board.get("opponent", call.account) != call.account:
        raise IllegalMove(f"the seat is reserved for {board['opponent']}, not for {call.account}")
    return [("PlayerJoined", {"player": call.account, "seat": 1 - player["seat"]}), ("MatchStarted", {})]


def cancelled(board: Json, call: Call) -> list[Emitted]:
    """Cancel a match that nobody has joined yet. Only its creator can do this."""
    require_status(board, "open")
    require_player(board, call)
    return [ended(None, "cancelled")]


def require_player(board: Json, call: Call) -> int:
    """Return the caller's seat. Raises IllegalMove if the caller is not a player of the match."""
    if call.account not in board["players"]:
        raise IllegalMove(f"{call.account} has no seat in the match")
    return int(board["players"][call.account]["seat"])


def require_turn(board: Json, call: Call) -> int:
    """Return the caller's seat. Raises IllegalMove unless it is the caller's turn and the call's
    `ply` is current."""
    require_status(board, "playing")
    seat, ply = require_player(board, call), call.uint("ply", 32)
    if ply != board["ply"]:
        raise IllegalMove(f"the match is at ply {board['ply']}, not {ply}")
    if board.get("mover") != call.account:
        raise IllegalMove(f"{board.get('mover', 'nobody')} is to move, not {call.account}")
    return seat


def require_timeout(board: Json, call: Call) -> None:
    """Raise IllegalMove unless the match is being played and its deadline has passed."""
    require_status(board, "playing")
    if not board["deadline"]:
        raise IllegalMove("no clock is running")
    if call.block.time < board["deadline"]:
        raise IllegalMove(f"the clock runs until {board['deadline']}, but the block's time is only {call.block.time}")


def ended(winner: str | None, reason: str) -> Emitted:
    return ENDED, {"winner": winner or NOBODY, "reason": REASONS.index(reason)}


def other_than(board: Json, account: str) -> str:
    """Return the opponent of this account."""
    return next(player for player in seats(board) if player != account)


def resign(board: Json, call: Call) -> list[Emitted]:
    """Resign. Both players can do this at any time."""
    require_status(board, "playing")
    require_player(board, call)
    return [ended(other_than(board, call.account), "resigned")]


def claim_timeout(board: Json, call: Call) -> list[Emitted]:
    """End the match because the clock of the player to move has run out. Any account can call
    this."""
    require_timeout(board, call)
    return [ended(other_than(board, board["mover"]), "timeout")]
