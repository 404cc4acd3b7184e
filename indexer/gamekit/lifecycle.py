"""Reducers that all games share. They fold the events that IMatch.sol defines into the board of a
match.

The reducers set these fields of the board:
- status, creator, rematchOf
- opponent: the invited player; missing if anyone can join
- clock: the time limit for a move, in seconds; 0 if there is none
- players: keyed by address, each with a seat
- reason and winner, after the end
- mover and deadline, in games for two players
"""

from __future__ import annotations

from collections.abc import Mapping

from indexer.gamekit.game import Reducer
from indexer.model import Event, Json

NOBODY = "0x" + 40 * "0"
ENDED = "MatchEnded"
"""The event that finishes or cancels a match. It occurs at most once per match."""
INVITED = "Invited"
"""The event that reserves seats in a match for more than two players. Its argument `accounts` lists
the invited players. The first has seat 1."""
FINISHED = "finished"
"""The status of a match that was played to its end. A cancelled match has a different status."""
REASONS = ("none", "won", "draw", "resigned", "timeout", "cheating-proved", "cancelled")
SECONDS_PER_DAY = 86_400
MAX_CLOCK = 30 * SECONDS_PER_DAY
"""The longest time limit for a move, in seconds."""

NO_MATCH: Mapping[str, object] = {"status": "none", "ply": 0, "deadline": 0, "players": {}}
"""The fields of every game's start board. A game adds its own: `{**NO_MATCH, "cells": {}}`."""


def without(board: Json, *keys: str) -> Json:
    """Return the board without these fields."""
    return {key: value for key, value in board.items() if key not in keys}


def with_player(board: Json, address: str, **changes: object) -> Json:
    """Return the board with these changes to the fields of one player."""
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
    """Return the board after `MatchEnded`. It has no player to move."""
    reason = REASONS[event.args["reason"]]
    after = without(board, "mover") | {"status": "cancelled" if reason == "cancelled" else FINISHED, "reason": reason}
    if event.args["winner"] != NOBODY:
        after["winner"] = event.args["winner"]
    return after


def to_move(board: Json, seat: int, time: int) -> Json:
    """Return the board after the turn passes to the player in this seat. The player's clock starts
    at `time`, in seconds since 1970."""
    mover = next(address for address, player in board["players"].items() if player["seat"] == seat)
    return {**board, "mover": mover, "deadline": time + board["clock"] if board["clock"] else 0}


def is_overdue(board: Json, now: int) -> bool:
    """Return True if the match is in progress and its clock has run out. `now` is in seconds since
    1970."""
    return bool(board["status"] == "playing" and 0 < board["deadline"] <= now)


def duel_overdue(board: Json, now: int) -> str | None:
    """Return the action that claims a timeout (IDuel.sol) if the clock has run out, or None. Games
    for two players use this function as `Game.overdue`."""
    return "claimTimeout" if is_overdue(board, now) else None


def duel_started(board: Json, event: Event) -> Json:
    """Return the board after `MatchStarted` in a game for two players. Seat 0 moves first."""
    return to_move(started(board, event), 0, event.time)


def duel_ended(board: Json, event: Event) -> Json:
    """Return the board after `MatchEnded` in a game for two players. The clock stops."""
    return {**ended(board, event), "deadline": 0}


LIFECYCLE: Mapping[str, Reducer] = {
    "MatchCreated": created,
    "PlayerJoined": joined,
    "MatchStarted": started,
    ENDED: ended,
}
"""The reducers of every game. A game adds its own: `{**LIFECYCLE, "Moved": moved}`."""

DUEL: Mapping[str, Reducer] = {**LIFECYCLE, "MatchStarted": duel_started, ENDED: duel_ended}
"""The reducers of a game for two players (IDuel.sol). Seat 0 moves first."""
