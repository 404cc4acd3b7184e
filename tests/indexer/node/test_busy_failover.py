"""Tests a client with several providers, the first of which limits our requests.

The client waits for the first provider until a request times out. Only then does the client use the
next provider.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, aclosing, asynccontextmanager
from pathlib import Path

import pytest

from chaos.chain.node_chain import NodeChain
from chaos.provider.plan import Plan
from chaos.provider.provider import Provider
from chaos.provider.rollup import Rollup
from indexer.follow.follower import Follower
from indexer.follow.health import BUSY
from indexer.follow.sync_result import SyncResult
from indexer.node.client import Node, NodeUnavailable
from indexer.node.failover import FailoverNode
from indexer.store.store import Store
from tests.support.chain import DeployedChain, deployed_chain, rows

FREE, BUSY_PLAN = Plan(latency=0), Plan(latency=0, rate=0.01, retry_after=60)
SECONDS = 20.0


@asynccontextmanager
async def providers(chain: Node, *plans: Plan) -> AsyncIterator[tuple[FailoverNode, list[Provider]]]:
    async with AsyncExitStack() as stack:
        rollup = Rollup(NodeChain(chain))
        found = [await stack.enter_async_context(Provider(rollup, plan).running()) for plan in plans]
        nodes = FailoverNode([Node(one.url, seconds=SECONDS) for one in found])
        yield await stack.enter_async_context(aclosing(nodes)), found


@pytest.fixture
async def it(tmp_path: Path) -> AsyncIterator[DeployedChain]:
    async with deployed_chain(tmp_path) as found:
        yield found


async def test_the_next_one_is_asked_when_one_is_busy_for_longer_than_a_request_may_take(it: DeployedChain) -> None:
    async with providers(it.node, BUSY_PLAN, FREE) as (nodes, [busy, free]):
        with pytest.raises(NodeUnavailable, match="fewer requests") as lost:
            await nodes.head()
        assert (lost.value.busy, lost.value.url, nodes.url) == (True, busy.url, free.url)
        for _ in range(3):
            assert await nodes.head() == await it.node.head()
        assert (busy.posts, free.posts) == (1, 3)
        assert not free.refused


async def test_a_short_pause_is_waited_out_at_the_same_one(it: DeployedChain) -> None:
    async with providers(it.node, Plan(latency=0, rate=1, retry_after=1), FREE) as (nodes, [busy, free]):
        for _ in range(2):
            assert await nodes.head() == await it.node.head()
        assert busy.refused
        assert (nodes.url, free.posts) == (busy.url, 0)


async def test_where_all_are_busy_none_is_asked_before_its_time(it: DeployedChain) -> None:
    async with providers(it.node, BUSY_PLAN, BUSY_PLAN) as (nodes, both):
        for _ in range(6):
            with pytest.raises(NodeUnavailable, match="fewer requests") as lost:
                await nodes.head()
            assert lost.value.busy
        assert [one.posts for one in both] == [1, 1]


async def test_who_follows_goes_on_by_the_next_one(it: DeployedChain, store: Store) -> None:
    await it.play(0, "create", 64, 64, False)
    async with providers(it.node, BUSY_PLAN, FREE) as (nodes, [busy, _free]):
        assert await nodes.chain() == await it.node.chain(), "the chain of the first node that answers"
        assert nodes.failover()
        assert nodes.url == busy.url
        store.set_chain(await it.node.chain(), it.deployments)
        follower = Follower(nodes, store, it.deployments)
        await follower.try_sync()
        assert (follower.health.state, follower.health.detail) == ("degraded", BUSY)
        for _ in range(10):
            if (await follower.try_sync()) == SyncResult():
                break
        assert follower.health.state == "ok"
        assert rows(store) == await it.fresh_rows()
        assert busy.posts == 1
