"""A dictionary of limited size. When it is full, it drops the entry that was set longest ago."""

from __future__ import annotations

from typing import TypeVar

K = TypeVar("K")
V = TypeVar("V")


class LruDict(dict[K, V]):
    """A dictionary with at most `max_size` entries."""

    def __init__(self, max_size: int) -> None:
        super().__init__()
        self._max_size = max_size

    def __setitem__(self, key: K, value: V) -> None:
        self.pop(key, None)
        super().__setitem__(key, value)
        if len(self) > self._max_size:
            del self[next(iter(self))]
