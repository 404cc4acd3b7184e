"""What a provider's plan allows, and how it refuses the rest."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Plan:
    """The limits of one provider; None: no such limit.

    `max_range`: blocks of one `eth_getLogs`. `max_results`: logs of one answer. `max_batch`: calls of one batch.
    `rate`: calls a second, each of a batch counted, with as many saved up; beyond, the `refusal` is a whole batch's
    HTTP status 429 or an error of each call that is too many, with `retry_after` seconds said where there is a header.
    `missing`: methods that it does not have. `states`: newest blocks whose state it keeps. `latency`: seconds that each
    request waits. `socket_seconds`: after so long a websocket is closed; 0: it has none."""

    latency: float = 0.08
    max_range: int | None = None
    max_results: int | None = None
    max_batch: int | None = None
    rate: float | None = None
    refusal: Literal["http", "item"] = "http"
    retry_after: int | None = 1
    missing: frozenset[str] = frozenset()
    states: int | None = None
    socket_seconds: float | None = None
    range_text: str = "eth_getLogs is limited to a {limit} range"
    results_text: str = "query returned more than {limit} results"
    batch_text: str = "Batch size too large: at most {limit} calls"
    rate_code: int = 429
    rate_text: str = "Your app has exceeded its compute units per second capacity"


class Bucket:
    """A token bucket: `rate` calls a second, and those of one second saved up."""

    def __init__(self, rate: float) -> None:
        self._rate, self._tokens, self._at = rate, rate, time.monotonic()

    def take(self, calls: int, whole: bool = False) -> int:
        """How many of these calls may be made now; with `whole` all or none."""
        now = time.monotonic()
        self._tokens = min(self._rate, self._tokens + self._rate * (now - self._at))
        self._at = now
        granted = min(calls, int(self._tokens))
        if whole and granted < calls:
            return 0
        self._tokens -= granted
        return granted
