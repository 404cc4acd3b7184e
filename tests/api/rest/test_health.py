"""Tests that /health and /metrics always report the true state. The tests compare each report with
the store and the node."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any

import httpx
import pytest

from indexer.follow.follower import Follower
from indexer.follow.health import STATES
from indexer.follow.sync_result import SyncResult
from indexer.games import GAMES
from indexer.model import Json
from indexer.node.client import Node, NodeUnavailable
from indexer.store.store import Store
from tests.api.playground import Playground, served
from tests.support.chain import DeployedChain, deployed_chain


class FlakyNode(Node):
    """A real node. A test can make the node unreachable or busy, or remove logs from its
    answers."""

    failure = ""

    async def request(self, method: str, params: Sequence[Any] = ()) -> Any:
        if self.failure in ("lost", "busy"):
            raise NodeUnavailable(self.url, "told so", busy=self.failure == "busy")
        answer = await super().request(method, params)
        short = self.failure == "short" and method in ("eth_getLogs", "eth_getBlockReceipts")
        return [] if short else answer


class HealthServer:
    """A chain, its index, and a server for the index. The tests compare the server's answers with
    the store and the node."""

    http: httpx.AsyncClient

    def __init__(self, it: DeployedChain, node: FlakyNode, store: Store, follower: Follower) -> None:
        self.chain, self.node, self.store, self.follower = it, node, store, follower

    async def follow(self) -> None:
        """Let the indexer follow the chain as far as possible."""
        for _ in range(50):
            if not (await self.follower.try_sync()).more:
                return

    async def check_state(self, state: str) -> Json:
        """Check that /health and /metrics report this state, and that all their figures are
        correct."""
        found = (await self.http.get("/api/health")).raise_for_status().json()
        with self.store.read() as snapshot:
            tip, chain = snapshot.tip(), snapshot.chain()
        assert tip is not None
        assert chain is not None
        assert found["state"] == state
        assert (found["indexedHead"], found["chainId"], found["genesis"]) == (tip.height, chain.chain_id, chain.genesis)
        assert found["lag"]["blocks"] == max(0, found["nodeHead"] - tip.height)
        assert bool(found["detail"]) == (state not in ("ok", "catching-up"))
        metrics = await self.metrics()
        assert (metrics["chainboard_indexed_head"], metrics["chainboard_node_head"]) == (tip.height, found["nodeHead"])
        assert {one: metrics[f'chainboard_state{{state="{one}"}}'] for one in STATES} == {
            one: float(one == state) for one in STATES
        }
        return dict(found)

    async def metrics(self) -> dict[str, float]:
        page = (await self.http.get("/api/metrics")).raise_for_status().text
        lines = [line.rpartition(" ") for line in page.splitlines() if not line.startswith("#")]
        return {name: float(value) for name, _, value in lines}

    async def head(self) -> int:
        return (await self.chain.node.head()).height


@pytest.fixture
async def health(tmp_path: Path) -> AsyncIterator[HealthServer]:
    async with deployed_chain(tmp_path) as it, contextlib.aclosing(FlakyNode(it.node.url)) as node:
        await it.play(0, "create", 9, 9, False)
        with contextlib.closing(Store(f"sqlite:///{tmp_path / 'index.db'}", GAMES)) as store:
            store.set_chain(await it.node.chain(), it.deployments)
            follower = Follower(node, store, it.deployments)
            page = tmp_path / "page"
            page.mkdir()
            (page / "index.html").write_text("")
            health = HealthServer(it, node, store, follower)
            async with served(Playground.for_store(store), page, health=lambda: health.follower.health) as server:
                health.http = server.http
                yield health


async def test_ok(health: HealthServer) -> None:
    await health.follow()
    found = await health.check_state("ok")
    assert found["nodeHead"] == await health.head()
    with health.store.read() as snapshot:
        events, blocks = len(snapshot.search_events(limit=1000)), len(snapshot.blocks_after(-1))
    metrics = await health.metrics()
    assert (metrics["chainboard_events_total"], metrics["chainboard_blocks_total"]) == (events, blocks)


async def test_catching_up(health: HealthServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("indexer.fetch.prefetch.INITIAL_BLOCKS", 2)
    monkeypatch.setattr("indexer.fetch.prefetch.MAX_IN_FLIGHT", 1)
    health.follower = Follower(health.node, health.store, health.chain.deployments)
    assert (await health.follower.try_sync()).more
    found = await health.check_state("catching-up")
    assert found["lag"]["blocks"] > 0
    assert found["nodeHead"] == await health.head()
    await health.follow()
    await health.check_state("ok")


async def test_node_behind(health: HealthServer) -> None:
    await health.chain.mine(3)
    await health.follow()
    before = await health.check_state("ok")
    await health.chain.node.request("anvil_rollback", (2,))
    await health.follow()
    found = await health.check_state("node-behind")
    assert (found["indexedHead"], found["nodeHead"]) == (before["indexedHead"], await health.head())
    assert str(found["nodeHead"]) in found["detail"]


@pytest.mark.parametrize(("failure", "state"), [("lost", "node-lost"), ("busy", "degraded"), ("short", "degraded")])
async def test_what_is_wrong_is_told_while_it_lasts(health: HealthServer, failure: str, state: str) -> None:
    await health.follow()
    before = await health.check_state("ok")
    await health.chain.play(1, "register", 1)
    health.node.failure = failure
    await health.follow()
    found = await health.check_state(state)
    assert found["indexedHead"] == before["indexedHead"]
    assert health.node.url not in found["detail"]
    health.node.failure = ""
    await health.follow()
    assert (await health.check_state("ok"))["indexedHead"] == await health.head()


async def test_reorgs_dropped_and_healed_blocks_are_counted(health: HealthServer) -> None:
    await health.chain.mine(5)
    await health.follow()
    await health.chain.node.request("anvil_reorg", (3, []))
    await health.follow()
    metrics = await health.metrics()
    assert (metrics["chainboard_reorgs_total"], metrics["chainboard_dropped_blocks_total"]) == (1, 3)
    await health.check_state("ok")


async def test_a_database_that_can_not_be_read_is_503(health: HealthServer) -> None:
    """Tests that the status of /health is 503 if the database can't be read, and 200 in all other
    states."""
    await health.follow()
    with health.store.transaction() as connection:
        connection.exec_driver_sql("ALTER TABLE block RENAME TO gone")
    assert (await health.http.get("/api/health")).status_code == 503
    with health.store.transaction() as connection:
        connection.exec_driver_sql("ALTER TABLE gone RENAME TO block")
    await health.check_state("ok")
    assert await health.follower.try_sync() == SyncResult()
