"""Replays incidents 9 to 13 from the table in README.md. test_dropped_transaction.py replays
incident 14."""

from __future__ import annotations

import asyncio
import itertools
import signal
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest

from chaos.faults.fault import Fault
from chaos.process.kill_points import KillPoints
from chaos.process.process import ChainboardProcess
from indexer.fetch.fetcher import BlockFetcher
from indexer.follow.follower import Follower
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

MANY = 10**6


@pytest.fixture
def _short_spans(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("indexer.fetch.prefetch.INITIAL_BLOCKS", 3)
    monkeypatch.setattr("indexer.fetch.prefetch.MAX_BLOCKS", 3)


@pytest.mark.usefixtures("_short_spans")
async def test_no_event_comes_twice_between_backfill_and_live_blocks(
    testbed: IncidentTestbed, page: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Replays rindexer e2e_hist_to_live_dup, dipdup #824 and ponder #1160, in which an event came
    twice. The reason was that new blocks arrived while the program was still reading older
    blocks."""
    ways: Counter[str] = Counter()
    for way in ("range", "block"):
        monkeypatch.setattr(BlockFetcher, way, _counted(ways, way, getattr(BlockFetcher, way)))
    await testbed.play(6)
    testbed.proxy.arm(Fault("delay", "short", 12, Random(1)))
    async with serve_live(testbed, page) as server, watching_client(server) as client:
        await testbed.play(8)
        await testbed.wait_until_consistent()
        for _ in range(10):  # wait after each block, so that the follower fetches the next block alone
            await testbed.chain.mine()
            await testbed.wait_until_consistent()
        await testbed.play()
        await testbed.wait_until_consistent()
        await check_received(client, testbed)
    assert min(ways["range"], ways["block"]) > 0


def _counted(ways: Counter[str], way: str, ask: Any) -> Any:
    def counted(*arguments: Any) -> Any:
        ways[way] += 1
        return ask(*arguments)

    return counted


async def test_after_a_kill_in_any_phase_it_goes_on_with_the_next_block(
    testbed: IncidentTestbed, databases: Databases, tmp_path: Path
) -> None:
    """Replays ponder #1866, #1872, #1949 and #2184, in which the checkpoint was wrong by one block.
    A block was therefore skipped or processed twice after a restart."""
    arguments = ["index", "--data", str(tmp_path), "--database", databases.url(), "--rpc", testbed.chain.node.url]
    process = ChainboardProcess(tmp_path, arguments)
    phases = KillPoints(process.phases_file)
    try:
        for phase in ("fetch", "decode", "commit", "inside", "notify"):
            for entry in (1, 2):
                phases.kill_at(phase, entry)
                process.start()
                await _until_it_ends(testbed, process)
                assert process.code == -signal.SIGKILL, phase
                await _is_whole(testbed)
    finally:
        phases.close()
        await process.kill()
    await until_idle(testbed.restart_follower())
    await testbed.check_index()


async def _until_it_ends(testbed: IncidentTestbed, process: ChainboardProcess) -> None:
    for _ in range(20):
        await testbed.play()
        if await process.exited_within(0.2):
            return


async def _is_whole(testbed: IncidentTestbed) -> None:
    """Check that the store has all events of each block up to the newest stored block, and no event
    twice."""
    held, true, tip = rows(testbed.store), await testbed.chain.fresh_rows(), testbed.tip()
    for table in ("block", "event"):
        assert held[table] == [row for row in true[table] if tip is not None and row[0] <= tip[0]]


async def test_moves_pending_at_a_restart_are_indexed_afterwards(testbed: IncidentTestbed) -> None:
    """Replays the bugs dojo #2263 and #1893. The cursor pointed into the pending block, so the
    program skipped the rest of that block after a restart."""
    await testbed.play()
    await testbed.request("evm_setAutomine", False)
    await testbed.chain.mine()
    await _send(testbed, 2)
    await until_idle(testbed.follower)
    head = await testbed.chain.node.head()
    assert testbed.tip() == (head.height, head.hash), "pending transactions must not be stored"
    follower = testbed.restart_follower()
    await _send(testbed, 2)
    await until_idle(follower)
    await testbed.chain.mine()
    await until_idle(follower)
    assert len(testbed.events(3)) + len(testbed.events(4)) + len(testbed.events(5)) + len(testbed.events(6)) == 8
    await testbed.check_index()


async def _send(testbed: IncidentTestbed, count: int) -> None:
    """Send this number of transactions that open matches. Each transaction will cause two events
    when it is mined."""
    for player in range(3, 3 + count):
        call = {**testbed.chain.call(player, "create", 9, 9, False), "gas": "0xfffff"}
        await testbed.request("eth_sendTransaction", call)


async def test_a_client_that_knows_half_a_block_gets_the_other_half_after_a_restart(
    testbed: IncidentTestbed, page: Path
) -> None:
    """Replays dojo #1893 from a spectator's point of view. The spectator's position in the stream
    can be in the middle of a block, so the position must be the number of an event."""
    await testbed.play(2)
    async with serve_live(testbed, page):
        await testbed.wait_until_consistent()
    events = testbed.events()
    seq, hash = next(one for one, after in itertools.pairwise(events) if one[1] == after[1])
    testbed.restart_follower()
    async with serve_live(testbed, page) as server, server.socket() as client:
        await client.watch(MATCH_NAME, since={"seq": seq, "hash": hash})
        had: list[tuple[int, str]] = []
        while not had or had[-1] != events[-1]:
            message = await client.receive("deltas", "reset")
            had += [(item["seq"], message["block"]["hash"]) for item in message["items"]]
    assert had == events[seq:]


@pytest.mark.usefixtures("_short_spans")
async def test_request_pending_at_a_rollback_blocks_nothing(
    testbed: IncidentTestbed, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Replays envio SiblingRollbackStuckChain, in which a rollback discarded a pending request, and
    polling waited forever for the request's answer."""
    await until_idle(testbed.follower)
    first = await testbed.height() + 1
    await testbed.play(8)
    ask, asked, reorganised = testbed.node.logs_between, asyncio.Event(), asyncio.Event()

    async def held(start: int, last: int, addresses: Any) -> Any:
        if start > first + 3:
            asked.set()
            await asyncio.Event().wait()  # this request never gets an answer
        if start == first + 3:
            await reorganised.wait()
        return await ask(start, last, addresses)

    monkeypatch.setattr(testbed.node, "logs_between", held)
    follower = testbed.restart_follower()
    assert (await follower.try_sync()).more
    async with asyncio.timeout(PATIENCE_SECONDS):
        await asked.wait()
        monkeypatch.setattr(testbed.node, "logs_between", ask)
        await testbed.request("anvil_reorg", 15, [])
        reorganised.set()
        steps = await until_idle(follower)
    assert sum(step.dropped for step in steps) > 0
    await testbed.check_index()


@pytest.mark.parametrize(
    ("kind", "variant"), [("429", "retry-after"), ("429", "bare"), ("5xx", "503"), ("drop", "before")]
)
async def test_indexing_resumes_after_an_overload(
    testbed: IncidentTestbed, page: Path, monkeypatch: pytest.MonkeyPatch, kind: str, variant: str
) -> None:
    """Replays rindexer #342 and ponder #2143, in which the node rejected requests for a while. Even
    afterwards, the program never sent another request."""
    monkeypatch.setattr("indexer.follow.follower.RETRY_SECONDS", 0.02)
    monkeypatch.setattr("indexer.follow.follower.MAX_RETRY_SECONDS", 0.05)
    async with serve_live(testbed, page) as server, watching_client(server) as client:
        await testbed.wait_until_consistent()
        testbed.proxy.arm(Fault(kind, variant, MANY, Random(1)))
        await testbed.play(2)
        least = 2 if kind == "429" else 8
        await wait_for_async(lambda: testbed.proxy.counts.observed[kind], lambda seen: seen >= least, "refusals")
        assert (testbed.follower.health.state == "node-lost") == (kind != "429"), "429 is not a lost node"
        testbed.proxy.stop_faults()
        await testbed.wait_until_consistent()
        await check_received(client, testbed)
        assert testbed.follower.health.state == "ok"


async def test_follower_retries_soon_after_long_rejections(testbed: IncidentTestbed) -> None:
    """Tests that the pause before a retry has an upper limit. After the first successful request,
    the pause must be short again."""
    testbed.proxy.arm(Fault("5xx", "502", MANY, Random(1)))
    follower: Follower = testbed.follower
    for _ in range(40):
        assert (await follower.try_sync()).failed
    assert follower.retry_seconds <= 5
    testbed.proxy.stop_faults()
    await until_idle(follower)
    testbed.proxy.arm(Fault("5xx", "502", 1, Random(1)))
    assert (await follower.try_sync()).failed
    assert follower.retry_seconds <= 0.1
