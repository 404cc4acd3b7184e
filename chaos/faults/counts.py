"""Counts how often each fault was injected, and how often it really hit our process."""

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
"""What the proxy does to requests, answers and connections."""
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
"""What the driver does to the chain. One reorg counts for its depth, its transactions' landing, its phase."""
KILLS = ("kill-fetch", "kill-decode", "kill-commit", "kill-ring", "kill-any")
"""In which phase our process was ended; `any`: from outside, at any time."""
KINDS = FAULTS + CHAIN + KILLS
OPPONENTS = ("kill-opponents", "node-lost")
"""In stories with opponents: their process alone is ended, the node does not answer for seconds."""
MIN_COUNT = 20
"""How often each kind must have been injected and observed in the fixed seeds."""


class FaultCounts:
    """Counts by kind. Observed: the altered answer was delivered, the changed chain seen, the process really ended."""

    def __init__(self) -> None:
        self.injected: Counter[str] = Counter()
        self.observed: Counter[str] = Counter()

    def inject(self, kind: str, times: int = 1) -> None:
        self.injected[kind] += times

    def observe(self, kind: str, times: int = 1) -> None:
        self.observed[kind] += times

    def add(self, counts: Mapping[str, Iterable[int]]) -> None:
        """Adds what `counts()` of another ledger gave, also after a way through JSON."""
        for kind, (injected, observed) in counts.items():
            self.inject(kind, injected)
            self.observe(kind, observed)

    def counts(self) -> dict[str, list[int]]:
        """By kind: injected, observed."""
        return {kind: [self.injected[kind], self.observed[kind]] for kind in sorted({*self.injected, *self.observed})}

    def rare(self, kinds: Iterable[str] = KINDS) -> list[str]:
        """Those of the kinds that were injected or observed less often than they must be."""
        return [kind for kind in kinds if min(self.injected[kind], self.observed[kind]) < MIN_COUNT]

    def table(self) -> list[str]:
        """Lines of text: kind, injected, observed."""
        lines = [f"{'kind':<22}{'injected':>9}{'observed':>9}"]
        return lines + [f"{kind:<22}{self.injected[kind]:>9}{self.observed[kind]:>9}" for kind in (*KINDS, *OPPONENTS)]
