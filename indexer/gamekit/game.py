"""A game is a plain value: a start board and one pure function per event. Here it is folded and compared."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import orjson

from indexer.model import Event, Json

Reducer: TypeAlias = Callable[[Json, Event], Json]
"""`(board, event) -> board`: never changes the board it was given."""


@dataclass(frozen=True, slots=True)
class Input:
    """An argument that the player gives an action, by its name in the ABI. `kind`:

    `int` (minimum..maximum), `bool`, `choice` (one of `options`: values, each with its label), `address`; `opponent`
    (an address; nothing: anyone, the zero address), `token` (an ERC-20's address; nothing: ether, the zero address),
    `clock` (seconds, minimum..maximum; 0: none), `amount` (whole ether, or whole ones of the token that the input of
    the name `token` says, as decimal text; for the contract in wei or the token's units), `text` (at most `maximum`
    bytes of UTF-8).
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
    """What a call deposits: the names of the input, else of the board's field, that hold the amount and the token.
    Without a token, or with the zero address: ether, sent with the call."""

    amount: str = "stake"
    token: str = "token"


@dataclass(frozen=True, slots=True)
class Action:
    """A function of the contract that players call, by its name in the ABI, as the page and other programs are told
    about it.

    Arguments that are neither `matchId` nor inputs are known to who plays: the page's renderer fills them in. A gas
    limit that always suffices is `gas + gas_each * board[gas_of]`: what is there is a number, or a list or an object,
    whose entries count, or nothing. `usual_gas` is what a call takes in the mean of a match, by which the page tells
    what it costs; `python -m bench costs` measures it, 0: nobody has yet. `usual_words` are the words of call data
    for its arguments, where some have no fixed length and are long; 0: as many as the types say. Arguments that are
    `secret` are for nobody, no node either, before their player sends them: such an action is never simulated to tell
    whether it would be refused.
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
    """Its name with the types of its arguments. No game says it: it is the ABI's, by `with_signatures`."""
    opens: bool = False
    """Whether it opens a match, as it takes no `matchId`. No game says it either."""

    def gas_limit(self, board: Json) -> int:
        counted = board.get(self.gas_of, 0) if self.gas_of else 0
        return self.gas + self.gas_each * (len(counted) if isinstance(counted, list | dict) else int(counted))


def always(_board: Json) -> bool:
    return True


def nothing(_board: Json) -> None:
    return None


@dataclass(frozen=True, slots=True)
class Game:
    """All that the system knows of a game. `start` is the board before the first event."""

    slug: str
    title: str
    contract: str
    layout: str
    start: Json
    reducers: Mapping[str, Reducer]
    actions: tuple[Action, ...]
    companions: tuple[str, ...] = ()
    """Contracts that are deployed beside it, once for all: without arguments, for its players to name in an action."""
    waits_for_block_after: Callable[[Json], int | None] = lambda _board: None
    """The height the chain must pass before the match goes on; a development chain mines a block when it is needed."""
    overdue: Callable[[Json, int], str | None] = lambda _board, _now: None
    """`(board, now) -> action`: what anybody may call because a clock has run out, with the match as its only
    argument; None: nothing. `now` in seconds since 1970. The board's `deadline` says when it is to be asked again."""
    due: Callable[[Json], str | None] = nothing
    """`board -> action`: what anybody may call now, whatever the clocks say, with the match as its only argument, once
    the chain has passed the block that the match waits for; None: nothing. A keeper calls it when nobody else does."""
    rated: Callable[[Json], bool] = always
    """Whether the match moves ratings, by what of its board stays the same from its beginning: it is asked about a
    finished match, once or again later, and is no part of the fold. It raises nothing."""
    stake_event: str = "Staked"
    """The event that names the token of a match's stakes, where the game has stakes."""
    from_contract: Callable[[Json], Json] | None = None
    """Maps the contract's `board(matchId)`, an object by the names of its struct, to the shape that `from_board` gives.
    Without these two `chainboard verify` compares only the number of events with the contract."""
    from_board: Callable[[Json], Json] | None = None
    """Maps a board to what the contract's view shows as well."""

    @property
    def module(self) -> str:
        """The name of its Python modules: the slug, with `_` for `-`."""
        return self.slug.replace("-", "_")


def fold(game: Game, board: Json, events: Iterable[Event]) -> Json:
    """The board after these events. An event that the game does not know leaves it as it is."""
    for event in events:
        reducer = game.reducers.get(event.name)
        if reducer is not None:
            board = reducer(board, event)
    return board


def diff(before: Json, after: Json) -> Json:
    """The JSON Merge Patch (RFC 7396) that turns `before` into `after`. Boards hold no null."""
    patch: Json = {key: None for key in before if key not in after}
    for key, new in after.items():
        old = before.get(key)
        if old is new:
            continue
        if isinstance(old, dict) and isinstance(new, dict):
            if inner := diff(old, new):
                patch[key] = inner
        elif canonical(old) != canonical(new):  # not ==, for which True is 1
            patch[key] = new
    return patch


def apply_patch(board: Any, patch: Any) -> Any:
    """Applies a JSON Merge Patch (RFC 7396). Nothing given is changed; what the patch does not touch is shared."""
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
    """Canonical JSON: sorted keys, no spaces, UTF-8."""
    return orjson.dumps(value, option=orjson.OPT_SORT_KEYS)


def board_hash(board: Json) -> str:
    """SHA-256 of the canonical JSON, as 0x hex."""
    return "0x" + hashlib.sha256(canonical(board)).hexdigest()
