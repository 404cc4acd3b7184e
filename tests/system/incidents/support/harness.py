"""The testbed in which tests replay another project's bug. It has a real chain and a proxy that
injects faults. The follower and the gateway run in the test's process."""

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
from tests.support.chain import DeployedChain, deployed_chain, rows
from tests.support.contract_views import public
from tests.support.waiting import PATIENCE_SECONDS, wait_for_async

SLUG = "touche-coule"
MATCH = 2
MATCH_NAME = f"{SLUG}/{MATCH}"


class IncidentTestbed:
    """A chain on which match 2 has begun, and an index of this chain. The follower's client `node`
    reaches the chain through `proxy`."""

    def __init__(self, chain: DeployedChain, proxy: FaultProxy, node: Node, store: Store) -> None:
        self.chain, self.proxy, self.node, self.store = chain, proxy, node, store
        self.follower = Follower(node, store, chain.deployments)
        self.turns = 0

    def restart_follower(self) -> Follower:
        """Close the follower and create a new follower, as a restart would. Return the new
        follower, which continues from the stored data."""
        self.follower.close()
        self.follower = Follower(self.node, self.store, self.chain.deployments)
        return self.follower

    async def play(self, turns: int = 1) -> None:
        """Play turns in match 2. Each turn needs two blocks, of which the second has several
        events."""
        for _ in range(turns):
            self.turns += 1
            await self.chain.turn(1, MATCH, self.turns)

    async def request(self, method: str, *params: object) -> object:
        """Send a request directly to the chain's node, without going through the proxy."""
        return await self.chain.node.request(method, params)

    async def raw_transaction(self, hash: str) -> object:
        return await self.request("eth_getRawTransactionByHash", hash)

    async def height(self) -> int:
        return (await self.chain.node.head()).height

    async def check_index(self) -> None:
        """Check that the database has the same rows as a new index of the chain. Also check that
        the stored board of match 2 equals the contract's board."""
        assert rows(self.store) == await self.chain.fresh_rows()
        with self.store.read() as snapshot:
            summary = snapshot.summary(SLUG, MATCH)
        assert summary is not None
        contract_board = await asyncio.to_thread(self.chain.chain_board, MATCH)
        assert public(SLUG, summary.board, summary.seq) == contract_board

    async def wait_until_followed(self) -> None:
        """Wait until the store contains the block that is the chain's head at the time of the
        call."""
        head = await self.chain.node.head()
        await wait_for_async(self.tip, lambda tip: tip == (head.height, head.hash), "the chain's head")

    async def wait_until_consistent(self) -> None:
        """Wait until the index has reached the chain's head, and check that the index is correct.
        If the chain grows during the check, wait and check again."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            while True:
                await self.wait_until_followed()
                before = self.tip()
                try:
                    return await self.check_index()
                except AssertionError:
                    if before == ((head := await self.chain.node.head()).height, head.hash):
                        raise

    def tip(self) -> tuple[int, str] | None:
        with self.store.read() as snapshot:
            tip = snapshot.tip()
        return (tip.height, tip.hash) if tip else None

    def events(self, match: int = MATCH) -> list[tuple[int, str]]:
        """Return the sequence number and the block hash of each event of a match in the store."""
        with self.store.read() as snapshot:
            return [(event.seq, event.hash) for event in snapshot.events(SLUG, match, limit=10_000)]


async def until_idle(follower: Follower, most: int = 60) -> list[SyncResult]:
    """Sync until nothing is left to do, and return the result of each step. Raises AssertionError
    if there is still something to do after `most` steps, because that could be an endless loop."""
    steps: list[SyncResult] = []
    for _ in range(most):
        steps.append(await follower.try_sync())
        if steps[-1] == SyncResult():
            return steps
    raise AssertionError(f"no end: {steps[-3:]}, {follower.health}")


@asynccontextmanager
async def open_testbed(folder: Path, database: str) -> AsyncIterator[IncidentTestbed]:
    """Open a testbed whose index is in the database at this URL."""
    async with deployed_chain(folder) as it:
        await it.play(0, "create", 64, 64, False)
        await it.begin(MATCH)
        proxy = FaultProxy(FaultCounts())
        await proxy.start()
        proxy.point_at(it.node.url)
        node = Node(proxy.url)
        try:
            with closing(Store(database, GAMES)) as store:
                store.set_chain(await it.node.chain(), it.deployments)
                testbed = IncidentTestbed(it, proxy, node, store)
                yield testbed
                testbed.follower.close()
        finally:
            await node.aclose()
            await proxy.stop()


@asynccontextmanager
async def serve_live(testbed: IncidentTestbed, page: Path) -> AsyncIterator[ApiServer]:
    """Run a follower and a gateway in this process. The gateway reads from the follower's store and
    sends its requests to the follower's node."""
    play, heads = Playground.for_store(testbed.store), Wakeup()
    jobs = [
        asyncio.create_task(testbed.node.listen(heads.notify)),
        asyncio.create_task(testbed.follower.run(heads, play.wakeup.notify)),
    ]
    options = {"games": GAMES, "node": testbed.node, "health": lambda: testbed.follower.health, "development": True}
    try:
        async with served(play, page, **options) as server:
            yield server
    finally:
        for job in jobs:
            job.cancel()
        await asyncio.gather(*jobs, return_exceptions=True)


@asynccontextmanager
async def watching_client(server: ApiServer, match: str = MATCH_NAME) -> AsyncIterator[WatchingClient]:
    """Yield a client that watches `match` and has received the match's first board. The client
    records messages that break the rules of the stream."""
    async with ClientSession() as session:
        client = WatchingClient(session, f"ws://127.0.0.1:{server.port}/ws", [match], "the watching client")
        client.start()
        try:
            await wait_for_async(lambda: client.matches[match].events, bool, "the first board")
            yield client
        finally:
            await client.stop()


async def check_received(client: WatchingClient, testbed: IncidentTestbed, match: str = MATCH_NAME) -> None:
    """Wait until the client has the match's newest event. Check that since the last `reset`
    message, the client has received each event exactly once and in order."""
    wanted = testbed.events(int(match.split("/")[1]))
    newest = wanted[-1:]
    await wait_for_async(lambda: client.matches[match].events[-1:], lambda found: found == newest, "the newest event")
    received = client.matches[match]
    assert client.violations == []
    assert received.events == [one for one in wanted if one[0] >= received.events[0][0]]
    with testbed.store.read() as snapshot:
        board = snapshot.board(SLUG, int(match.split("/")[1]))
    assert board is not None
    assert received.board == board[0]
