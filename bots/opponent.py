"""A game's computer players: their strengths by name, and the functions that choose their moves
from the public board alone."""

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
"""The name of the computer player that makes random legal moves. The strength of the others is
measured against it."""


class BadOpponents(ValueError):
    """The computer players in a file can't be used. The message explains why."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A contract call. `arguments` contains the arguments by their names in the ABI, without
    `matchId`."""

    action: str
    arguments: Mapping[str, Any] = field(default_factory=dict)


Concede: TypeAlias = Callable[[Json, int], Choice | None]
"""`(board, seat) -> move`: returns the move that gives up, or None if the player has nothing to do
now."""
Choose: TypeAlias = Callable[[Json, int, str, Random], Choice | None]
"""`(board, seat, strength, random) -> move`: chooses a move. It depends only on the public board.
Returns None if the player has nothing to do. In an open match, the seat can be one that the player
is about to take."""


@dataclass(frozen=True, slots=True)
class Secrets:
    """An account's secret in a match, such as its fleet. It is a JSON value. It is stored before
    any transaction is sent."""

    draw: Callable[[Random], Json]
    complete: Callable[[Json, int, Choice, Json], Choice]
    """`(board, seat, move, secret) -> move`: adds what the board does not show, such as whether a
    shot has hit."""
    fits: Callable[[Json, int, Json], bool]
    """`(board, seat, secret)`: returns True if the player in the seat has committed to this
    secret."""
    revealed_by: tuple[str, ...] = ()
    """The actions that reveal the secret."""


@dataclass(frozen=True, slots=True)
class Opponents:
    """The computer players of one game. `strengths` contains their names, weakest first. Raises
    BadOpponents if the names or functions are invalid."""

    strengths: tuple[str, ...]
    choose: Choose
    moves: Callable[[Json, int], Sequence[Choice]]
    """`(board, seat) -> moves`: returns the legal moves, from which the random player chooses."""
    invite: Callable[[str], Choice]
    """Returns the move that opens a match against an account."""
    secrets: Secrets | None = None
    concede: Choice | Concede | None = None
    """The move that gives up a match in which the player keeps failing, or a function that returns
    this move. If it is None, the player does nothing."""
    accounts: int = 1
    """The maximum number of computer players of one strength in a match."""
    is_alive: Callable[[Json, str], bool] = lambda _board, _account: True
    """`(board, account)`: returns True if the seated player is still in the match."""
    vary: Callable[[Choice, Random], Choice] = lambda invitation, _random: invitation
    """Changes an invitation for the arena if matches can start differently, for example on a
    different map."""
    pauses: Mapping[str, float] = field(default_factory=dict)
    """For each action, the number of seconds without a new event that must pass before the action
    is called. This pause gives other players time when anyone may move. The action is not called
    while no player of the match is watching."""

    def __post_init__(self) -> None:
        names = self.strengths
        if not isinstance(names, tuple) or not names:
            raise BadOpponents(f"strengths is {names!r}, but must be a tuple of names, with the weakest first")
        for name in names:
            if not isinstance(name, str) or not NAME.fullmatch(name):
                raise BadOpponents(
                    f"{name!r} isn't a valid name: use a lower-case letter, then at most 31 of a-z, 0-9 and -"
                )
        if len(set(names)) < len(names):
            raise BadOpponents(f"each name may occur only once: {', '.join(names)}")
        if RANDOM in names:
            raise BadOpponents(f"{RANDOM!r} is reserved for the random player, which every game has")
        for part in ("choose", "moves", "invite"):
            if not callable(getattr(self, part)):
                raise BadOpponents(f"{part} must be a function, not {getattr(self, part)!r}")

    def conceded(self, board: Json, seat: int) -> Choice | None:
        """Return the move that gives up the match on this board, or None if there is nothing to
        do."""
        return self.concede(board, seat) if callable(self.concede) else self.concede


def fault_of(found: object) -> str:
    """Describe what is wrong with a returned move. Return an empty string if the move is None or a
    complete Choice."""
    is_choice = isinstance(found, Choice) and isinstance(found.action, str) and isinstance(found.arguments, Mapping)
    return "" if found is None or is_choice else f"returned {excerpt(repr(found))}, which is not a Choice"


def excerpt(text: str) -> str:
    """Shorten text from a computer player so that it fits in a sentence."""
    return shortened(printable(text))


def player_in(board: Json, seat: int) -> str | None:
    """Return the account in a seat, or None if the seat is free."""
    return next((account for account, player in board["players"].items() if player["seat"] == seat), None)


def seat_of(board: Json, account: str) -> int:
    """Return the account's seat. If the account has not joined, return the seat that is reserved
    for it or, if there is none, the first free seat."""
    if account in board["players"]:
        return int(board["players"][account]["seat"])
    reserved = _reserved(board)
    mine = next((seat for seat, invitee in reserved.items() if invitee == account), None)
    taken = {*reserved, *(player["seat"] for player in board["players"].values())}
    return mine if mine is not None else next(seat for seat in count() if seat not in taken)


def invited(board: Json) -> list[str]:
    """Return the accounts that have a reserved seat in an open match and have not joined yet."""
    if board["status"] != "open":
        return []
    named = (
        [*_reserved(board).values()] if "seatCount" in board else [board[key] for key in ("opponent",) if key in board]
    )
    return [account for account in named if account not in board["players"]]


def has_seat_for(board: Json, account: str) -> bool:
    """Return True if the account may take a seat in the match."""
    if board["status"] != "open" or account in board["players"]:
        return False
    if "seatCount" in board:
        return seat_of(board, account) < int(board["seatCount"])
    return bool(account == board.get("opponent", account))


def _reserved(board: Json) -> dict[int, str]:
    return {int(seat): account for seat, account in board.get("invited", {}).items()}


def is_to_move(board: Json, seat: int) -> bool:
    """Return True if the match is in progress and waits for a move from this seat."""
    return board["status"] == "playing" and "mover" in board and board["mover"] == player_in(board, seat)


def may_join(board: Json, seat: int) -> bool:
    is_free = player_in(board, seat) is None and seat < int(board.get("seatCount", seat + 1))
    return bool(board["status"] == "open" and is_free)
