"""Network faults that hit a message or a connection. The scenario's seed determines them."""

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
"""The variants of each kind of fault over HTTP. For example:

- drop: the message is lost before or after the node gets the request.
- duplicate: the node gets the request twice, an earlier answer to the same method is delivered
  again, or an answer in a batch is delivered twice.
- truncate: the body ends early, a batch lacks an answer, or the JSON ends early.
- close-http: the connection closes during the answer or while it is idle."""
SOCKET: Mapping[str, tuple[str, ...]] = {
    "drop": ("head",),
    "delay": ("head",),
    "duplicate": ("head",),
    "reorder": ("heads",),
    "truncate": ("head",),
    "half-open-websocket": ("live", "fresh"),
    "close-websocket": ("live", "fresh"),
}
"""The variants of each kind of fault on the websocket. With half-open-websocket and
close-websocket, `live` hits the current connections, and `fresh` hits the next connection."""


@dataclass(slots=True)
class Fault:
    """A fault. `hits` is the number of messages or connections that it can still hit. Each fault
    has its own `random`, so that one fault's random choices don't depend on other faults."""

    kind: str
    variant: str
    hits: int
    random: Random = field(repr=False)
    long: float = 1.5
    """The length of a long delay, in seconds."""

    @property
    def seconds(self) -> float:
        """The length of this fault's delay, in seconds. It is random unless `variant` is `long`."""
        return self.long if self.variant == "long" else self.random.uniform(0.02, 0.25)
