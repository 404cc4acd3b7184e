"""The limits of a provider's plan, and its error messages."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Plan:
    """The limits of a provider. None means that there is no limit.

    - `latency`: the delay of each request, in seconds.
    - `max_range`: the maximum number of blocks per `eth_getLogs`.
    - `max_results`: the maximum number of logs per answer.
    - `max_batch`: the maximum number of calls per batch.
    - `rate`: the number of calls per second, counting each call in a batch. A client can save up
      unused calls, but only those of one second.
    - `refusal`: the reaction to too many calls. `http` rejects the whole batch with status 429, and
      `item` returns an error for each excess call.
    - `retry_after`: the number of seconds in the `Retry-After` header of status 429.
    - `missing`: the methods that the provider doesn't have.
    - `states`: the number of newest blocks whose state is available.
    - `socket_seconds`: the time after which a websocket is closed. 0 means that there are no
      websockets."""

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
    """A token bucket. It gains `rate` calls per second and holds at most one second's worth."""

    def __init__(self, rate: float) -> None:
        self._rate, self._tokens, self._at = rate, rate, time.monotonic()

    def take(self, calls: int, whole: bool = False) -> int:
        """Return how many of these calls are allowed now. If `whole` is True, allow all or none."""
        now = time.monotonic()
        self._tokens = min(self._rate, self._tokens + self._rate * (now - self._at))
        self._at = now
        granted = min(calls, int(self._tokens))
        if whole and granted < calls:
            return 0
        self._tokens -= granted
        return granted
