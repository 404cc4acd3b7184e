"""Tests a client whose provider limits requests to a real chain. The client must learn the limits
from the rejections, wait when necessary, and not fail."""

from __future__ import annotations

import contextlib
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from chaos.chain.anvil_chain import AnvilChain
from chaos.provider.plan import Plan
from chaos.provider.provider import Provider
from chaos.provider.rollup import Rollup
from indexer.node.client import Node, NodeUnavailable
from indexer.node.limits import Limits, LimitsFile
from indexer.node.pacer import Pacer
from indexer.node.rejections import ProviderRejection

STRANGER = "0x" + "0" * 36 + "dEaD"
BLOCKS = 100


@contextlib.asynccontextmanager
async def provided(folder: Path, plan: Plan, blocks: int = BLOCKS) -> AsyncIterator[Provider]:
    chain = AnvilChain(folder)
    await chain.start()
    try:
        await chain.mine(blocks)
        async with Provider(Rollup(chain), plan).running() as provider:
            yield provider
    finally:
        await chain.stop()


@pytest.mark.parametrize("text", ["eth_getLogs is limited to a {limit} range", "block range is too wide"])
async def test_a_range_is_learned_and_each_part_is_requested_once(tmp_path: Path, text: str) -> None:
    async with (
        provided(tmp_path, Plan(latency=0, max_range=10, range_text=text)) as provider,
        contextlib.aclosing(Node(provider.url)) as node,
    ):
        assert await node.logs_between(1, BLOCKS, [STRANGER]) == []
        learned = node.limits.max_range
        assert learned is not None
        assert learned == 10 if "{limit}" in text else 5 < learned <= 10
        provider.calls.clear()
        await node.logs_between(1, BLOCKS, [STRANGER])
        assert provider.calls["eth_getLogs"] == -(-BLOCKS // learned)


@pytest.mark.parametrize("text", ["Batch size too large: at most {limit} calls", "batch too large"])
async def test_a_batch_is_learned(tmp_path: Path, text: str) -> None:
    async with (
        provided(tmp_path, Plan(latency=0, max_batch=7, batch_text=text)) as provider,
        contextlib.aclosing(Node(provider.url)) as node,
    ):
        assert [one.block.height for one in await node.headers(1, 50)] == list(range(1, 51))
        learned = node.limits.max_batch
        assert learned is not None
        assert learned <= 7
        before = provider.posts
        await node.headers(1, 50)
        assert provider.posts - before == -(-50 // learned)


async def test_too_many_logs_are_requested_in_parts(tmp_path: Path) -> None:
    chain = AnvilChain(tmp_path)
    await chain.start()
    try:
        [sender, *_] = await chain.request("eth_accounts")
        # The stranger's code emits an empty log. Without automine, each block contains exactly one
        # of these logs.
        await chain.request("anvil_setCode", STRANGER, "0x5f5fa0")
        await chain.request("evm_setAutomine", False)
        for _ in range(40):
            await chain.request("eth_sendTransaction", {"from": sender, "to": STRANGER, "gas": hex(50_000)})
            await chain.mine()
        async with (
            Provider(Rollup(chain), Plan(latency=0, max_results=8)).running() as provider,
            contextlib.aclosing(Node(provider.url)) as node,
        ):
            logs = await node.logs_between(1, await chain.height(), [STRANGER])
            assert [int(log["blockNumber"], 16) for log in logs] == list(range(1, 41))
            assert node.limits.max_results == 8
    finally:
        await chain.stop()


async def test_a_missing_method_is_requested_once(tmp_path: Path) -> None:
    async with (
        provided(tmp_path, Plan(latency=0, missing=frozenset({"eth_getBlockReceipts"}))) as provider,
        contextlib.aclosing(Node(provider.url)) as node,
    ):
        for header in await node.headers(1, 5):
            assert await node.receipts(header) == []
        assert provider.calls["eth_getBlockReceipts"] == 1


@pytest.mark.parametrize("rejection", ["http", "item"])
async def test_a_rate_that_is_rejected_is_waited_out(tmp_path: Path, rejection: Any) -> None:
    async with (
        provided(tmp_path, Plan(latency=0, rate=40, refusal=rejection)) as provider,
        contextlib.aclosing(Node(provider.url)) as node,
    ):
        assert len(await node.headers(1, BLOCKS)) == BLOCKS
        assert len(await node.headers(1, 20)) == 20
        assert provider.refused
        assert node.pacer.rate is not None


class RecordingPacer(Pacer):
    """A pacer that records each batch of calls: the time at which the pacer lets the batch pass,
    and the number of calls in the batch."""

    def __init__(self, limits: Limits, rate: float) -> None:
        super().__init__(limits, rate)
        self.passed: list[tuple[float, int]] = []

    async def acquire(self, calls: int) -> float:
        at = await super().acquire(calls)
        self.passed.append((at, calls))
        return at


async def test_a_given_rate_is_not_exceeded(tmp_path: Path) -> None:
    """Tests the times at which the client sends calls. The times at which calls arrive vary too
    much on a busy machine."""
    async with provided(tmp_path, Plan(latency=0)) as provider:
        pacer = RecordingPacer(Limits(), 40)
        async with contextlib.aclosing(Node(provider.url, pacer=pacer)) as node:
            assert len(await node.headers(1, BLOCKS)) == BLOCKS
            async with contextlib.aclosing(node.with_own_connections()) as twin:
                await twin.headers(1, 20)
    passed = pacer.passed
    assert sum(calls for _, calls in passed) >= BLOCKS + 20
    for start, _ in passed:
        assert sum(calls for at, calls in passed if start <= at < start + 1) <= 40


async def test_a_provider_that_rejects_for_long_is_busy(tmp_path: Path) -> None:
    async with provided(tmp_path, Plan(latency=0, rate=0.01, retry_after=60), 0) as provider:
        async with contextlib.aclosing(Node(provider.url, seconds=0.5)) as node:
            for _ in range(3):
                with pytest.raises(NodeUnavailable, match="fewer requests") as lost:
                    await node.head()
                assert lost.value.busy
        assert provider.posts == 1, "the provider's rejection said how long to wait"


def test_limits_are_kept_for_a_week(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    url, path = "https://provider.example/v2/secret", tmp_path / "providers.json"
    first = LimitsFile(path)
    first.limits(url).record_rejected_range(ProviderRejection("range", 500), 1000)
    first.limits("https://another.example").record_rejected_batch(ProviderRejection("batch"), 100)
    first.save()
    assert "secret" not in path.read_text()
    again = LimitsFile(path)
    assert again.limits(url).max_range == 500
    assert again.limits("https://another.example").max_batch == 50
    assert again.limits("https://third.example") == Limits()
    week = time.time() + 8 * 86_400
    monkeypatch.setattr(time, "time", lambda: week)
    assert LimitsFile(path).limits(url) == Limits()


@pytest.mark.parametrize(
    "text", ["", "[]", "{", '{"%s": 5}', '{"%s": {"learned": 1e99}}', '{"%s": {"max_range": 0, "learned": %d}}']
)
def test_a_file_that_is_not_ours_is_as_good_as_none(tmp_path: Path, text: str) -> None:
    url, path = "http://127.0.0.1", tmp_path / "providers.json"
    first = LimitsFile(path)
    first.limits(url).max_range = 5
    first.save()
    name = path.read_text().split('"')[1]
    path.write_text(text.replace("%s", name).replace("%d", str(int(time.time()))))
    assert LimitsFile(path).limits(url) == Limits()


def test_what_has_too_many_logs_may_grow_again() -> None:
    limits = Limits()
    limits.record_rejected_range(ProviderRejection("results", 10_000), 64)
    assert limits.chunks(1, 64) == [(1, 32), (33, 64)]
    for _ in range(20):
        limits.record_accepted_range(32)
    assert limits.chunks(1, 64) == [(1, 64)]
    assert limits.max_range is None


def test_a_suggested_range_that_is_no_smaller_is_halved() -> None:
    """Some nodes suggest the same block range that they have just rejected:
    https://github.com/paradigmxyz/reth/issues/23810"""
    limits = Limits()
    limits.record_rejected_range(ProviderRejection("results", 20_000, 8085), 8085)
    assert limits.adaptive_range == 4042
