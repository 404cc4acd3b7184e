"""Stories 9 to 13 of the table. Story 14 is in test_dropped_transaction.py."""

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
    NAME,
    IncidentStage,
    has_heard,
    served_live,
    until_idle,
    watching,
)

MANY = 10**6


@pytest.fixture
def _short_spans(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("indexer.fetch.prefetch.INITIAL_BLOCKS", 3)
    monkeypatch.setattr("indexer.fetch.prefetch.MAX_BLOCKS", 3)


@pytest.mark.usefixtures("_short_spans")
async def test_no_move_is_told_twice_where_history_meets_the_present(
    stage: IncidentStage, page: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """rindexer e2e_hist_to_live_dup, dipdup #824, ponder #1160: blocks come while old blocks are
    still being read."""
    ways: Counter[str] = Counter()
    for way in ("range", "block"):
        monkeypatch.setattr(BlockFetcher, way, _counted(ways, way, getattr(BlockFetcher, way)))
    await stage.play(6)
    stage.proxy.arm(Fault("delay", "short", 12, Random(1)))
    async with served_live(stage, page) as server, watching(server) as client:
        await stage.play(8)
        await stage.until_fitting()
        for _ in range(10):  # one block at a time
            await stage.world.mine()
            await stage.until_fitting()
        await stage.play()
        await stage.until_fitting()
        await has_heard(client, stage)
    assert min(ways["range"], ways["block"]) > 0


def _counted(ways: Counter[str], way: str, ask: Any) -> Any:
    def counted(*arguments: Any) -> Any:
        ways[way] += 1
        return ask(*arguments)

    return counted


async def test_after_a_kill_in_any_phase_it_goes_on_with_the_next_block(
    stage: IncidentStage, databases: Databases, tmp_path: Path
) -> None:
    """ponder #1866, #1872, #1949, #2184: the checkpoint was off by one, and a block was skipped or
    came twice."""
    arguments = ["index", "--data", str(tmp_path), "--database", databases.url(), "--rpc", stage.world.node.url]
    process = ChainboardProcess(tmp_path, arguments)
    phases = KillPoints(process.phases_file)
    try:
        for phase in ("fetch", "decode", "commit", "inside", "ring"):
            for entry in (1, 2):
                phases.kill_at(phase, entry)
                process.start()
                await _until_it_ends(stage, process)
                assert process.code == -signal.SIGKILL, phase
                await _is_whole(stage)
    finally:
        phases.close()
        await process.kill()
    await until_idle(stage.again())
    await stage.fits()


async def _until_it_ends(stage: IncidentStage, process: ChainboardProcess) -> None:
    for _ in range(20):
        await stage.play()
        if await process.ended(0.2):
            return


async def _is_whole(stage: IncidentStage) -> None:
    """Check that the stored data is a prefix of the chain: each block with all its events, none
    twice."""
    held, true, tip = rows(stage.store), await stage.world.fresh_rows(), stage.tip()
    for table in ("block", "event"):
        assert held[table] == [row for row in true[table] if tip is not None and row[0] <= tip[0]]


async def test_moves_that_wait_for_a_block_at_a_restart_are_there_afterwards(stage: IncidentStage) -> None:
    """dojo #2263, #1893: after a restart, a cursor within the pending block skipped the rest of
    that block."""
    await stage.play()
    await stage.request("evm_setAutomine", False)
    await stage.world.mine()
    await _send(stage, 2)
    await until_idle(stage.follower)
    head = await stage.world.node.head()
    assert stage.tip() == (head.height, head.hash), "what has no block yet is nowhere"
    follower = stage.again()
    await _send(stage, 2)
    await until_idle(follower)
    await stage.world.mine()
    await until_idle(follower)
    assert len(stage.events(3)) + len(stage.events(4)) + len(stage.events(5)) + len(stage.events(6)) == 8
    await stage.fits()


async def _send(stage: IncidentStage, count: int) -> None:
    """Send transactions that open matches, with two events each. A later block will contain
    them."""
    for player in range(3, 3 + count):
        call = {**stage.world.call(player, "create", 9, 9, False), "gas": "0xfffff"}
        await stage.request("eth_sendTransaction", call)


async def test_a_client_that_knows_half_a_block_gets_the_other_half_after_a_restart(
    stage: IncidentStage, page: Path
) -> None:
    """dojo #1893, seen by a spectator: the position in the stream is the event's number, not the
    block's."""
    await stage.play(2)
    async with served_live(stage, page):
        await stage.until_fitting()
    events = stage.events()
    seq, hash = next(one for one, after in itertools.pairwise(events) if one[1] == after[1])
    stage.again()
    async with served_live(stage, page) as server, server.socket() as client:
        await client.watch(NAME, since={"seq": seq, "hash": hash})
        had: list[tuple[int, str]] = []
        while not had or had[-1] != events[-1]:
            message = await client.receive("deltas", "reset")
            had += [(item["seq"], message["block"]["hash"]) for item in message["items"]]
    assert had == events[seq:]


@pytest.mark.usefixtures("_short_spans")
async def test_what_was_under_way_at_a_rollback_stops_nothing(
    stage: IncidentStage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """envio SiblingRollbackStuckChain: the rollback dropped a pending fetch, and polling waited for
    it forever."""
    await until_idle(stage.follower)
    first = await stage.height() + 1
    await stage.play(8)
    ask, asked, reorganised = stage.node.logs_between, asyncio.Event(), asyncio.Event()

    async def held(start: int, last: int, addresses: Any) -> Any:
        if start > first + 3:
            asked.set()
            await asyncio.Event().wait()  # forever
        if start == first + 3:
            await reorganised.wait()
        return await ask(start, last, addresses)

    monkeypatch.setattr(stage.node, "logs_between", held)
    follower = stage.again()
    assert (await follower.try_sync()).more
    async with asyncio.timeout(PATIENCE_SECONDS):
        await asked.wait()
        monkeypatch.setattr(stage.node, "logs_between", ask)
        await stage.request("anvil_reorg", 15, [])
        reorganised.set()
        steps = await until_idle(follower)
    assert sum(step.dropped for step in steps) > 0
    await stage.fits()


@pytest.mark.parametrize(
    ("kind", "variant"), [("429", "retry-after"), ("429", "bare"), ("5xx", "503"), ("drop", "before")]
)
async def test_after_an_overload_it_goes_on_by_itself(
    stage: IncidentStage, page: Path, monkeypatch: pytest.MonkeyPatch, kind: str, variant: str
) -> None:
    """rindexer #342, ponder #2143: the node had rejected requests for a while, and the loop never
    asked again."""
    monkeypatch.setattr("indexer.follow.follower.RETRY_SECONDS", 0.02)
    monkeypatch.setattr("indexer.follow.follower.MAX_RETRY_SECONDS", 0.05)
    async with served_live(stage, page) as server, watching(server) as client:
        await stage.until_fitting()
        stage.proxy.arm(Fault(kind, variant, MANY, Random(1)))
        await stage.play(2)
        least = 2 if kind == "429" else 8
        await wait_for_async(lambda: stage.proxy.counts.observed[kind], lambda seen: seen >= least, "refusals")
        assert (stage.follower.health.state == "node-lost") == (kind != "429"), "what asks us to wait is no bad node"
        stage.proxy.stop_faults()
        await stage.until_fitting()
        await has_heard(client, stage)
        assert stage.follower.health.state == "ok"


async def test_a_follower_that_was_refused_for_long_asks_again_soon(stage: IncidentStage) -> None:
    """The pause between two retries is limited, and short again after the first answer."""
    stage.proxy.arm(Fault("5xx", "502", MANY, Random(1)))
    follower: Follower = stage.follower
    for _ in range(40):
        assert (await follower.try_sync()).failed
    assert follower.retry_seconds <= 5
    stage.proxy.stop_faults()
    await until_idle(follower)
    stage.proxy.arm(Fault("5xx", "502", 1, Random(1)))
    assert (await follower.try_sync()).failed
    assert follower.retry_seconds <= 0.1
