"""Tests that the follower reads a long final history with few HTTP requests. A model of a provider
counts the requests."""

from __future__ import annotations

from contextlib import aclosing
from pathlib import Path

import pytest

from chaos.chain.node_chain import NodeChain
from chaos.provider.long_chain import LongNode
from chaos.provider.plan import Plan
from chaos.provider.provider import Provider
from chaos.provider.rollup import Rollup
from indexer.fetch.log_spans import SPAN_BLOCKS
from indexer.follow.history import CONTIGUOUS_BLOCKS
from indexer.node.client import Node
from indexer.store.store import Store
from tests.indexer.conftest import MATCH
from tests.indexer.follow.lying_node import follow
from tests.support.chain import DeployedChain, deployed_chain, rows

OTHER_REQUESTS = 50
"""The maximum number of requests in addition to the two requests per span of blocks. The additional
requests fetch the chain, the heads, the shorter first spans, the newest blocks and the contracts'
counters."""


async def posts_for(folder: Path, store: Store, blocks: int) -> int:
    """Return how many requests the follower sends to read a history with a few matches and the
    given number of empty blocks."""
    async with deployed_chain(folder) as it:
        await it.play(0, "create", 64, 64, False)
        await it.begin(MATCH)
        head = await it.node.request("eth_getBlockByNumber", ("latest", False))
        expected = await it.fresh_rows()
        async with aclosing(LongNode(it.node.url, head, blocks)) as node:
            provider = Provider(Rollup(NodeChain(node)), Plan(latency=0.0, max_range=SPAN_BLOCKS))
            async with provider.running(), aclosing(Node(provider.url)) as client:
                follower = await follow(DeployedChain(client, it.deployments, it.accounts, folder), store, client)
                assert (follower.health.state, follower.height) == ("ok", node.height)
        found = rows(store)
        assert found["event"] == expected["event"]
        assert len(found["block"]) < len(expected["block"]) + blocks // SPAN_BLOCKS + CONTIGUOUS_BLOCKS + 10
        with store.read() as snapshot:
            assert snapshot.confirmed_height() > snapshot.sparse_height() > node.height - 2 * CONTIGUOUS_BLOCKS
        return provider.posts


async def test_empty_blocks_take_two_requests_a_span_at_most(tmp_path: Path, store: Store) -> None:
    assert await posts_for(tmp_path, store, 100_000) <= 2 * 10 + OTHER_REQUESTS


@pytest.mark.soak
async def test_a_million_empty_blocks_take_210_requests_at_most(tmp_path: Path, store: Store) -> None:
    posts = await posts_for(tmp_path, store, 1_000_000)
    print(f"{posts} requests")
    assert posts <= 210
