"""A call to a game's contract: account, action, arguments and block. From a call, the rules of a
game compute the events that the contract emits, or raise IllegalMove."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from indexer.gamekit.names import BadName, parse_address
from indexer.model import Json

Emitted: TypeAlias = tuple[str, Json]
"""An event that a call emits: its name, and its arguments as in `indexer.model.Event.args`."""

JSON_BITS = 48
"""The maximum number of bits of an integer as a JSON number. Larger integers are decimal text."""


class IllegalMove(ValueError):
    """The contract would reject the call. The message explains why."""


@dataclass(frozen=True, slots=True)
class CallBlock:
    """The block in which a call is mined.

    - `hash_of`: a function that returns the hash of the block at a height
    - `answer_of`: a function that returns the answer of a contract that a player wrote, or None if
      the answer is not valid
    """

    height: int
    time: int
    randao: int = 0
    hash_of: Callable[[int], bytes] = lambda _height: bytes(32)
    answer_of: Callable[[str], int | None] = lambda _contract: None


@dataclass(frozen=True, slots=True)
class Call:
    """A contract call. `arguments`: the arguments without `matchId`. The key is the name in the
    ABI. `next_match`: the number that a new match gets if the call opens one."""

    account: str
    action: str
    arguments: Mapping[str, Any] = field(default_factory=dict)
    match: int = 1
    next_match: int = 2
    block: CallBlock = field(default_factory=lambda: CallBlock(1, 0))

    def uint(self, name: str, bits: int) -> int:
        """Return the argument `name`, a whole number of at most `bits` bits. If `bits` exceeds 48,
        decimal text is also accepted. Raises IllegalMove if the argument is missing or invalid, as
        the methods below do."""
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
        """Return the argument `name`, which must be 32 bytes as 0x hex."""
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
            names = ", ".join(self.arguments) or "no arguments"
            raise IllegalMove(f"{self.action} needs the argument {name}, but the call has {names}")
        return self.arguments[name]

    def _wrong(self, name: str, wanted: str) -> IllegalMove:
        return IllegalMove(f"{self.action}: {name} must be {wanted}, not {str(self.arguments[name])[:60]!r}")


Rule: TypeAlias = Callable[[Json, Call], list[Emitted]]
"""A function `(board, call) -> events`. It returns the events that the call emits, or raises
IllegalMove. Each game's module of rules has such a function with the name `events`."""


def carry_out(rules: Mapping[str, Rule], board: Json, call: Call) -> list[Emitted]:
    """Apply the rule for the call's action, and return its events. Raises IllegalMove."""
    if call.action not in rules:
        raise IllegalMove(f"there is no action {str(call.action)[:60]!r}; the actions are {', '.join(rules)}")
    return rules[call.action](board, call)


def require_status(board: Json, *allowed: str) -> None:
    """Raise IllegalMove if the match's status is not one of those allowed."""
    if board["status"] not in allowed:
        raise IllegalMove(f"the match is {board['status']}, not {' or '.join(allowed)}")
