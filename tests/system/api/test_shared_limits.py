"""Tests that gateways share their rate limits through a real Redis server. While Redis is down,
each gateway must count its own requests."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path

import pytest
from limits import RateLimitItemPerHour

from api.chain import shared_limits
from api.chain.rpc_proxy import ClientLimits
from api.chain.shared_limits import BadLimitsUrl, RateLimits
from tests.api.playground import Playground, served
from tests.support.services.redis import Redis, redis_server
from tests.support.waiting import PATIENCE_SECONDS

RATE = RateLimitItemPerHour(3)
CALL = {"jsonrpc": "2.0", "id": 1, "method": "eth_chainId", "params": []}


@pytest.fixture
def redis() -> Iterator[Redis]:
    with redis_server() as server:
        yield server


@pytest.mark.parametrize("strategy", ["fixed_window", "moving_window"])
async def test_gateways_count_together(redis: Redis, strategy: str, monkeypatch: pytest.MonkeyPatch) -> None:
    # on a busy machine, the gateway mustn't mistake a slow answer for an outage of Redis
    monkeypatch.setattr(shared_limits, "REDIS_SECONDS", PATIENCE_SECONDS)
    gateways = [RateLimits(redis.url) for _ in range(2)]
    shared = [getattr(one, strategy)() for one in gateways]
    assert [await shared[n % 2].hit(RATE, "client") for n in range(4)] == [True, True, True, False]
    assert await shared[0].hit(RATE, "another")
    for one in gateways:
        await one.aclose()
    own = [getattr(RateLimits(), strategy)() for _ in range(2)]
    assert all([await own[n % 2].hit(RATE, "client") for n in range(6)])


async def test_a_redis_that_is_away_closes_nothing(
    redis: Redis, play: Playground, page: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shared_limits, "RETRY_SECONDS", 0.0)
    client_limits = ClientLimits(calls=4, seconds=3600)

    def gateway() -> object:
        return served(play, page, client_limits=client_limits, limits=RateLimits(redis.url))

    async with gateway() as first, gateway() as second:  # type: ignore[attr-defined]

        async def codes(*servers: object) -> list[int]:
            return [(await one.http.post("/api/rpc", json=CALL)).status_code for one in servers]  # type: ignore[attr-defined]

        async def figure() -> str:
            text = (await first.http.get("/api/metrics")).text
            return str(next(line for line in text.splitlines() if line.startswith("chainboard_limits_shared ")))

        assert await codes(first, second, first, second) == [200] * 4
        assert await codes(first, second) == [429, 429]
        assert await figure() == "chainboard_limits_shared 1.0"
        redis.stop()
        with caplog.at_level(logging.WARNING):
            assert await codes(first, first, second) == [200] * 3
            assert await codes(first, first, first) == [200, 200, 429], "each gateway counts on its own"
            assert await figure() == "chainboard_limits_shared 0.0"
            assert ", so each gateway counts requests on its own for now" in caplog.text
            redis.start()
            assert await codes(first, second, first, second, first) == [200] * 4 + [429]
        assert await figure() == "chainboard_limits_shared 1.0"
        assert "answers again, so the gateways share their rate limits again" in caplog.text


@pytest.mark.parametrize("url", ["http://127.0.0.1", "redis://", "nonsense", "redis://127.0.0.1:port", "redis://[::1"])
def test_what_is_no_redis_is_refused(url: str) -> None:
    with pytest.raises(BadLimitsUrl, match="--limits"):
        RateLimits(url)


def test_a_missing_client_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shared_limits, "find_spec", lambda _name: None)
    with pytest.raises(BadLimitsUrl, match=r"chainboard\[redis\]"):
        RateLimits("redis://127.0.0.1")
