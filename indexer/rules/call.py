"""A call of a game's contract as the rules judge it: who calls what, in which block. It emits events, or is refused."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from indexer.gamekit.names import BadName, parse_address
from indexer.model import Json

Emitted: TypeAlias = tuple[str, Json]
"""An event of the match: its name and arguments, as the indexer decodes them."""

JSON_BITS = 48
"""Larger integers are decimal text in JSON."""


class IllegalMove(ValueError):
    """The contract refuses the call; the message says why."""


@dataclass(frozen=True, slots=True)
class CallBlock:
    """The block that a call is in. `answer_of`: what a contract that a player wrote answers; None: nothing that
    counts."""

    height: int
    time: int
    randao: int = 0
    hash_of: Callable[[int], bytes] = lambda _height: bytes(32)
    answer_of: Callable[[str], int | None] = lambda _contract: None


@dataclass(frozen=True, slots=True)
class Call:
    """`arguments` by the names of the ABI, without `matchId`. `next_match`: the number of a match that it opens."""

    account: str
    action: str
    arguments: Mapping[str, Any] = field(default_factory=dict)
    match: int = 1
    next_match: int = 2
    block: CallBlock = field(default_factory=lambda: CallBlock(1, 0))

    def uint(self, name: str, bits: int) -> int:
        """A whole number that fits, a large one as decimal text too. Raises IllegalMove, as its like do."""
        value = self._argument(name)
        if bits > JSON_BITS and isinstance(value, str) and value.isascii() and value.isdigit():
            value = int(value[:40])
        if type(value) is not int or not 0 <= value < 1 << bits:
            raise self._wrong(name, f"a whole number from 0 to {(1 << bits) - 1}")
        return int(value)

    def flag(self, name: str) -> bool:
        value = self._argument(name)
        if type(value) is not bool:
            raise self._wrong(name, "true or false")
        return bool(value)

    def text(self, name: str) -> str:
        value = self._argument(name)
        if not isinstance(value, str):
            raise self._wrong(name, "text")
        return value

    def address(self, name: str) -> str:
        try:
            return parse_address(self.text(name))
        except BadName as error:
            raise IllegalMove(f"{self.action}, {name}: {error}") from None

    def word(self, name: str) -> bytes:
        """32 bytes, given as 0x hex."""
        value = self.text(name)
        try:
            found = bytes.fromhex(value.removeprefix("0x"))
        except ValueError:
            found = b""
        if len(found) != 32:
            raise self._wrong(name, "0x and 64 hex digits")
        return found

    def _argument(self, name: str) -> Any:
        if name not in self.arguments:
            raise IllegalMove(f"{self.action} needs {name}; it was given {', '.join(self.arguments) or 'nothing'}")
        return self.arguments[name]

    def _wrong(self, name: str, wanted: str) -> IllegalMove:
        return IllegalMove(f"{self.action}: {name} is {wanted}, not {str(self.arguments[name])[:60]!r}")


Rule: TypeAlias = Callable[[Json, Call], list[Emitted]]
"""What a call emits on a board. Raises IllegalMove. Each game's module has one, `events`."""


def carry_out(rules: Mapping[str, Rule], board: Json, call: Call) -> list[Emitted]:
    """By the rule of the action. Raises IllegalMove."""
    if call.action not in rules:
        raise IllegalMove(f"there is no action {str(call.action)[:60]!r}; there are {', '.join(rules)}")
    return rules[call.action](board, call)


def require_status(board: Json, *allowed: str) -> None:
    """Raises IllegalMove."""
    if board["status"] not in allowed:
        raise IllegalMove(f"the match is {board['status']}, not {' or '.join(allowed)}")
