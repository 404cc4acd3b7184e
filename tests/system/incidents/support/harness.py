"""The stage of a story: a real chain, a proxy in front of it that injects faults, and our side in
this process."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path

from aiohttp import ClientSession

from chaos.clients.websocket_client import WatchingClient
from chaos.faults.counts import FaultCounts
from chaos.faults.proxy import FaultProxy
from indexer.follow.follower import Follower
from indexer.follow.sync_result import SyncResult
from indexer.games import GAMES
from indexer.node.client import Node
from indexer.store.store import Store
from indexer.wakeup import Wakeup
from tests.api.playground import ApiServer, Playground, served
from tests.support.chain import World, rows, world
from tests.support.contract_views import public
from tests.support.waiting import PATIENCE_SECONDS, wait_for_async

SLUG = "touche-coule"
MATCH = 2
NAME = f"{SLUG}/{MATCH}"


class IncidentStage:
    """A chain on which match 2 has begun, and an index of this chain. `node` reaches the chain
    through `proxy`."""

    def __init__(self, world: World, proxy: FaultProxy, node: Node, store: Store) -> None:
        self.world, self.proxy, self.node, self.store = world, proxy, node, store
        self.follower = Follower(node, store, world.deployments)
        self.turns = 0

    def again(self) -> Follower:
        """Return a follower that begins with the stored data, as after a restart."""
        self.follower.close()
        self.follower = Follower(self.node, self.store, self.world.deployments)
        return self.follower

    async def play(self, turns: int = 1) -> None:
        """Play turns of match 2: two blocks each, the second with several events."""
        for _ in range(turns):
            self.turns += 1
            await self.world.turn(1, MATCH, self.turns)

    async def request(self, method: str, *params: object) -> object:
        """Send a request directly to the chain, without the proxy."""
        return await self.world.node.request(method, params)

    async def raw(self, hash: str) -> object:
        return await self.request("eth_getRawTransactionByHash", hash)

    async def height(self) -> int:
        return (await self.world.node.head()).height

    async def fits(self) -> None:
        """Check that the database equals a fresh index of the current chain, row for row, and that
        the board is the contract's own."""
        assert rows(self.store) == await self.world.fresh_rows()
        with self.store.read() as snapshot:
            summary = snapshot.summary(SLUG, MATCH)
        assert summary is not None
        told = await asyncio.to_thread(self.world.chain_board, MATCH)
        assert public(SLUG, summary.board, summary.seq) == told

    async def until_followed(self) -> None:
        """Wait until the store has reached the chain's head."""
        head = await self.world.node.head()
        await wait_for_async(self.tip, lambda tip: tip == (head.height, head.hash), "the chain's head")

    async def until_fitting(self) -> None:
        """Wait until the chain's head has been followed and everything fits. The chain may grow
        meanwhile."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            while True:
                await self.until_followed()
                before = self.tip()
                try:
                    return await self.fits()
                except AssertionError:
                    if before == ((head := await self.world.node.head()).height, head.hash):
                        raise

    def tip(self) -> tuple[int, str] | None:
        with self.store.read() as snapshot:
            tip = snapshot.tip()
        return (tip.height, tip.hash) if tip else None

    def events(self, match: int = MATCH) -> list[tuple[int, str]]:
        """(seq, block hash) of each stored event of a match."""
        with self.store.read() as snapshot:
            return [(event.seq, event.hash) for event in snapshot.events(SLUG, match, limit=10_000)]


async def until_idle(follower: Follower, most: int = 60) -> list[SyncResult]:
    """Sync until nothing is left to do. The number of steps is limited, to detect an endless
    loop."""
    steps: list[SyncResult] = []
    for _ in range(most):
        steps.append(await follower.try_sync())
        if steps[-1] == SyncResult():
            return steps
    raise AssertionError(f"no end: {steps[-3:]}, {follower.health}")


@asynccontextmanager
async def staged(folder: Path, database: str) -> AsyncIterator[IncidentStage]:
    """A stage whose index is at this URL."""
    async with world(folder) as it:
        await it.play(0, "create", 64, 64, False)
        await it.begin(MATCH)
        proxy = FaultProxy(FaultCounts())
        await proxy.start()
        proxy.point_at(it.node.url)
        node = Node(proxy.url)
        try:
            with closing(Store(database, GAMES)) as store:
                store.set_chain(await it.node.chain(), it.deployments)
                stage = IncidentStage(it, proxy, node, store)
                yield stage
                stage.follower.close()
        finally:
            await node.aclose()
            await proxy.stop()


@asynccontextmanager
async def served_live(stage: IncidentStage, page: Path) -> AsyncIterator[ApiServer]:
    """Run a follower, and a gateway over its store that uses the same node."""
    play, heads = Playground.for_store(stage.store), Wakeup()
    jobs = [
        asyncio.create_task(stage.node.listen(heads.notify)),
        asyncio.create_task(stage.follower.run(heads, play.wakeup.notify)),
    ]
    options = {"games": GAMES, "node": stage.node, "health": lambda: stage.follower.health, "development": True}
    try:
        async with served(play, page, **options) as server:
            yield server
    finally:
        for job in jobs:
            job.cancel()
        await asyncio.gather(*jobs, return_exceptions=True)


@asynccontextmanager
async def watching(server: ApiServer, match: str = NAME) -> AsyncIterator[WatchingClient]:
    """A client that checks the rules of the stream and has its first board."""
    async with ClientSession() as session:
        client = WatchingClient(session, f"ws://127.0.0.1:{server.port}/ws", [match], "the watcher")
        client.start()
        try:
            await wait_for_async(lambda: client.matches[match].events, bool, "the first board")
            yield client
        finally:
            await client.stop()


async def has_heard(client: WatchingClient, stage: IncidentStage, match: str = NAME) -> None:
    """Wait until the client has the newest event. Since its last reset, it must have received each
    event once and in order."""
    wanted = stage.events(int(match.split("/")[1]))
    newest = wanted[-1:]
    await wait_for_async(lambda: client.matches[match].events[-1:], lambda found: found == newest, "the newest event")
    held = client.matches[match]
    assert client.violations == []
    assert held.events == [one for one in wanted if one[0] >= held.events[0][0]]
    with stage.store.read() as snapshot:
        board = snapshot.board(SLUG, int(match.split("/")[1]))
    assert board is not None
    assert held.board == board[0]
