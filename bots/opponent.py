"""The interface between a game and its computer players: the players' names, and the functions that
choose their moves from the public board alone."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from random import Random
from typing import Any, TypeAlias

from indexer.model import Json
from indexer.sanitize import printable, shortened

NAME = re.compile(r"[a-z][a-z0-9-]{0,31}")
RANDOM = "random"
"""The name of the computer player that makes random legal moves. The other computer players are
measured by their results against it."""


class BadOpponents(ValueError):
    """The computer players that a file defines can't be used. The message explains why."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A contract call that a computer player chooses. `arguments` maps the arguments' names in the
    ABI to their values, without `matchId`."""

    action: str
    arguments: Mapping[str, Any] = field(default_factory=dict)


Concede: TypeAlias = Callable[[Json, int], Choice | None]
"""A function `(board, seat) -> move`. It returns the move with which the player gives up, or None
if the player can't do anything now."""
Choose: TypeAlias = Callable[[Json, int, str, Random], Choice | None]
"""A function `(board, seat, strength, random) -> move`. It chooses a move from the public board
alone, or returns None if the player has nothing to do. In an open match, the player might not have
taken the seat yet."""


@dataclass(frozen=True, slots=True)
class Secrets:
    """Functions for games in which each account has a secret in a match, such as its fleet. A
    secret is a JSON value. It is stored before any transaction is sent."""

    draw: Callable[[Random], Json]
    complete: Callable[[Json, int, Choice, Json], Choice]
    """A function `(board, seat, move, secret) -> move`. It adds the arguments that follow from the
    secret and not from the board, such as whether a shot has hit."""
    fits: Callable[[Json, int, Json], bool]
    """A function `(board, seat, secret)`. It returns True if the player's commitment on the board
    is a commitment to this secret."""
    revealed_by: tuple[str, ...] = ()
    """The actions that reveal the player's secret to everyone."""


@dataclass(frozen=True, slots=True)
class Opponents:
    """The computer players of one game. `strengths` contains their names, from the weakest to the
    strongest. Raises BadOpponents if the names or functions are invalid."""

    strengths: tuple[str, ...]
    choose: Choose
    moves: Callable[[Json, int], Sequence[Choice]]
    """A function `(board, seat) -> moves`: returns legal moves for the random player."""
    invite: Callable[[str], Choice]
    """A function that takes an account and returns the move that opens a match against it."""
    secrets: Secrets | None = None
    concede: Choice | Concede | None = None
    """A move, or a function that returns a move. If a player keeps failing in a match, it gives up
    the match with this move. If `concede` is None, the player stays in the match and does
    nothing."""
    accounts: int = 1
    """The maximum number of computer players of one strength in a match."""
    is_alive: Callable[[Json, str], bool] = lambda _board, _account: True
    """A function `(board, account)`: returns True if the seated account is still in the match."""
    vary: Callable[[Choice, Random], Choice] = lambda invitation, _random: invitation
    """A function that changes an invitation at random, for example to a different map. The arena
    uses it if matches of this game can start differently."""
    pauses: Mapping[str, float] = field(default_factory=dict)
    """The actions that the player delays, each with a pause in seconds. The player calls such an
    action only after a pause without new events. If anyone may move, the pause gives the other
    players time. While no player of the match is watching, the action isn't called at all."""

    def __post_init__(self) -> None:
        names = self.strengths
        if not isinstance(names, tuple) or not names:
            raise BadOpponents(f"strengths is {names!r}, but must be a tuple of names, with the weakest first")
        for name in names:
            if not isinstance(name, str) or not NAME.fullmatch(name):
                raise BadOpponents(
                    f"{name!r} isn't a valid name: use a lower-case letter, then at most 31 lower-case letters, digits "
                    "and hyphens"
                )
        if len(set(names)) < len(names):
            raise BadOpponents(f"each name in strengths may occur only once: {', '.join(names)}")
        if RANDOM in names:
            raise BadOpponents(f"{RANDOM!r} is reserved for the random player, which every game has")
        for part in ("choose", "moves", "invite"):
            if not callable(getattr(self, part)):
                raise BadOpponents(f"{part} must be a function, not {getattr(self, part)!r}")

    def conceded(self, board: Json, seat: int) -> Choice | None:
        """Return the move with which the player in the seat gives up the match. Return None if the
        player can't do anything now."""
        return self.concede(board, seat) if callable(self.concede) else self.concede


def fault_of(found: object) -> str:
    """Describe what is wrong with a value that a computer player returned as its move. Return an
    empty string if the value is None or a complete Choice."""
    is_choice = isinstance(found, Choice) and isinstance(found.action, str) and isinstance(found.arguments, Mapping)
    return "" if found is None or is_choice else f"returned {excerpt(repr(found))}, which is not a Choice"


def excerpt(text: str) -> str:
    """Shorten a text that comes from a computer player so that it fits in a sentence."""
    return shortened(printable(text))


def player_in(board: Json, seat: int) -> str | None:
    """Return the account in a seat, or None if the seat is free."""
    return next((account for account, player in board["players"].items() if player["seat"] == seat), None)


def seat_of(board: Json, account: str) -> int:
    """Return the account's seat. If the account hasn't joined, return the seat that is reserved for
    the account. If no seat is reserved, return the first free seat."""
    if account in board["players"]:
        return int(board["players"][account]["seat"])
    reserved = _reserved(board)
    mine = next((seat for seat, invitee in reserved.items() if invitee == account), None)
    taken = {*reserved, *(player["seat"] for player in board["players"].values())}
    return mine if mine is not None else next(seat for seat in count() if seat not in taken)


def invited(board: Json) -> list[str]:
    """Return the accounts that have a reserved seat in an open match but haven't joined yet."""
    if board["status"] != "open":
        return []
    named = (
        [*_reserved(board).values()] if "seatCount" in board else [board[key] for key in ("opponent",) if key in board]
    )
    return [account for account in named if account not in board["players"]]


def has_seat_for(board: Json, account: str) -> bool:
    """Return True if the match is open and has a seat that the account may take."""
    if board["status"] != "open" or account in board["players"]:
        return False
    if "seatCount" in board:
        return seat_of(board, account) < int(board["seatCount"])
    return bool(account == board.get("opponent", account))


def _reserved(board: Json) -> dict[int, str]:
    return {int(seat): account for seat, account in board.get("invited", {}).items()}


def is_to_move(board: Json, seat: int) -> bool:
    """Return True if the match is in progress and it is this seat's turn."""
    return board["status"] == "playing" and "mover" in board and board["mover"] == player_in(board, seat)


def may_join(board: Json, seat: int) -> bool:
    is_free = player_in(board, seat) is None and seat < int(board.get("seatCount", seat + 1))
    return bool(board["status"] == "open" and is_free)
