"""Limits of a provider, learned from its refusals and kept beside the index, so that a restart need not learn them
anew."""

from __future__ import annotations

import contextlib
import os
import time
from dataclasses import asdict, dataclass, fields
from hashlib import sha256
from pathlib import Path
from typing import Any

import orjson

from indexer.node.refusals import ProviderRefusal

LIFETIME_SECONDS = 7 * 86_400
"""Plans change: what was learned longer ago is learned again."""
SMALLER = 2
"""By how much a request is divided whose limit was not said."""
GROW_AFTER = 20
"""Answers in a row after which a range may be twice as long again as one that had too many logs."""


@dataclass(slots=True)
class Limits:
    """What one provider allows; None: nothing is known.

    `max_range`: blocks of one `eth_getLogs`. `max_results`: logs of one answer. `adaptive_range`: blocks whose logs
    were few enough, after more blocks had too many; `adaptive_answers`: how often since. `max_batch`: calls of one
    batch. `rate`: calls a second. `block_receipts`: whether it has `eth_getBlockReceipts`. `deployless`: whether it
    runs code that is in no contract. `learned`: when the first was learned, in seconds since 1970."""

    max_range: int | None = None
    max_results: int | None = None
    adaptive_range: int | None = None
    adaptive_answers: int = 0
    max_batch: int | None = None
    rate: float | None = None
    block_receipts: bool = True
    deployless: bool = True
    learned: float = 0.0

    def chunks(self, first: int, last: int) -> list[tuple[int, int]]:
        """The blocks from `first` to `last`, both included, in ranges whose logs may be requested at once."""
        size = min(last - first + 1, self.max_range or last + 1, self.adaptive_range or last + 1)
        return [(start, min(last, start + size - 1)) for start in range(first, last + 1, max(1, size))]

    def refuse_range(self, refusal: ProviderRefusal, blocks: int) -> None:
        """Learns that so many blocks at once were too many, or had too many logs: others may have fewer."""
        allowed = _smaller(refusal.blocks or (refusal.limit if refusal.kind == "range" else None), blocks)
        if refusal.kind == "results":
            self.max_results = refusal.limit or self.max_results
            self.adaptive_range, self.adaptive_answers = allowed, 0
        else:
            self.max_range = min(
                _smaller(refusal.limit, blocks) if refusal.limit else allowed, self.max_range or blocks
            )

    def grant_range(self, blocks: int) -> None:
        """Learns that so many blocks at once were not too many."""
        if self.adaptive_range is None or blocks < self.adaptive_range:
            return
        self.adaptive_answers += 1
        if self.adaptive_answers >= GROW_AFTER:
            self.adaptive_range, self.adaptive_answers = 2 * self.adaptive_range, 0

    def refuse_batch(self, refusal: ProviderRefusal, calls: int) -> None:
        """Learns that a batch had too many calls."""
        self.max_batch = min(_smaller(refusal.limit, calls), self.max_batch or calls)


def _smaller(allowed: int | None, requested: int) -> int:
    return allowed if allowed and allowed < requested else max(1, requested // SMALLER)


class LimitsFile:
    """The limits of all providers that were used with a data folder. They are named by a hash of their URLs, which may
    hold a key. Limits are no facts: a file that can't be read is as good as none, and one that can't be written is
    none."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._limits: dict[str, Limits] = {}
        self._written: dict[str, Any] = {}

    def limits(self, url: str) -> Limits:
        """This provider's limits, as far as they are known; to be changed by who learns more."""
        name = sha256(url.encode()).hexdigest()[:32]
        if name not in self._limits:
            self._limits[name] = _limits(self._read().get(name))
        return self._limits[name]

    def save(self) -> None:
        """Writes what was learned since, if anything was."""
        found = {name: asdict(one) for name, one in self._limits.items() if one != Limits()}
        if found == self._written or not found:
            return
        for one in self._limits.values():
            one.learned = one.learned or time.time()
        self._written = {name: asdict(one) for name, one in self._limits.items()}
        part = self._path.with_suffix(f".{os.getpid()}.part")
        with contextlib.suppress(OSError):
            part.write_bytes(orjson.dumps(self._read() | self._written))
            part.replace(self._path)

    def _read(self) -> dict[str, Any]:
        with contextlib.suppress(OSError, ValueError):
            found = orjson.loads(self._path.read_bytes())
            return found if isinstance(found, dict) else {}
        return {}


def _limits(kept: Any) -> Limits:
    """The limits that a file has; those that are not ours, or too old, are unknown."""
    if not isinstance(kept, dict) or not isinstance(kept.get("learned"), (int, float)):
        return Limits()
    if not 0 <= time.time() - kept["learned"] < LIFETIME_SECONDS:
        return Limits()
    found = {one.name: kept[one.name] for one in fields(Limits) if one.name in kept}
    numbers = (value for name, value in found.items() if name.startswith("max_") or name in ("rate", "adaptive_range"))
    if not all(value is None or (isinstance(value, (int, float)) and value >= 1) for value in numbers):
        return Limits()
    return Limits(**found)
