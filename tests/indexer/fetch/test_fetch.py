"""Tests that the fetcher checks the logs of each block, and prefetches block ranges of a suitable
length."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any, ClassVar

import pytest

from indexer.decode.decoder import Decoder
from indexer.fetch import bloom, prefetch, receipts
from indexer.fetch.fetcher import BlockFetcher, BlockRange, ChainChanged
from indexer.fetch.log_spans import LogSpans
from indexer.fetch.prefetch import Prefetcher
from indexer.model import Header, Log
from indexer.node.client import Node, NodeError
from tests.support.chain import DeployedChain, deployed_chain

MATCH = 2


@pytest.fixture
async def played(tmp_path: Path) -> AsyncIterator[DeployedChain]:
    async with deployed_chain(tmp_path) as it:
        await it.play(0, "create", 64, 64, False)
        await it.begin(MATCH)
        yield it


def topics(it: DeployedChain) -> dict[str, tuple[str, ...]]:
    return dict(Decoder(it.deployments).topics)


async def last_block(it: DeployedChain) -> tuple[Header, list[Log]]:
    header = await it.node.head_header()
    return header, await it.node.logs_of_block(header.block.hash, [one.address for one in it.deployments])


async def test_the_bloom_of_a_block_is_that_of_its_logs(played: DeployedChain) -> None:
    header, logs = await last_block(played)
    assert logs
    assert bloom.bloom_of(logs) == header.bloom
    assert bloom.consistent_with(header.bloom, logs, topics(played))


async def test_a_log_less_a_kind_less_and_a_log_too_many_don_t_fit(played: DeployedChain) -> None:
    header, logs = await last_block(played)
    foreign = {**logs[0], "topics": ["0x" + 64 * "1"]}
    assert not bloom.consistent_with(header.bloom, [], topics(played))
    assert not bloom.consistent_with(header.bloom, logs[1:], topics(played))
    assert not bloom.consistent_with(header.bloom, [*logs, foreign], topics(played))


async def test_another_contract_s_logs_in_the_block_are_no_reason_to_doubt(played: DeployedChain) -> None:
    """The block's logs come from a game that the indexer doesn't follow in this test. Tests that
    these logs don't matter, because the indexer checks only the logs of contracts that it
    follows."""
    header, _ = await last_block(played)
    others = {address: kinds for address, kinds in topics(played).items() if address != played.game.address.lower()}
    assert others
    assert bloom.consistent_with(header.bloom, [], others)
    assert not bloom.may_contain_any(header.bloom, others)


async def test_receipts_give_the_logs_that_the_node_lists(played: DeployedChain) -> None:
    header, logs = await last_block(played)
    found = receipts.logs_of(header, await played.node.receipts(header), topics(played))
    assert [one["logIndex"] for one in found] == [one["logIndex"] for one in logs]


async def test_receipts_are_requested_by_transaction_if_the_node_has_none_of_blocks(played: DeployedChain) -> None:
    class Older(Node):
        async def request(self, method: str, params: Sequence[Any] = ()) -> Any:
            if method == "eth_getBlockReceipts":
                raise NodeError(-32601, "the method does not exist")
            return await super().request(method, params)

    header, logs = await last_block(played)
    async with contextlib.aclosing(Older(played.node.url)) as node:
        found = receipts.logs_of(header, await node.receipts(header), topics(played))
    assert [one["data"] for one in found] == [one["data"] for one in logs]


class RangeLimitedNode(Node):
    """A node that limits the number of blocks per request, as providers do. The node records how
    many blocks each request asks for."""

    max_blocks = 10

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self.requested: list[int] = []

    async def request(self, method: str, params: Sequence[Any] = ()) -> Any:
        if method == "eth_getLogs":
            self.requested.append(int(params[0]["toBlock"], 16) - int(params[0]["fromBlock"], 16) + 1)
            if self.requested[-1] > self.max_blocks:
                raise NodeError(-32005, "query returned more than 10000 results")
        return await super().request(method, params)


async def spans(reader: Prefetcher, first: int, head: int) -> list[BlockRange]:
    found: list[BlockRange] = []
    while first <= head:
        try:
            found.append(await reader.next(first, head))
        except NodeError:
            continue
        first = found[-1].blocks[-1].height + 1
    return found


async def test_ranges_become_as_short_as_the_node_wants_them(played: DeployedChain) -> None:
    await played.mine(150)
    head = (await played.node.head()).height
    async with contextlib.aclosing(RangeLimitedNode(played.node.url)) as node:
        reader = Prefetcher(BlockFetcher(node, [one.address for one in played.deployments], topics(played)))
        found = await spans(reader, 1, head)
        assert [block.height for span in found for block in span.blocks] == list(range(1, head + 1))
        assert node.requested[-1] <= RangeLimitedNode.max_blocks
        assert len([size for size in node.requested if size > RangeLimitedNode.max_blocks]) < len(node.requested) / 2


async def test_a_history_s_first_span_is_alone_and_short() -> None:
    """Tests that the fetcher first requests a single span of blocks, because it doesn't know yet
    how many logs a block has. Later, it fetches several spans at the same time."""

    class Counting(Node):
        """A node whose chain has no logs. For each requested span, `begun` contains the number of
        blocks in the span, and the number of pending requests for spans (including this
        request)."""

        begun: ClassVar[list[tuple[int, int]]] = []
        under_way = 0

        async def logs_between(self, first: int, last: int, _addresses: Sequence[str]) -> list[Log]:
            self.under_way += 1
            self.begun.append((last - first + 1, self.under_way))
            await asyncio.sleep(0)
            self.under_way -= 1
            return []

    async with contextlib.aclosing(Counting("http://127.0.0.1:1")) as node:
        await LogSpans(node, []).fetch(1, 50_000)
    (first, _), *later = node.begun
    assert (first, [alone for _, alone in later[:2]]) == (200, [1, 2])


async def test_several_ranges_are_requested_at_once_and_none_twice(
    played: DeployedChain, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(prefetch, "INITIAL_BLOCKS", 5)
    monkeypatch.setattr(prefetch, "MAX_BLOCKS", 5)
    await played.mine(60)
    async with contextlib.aclosing(RangeLimitedNode(played.node.url)) as node:
        reader = Prefetcher(BlockFetcher(node, [one.address for one in played.deployments], topics(played)))
        span = await reader.next(1, 60)
        assert len(reader._requested) == prefetch.MAX_IN_FLIGHT
        await spans(reader, span.blocks[-1].height + 1, 60)
        assert node.requested == [5] * 12


async def test_a_range_that_fails_is_requested_again_and_no_other(
    played: DeployedChain, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(prefetch, "INITIAL_BLOCKS", 6)
    monkeypatch.setattr(prefetch, "MAX_BLOCKS", 6)
    await played.mine(60)

    class Failing(RangeLimitedNode):
        ranges: ClassVar[list[tuple[int, int]]] = []

        async def logs_between(self, first: int, last: int, addresses: Sequence[str]) -> list[Log]:
            self.ranges.append((first, last))
            if (first, last) == (13, 18):
                raise NodeError(-32000, "internal error")
            return await super().logs_between(first, last, addresses)

    async with contextlib.aclosing(Failing(played.node.url)) as node:
        reader = Prefetcher(BlockFetcher(node, [one.address for one in played.deployments], topics(played)))
        found = await spans(reader, 1, 36)
        assert [block.height for span in found for block in span.blocks] == list(range(1, 37))
        again = [(13, 15), (16, 18)]
        whole = [(start, start + 5) for start in range(1, 31, 6)]
        assert [one for one in node.ranges if one in again] == again
        assert [node.ranges.count(one) for one in whole] == [1] * len(whole), "the ranges after it had arrived"


async def test_a_chain_that_changes_between_two_answers_is_noticed(played: DeployedChain) -> None:
    class Turning(Node):
        """A node whose chain changes between two answers. The block hashes in the logs are
        therefore different from those in the headers."""

        async def request(self, method: str, params: Sequence[Any] = ()) -> Any:
            answer = await super().request(method, params)
            if method == "eth_getLogs":
                return [{**log, "blockHash": "0x" + 64 * "2"} for log in answer]
            return answer

    head = (await played.node.head()).height
    async with contextlib.aclosing(Turning(played.node.url)) as node:
        fetcher = BlockFetcher(node, [one.address for one in played.deployments], topics(played))
        with pytest.raises(ChainChanged):
            await fetcher.range(1, head)
        with pytest.raises(ChainChanged):
            await fetcher.block(await node.head_header())
