"""Faults: what a network does to a message or a connection. Each comes from a plan that a seed has drawn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random

HTTP: Mapping[str, tuple[str, ...]] = {
    "drop": ("before", "after"),
    "delay": ("short", "long"),
    "duplicate": ("asked-twice", "earlier-answer", "answer-twice"),
    "reorder": ("batch",),
    "truncate": ("cut", "short-batch", "garbled"),
    "429": ("retry-after", "bare"),
    "5xx": ("500", "502", "503", "504"),
    "close-http": ("answering", "idle"),
}
"""By kind: its variants on HTTP. Drop: the node never saw the request, or did. Duplicate: the node sees it twice; an
earlier answer of the same method comes again; an answer of a batch comes twice. Truncate: the body ends early; a
batch lacks an answer; the JSON ends early. Close: while answering; connections that were kept."""
SOCKET: Mapping[str, tuple[str, ...]] = {
    "drop": ("head",),
    "delay": ("head",),
    "duplicate": ("head",),
    "reorder": ("heads",),
    "truncate": ("head",),
    "half-open-websocket": ("live", "fresh"),
    "close-websocket": ("live", "fresh"),
}
"""By kind: its variants on the websocket. Half-open and close hit the connection that is there, or the next one."""


@dataclass(slots=True)
class Fault:
    """One fault, for so many messages. `random` is its own, so that the faults are independent."""

    kind: str
    variant: str
    hits: int
    random: Random = field(repr=False)
    long: float = 1.5
    """Seconds of a long delay."""

    @property
    def seconds(self) -> float:
        """How long this delay lasts."""
        return self.long if self.variant == "long" else self.random.uniform(0.02, 0.25)
