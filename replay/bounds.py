"""The limits for replay files. They prevent a hostile file from using unlimited time or memory.

The page has the same limits in frontend-static/history/bounds.js, and more limits for pictures.
Both implementations are tested with tests/fixtures/vectors/replay_bounds.json. They treat only
`1.0` differently: JavaScript reads it as the whole number 1, and Python reads it as a float."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from indexer.model import Json
from indexer.sanitize import excerpt
from replay.errors import ReplayError

MAX_SIDE = 64
"""The maximum width and height of a board, in cells."""
MAX_EVENTS = 200_000
"""The maximum number of events in a file. The longest matches have about 100,000 events."""
MAX_MEMBERS = 10_000
"""The maximum number of members in an object or a list. A board of 64 x 64 cells has 4,096."""
MAX_LETTERS = 20_000
"""The maximum number of code points in a text or in the key of an object."""
MAX_DEPTH = 50
"""The maximum depth of nested objects and lists. It applies to each event and to each other part of
the file. Boards and arguments are about five levels deep."""
MAX_COPIES = 50_000_000
"""The maximum number of members that are copied while the events' patches are applied to the board.
A patch copies each object that it changes."""
EXACT = 2**53


def check_bounds(replay: Json, name: str) -> None:
    """Raise ReplayError if the file exceeds a limit, or if a board's width or height isn't between
    1 and 64 cells."""
    events = replay["events"]
    if len(events) > MAX_EVENTS:
        raise ReplayError(f"{name} has {len(events):,} events; a replay file may have at most {MAX_EVENTS:,}")
    parts = ((key, value) for key, value in replay.items() if key != "events")
    found = (_keys((key,), "") or _violation(value, key) for key, value in parts)
    if why := next(filter(None, found), None) or _sides(replay["start"], "start"):
        raise ReplayError(f"{name} is not a replay file: {why}")
    for number, event in enumerate(events, 1):
        if why := _violation(event, "") or _sides(event["patch"], "patch"):
            raise ReplayError(f"{name}: event {number} is invalid: {why}")


def _sides(board: Json, path: str) -> str | None:
    """Return what is wrong with a board's or patch's width or height, or None if both are valid."""
    for side in ("width", "height"):
        value = board.get(side)
        if value is not None and not (type(value) is int and 1 <= value <= MAX_SIDE):
            return f"{path}.{side} is {excerpt(value)}, but it must be 1 to {MAX_SIDE} cells"
    return None


def _violation(value: Any, path: str, depth: int = MAX_DEPTH) -> str | None:
    """Return a phrase about the first limit that a value exceeds, or None if there is none."""
    if isinstance(value, (dict, list)):
        if depth == 0:
            return f"objects and lists are nested more than {MAX_DEPTH} levels deep"
        if len(value) > MAX_MEMBERS:
            return f"{_where(path)} has {len(value):,} members; the limit is {MAX_MEMBERS:,}"
        if isinstance(value, dict) and (why := _keys(value, path)):
            return why
        items = value.items() if isinstance(value, dict) else enumerate(value)
        found = (_violation(one, f"{path}.{key}", depth - 1) for key, one in items)
        return next((why for why in found if why), None)
    if isinstance(value, str) and len(value) > MAX_LETTERS:
        return f"{_where(path)} has {len(value):,} letters; the limit is {MAX_LETTERS:,}"
    if isinstance(value, (int, float)) and not (isinstance(value, int) and abs(value) < EXACT):
        return f"{_where(path)} is {excerpt(value)}, which is not a whole number below 2^53"
    return None


def _keys(keys: Iterable[str], path: str) -> str | None:
    """Return a phrase about the longest key if it is too long. Otherwise, return None."""
    longest = max(map(len, keys), default=0)
    if longest <= MAX_LETTERS:
        return None
    return f"a key in {_where(path)} has {longest:,} letters; the limit is {MAX_LETTERS:,}"


def _where(path: str) -> str:
    """Return a path in the JSON document, shortened for an error message."""
    return excerpt(path.lstrip(".") or "it")


class CopyBudget:
    """Counts the members that are copied when patches are applied, and limits their number."""

    def __init__(self) -> None:
        self._remaining = MAX_COPIES

    def count(self, board: Any, patch: Any) -> None:
        """Count the members that a patch copies when it is applied to the board. Raises ReplayError
        if all patches so far have copied too many."""
        if not isinstance(patch, dict):
            return
        inner = board if isinstance(board, dict) else {}
        self._remaining -= len(inner) + len(patch)
        if self._remaining < 0:
            raise ReplayError(f"can't play the replay because its events change more than {MAX_COPIES:,} values")
        for key, value in patch.items():
            self.count(inner.get(key), value)
