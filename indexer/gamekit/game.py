"""Describes a game, and folds, compares, patches and hashes its boards.

A game is a plain value: a start board and one pure function per event."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import orjson

from indexer.model import Event, Json

Reducer: TypeAlias = Callable[[Json, Event], Json]
"""A function `(board, event) -> board`. It returns the new board and never changes the given
one."""


@dataclass(frozen=True, slots=True)
class Input:
    """An argument of an action that the player enters. `name` is its name in the ABI. These are the
    values of `kind`:

    - `int`: a whole number from `minimum` to `maximum`
    - `bool`: true or false
    - `choice`: one of `options`, which are pairs of a value and a label
    - `address`: an address
    - `opponent`: an address. If it is empty (anyone can join), the zero address is sent
    - `token`: the address of an ERC-20 token. If it is empty (ether), the zero address is sent
    - `clock`: a number of seconds from `minimum` to `maximum`, or 0 for no clock
    - `amount`: decimal text in whole ether, or in whole units of the token that the player entered
      in the input named by the field `token`. The contract gets wei or the token's smallest units
    - `text`: at most `maximum` bytes of UTF-8
    """

    name: str
    label: str
    kind: str
    minimum: int = 0
    maximum: int = 0
    default: Any = None
    options: tuple[tuple[int, str], ...] = ()
    token: str = ""


@dataclass(frozen=True, slots=True)
class Deposit:
    """The deposit that a call requires. `amount` and `token` are the names of the inputs with the
    amount and the token.

    If the call has no such input, the name is that of a board field. If there is no such field for
    `token` either, or if the token is the zero address, the deposit is ether that is sent with the
    call."""

    amount: str = "stake"
    token: str = "token"


@dataclass(frozen=True, slots=True)
class Action:
    """A contract function that players call, described for the page and other programs.

    - `name`: the function's name in the ABI. The page's renderer fills in arguments that are
      neither `matchId` nor inputs
    - `gas`, `gas_each`, `gas_of`: `gas + gas_each * board[gas_of]` is a gas limit that always
      suffices. The board field is a number, or a list or object whose length counts. If the field
      is absent, it counts as 0
    - `usual_gas`: the average gas of a call in a match, for the costs that the page displays. It is
      0 until it has been measured with `python -m bench costs`
    - `usual_words`: the number of words of call data for the arguments, if some arguments are long
      and of variable length. If it is 0, the number follows from the types
    - `secret`: true if nobody may see the arguments before the player sends them. For this reason,
      the page never asks a node to simulate the action
    """

    name: str
    label: str
    inputs: tuple[Input, ...] = ()
    gas: int = 200_000
    gas_each: int = 0
    gas_of: str = ""
    usual_gas: int = 0
    usual_words: int = 0
    deposit: Deposit | None = None
    secret: bool = False
    signature: str = ""
    """The name and the argument types. A game leaves this empty, and `with_signatures` sets it."""
    opens: bool = False
    """True if the action opens a match, so that it has no `matchId`. `with_signatures` sets it."""

    def gas_limit(self, board: Json) -> int:
        """Return a gas limit that suffices for the action on this board."""
        counted = board.get(self.gas_of, 0) if self.gas_of else 0
        return self.gas + self.gas_each * (len(counted) if isinstance(counted, list | dict) else int(counted))


def always(_board: Json) -> bool:
    return True


def no_action(_board: Json) -> None:
    return None


@dataclass(frozen=True, slots=True)
class Game:
    """The complete description of a game. `start` is the board before the first event."""

    slug: str
    title: str
    contract: str
    layout: str
    start: Json
    reducers: Mapping[str, Reducer]
    actions: tuple[Action, ...]
    companions: tuple[str, ...] = ()
    """The contracts that are deployed once, together with the game, and have no constructor
    arguments. Players choose one of these contracts in an action."""
    waits_for_block_after: Callable[[Json], int | None] = lambda _board: None
    """A function `board -> height`: the height that the chain must pass before the match can
    continue, or None if the match isn't waiting. While a match waits, a development chain mines
    blocks."""
    overdue: Callable[[Json, int], str | None] = lambda _board, _now: None
    """A function `(board, now) -> action`: the action that anyone can call because a clock has run
    out, or None. The action's only argument is the match. `now` is in seconds since 1970. The
    keeper calls this function again when the board's `deadline` passes."""
    due: Callable[[Json], str | None] = no_action
    """A function `board -> action`: the action that anyone can call now, whatever the clocks show,
    or None. The action's only argument is the match. The call succeeds once the chain has passed
    the block for which the match waits. The keeper sends the call if nobody else does."""
    rated: Callable[[Json], bool] = always
    """A function `board -> bool`: true if the match changes ratings. It must read only fields that
    never change during a match, because it is called for finished matches, possibly several times.
    It never raises."""
    stake_event: str = "Staked"
    """The event that names the token of a match's stakes, in a game with stakes."""
    from_contract: Callable[[Json], Json] | None = None
    """The function that converts the contract's `board(matchId)`, an object with the struct's field
    names, to the shape that `from_board` returns. Without these two functions, `chainboard verify`
    compares only the number of events with the contract."""
    from_board: Callable[[Json], Json] | None = None
    """Maps a board to the fields that the contract's view also has."""

    @property
    def module(self) -> str:
        """The name of the game's Python modules: the slug with `_` instead of `-`."""
        return self.slug.replace("-", "_")


def fold(game: Game, board: Json, events: Iterable[Event]) -> Json:
    """Return the board after these events. Events without a reducer change nothing."""
    for event in events:
        reducer = game.reducers.get(event.name)
        if reducer is not None:
            board = reducer(board, event)
    return board


def diff(before: Json, after: Json) -> Json:
    """Return the JSON Merge Patch (RFC 7396) that turns `before` into `after`. Boards contain no
    null."""
    patch: Json = {key: None for key in before if key not in after}
    for key, new in after.items():
        old = before.get(key)
        if old is new:
            continue
        if isinstance(old, dict) and isinstance(new, dict):
            if inner := diff(old, new):
                patch[key] = inner
        elif canonical(old) != canonical(new):  # == would treat True and 1 as equal
            patch[key] = new
    return patch


def apply_patch(board: Any, patch: Any) -> Any:
    """Return the board after a JSON Merge Patch (RFC 7396). The arguments don't change.
    The result shares the parts that the patch does not change."""
    if not isinstance(patch, dict):
        return patch
    after = dict(board) if isinstance(board, dict) else {}
    for key, value in patch.items():
        if value is None:
            after.pop(key, None)
        else:
            after[key] = apply_patch(after.get(key), value)
    return after


def canonical(value: Any) -> bytes:
    """Return canonical JSON, which has sorted keys and no spaces, in UTF-8."""
    return orjson.dumps(value, option=orjson.OPT_SORT_KEYS)


def board_hash(board: Json) -> str:
    """Return the SHA-256 hash of a board's canonical JSON, as 0x hex."""
    return "0x" + hashlib.sha256(canonical(board)).hexdigest()
