"""What the follower is at, for the figures."""

from __future__ import annotations

from collections import Counter
from time import perf_counter
from typing import Literal, TypeAlias

Phase: TypeAlias = Literal["idle", "fetch", "decode", "commit", "ring"]


class Phases:
    """Counts the phases that were entered, and the seconds spent in each."""

    def __init__(self) -> None:
        self.now: Phase = "idle"
        self.entered: Counter[Phase] = Counter()
        self.seconds: dict[Phase, float] = dict.fromkeys(("idle", "fetch", "decode", "commit", "ring"), 0.0)
        self._since = perf_counter()

    def enter(self, phase: Phase) -> None:
        """One phase ends, the next begins."""
        at = perf_counter()
        self.seconds[self.now] += at - self._since
        self.now, self._since = phase, at
        self.entered[phase] += 1
