"""Counts of the faults that were injected, and of those that actually hit the tested process."""

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
"""The faults that the proxy injects into requests, answers and connections."""
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
"""The changes to the chain. A reorg counts once for its depth, once for the new place of its
transactions, and once for its timing."""
KILLS = ("kill-fetch", "kill-decode", "kill-commit", "kill-notify", "kill-any")
"""The phases in which the tested process is killed. `any` is a kill from outside at any time."""
KINDS = FAULTS + CHAIN + KILLS
OPPONENTS = ("kill-opponents", "node-lost")
"""The faults in scenarios with opponents: their process is killed, or the node is down for
seconds."""
MIN_COUNT = 20
"""The minimum number of times that the fixed seeds must inject and observe each kind."""


class FaultCounts:
    """The counts of each kind of fault.

    A fault is observed if the tested process got the altered answer, saw the changed chain or was
    actually killed."""

    def __init__(self) -> None:
        self.injected: Counter[str] = Counter()
        self.observed: Counter[str] = Counter()

    def inject(self, kind: str, times: int = 1) -> None:
        self.injected[kind] += times

    def observe(self, kind: str, times: int = 1) -> None:
        self.observed[kind] += times

    def add(self, counts: Mapping[str, Iterable[int]]) -> None:
        """Add what `counts()` of another object returned. The counts can have been stored as
        JSON."""
        for kind, (injected, observed) in counts.items():
            self.inject(kind, injected)
            self.observe(kind, observed)

    def counts(self) -> dict[str, list[int]]:
        """Return the numbers of injected and observed faults by kind, as [injected, observed]."""
        return {kind: [self.injected[kind], self.observed[kind]] for kind in sorted({*self.injected, *self.observed})}

    def rare(self, kinds: Iterable[str] = KINDS) -> list[str]:
        """Return the kinds that were injected or observed fewer than MIN_COUNT times."""
        return [kind for kind in kinds if min(self.injected[kind], self.observed[kind]) < MIN_COUNT]

    def table(self) -> list[str]:
        """Return the lines of a table with the columns kind, injected and observed."""
        lines = [f"{'kind':<22}{'injected':>9}{'observed':>9}"]
        return lines + [f"{kind:<22}{self.injected[kind]:>9}{self.observed[kind]:>9}" for kind in (*KINDS, *OPPONENTS)]
