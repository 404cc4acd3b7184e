"""Finds the differences between two JSON values, each as deep in the values as possible."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from indexer.sanitize import excerpt, printable

MISSING = object()
"""Stands for a value that is missing."""


class Difference(NamedTuple):
    """A path at which a file's value (`claimed`) differs from the chain's value (`actual`)."""

    path: str
    claimed: Any
    actual: Any

    def sentence(self, introduction: str) -> str:
        """Return a sentence that describes the difference. `introduction` comes before the actual
        value in this sentence, for example "the chain says"."""
        if self.actual is MISSING:
            return f"{self.path} is {excerpt(self.claimed)}, but it should be absent"
        if self.claimed is MISSING:
            return f"{self.path} is missing, {introduction} {excerpt(self.actual)}"
        if excerpt(self.claimed) == excerpt(self.actual):  # for example 1 and "1", or long values that begin alike
            kinds = type(self.claimed).__name__, type(self.actual).__name__
            return f"{self.path} is {excerpt(self.claimed)} ({kinds[0]}), {introduction} a different value ({kinds[1]})"
        return f"{self.path} is {excerpt(self.claimed)}, {introduction} {excerpt(self.actual)}"


def differences(path: str, found: Any, expected: Any) -> Iterator[Difference]:
    """Yield the differences between two JSON values, each at the deepest path. True and 1 count as
    different."""
    if isinstance(found, dict) and isinstance(expected, dict):
        for key in sorted({*found, *expected}):
            inner = f"{path}.{printable(key)}" if path else printable(key)
            yield from differences(inner, found.get(key, MISSING), expected.get(key, MISSING))
    elif isinstance(found, list) and isinstance(expected, list) and len(found) == len(expected):
        for number, (one, other) in enumerate(zip(found, expected, strict=True)):
            yield from differences(f"{path}[{number}]", one, other)
    elif type(found) is not type(expected) or found != expected:
        yield Difference(path, found, expected)
