"""The limits of a provider's plan, and the error messages with which the provider enforces them."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Plan:
    """The limits of a provider's plan. A value of None means that there is no limit.

    - `latency`: the delay of each request, in seconds.
    - `max_range`: the maximum number of blocks per `eth_getLogs`.
    - `max_results`: the maximum number of logs per answer.
    - `max_batch`: the maximum number of calls per batch.
    - `rate`: the number of calls per second. Each call in a batch counts. A client can save up at
      most the unused calls of one second.
    - `refusal`: the provider's reaction to too many calls. With `http`, it rejects the whole batch
      with status 429. With `item`, it returns an error for each excess call.
    - `retry_after`: the number of seconds in the `Retry-After` header of status 429.
    - `missing`: the methods that the provider doesn't support.
    - `states`: the number of newest blocks whose state is available.
    - `socket_seconds`: the number of seconds after which the provider closes a websocket. With 0,
      it accepts no websockets."""

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
    """A token bucket that limits calls. Each call takes one token. The bucket gains `rate` tokens
    per second, and holds at most `rate` tokens."""

    def __init__(self, rate: float) -> None:
        self._rate, self._tokens, self._at = rate, rate, time.monotonic()

    def take(self, calls: int, whole: bool = False) -> int:
        """Return how many of these calls are allowed now, and use them up. If `whole` is True,
        allow either all or none."""
        now = time.monotonic()
        self._tokens = min(self._rate, self._tokens + self._rate * (now - self._at))
        self._at = now
        granted = min(calls, int(self._tokens))
        if whole and granted < calls:
            return 0
        self._tokens -= granted
        return granted
