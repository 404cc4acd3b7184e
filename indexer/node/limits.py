"""The limits of node providers. They are learned when a provider rejects requests. A file next to
the index stores them, so that they survive a restart."""

from __future__ import annotations

import contextlib
import os
import time
from dataclasses import asdict, dataclass, fields
from hashlib import sha256
from pathlib import Path
from typing import Any

import orjson

from indexer.node.rejections import ProviderRejection

LIFETIME_SECONDS = 7 * 86_400
"""The lifetime of learned limits, in seconds. It is limited because the operator can change
plans."""
RANGE_DIVISOR = 2
"""If a provider rejects a request as too large but doesn't state its limit, the size of the next
request is divided by this number."""
GROW_AFTER = 20
"""The number of successful answers after which `adaptive_range` doubles."""


@dataclass(slots=True)
class Limits:
    """The limits of one provider. None means that a limit is unknown.

    - `max_range`: the maximum number of blocks per `eth_getLogs`
    - `max_results`: the maximum number of logs per answer
    - `adaptive_range`: a temporary, lower number of blocks per `eth_getLogs`. It is set after an
      answer would have had too many logs
    - `adaptive_answers`: the number of successful requests since `adaptive_range` last changed
    - `max_batch`: the maximum number of calls per batch
    - `rate`: the maximum number of calls per second
    - `block_receipts`: True if the provider supports `eth_getBlockReceipts`
    - `deployless`: True if `eth_call` runs code that is not deployed
    - `learned`: the time when the first limit was learned, in seconds since 1970
    """

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
        """Split the blocks from `first` to `last` (included) into ranges that the provider
        accepts."""
        size = min(last - first + 1, self.max_range or last + 1, self.adaptive_range or last + 1)
        return [(start, min(last, start + size - 1)) for start in range(first, last + 1, max(1, size))]

    def record_rejected_range(self, rejection: ProviderRejection, blocks: int) -> None:
        """Learn from a rejected `eth_getLogs` request for this number of blocks. Either the range
        was too long or it had too many logs. In the second case, the limit is temporary, because
        other blocks may have fewer logs."""
        allowed = _reduced(rejection.blocks or (rejection.limit if rejection.kind == "range" else None), blocks)
        if rejection.kind == "results":
            self.max_results = rejection.limit or self.max_results
            self.adaptive_range, self.adaptive_answers = allowed, 0
        else:
            self.max_range = min(
                _reduced(rejection.limit, blocks) if rejection.limit else allowed, self.max_range or blocks
            )

    def record_accepted_range(self, blocks: int) -> None:
        """Learn that the provider accepted an `eth_getLogs` request for this number of blocks."""
        if self.adaptive_range is None or blocks < self.adaptive_range:
            return
        self.adaptive_answers += 1
        if self.adaptive_answers >= GROW_AFTER:
            self.adaptive_range, self.adaptive_answers = 2 * self.adaptive_range, 0

    def record_rejected_batch(self, rejection: ProviderRejection, calls: int) -> None:
        """Learn that the provider rejected a batch of this number of calls as too large."""
        self.max_batch = min(_reduced(rejection.limit, calls), self.max_batch or calls)


def _reduced(allowed: int | None, requested: int) -> int:
    return allowed if allowed and allowed < requested else max(1, requested // RANGE_DIVISOR)


class LimitsFile:
    """A file in the data folder with the limits of all providers used so far.

    The keys are hashes of the providers' URLs, because a URL can contain a secret. Errors while
    reading or writing the file are ignored, because limits can be learned again."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._limits: dict[str, Limits] = {}
        self._saved: dict[str, Any] = {}

    def limits(self, url: str) -> Limits:
        """Return the known limits of the provider at this URL. Its client also updates them."""
        name = sha256(url.encode()).hexdigest()[:32]
        if name not in self._limits:
            self._limits[name] = _limits(self._read().get(name))
        return self._limits[name]

    def save(self) -> None:
        """Write the limits to the file if they have changed."""
        found = {name: asdict(one) for name, one in self._limits.items() if one != Limits()}
        if found == self._saved or not found:
            return
        for one in self._limits.values():
            one.learned = one.learned or time.time()
        self._saved = {name: asdict(one) for name, one in self._limits.items()}
        part = self._path.with_suffix(f".{os.getpid()}.part")
        with contextlib.suppress(OSError):
            part.write_bytes(orjson.dumps(self._read() | self._saved))
            part.replace(self._path)

    def _read(self) -> dict[str, Any]:
        with contextlib.suppress(OSError, ValueError):
            found = orjson.loads(self._path.read_bytes())
            return found if isinstance(found, dict) else {}
        return {}


def _limits(stored: Any) -> Limits:
    """Convert a provider's limits from JSON. Malformed or old limits count as unknown."""
    if not isinstance(stored, dict) or not isinstance(stored.get("learned"), (int, float)):
        return Limits()
    if not 0 <= time.time() - stored["learned"] < LIFETIME_SECONDS:
        return Limits()
    found = {one.name: stored[one.name] for one in fields(Limits) if one.name in stored}
    numbers = (value for name, value in found.items() if name.startswith("max_") or name in ("rate", "adaptive_range"))
    if not all(value is None or (isinstance(value, (int, float)) and value >= 1) for value in numbers):
        return Limits()
    return Limits(**found)
