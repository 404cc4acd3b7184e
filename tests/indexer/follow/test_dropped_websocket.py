"""Tests that the follower misses no block and stores no block twice, although a provider's
websocket disconnects again and again."""

from __future__ import annotations

import asyncio
import contextlib
from pathlib import Path

import pytest

from chaos.chain.node_chain import NodeChain
from chaos.provider.plan import Plan
from chaos.provider.provider import Provider
from chaos.provider.rollup import Rollup
from indexer.follow import follower
from indexer.follow.follower import Follower
from indexer.node import new_heads
from indexer.node.client import Node
from indexer.store.store import Store
from indexer.wakeup import Wakeup
from tests.indexer.conftest import MATCH
from tests.support.chain import deployed_chain, rows
from tests.support.waiting import PATIENCE_SECONDS, wait_for_async

DROPS = 5


async def test_a_websocket_that_drops_again_and_again_loses_nothing(
    tmp_path: Path, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Tests turns that are played while the websocket is disconnected (all turns except the first).
    In this test, the follower learns about new blocks only from the websocket."""
    monkeypatch.setattr(follower, "POLL_SECONDS", 3600)
    monkeypatch.setattr(new_heads, "STABLE_SECONDS", 0)
    pauses, played = list[float](), asyncio.Event()
    async with deployed_chain(tmp_path) as it:

        async def turn_instead(seconds: float) -> None:
            pauses.append(seconds)
            if len(pauses) <= DROPS:
                await it.turn(1, MATCH, len(pauses))
            else:
                played.set()
                await asyncio.Event().wait()

        monkeypatch.setattr(new_heads, "sleep", turn_instead)
        await it.play(0, "create", 64, 64, False)
        await it.play(0, "create", 64, 64, False)
        async with (
            Provider(Rollup(NodeChain(it.node)), Plan(latency=0, socket_seconds=1.0)).running() as provider,
            contextlib.aclosing(Node(provider.url)) as node,
        ):
            store.set_chain(await node.chain(), it.deployments)
            heads, followed = Wakeup(), Follower(node, store, it.deployments)
            tasks = [asyncio.create_task(node.listen(heads.notify))]
            tasks.append(asyncio.create_task(followed.run(heads, lambda: None)))
            await it.begin(MATCH)
            async with asyncio.timeout(PATIENCE_SECONDS):
                await played.wait()
            height = (await it.node.head()).height
            await wait_for_async(lambda: followed.height, lambda found: found >= height, "the newest block")
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            assert provider.dials == provider.dropped == len(pauses) == DROPS + 1, "one dial after each pause"
        assert followed.counters.blocks == len(rows(store)["block"])
        assert rows(store) == await it.fresh_rows()
