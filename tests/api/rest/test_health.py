"""/health and /metrics report the truth in each state: compared with the store and the node
themselves."""

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


class Fickle(Node):
    """The real node, unless a test makes it lost or busy, or makes it leave out logs."""

    manner = ""

    async def request(self, method: str, params: Sequence[Any] = ()) -> Any:
        if self.manner in ("lost", "busy"):
            raise NodeUnavailable(self.url, "told so", busy=self.manner == "busy")
        answer = await super().request(method, params)
        short = self.manner == "short" and method in ("eth_getLogs", "eth_getBlockReceipts")
        return [] if short else answer


class Scene:
    """A chain, its index, and a server for it. The server's answers are compared with the store and
    the node."""

    http: httpx.AsyncClient

    def __init__(self, it: DeployedChain, node: Fickle, store: Store, follower: Follower) -> None:
        self.chain, self.node, self.store, self.follower = it, node, store, follower

    async def follow(self) -> None:
        """Follow the chain as far as possible."""
        for _ in range(50):
            if not (await self.follower.try_sync()).more:
                return

    async def told(self, state: str) -> Json:
        """Check that health and metrics report this state, and the truth."""
        found = (await self.http.get("/api/health")).raise_for_status().json()
        with self.store.read() as snapshot:
            tip, chain = snapshot.tip(), snapshot.chain()
        assert tip is not None
        assert chain is not None
        assert found["state"] == state
        assert (found["indexedHead"], found["chainId"], found["genesis"]) == (tip.height, chain.chain_id, chain.genesis)
        assert found["lag"]["blocks"] == max(0, found["nodeHead"] - tip.height)
        assert bool(found["detail"]) == (state not in ("ok", "catching-up"))
        figures = await self.figures()
        assert (figures["chainboard_indexed_head"], figures["chainboard_node_head"]) == (tip.height, found["nodeHead"])
        assert {one: figures[f'chainboard_state{{state="{one}"}}'] for one in STATES} == {
            one: float(one == state) for one in STATES
        }
        return dict(found)

    async def figures(self) -> dict[str, float]:
        page = (await self.http.get("/api/metrics")).raise_for_status().text
        lines = [line.rpartition(" ") for line in page.splitlines() if not line.startswith("#")]
        return {name: float(value) for name, _, value in lines}

    async def head(self) -> int:
        return (await self.chain.node.head()).height


@pytest.fixture
async def scene(tmp_path: Path) -> AsyncIterator[Scene]:
    async with deployed_chain(tmp_path) as it, contextlib.aclosing(Fickle(it.node.url)) as node:
        await it.play(0, "create", 9, 9, False)
        with contextlib.closing(Store(f"sqlite:///{tmp_path / 'index.db'}", GAMES)) as store:
            store.set_chain(await it.node.chain(), it.deployments)
            follower = Follower(node, store, it.deployments)
            page = tmp_path / "page"
            page.mkdir()
            (page / "index.html").write_text("")
            scene = Scene(it, node, store, follower)
            async with served(Playground.over(store), page, health=lambda: scene.follower.health) as server:
                scene.http = server.http
                yield scene


async def test_ok(scene: Scene) -> None:
    await scene.follow()
    found = await scene.told("ok")
    assert found["nodeHead"] == await scene.head()
    with scene.store.read() as snapshot:
        events, blocks = len(snapshot.search_events(limit=1000)), len(snapshot.blocks_after(-1))
    figures = await scene.figures()
    assert (figures["chainboard_events_total"], figures["chainboard_blocks_total"]) == (events, blocks)


async def test_catching_up(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("indexer.fetch.prefetch.INITIAL_BLOCKS", 2)
    monkeypatch.setattr("indexer.fetch.prefetch.MAX_IN_FLIGHT", 1)
    scene.follower = Follower(scene.node, scene.store, scene.chain.deployments)
    assert (await scene.follower.try_sync()).more
    found = await scene.told("catching-up")
    assert found["lag"]["blocks"] > 0
    assert found["nodeHead"] == await scene.head()
    await scene.follow()
    await scene.told("ok")


async def test_node_behind(scene: Scene) -> None:
    await scene.chain.mine(3)
    await scene.follow()
    before = await scene.told("ok")
    await scene.chain.node.request("anvil_rollback", (2,))
    await scene.follow()
    found = await scene.told("node-behind")
    assert (found["indexedHead"], found["nodeHead"]) == (before["indexedHead"], await scene.head())
    assert str(found["nodeHead"]) in found["detail"]


@pytest.mark.parametrize(("manner", "state"), [("lost", "node-lost"), ("busy", "degraded"), ("short", "degraded")])
async def test_what_is_wrong_is_told_while_it_lasts(scene: Scene, manner: str, state: str) -> None:
    await scene.follow()
    before = await scene.told("ok")
    await scene.chain.play(1, "register", 1)
    scene.node.manner = manner
    await scene.follow()
    found = await scene.told(state)
    assert found["indexedHead"] == before["indexedHead"]
    assert scene.node.url not in found["detail"]
    scene.node.manner = ""
    await scene.follow()
    assert (await scene.told("ok"))["indexedHead"] == await scene.head()


async def test_reorgs_dropped_and_healed_blocks_are_counted(scene: Scene) -> None:
    await scene.chain.mine(5)
    await scene.follow()
    await scene.chain.node.request("anvil_reorg", (3, []))
    await scene.follow()
    figures = await scene.figures()
    assert (figures["chainboard_reorgs_total"], figures["chainboard_dropped_blocks_total"]) == (1, 3)
    await scene.told("ok")


async def test_a_database_that_can_not_be_read_is_503(scene: Scene) -> None:
    """The only state in which health is not 200: nothing can be reported."""
    await scene.follow()
    with scene.store.transaction() as connection:
        connection.exec_driver_sql("ALTER TABLE block RENAME TO gone")
    assert (await scene.http.get("/api/health")).status_code == 503
    with scene.store.transaction() as connection:
        connection.exec_driver_sql("ALTER TABLE gone RENAME TO block")
    await scene.told("ok")
    assert await scene.follower.try_sync() == SyncResult()
