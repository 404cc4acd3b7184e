"""Tests that the follower sends few requests per block. A model of a provider counts the requests.

A block takes one request if the bloom filter in its header shows that the block contains none of
our logs. Otherwise, it takes at most three requests, no matter how many matches have new events.
The follower doesn't poll before the next block is due.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from chaos.chain.node_chain import NodeChain
from chaos.provider.plan import Plan
from chaos.provider.provider import Provider
from chaos.provider.rollup import Rollup
from indexer.follow.follower import Follower
from indexer.node.client import Node
from indexer.store.store import Store
from indexer.wakeup import Wakeup
from tests.support.chain import DeployedChain, deployed_chain
from tests.support.waiting import wait_for_async

INTERVAL = 12
NOBODY = "0x" + "0" * 36 + "dEaD"


class FollowedProvider:
    """A chain, and a follower that reads the chain through a provider. The provider announces new
    heads over a websocket. The timestamps of successive blocks are 12 seconds apart."""

    def __init__(self, it: DeployedChain, provider: Provider, follower: Follower) -> None:
        self.chain, self.provider, self.follower = it, provider, follower

    async def mine(self) -> None:
        head = await self.chain.node.head()
        await self.chain.node.request("evm_setNextBlockTimestamp", (hex(head.time + INTERVAL),))
        await self.chain.node.request("evm_mine")

    async def requests_of_next_block(self) -> int:
        """Mine a block. Return the number of HTTP requests that the follower sends to index it."""
        before = self.provider.posts
        await self.mine()
        height = (await self.chain.node.head()).height
        await wait_for_async(lambda: self.follower.height, lambda found: found >= height, "the newest block")
        # if the follower polled every second, it would poll during this sleep
        await asyncio.sleep(1.5)
        return self.provider.posts - before


@pytest.fixture
async def followed(tmp_path: Path, store: Store) -> AsyncIterator[FollowedProvider]:
    async with (
        deployed_chain(tmp_path) as it,
        Provider(Rollup(NodeChain(it.node)), Plan(latency=0)).running() as provider,
    ):
        await it.node.request("evm_setAutomine", (False,))
        node = Node(provider.url)
        store.set_chain(await node.chain(), it.deployments)
        followed = FollowedProvider(it, provider, Follower(node, store, it.deployments))
        for _ in range(20):
            await followed.mine()
        heads = Wakeup()
        async with contextlib.aclosing(node):
            jobs: list[Any] = [node.listen(heads.notify), followed.follower.run(heads, lambda: None)]
            tasks = [asyncio.create_task(job) for job in jobs]
            await wait_for_async(
                lambda: (node.is_listening, followed.follower.health.state),
                lambda now: now == (True, "ok"),
                "the follower",
            )
            await followed.requests_of_next_block()
            yield followed
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)


async def test_a_block_without_logs_of_ours_is_one_request(followed: FollowedProvider) -> None:
    assert await followed.requests_of_next_block() == 1, "an empty block"
    sender = followed.chain.accounts[3]
    await followed.chain.node.request("eth_sendTransaction", ({"from": sender, "to": NOBODY, "value": "0x1"},))
    assert await followed.requests_of_next_block() == 1, "a block with a transfer"


@pytest.mark.parametrize("matches", [1, 25])
async def test_a_block_is_three_requests_however_many_matches_moved(followed: FollowedProvider, matches: int) -> None:
    it = followed.chain
    for _ in range(matches):
        call = {**it.call(0, "create", 10, 10, False), "gas": hex(300_000)}
        await it.node.request("eth_sendTransaction", (call,))
    assert await followed.requests_of_next_block() <= 3
    assert followed.follower.counters.events >= matches
    assert await followed.requests_of_next_block() == 1, "the next block has no requests left over"
