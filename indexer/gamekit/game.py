"""The description of a game, and functions that fold events into boards, and compare, patch and
hash boards.

A game is plain data: a start board, and one function without side effects per kind of event."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import orjson

from indexer.model import Event, Json

Reducer: TypeAlias = Callable[[Json, Event], Json]
"""A function `(board, event) -> board`. It returns a new board and doesn't change the old one."""


@dataclass(frozen=True, slots=True)
class Input:
    """An argument of an action, if the player enters its value. `name` is the argument's name in
    the ABI, and `label` is its text on the page. The field `kind` has one of these values:

    - `int`: a whole number from `minimum` to `maximum`
    - `bool`: true or false
    - `choice`: one of `options`, which are pairs of a value and a label
    - `address`: an address
    - `opponent`: the invited player's address. If it is empty, anyone can join, and the zero
      address is sent
    - `token`: the address of an ERC-20 token. If it is empty, the stakes are ether, and the zero
      address is sent
    - `clock`: a number of seconds from `minimum` to `maximum`, or 0 for no clock
    - `amount`: decimal text in whole ether, or in whole units of a token. The field `token` names
      the input with the token. The contract gets wei or the token's smallest units
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
    """The deposit that a player pays with a call. `amount` and `token` name the inputs that contain
    the amount and the token.

    If the action has no input with one of these names, the board's field with that name counts. If
    the board has no field for the token either, or if the token is the zero address, the deposit is
    ether. Ether is sent with the call."""

    amount: str = "stake"
    token: str = "token"


@dataclass(frozen=True, slots=True)
class Action:
    """A function of the contract that players call, described for the page and other programs.

    - `name`: the function's name in the ABI. Arguments that are neither `matchId` nor in `inputs`
      come from the page's code for the game
    - `gas`, `gas_each`, `gas_of`: `gas + gas_each * board[gas_of]` is a gas limit that always
      suffices. If the board field is a list or an object, its length counts. If it is absent, 0
      counts
    - `usual_gas`: the average gas of a call, from which the page computes the displayed cost. It is
      0 until `python -m bench costs` has measured it
    - `usual_words`: the usual length of the arguments, in words of call data, if some of them are
      long and of variable length. 0 if the argument types determine the length
    - `secret`: true if nobody may see the arguments before the player sends them. The page never
      asks a node to simulate a secret action
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
    """The function's name and argument types. `with_signatures` sets it, so leave it empty."""
    opens: bool = False
    """True if the action opens a match, so it has no `matchId`. `with_signatures` sets it."""

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
    """The complete description of a game. `start` is a match's board before its first event."""

    slug: str
    title: str
    contract: str
    layout: str
    start: Json
    reducers: Mapping[str, Reducer]
    actions: tuple[Action, ...]
    companions: tuple[str, ...] = ()
    """Further contracts, which are deployed once together with the game. They have no constructor
    arguments. Players choose one of them in an action."""
    waits_for_block_after: Callable[[Json], int | None] = lambda _board: None
    """A function `board -> height`. The match can't continue until the chain has passed this
    height. None if the match isn't waiting. A development chain mines blocks while a match
    waits."""
    overdue: Callable[[Json, int], str | None] = lambda _board, _now: None
    """A function `(board, now) -> action`. It returns the action that anyone can call because a
    clock has run out, or None. The action's only argument is the match. `now` is in seconds since
    1970. The keeper (a process that calls these actions) calls the function again when the board's
    `deadline` passes."""
    due: Callable[[Json], str | None] = no_action
    """A function `board -> action`. It returns an action that anyone can call now, whatever the
    clocks show, or None. The action's only argument is the match. The call succeeds once the chain
    has passed the block for which the match waits. If nobody calls the action, the keeper does."""
    rated: Callable[[Json], bool] = always
    """A function `board -> bool`. It returns True if the match changes ratings. It must always
    return the same result for a match, also after the end, so it may read only fields that never
    change. It never raises."""
    stake_event: str = "Staked"
    """In a game with stakes, the name of the event that contains the token of a match's stakes."""
    from_contract: Callable[[Json], Json] | None = None
    """A function that converts the contract's view, `board(matchId)`, to a shape that can be
    compared with the result of `from_board`. The view is an object with the field names of the
    contract's struct. Without these two functions, `chainboard verify` compares only the numbers of
    events."""
    from_board: Callable[[Json], Json] | None = None
    """A function that returns the fields of a board that the contract's view also has."""

    @property
    def module(self) -> str:
        """The name of the game's Python modules: the slug, but with `_` instead of `-`."""
        return self.slug.replace("-", "_")


def fold(game: Game, board: Json, events: Iterable[Event]) -> Json:
    """Return the board after these events. Events without a reducer don't change it."""
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
        elif canonical(old) != canonical(new):  # with ==, True would equal 1
            patch[key] = new
    return patch


def apply_patch(board: Any, patch: Any) -> Any:
    """Return the board after a JSON Merge Patch (RFC 7396). The given board doesn't change. The new
    board shares the parts that the patch doesn't change."""
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
    """Return a JSON value as canonical JSON in UTF-8: with sorted keys and without spaces."""
    return orjson.dumps(value, option=orjson.OPT_SORT_KEYS)


def board_hash(board: Json) -> str:
    """Return the SHA-256 hash of a board's canonical JSON, as 0x hex."""
    return "0x" + hashlib.sha256(canonical(board)).hexdigest()
