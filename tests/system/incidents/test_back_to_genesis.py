"""Replays incident 8 from README.md (graph-node #2305, rindexer #231, ponder #1513 and #2221): the
height of the chain's head is suddenly lower. There are three possible reasons.

tests/system/chain/test_identity.py checks that the index distinguishes the reasons. This file tests
the reason that damaged the data of three other projects."""

from __future__ import annotations

import asyncio
from random import Random
from typing import Any

import pytest

from chainboard.indexing.supervisor import Supervisor
from chainboard.settings import Settings
from chaos.faults.byzantine import StaleReplica
from indexer.wakeup import Wakeup
from tests.support.chain import rows
from tests.support.waiting import wait_for_async
from tests.system.incidents.support.harness import IncidentTestbed, until_idle

FOR_EVER = 3600.0


class AskedReplica(StaleReplica):
    """A replica that lags behind. It counts the requests that it receives."""

    looks = 0

    async def alter(self, *arguments: Any) -> bool:
        self.looks += 1
        return await super().alter(*arguments)


@pytest.mark.parametrize("development", [False, True], ids=["given", "development"])
@pytest.mark.parametrize("below", [1, 8], ids=["below-the-contracts", "above-the-contracts"])
async def test_syncing_node_causes_no_deletion(testbed: IncidentTestbed, below: int, development: bool) -> None:
    """Replays ponder #2221, in which the node was still syncing. This looked like a deep reorg, so
    ponder deleted its indexed data. Here, the index must keep its data until the node has caught
    up."""
    await until_idle(testbed.follower)
    before = rows(testbed.store)
    settings = Settings(testbed.chain.folder, rpc=(testbed.proxy.url,), dev=development)
    supervisor = Supervisor(settings, testbed.node, testbed.store, testbed.chain.deployments)
    replica = AskedReplica(below, FOR_EVER, 1.0, Random(1))
    testbed.proxy.answer_wrongly(replica)
    job = asyncio.create_task(supervisor.run(Wakeup(), lambda: None))
    try:
        await wait_for_async(
            lambda: supervisor.health.state, lambda state: state not in ("catching-up", "ok"), "another state"
        )
        looks = replica.looks
        await wait_for_async(lambda: replica.looks, lambda count: count > looks + 3, "several requests")
        assert rows(testbed.store) == before
        assert supervisor.health.state == "node-behind"
        await testbed.play()
        testbed.proxy.stop_faults()
        await testbed.wait_until_consistent()
        await wait_for_async(lambda: supervisor.health.state, lambda state: state == "ok", "an index that is well")
    finally:
        job.cancel()
        await asyncio.gather(job, return_exceptions=True)
