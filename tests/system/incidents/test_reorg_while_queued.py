"""Replays incident 1 from README.md (dipdup PR #1320, envio #1026): a reorg happens while some of
the orphaned blocks are still in the queue."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path
from typing import Any

import pytest

from tests.support.chain import rows
from tests.support.databases import Databases
from tests.support.waiting import PATIENCE_SECONDS, wait_for_async
from tests.system.incidents.support.harness import (
    MATCH_NAME,
    IncidentTestbed,
    check_received,
    serve_live,
    until_idle,
    watching_client,
)


async def queued(testbed: IncidentTestbed) -> None:
    """Wait until the follower has received all blocks that it has requested in advance. These
    blocks are in the follower's queue, and it hasn't stored them yet."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        await asyncio.wait([task for _first, _last, task in testbed.follower._prefetcher._requested])


async def reorg(testbed: IncidentTestbed, depth: int) -> None:
    """Replace the newest `depth` blocks of the chain. The first new block contains a transaction
    that opens a match."""
    opening = {**testbed.chain.call(4, "create", 9, 9, True), "gas": hex(500_000)}
    await testbed.request("anvil_reorg", depth, [[opening, 0]])


@pytest.mark.parametrize("first", [3, 14], ids=["behind-the-queue", "in-the-queue"])
async def test_two_reorgs_in_a_row_while_orphaned_blocks_are_queued(
    testbed: IncidentTestbed, monkeypatch: pytest.MonkeyPatch, first: int
) -> None:
    """Replays dipdup PR #1320, in which the program used the stored height to decide
    whether a reorg mattered. This height is wrong while blocks are queued, so the program ignored
    one of two reorgs."""
    monkeypatch.setattr("indexer.fetch.prefetch.INITIAL_BLOCKS", 3)
    monkeypatch.setattr("indexer.fetch.prefetch.MAX_BLOCKS", 3)
    await until_idle(testbed.follower)
    await testbed.play(10)
    follower = testbed.restart_follower()
    assert (await follower.try_sync()).more
    await queued(testbed)
    await testbed.play()  # this turn's blocks come after the queued blocks
    await reorg(testbed, first)
    await reorg(testbed, 16)
    steps = await until_idle(follower)
    assert sum(step.dropped for step in steps) > 0, "no orphaned block was queued"
    await testbed.check_index()


async def test_two_reorgs_while_the_orphan_waits_for_the_database(
    testbed: IncidentTestbed, databases: Databases, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Replays envio #1026, in which the program found a reorg while it was writing a batch. The
    reorg must be applied exactly once."""
    await until_idle(testbed.follower)
    before = rows(testbed.store)
    await testbed.play()
    storing, append = threading.Event(), testbed.store.append

    def held_up(*arguments: Any, **options: Any) -> None:
        storing.set()
        append(*arguments, **options)

    monkeypatch.setattr(testbed.store, "append", held_up)
    with databases.locked():  # the follower has the block, and waits for the database
        step = asyncio.create_task(testbed.follower.try_sync())
        await wait_for_async(storing.is_set, bool, "the consumer")
        assert not step.done()
        await reorg(testbed, 2)
        await reorg(testbed, 4)
    await step
    await until_idle(testbed.follower)
    await testbed.check_index()
    assert rows(testbed.store)["block"] != before["block"]


async def test_a_block_that_is_orphaned_before_its_logs_come_is_not_stored(testbed: IncidentTestbed) -> None:
    """Tests a reorg between the request for the head and the request for the head's logs. The
    follower requests the logs by block hash, so that it never mixes two chains."""
    await until_idle(testbed.follower)
    await testbed.chain.play(3, "create", 7, 7, False)
    node, ask = testbed.node, testbed.node.logs_of_block

    async def later(hash: str, addresses: object) -> object:
        node.logs_of_block = ask  # type: ignore[method-assign]
        await reorg(testbed, 1)
        return await ask(hash, addresses)  # type: ignore[arg-type]

    before = testbed.tip()
    node.logs_of_block = later  # type: ignore[method-assign,assignment]
    assert (await testbed.follower.try_sync()).failed
    assert testbed.tip() == before
    await until_idle(testbed.follower)
    await testbed.check_index()


async def test_watcher_gets_a_reset_for_each_of_two_reorgs(testbed: IncidentTestbed, page: Path) -> None:
    """Tests that the gateway takes back every orphaned event that it has sent. After two reorgs,
    the client must have each event once and in order."""
    async with serve_live(testbed, page) as server, watching_client(server) as client:
        await testbed.play(3)
        await testbed.wait_until_consistent()
        await check_received(client, testbed)
        await reorg(testbed, 3)
        await reorg(testbed, 5)
        await testbed.wait_until_consistent()
        await check_received(client, testbed)
        assert "reorg" in client.matches[MATCH_NAME].resets
