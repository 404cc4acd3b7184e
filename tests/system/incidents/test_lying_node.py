"""Incident 2 (ssv #2990 and #2991, geth #24078, subql #1999): the node returns wrong data without
any error."""

from __future__ import annotations

from random import Random
from typing import Any, TypeAlias

import pytest

from chaos.faults.byzantine import OMITTED_LOGS, MissingLogs, StaleReplica
from indexer.follow.follower import SyncResult
from tests.support.chain import rows
from tests.system.incidents.support.harness import IncidentTestbed, until_idle

Rows: TypeAlias = dict[str, list[tuple[Any, ...]]]

WIDE, ALL = "short-logs-range", "short-logs-always"
"""The faults in which the logs of some blocks are missing, either from requests for a range or from
all requests."""
FOR_EVER = 3600.0
OPEN = 3


async def three_ships_in_a_block(testbed: IncidentTestbed) -> None:
    """Register three ships in one block of match 3. The bloom doesn't reveal the third ship's log,
    because the ship's number 3 is also the match's number and everything else occurs in other
    logs."""
    await testbed.chain.play(0, "create", 20, 20, False)
    await testbed.request("evm_setAutomine", False)
    for player in (3, 4, 3):
        call = {**testbed.chain.call(player, "register", OPEN), "gas": "0xfffff"}
        await testbed.request("eth_sendTransaction", call)
    await testbed.chain.mine()
    await testbed.request("evm_setAutomine", True)


def passed(testbed: IncidentTestbed, true: Rows) -> bool:
    """Return True if the cursor has passed a block of which an event is missing."""
    tip, held = testbed.tip(), rows(testbed.store)["event"]
    return held != [row for row in true["event"] if tip is not None and row[0] <= tip[0]]


@pytest.mark.parametrize("omitted", OMITTED_LOGS)
@pytest.mark.parametrize("mode", [WIDE, ALL])
async def test_logs_missing_from_a_range_are_noticed_and_fetched(
    testbed: IncidentTestbed, mode: str, omitted: str
) -> None:
    """ssv #2990: one block's logs were lost in transit, the cursor moved on, and the loss was
    permanent."""
    await three_ships_in_a_block(testbed)
    await testbed.play(4)
    testbed.proxy.answer_wrongly(MissingLogs(mode, omitted, 2, Random(1)))
    await until_idle(testbed.follower)
    assert testbed.proxy.counts.observed[mode] > 0
    await testbed.check_index()


@pytest.mark.parametrize("omitted", OMITTED_LOGS)
async def test_logs_missing_from_a_new_block_are_noticed_and_fetched(testbed: IncidentTestbed, omitted: str) -> None:
    """ssv #2991: at the head, too, the list of logs is derived data, but the header is not."""
    await until_idle(testbed.follower)
    testbed.proxy.answer_wrongly(MissingLogs(ALL, omitted, 3, Random(1)))
    for happen in (testbed.play, lambda: three_ships_in_a_block(testbed), testbed.play):
        await happen()
        await until_idle(testbed.follower)
    assert testbed.proxy.counts.observed[ALL] > 0
    await testbed.check_index()


async def test_the_cursor_never_passes_a_block_that_lacks_its_logs(
    testbed: IncidentTestbed, monkeypatch: pytest.MonkeyPatch
) -> None:
    """ssv #2990's pass condition: the loss is noticed before the cursor moves, not in a later
    audit."""
    monkeypatch.setattr("indexer.fetch.prefetch.INITIAL_BLOCKS", 3)
    monkeypatch.setattr("indexer.fetch.prefetch.MAX_BLOCKS", 3)
    await testbed.play(4)
    testbed.proxy.answer_wrongly(MissingLogs(WIDE, "block", 5, Random(1)))
    true, follower = await testbed.chain.fresh_rows(), testbed.restart_follower()
    while await follower.try_sync() != SyncResult():
        assert not passed(testbed, true)
    assert testbed.proxy.counts.observed[WIDE] > 1
    await testbed.check_index()


@pytest.mark.parametrize("seed", [1, 2, 3])
async def test_a_replica_that_lags_behind_one_address_loses_nothing(testbed: IncidentTestbed, seed: int) -> None:
    """geth #24078, subql #1999: behind a load balancer, one node reports the head. Another node
    lacks that block and returns [] or null for its logs."""
    await until_idle(testbed.follower)
    await testbed.play(2)
    true = await testbed.chain.fresh_rows()
    testbed.proxy.answer_wrongly(StaleReplica(await testbed.height() - 2, FOR_EVER, 0.5, Random(seed)))
    for _ in range(15):
        await testbed.follower.try_sync()
        assert not passed(testbed, true)
    assert testbed.proxy.counts.observed["stale-replica"] > 0
    testbed.proxy.stop_faults()
    await until_idle(testbed.follower)
    await testbed.check_index()
