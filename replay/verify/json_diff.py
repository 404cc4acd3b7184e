"""Where two JSON values differ: each innermost place, by its path."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from replay.sanitize import plain, told


class Missing:
    """Stands for a value where there is none."""


MISSING = Missing()


class Place(NamedTuple):
    """A place in a file where something else belongs."""

    path: str
    found: Any
    wanted: Any

    def said(self, right: str) -> str:
        """A sentence; `right` says whose word the wanted value is."""
        if self.wanted is MISSING:
            return f"{self.path} is {told(self.found)}, which does not belong there"
        if self.found is MISSING:
            return f"{self.path} is missing, {right} {told(self.wanted)}"
        if told(self.found) == told(self.wanted):  # 1 and "1", or what differs behind a hundred letters
            kinds = type(self.found).__name__, type(self.wanted).__name__
            return f"{self.path} is {told(self.found)} ({kinds[0]}), {right} another value ({kinds[1]})"
        return f"{self.path} is {told(self.found)}, {right} {told(self.wanted)}"


def places(path: str, found: Any, wanted: Any) -> Iterator[Place]:
    """The innermost places where the values differ. True is not 1 here."""
    if isinstance(found, dict) and isinstance(wanted, dict):
        for key in sorted({*found, *wanted}):
            inner = f"{path}.{plain(key)}" if path else plain(key)
            yield from places(inner, found.get(key, MISSING), wanted.get(key, MISSING))
    elif isinstance(found, list) and isinstance(wanted, list) and len(found) == len(wanted):
        for number, (one, other) in enumerate(zip(found, wanted, strict=True)):
            yield from places(f"{path}[{number}]", one, other)
    elif type(found) is not type(wanted) or found != wanted:
        yield Place(path, found, wanted)
