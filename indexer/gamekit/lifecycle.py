"""Reducers that all games share: the life cycle of a match, by the events of IMatch.sol.

They give a board status, creator, opponent (who is invited; absent: anyone), clock (seconds; 0: none), rematchOf,
players (by address: seat), reason and winner (when it ended). For two-sided games also mover and deadline."""

from __future__ import annotations

from collections.abc import Mapping

from indexer.gamekit.game import Reducer
from indexer.model import Event, Json

NOBODY = "0x" + 40 * "0"
ENDED = "MatchEnded"
"""The event with which a match is finished or cancelled; it comes once."""
INVITED = "Invited"
"""The event that reserves seats of a match for more than two: `accounts`, from seat 1 on."""
FINISHED = "finished"
"""The status of a match that was played to its end."""
REASONS = ("none", "won", "draw", "resigned", "timeout", "cheating-proved", "cancelled")
DAY = 86_400
MAX_CLOCK = 30 * DAY
"""Seconds for a move, at most."""

NO_MATCH: Mapping[str, object] = {"status": "none", "ply": 0, "deadline": 0, "players": {}}
"""The start boards of games begin with these: `{**NO_MATCH, "cells": {}}`."""


def without(board: Json, *keys: str) -> Json:
    return {key: value for key, value in board.items() if key not in keys}


def with_player(board: Json, address: str, **changes: object) -> Json:
    """Changes what a board has of a player."""
    players = board["players"]
    return {**board, "players": {**players, address: {**players.get(address, {}), **changes}}}


def created(board: Json, event: Event) -> Json:
    args = event.args
    board = {**board, "status": "open", "creator": args["creator"], "clock": args["clock"]}
    if args["opponent"] != NOBODY:
        board["opponent"] = args["opponent"]
    if args["rematchOf"]:
        board["rematchOf"] = args["rematchOf"]
    return board


def joined(board: Json, event: Event) -> Json:
    return with_player(board, event.args["player"], seat=event.args["seat"])


def started(board: Json, _event: Event) -> Json:
    return {**board, "status": "playing"}


def ended(board: Json, event: Event) -> Json:
    """Nobody is to move any more."""
    reason = REASONS[event.args["reason"]]
    after = without(board, "mover") | {"status": "cancelled" if reason == "cancelled" else FINISHED, "reason": reason}
    if event.args["winner"] != NOBODY:
        after["winner"] = event.args["winner"]
    return after


def to_move(board: Json, seat: int, time: int) -> Json:
    """The player in the seat is to move from `time` (seconds) on, and has the match's clock for it."""
    mover = next(address for address, player in board["players"].items() if player["seat"] == seat)
    return {**board, "mover": mover, "deadline": time + board["clock"] if board["clock"] else 0}


def is_overdue(board: Json, now: int) -> bool:
    """Whether a clock has run out while the match is played; `now` in seconds since 1970."""
    return bool(board["status"] == "playing" and 0 < board["deadline"] <= now)


def duel_overdue(board: Json, now: int) -> str | None:
    """`Game.overdue` of a game for two (IDuel.sol): its timeout."""
    return "claimTimeout" if is_overdue(board, now) else None


def duel_started(board: Json, event: Event) -> Json:
    """Seat 0 moves first."""
    return to_move(started(board, event), 0, event.time)


def duel_ended(board: Json, event: Event) -> Json:
    """No clock runs any more."""
    return {**ended(board, event), "deadline": 0}


LIFECYCLE: Mapping[str, Reducer] = {
    "MatchCreated": created,
    "PlayerJoined": joined,
    "MatchStarted": started,
    ENDED: ended,
}
"""The reducers of a game begin with these: `{**LIFECYCLE, "Moved": moved}`."""

DUEL: Mapping[str, Reducer] = {**LIFECYCLE, "MatchStarted": duel_started, ENDED: duel_ended}
"""Reducers of a game for two (IDuel.sol): seat 0 moves first, and at the end no clock runs."""
