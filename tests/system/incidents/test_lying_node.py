"""Replays incident 2 from README.md (ssv #2990 and #2991, geth #24078, subql #1999): the node
returns wrong data, but no error."""

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
"""The names of two faults with which a node omits the logs of some blocks. With WIDE, it omits them
only from answers about a range of blocks. With ALL, it omits them from all answers."""
FOR_EVER = 3600.0
OPEN = 3


async def three_ships_in_a_block(testbed: IncidentTestbed) -> None:
    """Register three ships in one block of match 3. If a node omits the third ship's log, the
    block's bloom filter can't reveal that the log is missing.

    The reason is that all parts of this log also occur in the block's other logs. The ship and the
    match have the same number, 3."""
    await testbed.chain.play(0, "create", 20, 20, False)
    await testbed.request("evm_setAutomine", False)
    for player in (3, 4, 3):
        call = {**testbed.chain.call(player, "register", OPEN), "gas": "0xfffff"}
        await testbed.request("eth_sendTransaction", call)
    await testbed.chain.mine()
    await testbed.request("evm_setAutomine", True)


def passed(testbed: IncidentTestbed, true: Rows) -> bool:
    """Return True if the cursor has passed a block although some of the block's events aren't in
    the store."""
    tip, held = testbed.tip(), rows(testbed.store)["event"]
    return held != [row for row in true["event"] if tip is not None and row[0] <= tip[0]]


@pytest.mark.parametrize("omitted", OMITTED_LOGS)
@pytest.mark.parametrize("mode", [WIDE, ALL])
async def test_logs_missing_from_a_range_are_noticed_and_fetched(
    testbed: IncidentTestbed, mode: str, omitted: str
) -> None:
    """Replays ssv #2990, in which the logs of one block were lost on the way from the node. The
    cursor moved on, so the logs stayed lost."""
    await three_ships_in_a_block(testbed)
    await testbed.play(4)
    testbed.proxy.answer_wrongly(MissingLogs(mode, omitted, 2, Random(1)))
    await until_idle(testbed.follower)
    assert testbed.proxy.counts.observed[mode] > 0
    await testbed.check_index()


@pytest.mark.parametrize("omitted", OMITTED_LOGS)
async def test_logs_missing_from_a_new_block_are_noticed_and_fetched(testbed: IncidentTestbed, omitted: str) -> None:
    """Replays ssv #2991, in which the logs of a new block were incomplete. The header of the block
    shows that logs are missing."""
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
    """Replays ssv #2990 again, with a stricter condition. Before the cursor moves, the
    program must notice that logs are missing. A later check would be too late."""
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
    """Replays geth #24078 and subql #1999, in which a load balancer chose between two nodes. One
    node reported a new head, and the other node didn't have that block yet. When that node got the
    request for the block's logs, it answered [] or null."""
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
