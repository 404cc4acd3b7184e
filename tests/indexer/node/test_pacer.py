"""Tests the pacer, which limits the rate of calls. If a provider requests a pause, the pacer stops
all calls during the pause. The tests use a simulated clock."""

from __future__ import annotations

import asyncio
import time

import pytest

from indexer.node.limits import Limits
from indexer.node.pacer import INITIAL_RATE, UNLIMITED, Pacer
from indexer.node.rejections import ProviderRejection


class Clock:
    """A simulated clock. It advances only in `sleep` and `advance`."""

    def __init__(self) -> None:
        self.now = 1000.0

    async def sleep(self, seconds: float) -> None:
        self.now += seconds

    def advance(self, seconds: float) -> None:
        self.now += seconds


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    it = Clock()
    monkeypatch.setattr(time, "monotonic", lambda: it.now)
    monkeypatch.setattr(asyncio, "sleep", it.sleep)
    return it


@pytest.mark.parametrize(("rate", "calls"), [(50, 1), (50, 12), (50, 7), (3, 1), (0.5, 1), (2.5, 2)])
async def test_no_second_has_more_calls_than_the_rate(clock: Clock, rate: float, calls: int) -> None:
    pacer = Pacer(Limits(), rate)
    sent = [await pacer.acquire(calls) for _ in range(60)]
    window = max(1.0, 1 / rate)
    for at in sent:
        assert calls * len([one for one in sent if at <= one < at + window]) <= max(rate * window, calls)
    assert clock.now - 1000 < 1.2 * 60 * calls / (int(rate * window) / window) + 1, "the rate is almost reached"


@pytest.mark.usefixtures("clock")
async def test_a_batch_of_more_calls_than_the_rate_goes_alone() -> None:
    pacer = Pacer(Limits(), 5)
    first, second = await pacer.acquire(20), await pacer.acquire(1)
    assert second - first >= 1
    assert pacer.max_calls == 1


async def test_without_a_rate_nothing_waits_until_a_rejection(clock: Clock) -> None:
    limits = Limits()
    pacer = Pacer(limits)
    for _ in range(100):
        sent = await pacer.acquire(1)
        pacer.record_accepted()
    assert clock.now == 1000
    pacer.record_rejected(ProviderRejection("rate", None, None, 7.0), sent)
    assert pacer.pause == 7
    assert limits.rate == pacer.rate == 80
    assert await pacer.acquire(1) == 1007


async def test_of_rejections_that_were_on_their_way_together_one_counts(clock: Clock) -> None:
    pacer = Pacer(Limits(), slow_start=True)
    sent = [await pacer.acquire(1) for _ in range(5)]
    clock.advance(0.1)
    for one in sent:
        pacer.record_rejected(ProviderRejection("rate"), one)
    assert (pacer.rate, pacer.pause) == (INITIAL_RATE / 2, 0.5)


async def test_the_allowed_rate_is_taken_as_said(clock: Clock) -> None:
    pacer = Pacer(Limits())
    clock.advance(1)
    pacer.record_rejected(ProviderRejection("rate", 10, None, 30.0), await pacer.acquire(1))
    assert (pacer.rate, pacer.pause) == (10, 30)


async def test_an_unknown_provider_is_asked_faster_and_faster(clock: Clock) -> None:
    limits = Limits()
    pacer = Pacer(limits, slow_start=True)
    for _ in range(10):
        clock.advance(1.1)
        await pacer.acquire(1)
        pacer.record_accepted()
    assert pacer.rate is None, f"beyond {UNLIMITED} there is no limit"


async def test_a_learned_rate_rises_to_just_below_the_rejected_one_and_is_tried_again_after_a_minute(
    clock: Clock,
) -> None:
    pacer = Pacer(Limits(rate=100.0))
    pacer.record_rejected(ProviderRejection("rate"), await pacer.acquire(25))
    assert pacer.rate == 80
    rates = []
    while clock.now < 1055:
        await pacer.acquire(20)
        pacer.record_accepted()
        rates.append(pacer.rate)
    assert 90 < max(rates) < 96
    while clock.now < 1070:
        await pacer.acquire(20)
        pacer.record_accepted()
    assert pacer.rate > max(rates)


async def test_a_given_rate_is_kept_after_a_rejection(clock: Clock) -> None:
    pacer = Pacer(Limits(), 50)
    pacer.record_rejected(ProviderRejection("rate"), await pacer.acquire(1))
    assert (pacer.rate, pacer.pause) == (50, 0.5)
    clock.advance(0.6)
    pacer.record_rejected(ProviderRejection("rate"), await pacer.acquire(1))
    assert pacer.pause == 1, "the pause doubles after the second rejection in a row"


async def test_between_two_rejections_was_granted_what_is_allowed(clock: Clock) -> None:
    """The provider rejects a call after 200 calls in 4 seconds, which is 50 calls per second. Tests
    that the rate then falls to just below 50 calls per second and stays there for a minute."""
    pacer = Pacer(Limits(rate=100.0))
    pacer.record_rejected(ProviderRejection("rate", None, None, 1.0), await pacer.acquire(25))
    clock.advance(4)
    pacer.record_accepted(200)
    assert pacer.rate == 80
    pacer.record_rejected(ProviderRejection("rate", None, None, 1.0), await pacer.acquire(25))
    assert pacer.rate == 47.5
    while clock.now < 1050:
        await pacer.acquire(20)
        pacer.record_accepted(20)
    assert pacer.rate == 47.5
