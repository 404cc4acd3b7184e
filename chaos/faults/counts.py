"""Counts the faults that the kit injected, and those that actually hit the tested process."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

FAULTS = (
    "drop",
    "delay",
    "duplicate",
    "reorder",
    "truncate",
    "short-logs-range",
    "short-logs-always",
    "stale-replica",
    "429",
    "5xx",
    "half-open-websocket",
    "close-http",
    "close-websocket",
)
"""The kinds of faults that the proxy injects into requests, answers and connections."""
CHAIN = (
    "reorg",
    "deep-reorg",
    "reorg-same-block",
    "reorg-other-block",
    "reorg-nowhere",
    "reorg-twice",
    "reorg-queued",
    "rollback",
    "genesis",
)
"""The kinds of changes to the chain. One reorg counts as several kinds: one for its depth, one
for the new blocks of its transactions, and one for its timing."""
KILLS = ("kill-fetch", "kill-decode", "kill-commit", "kill-notify", "kill-any")
"""The kinds of kills of the tested process. For `kill-any`, the kit kills the process from outside
at a random moment. The other kinds have the name of the phase in which the process is killed."""
KINDS = FAULTS + CHAIN + KILLS
OPPONENTS = ("kill-opponents", "node-lost")
"""The faults that only scenarios with computer players have: their process is killed, or the node
is unreachable for some seconds."""
MIN_COUNT = 20
"""The number of times that the fixed seeds must inject and observe each kind of fault."""


class FaultCounts:
    """Counts, for each kind of fault, how often it was injected and how often it was observed.

    A fault was observed if the tested process received the altered answer, saw the changed chain or
    was actually killed."""

    def __init__(self) -> None:
        self.injected: Counter[str] = Counter()
        self.observed: Counter[str] = Counter()

    def inject(self, kind: str, times: int = 1) -> None:
        self.injected[kind] += times

    def observe(self, kind: str, times: int = 1) -> None:
        self.observed[kind] += times

    def add(self, counts: Mapping[str, Iterable[int]]) -> None:
        """Add the result of another object's `counts()`. The result can have been stored as JSON in
        the meantime."""
        for kind, (injected, observed) in counts.items():
            self.inject(kind, injected)
            self.observe(kind, observed)

    def counts(self) -> dict[str, list[int]]:
        """Return a pair for each kind of fault: [times injected, times observed]."""
        return {kind: [self.injected[kind], self.observed[kind]] for kind in sorted({*self.injected, *self.observed})}

    def rare(self, kinds: Iterable[str] = KINDS) -> list[str]:
        """Return the kinds that were injected or observed fewer than MIN_COUNT times."""
        return [kind for kind in kinds if min(self.injected[kind], self.observed[kind]) < MIN_COUNT]

    def table(self) -> list[str]:
        """Return the lines of a table with the numbers of injected and observed faults of each
        kind."""
        lines = [f"{'kind':<22}{'injected':>9}{'observed':>9}"]
        return lines + [f"{kind:<22}{self.injected[kind]:>9}{self.observed[kind]:>9}" for kind in (*KINDS, *OPPONENTS)]
