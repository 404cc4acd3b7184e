"""The differences between the database and the chain. Each is printed as a line of text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any

import orjson

from indexer.gamekit.json_diff import MISSING, differences
from indexer.model import match_name
from indexer.sanitize import excerpt, printable, shortened
from indexer.verify.raw_tables import KEYS, Row

MAX_COLUMNS, MAX_LEAVES = 4, 3
"""The maximum number of columns in a line, and the maximum number of a board's values in a line."""

ROW_NAMES = {
    "chain": "chain {chain_id}",
    "confirmed": "confirmation up to block {height}",
    "sparse": "removal of empty blocks up to block {height}",
    "deployment": "deployment {address}",
    "block": "block {height}",
    "event": "event {height}/{log_index}",
    "mention": "mention {height}/{log_index} of {address}",
    "match": "match {game}/{match}",
    "seat": "seat {game}/{match} of {address}",
    "checkpoint": "checkpoint {game}/{match} after event {seq}",
    "result": "result {game}/{match} of {address}",
}
"""For each table, a template for the name of a row. The placeholders are columns."""


@dataclass(frozen=True, slots=True)
class RowDiffers:
    """A row that differs: in the database (`found`), and according to the chain (`expected`). None
    stands for a missing row."""

    table: str
    found: Row | None
    expected: Row | None

    def __str__(self) -> str:
        key = {name: printable(str(one)) or "''" for name, one in (self.found or self.expected or {}).items()}
        row = ROW_NAMES[self.table].format_map(key)
        if self.found is None:
            return f"{row}: missing from the database{self._rest('values on the chain:', self.expected)}"
        if self.expected is None:
            return f"{row}: not on the chain{self._rest('values in the database:', self.found)}"
        columns = [
            _column(name, self.found[name], one) for name, one in self.expected.items() if one != self.found[name]
        ]
        return f"{row}: {_truncated(columns, MAX_COLUMNS)}"

    def _rest(self, where: str, row: Row | None) -> str:
        """Return text about the values of a row that are not part of its name."""
        rest = [f"{key} {_value(one)}" for key, one in (row or {}).items() if key not in KEYS[self.table]]
        return f"; {where} {', '.join(rest)}" if rest else ""


@dataclass(frozen=True, slots=True)
class FileDiffers:
    """Damage to a SQLite file that SQLite has found, for example an index that lacks rows."""

    message: str

    def __str__(self) -> str:
        return f"file: {printable(self.message)}"


@dataclass(frozen=True, slots=True)
class BoardDiffers:
    """A board that differs from the contract's view after a block. Both have the same shape.

    `why`: if the comparison failed, the reason. Otherwise empty."""

    game: str
    match: int
    height: int
    board: Mapping[str, Any]
    contract_view: Mapping[str, Any]
    why: str = ""

    def __str__(self) -> str:
        why = self.why or _leaves("", self.board, self.contract_view, "in the contract")
        return f"board {match_name(self.game, self.match)} at block {self.height}: {why}"


def _column(name: str, found: Any, expected: Any) -> str:
    found_json, expected_json = _json(found), _json(expected)
    if isinstance(found_json, dict) and isinstance(expected_json, dict):
        return _leaves(name, found_json, expected_json, "on the chain") or f"{name} is not canonical JSON"
    return f"{name} is {_value(found)}, on the chain {_value(expected)}"


def _leaves(path: str, found: Any, expected: Any, where: str) -> str:
    some = islice(differences(path, found, expected), MAX_LEAVES + 1)
    return _truncated([f"{path} is {_value(one)}, {where} {_value(other)}" for path, one, other in some], MAX_LEAVES)


def _json(value: Any) -> Any:
    try:
        return orjson.loads(value) if isinstance(value, str) and value.startswith("{") else None
    except ValueError:
        return None


def _truncated(sentences: list[str], limit: int) -> str:
    return "; ".join(sentences[:limit]) + (" …" if len(sentences) > limit else "")


def _value(value: Any) -> str:
    if isinstance(value, str):
        return shortened(printable(value)) or "''"
    return "nothing" if value is MISSING or value is None else excerpt(value)
