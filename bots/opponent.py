"""An opponent of a game: strengths by name, and a pure function from the public board to a move."""

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
"""The name of who makes any of the moves that may be made: what strengths are measured against."""


class BadOpponents(ValueError):
    """What a file offers as opponents is none; the message says why."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A call of the contract. `arguments` by the names of the ABI, without `matchId`."""

    action: str
    arguments: Mapping[str, Any] = field(default_factory=dict)


Concede: TypeAlias = Callable[[Json, int], Choice | None]
"""`(board, seat) -> move`: None when there is nothing to do now."""
Choose: TypeAlias = Callable[[Json, int, str, Random], Choice | None]
"""`(board, seat, strength, random) -> move`: reads the public board only, and says None when it has nothing to do.
While the match is open, the seat may be one that it is to take."""


@dataclass(frozen=True, slots=True)
class Secrets:
    """What an account alone knows of a match, such as its fleet: JSON, which is kept before anything is sent."""

    draw: Callable[[Random], Json]
    complete: Callable[[Json, int, Choice, Json], Choice]
    """`(board, seat, move, secret) -> move`: with what the board does not tell, such as whether a shot hit."""
    fits: Callable[[Json, int, Json], bool]
    """`(board, seat, secret)`: whether it is the one that the player in the seat has committed to."""
    revealed_by: tuple[str, ...] = ()
    """The actions that reveal it."""


@dataclass(frozen=True, slots=True)
class Opponents:
    """The opponents of one game. `strengths`: names, the weakest first. Raises BadOpponents."""

    strengths: tuple[str, ...]
    choose: Choose
    moves: Callable[[Json, int], Sequence[Choice]]
    """`(board, seat) -> moves`: any that a player may make now, of which the random mover takes one."""
    invite: Callable[[str], Choice]
    """How it opens a match against an account."""
    secrets: Secrets | None = None
    concede: Choice | Concede | None = None
    """How it gives a match up in which it can't play on; None: it does nothing more there."""
    accounts: int = 1
    """How many of one strength a match may seat."""
    is_alive: Callable[[Json, str], bool] = lambda _board, _account: True
    """`(board, account)`: whether a player who holds a seat still takes part."""
    vary: Callable[[Choice, Random], Choice] = lambda invitation, _random: invitation
    """What it opens a match with for the arena, where matches differ from their beginning: another map."""
    pauses: Mapping[str, float] = field(default_factory=dict)
    """Seconds after a match's last event before an action is called, so that others keep up where nobody is to move.
    It is not called while no player of the match looks on."""

    def __post_init__(self) -> None:
        names = self.strengths
        if not isinstance(names, tuple) or not names:
            raise BadOpponents(f"strengths are a tuple of names, the weakest first, not {names!r}")
        for name in names:
            if not isinstance(name, str) or not NAME.fullmatch(name):
                raise BadOpponents(f"a name is a letter, then at most 31 of a-z, 0-9 and -; not {name!r}")
        if len(set(names)) < len(names):
            raise BadOpponents(f"each name is there once, not {', '.join(names)}")
        if RANDOM in names:
            raise BadOpponents(f"{RANDOM!r} is the name of the random mover, which every game has")
        for part in ("choose", "moves", "invite"):
            if not callable(getattr(self, part)):
                raise BadOpponents(f"{part} is a function, not {getattr(self, part)!r}")

    def conceded(self, board: Json, seat: int) -> Choice | None:
        """What gives the match up on this board."""
        return self.concede(board, seat) if callable(self.concede) else self.concede


def fault_of(found: object) -> str:
    """What is wrong with what an opponent has answered; nothing is with a choice, in all its parts, and with None."""
    is_choice = isinstance(found, Choice) and isinstance(found.action, str) and isinstance(found.arguments, Mapping)
    return "" if found is None or is_choice else f"answered {excerpt(repr(found))}, which is no Choice"


def excerpt(text: str) -> str:
    """Of what an opponent says, as much as stands in a sentence."""
    return shortened(printable(text))


def player_in(board: Json, seat: int) -> str | None:
    """Who holds the seat."""
    return next((account for account, player in board["players"].items() if player["seat"] == seat), None)


def seat_of(board: Json, account: str) -> int:
    """That the account holds, or is to take: the one that is reserved for it, else the first that is free."""
    if account in board["players"]:
        return int(board["players"][account]["seat"])
    reserved = _reserved(board)
    mine = next((seat for seat, invitee in reserved.items() if invitee == account), None)
    taken = {*reserved, *(player["seat"] for player in board["players"].values())}
    return mine if mine is not None else next(seat for seat in count() if seat not in taken)


def invited(board: Json) -> list[str]:
    """Accounts for which a seat of an open match is reserved, and who have not come."""
    if board["status"] != "open":
        return []
    named = (
        [*_reserved(board).values()] if "seatCount" in board else [board[key] for key in ("opponent",) if key in board]
    )
    return [account for account in named if account not in board["players"]]


def has_seat_for(board: Json, account: str) -> bool:
    """Whether the account may take a seat of the match."""
    if board["status"] != "open" or account in board["players"]:
        return False
    if "seatCount" in board:
        return seat_of(board, account) < int(board["seatCount"])
    return bool(account == board.get("opponent", account))


def _reserved(board: Json) -> dict[int, str]:
    return {int(seat): account for seat, account in board.get("invited", {}).items()}


def is_to_move(board: Json, seat: int) -> bool:
    """Whether a game for two waits for a move of this seat."""
    return board["status"] == "playing" and "mover" in board and board["mover"] == player_in(board, seat)


def may_join(board: Json, seat: int) -> bool:
    is_free = player_in(board, seat) is None and seat < int(board.get("seatCount", seat + 1))
    return bool(board["status"] == "open" and is_free)
