"""Rate limits that several gateways share in Redis. While Redis is unavailable, each gateway counts
alone. A client can then send more requests in total, but players can continue their matches."""

from __future__ import annotations

import asyncio
import logging
from importlib.util import find_spec
from time import monotonic
from typing import Any
from urllib.parse import urlsplit

from limits import RateLimitItem
from limits.aio.storage import MemoryStorage, RedisStorage
from limits.aio.strategies import FixedWindowRateLimiter, MovingWindowRateLimiter
from limits.errors import ConfigurationError, StorageError

log = logging.getLogger("chainboard.api")

REDIS_SECONDS = 0.25
"""The timeout for an answer from Redis, in seconds."""
RETRY_SECONDS = 5.0
"""After a failure, Redis is not used for this many seconds."""
KEY_PREFIX = "chainboard"


class BadLimitsUrl(ValueError):
    """The URL is not the address of a Redis server, or the Redis client is not installed. The
    message says which."""


class RateLimits:
    """The place where the rate limiters count requests: the Redis server at `url`, or this
    process."""

    def __init__(self, url: str | None = None) -> None:
        """Raises BadLimitsUrl if `url` can't be used."""
        self._memory, self._redis = MemoryStorage(), _redis_at(url) if url else None
        self._retry_at: float | None = None

    @property
    def is_shared(self) -> bool:
        """True if requests are counted in Redis. Before the first failure, Redis is assumed to
        work."""
        return self._redis is not None and self._retry_at is None

    def fixed_window(self) -> Limiter:
        storages = (self._memory, self._redis)
        return Limiter(self, *(FixedWindowRateLimiter(one) if one else None for one in storages))

    def moving_window(self) -> Limiter:
        storages = (self._memory, self._redis)
        return Limiter(self, *(MovingWindowRateLimiter(one) if one else None for one in storages))

    async def aclose(self) -> None:
        """Close the connections to Redis."""
        if self._redis is not None:
            bridge: Any = self._redis.bridge
            await bridge.get_connection().aclose()

    def use_redis(self) -> bool:
        """Return True if Redis should be used. After a failure, it is not used for RETRY_SECONDS
        seconds."""
        return self._redis is not None and (self._retry_at is None or monotonic() > self._retry_at)

    def record(self, error: Exception | None) -> None:
        """Record a failure of Redis, or an answer if `error` is None. Log a message when
        Redis stops answering, and when it answers again."""
        if error is not None and self._retry_at is None:
            log.warning(
                "the Redis server in --limits does not answer (%s), so each gateway counts requests on its own for now",
                _reason(error),
            )
        if error is None and self._retry_at is not None:
            log.warning("the Redis server in --limits answers again, so the gateways share their rate limits again")
        self._retry_at = None if error is None else monotonic() + RETRY_SECONDS


class Limiter:
    """A rate limiter that counts in Redis if it is available, and otherwise in this process."""

    def __init__(
        self,
        limits: RateLimits,
        own: FixedWindowRateLimiter | MovingWindowRateLimiter | None,
        shared: FixedWindowRateLimiter | MovingWindowRateLimiter | None,
    ) -> None:
        assert own is not None
        self._limits, self._own, self._shared = limits, own, shared

    async def hit(self, rate: RateLimitItem, *identifiers: str, cost: int = 1) -> bool:
        """Count a request. Return False if it exceeds the rate."""
        if self._shared is not None and self._limits.use_redis():
            try:
                async with asyncio.timeout(REDIS_SECONDS):
                    allowed = await self._shared.hit(rate, *identifiers, cost=cost)
                self._limits.record(None)
                return allowed
            except (StorageError, OSError, TimeoutError) as error:
                self._limits.record(error)
        return await self._own.hit(rate, *identifiers, cost=cost)


def _redis_at(url: str) -> RedisStorage:
    try:
        parts = urlsplit(url)
        is_redis = parts.scheme in ("redis", "rediss") and bool(parts.hostname)
    except ValueError:  # urlsplit rejects brackets without an IPv6 address
        is_redis = False
    if not is_redis:
        raise BadLimitsUrl("--limits must be the address of a Redis server, such as redis://127.0.0.1:6379/0")
    if find_spec("redis") is None:
        raise BadLimitsUrl("--limits needs the Redis client: run `pip install 'chainboard[redis]'`")
    seconds = {"socket_connect_timeout": REDIS_SECONDS, "socket_timeout": REDIS_SECONDS}
    try:
        return RedisStorage(url, True, "redispy", KEY_PREFIX, **seconds)
    except (ConfigurationError, ValueError) as error:
        raise BadLimitsUrl(f"--limits can't be used: {error}") from error


def _reason(error: Exception) -> str:
    return str(error) or f"no answer within {REDIS_SECONDS:g} seconds"
