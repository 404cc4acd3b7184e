"""Counts of the injected faults, and of those that actually hit the tested process."""

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
"""Faults that the proxy injects into requests, answers and connections."""
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
"""Changes of the chain. A reorg counts once for its depth, once for the new place of its
transactions, and once for its timing."""
KILLS = ("kill-fetch", "kill-decode", "kill-commit", "kill-notify", "kill-any")
"""Phases in which the tested process was killed. `any` means from outside, at any time."""
KINDS = FAULTS + CHAIN + KILLS
OPPONENTS = ("kill-opponents", "node-lost")
"""Faults in scenarios with opponents: their process is killed, or the node is down for seconds."""
MIN_COUNT = 20
"""The minimum number of times that each kind is injected and observed over the fixed seeds."""


class FaultCounts:
    """Counts by kind.

    A fault is observed if the altered answer was delivered, the changed chain was seen, or the
    process was actually killed."""

    def __init__(self) -> None:
        self.injected: Counter[str] = Counter()
        self.observed: Counter[str] = Counter()

    def inject(self, kind: str, times: int = 1) -> None:
        self.injected[kind] += times

    def observe(self, kind: str, times: int = 1) -> None:
        self.observed[kind] += times

    def add(self, counts: Mapping[str, Iterable[int]]) -> None:
        """Add the result of another object's `counts()`, which may have passed through JSON."""
        for kind, (injected, observed) in counts.items():
            self.inject(kind, injected)
            self.observe(kind, observed)

    def counts(self) -> dict[str, list[int]]:
        """Return the numbers [injected, observed] by kind."""
        return {kind: [self.injected[kind], self.observed[kind]] for kind in sorted({*self.injected, *self.observed})}

    def rare(self, kinds: Iterable[str] = KINDS) -> list[str]:
        """Return the kinds that were injected or observed fewer than MIN_COUNT times."""
        return [kind for kind in kinds if min(self.injected[kind], self.observed[kind]) < MIN_COUNT]

    def table(self) -> list[str]:
        """Return the lines of a table: kind, injected, observed."""
        lines = [f"{'kind':<22}{'injected':>9}{'observed':>9}"]
        return lines + [f"{kind:<22}{self.injected[kind]:>9}{self.observed[kind]:>9}" for kind in (*KINDS, *OPPONENTS)]
