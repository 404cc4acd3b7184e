"""Tests that the index distinguishes chains of similar height by their identities and block hashes.
The tests also run two indexers on one database."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import socket
import time
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from chainboard.chain.anvil import Anvil
from chainboard.chain.deployment import known_deployments
from chainboard.chain.loopback import Address
from chainboard.settings import Settings
from chaos.faults.counts import FaultCounts
from chaos.faults.proxy import FaultProxy
from indexer.games import GAMES
from indexer.model import Chain
from indexer.node.client import Node
from indexer.store.store import Store
from tests.support.chain import fresh_store, rows, wait_for_next_second
from tests.support.http import local
from tests.support.players import play, rpc_call, wait_for_json
from tests.support.server import Server, node_url, open_first_match, run, started, up
from tests.support.waiting import PATIENCE_SECONDS, wait_for, wait_for_async
from tests.system.commands.test_up import anvils_of

MATCH = "touche-coule/1"


class RestartableAnvil:
    """An Anvil node that tests can restart with a new chain at the same URL."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._times = folder, 0
        self.anvil: Anvil

    async def start(self, address: Address | None = None) -> None:
        self._times += 1
        self.anvil = await Anvil.start(self._folder / str(self._times), address=address)

    async def restart(self) -> None:
        """Start a new chain at the same URL. Wait for the next second first, because the hash of
        the genesis block depends on the second in which the chain starts."""
        await wait_for_next_second(self.anvil.node)
        await self.anvil.stop()
        await self.start(self.anvil.address)

    @property
    def url(self) -> str:
        return self.anvil.node.url


@pytest.fixture
async def chain(tmp_path: Path) -> AsyncIterator[RestartableAnvil]:
    it = RestartableAnvil(tmp_path / "chains")
    await it.start()
    yield it
    await it.anvil.stop()


@pytest.fixture
def server(chain: RestartableAnvil, tmp_path: Path) -> Iterator[Server]:
    with started(*_arguments(chain, tmp_path)) as it:
        open_first_match(it, chain.url)
        yield it


def _arguments(chain: RestartableAnvil, data: Path) -> list[str]:
    return ["up", "--data", str(data / "data"), "--rpc", chain.url, "--dev", "--port", "0"]


async def wait_until_settled(server: Server, url: str, data: Path) -> Any:
    """Wait until the index has reached the node's head and no match waits for a further block.
    Return the health report."""

    def at_the_end(health: Any) -> bool:
        head = int(rpc_call(url, "eth_blockNumber"), 16)
        if (health["state"], health["indexedHead"], health["nodeHead"]) != ("ok", head, head):
            return False
        with contextlib.closing(Store(f"sqlite:///{data / 'index.db'}", GAMES)) as store, store.read() as snapshot:
            return not snapshot.waiting_for_block_after(head)

    return await asyncio.to_thread(wait_for_json, server, "/api/health", at_the_end)


async def check_against_fresh_index(data: Path, url: str) -> None:
    async with contextlib.aclosing(Node(url)) as node:
        with contextlib.closing(
            await fresh_store(data / "fresh.db", node, known_deployments(Settings(data / "data")))
        ) as fresh:
            assert stored_rows(data / "data" / "index.db") == rows(fresh)


def stored_rows(file: Path) -> object:
    """Return all rows of a database, even while another process writes to the database."""
    with contextlib.closing(Store(f"sqlite:///{file}", GAMES)) as store:
        return rows(store)


async def test_restarted_chain_is_indexed_and_the_old_database_is_kept(
    chain: RestartableAnvil, server: Server, tmp_path: Path
) -> None:
    await asyncio.to_thread(play, server, chain.url, 1, "register", 1)
    before = await wait_until_settled(server, chain.url, tmp_path / "data")
    old = stored_rows(tmp_path / "data" / "index.db")
    await chain.restart()
    after = wait_for_json(server, "/api/health", lambda it: it["genesis"] != before["genesis"] and it["state"] == "ok")
    assert after["genesis"] == (await chain.anvil.node.chain()).genesis
    (archive,) = (tmp_path / "data" / "aside").glob("*/index.db")
    assert stored_rows(archive) == old
    assert server.get("/api/matches")["matches"] == []
    await asyncio.to_thread(open_first_match, server, chain.url)  # players can use the new chain
    await asyncio.to_thread(play, server, chain.url, 2, "register", 1)
    wait_for_json(server, f"/api/matches/{MATCH}", lambda it: len(it["board"]["players"]) == 1)
    await wait_until_settled(server, chain.url, tmp_path / "data")
    await check_against_fresh_index(tmp_path, chain.url)
    metrics = await asyncio.to_thread(local.get, server.url + "/api/metrics")
    assert "chainboard_chain_resets_total 1.0" in metrics.text


async def test_of_several_nodes_each_is_asked_on_a_chain_that_began_anew_too(
    chain: RestartableAnvil, tmp_path: Path
) -> None:
    async with contextlib.AsyncExitStack() as stack:
        doors = [FaultProxy(FaultCounts()) for _ in range(2)]
        for door in doors:
            await door.start()
            stack.push_async_callback(door.stop)
            door.point_at(chain.url)
        arguments = [doors[0].url if it == chain.url else it for it in _arguments(chain, tmp_path)]
        running = started(*arguments, "--rpc", doors[1].url)
        server = await asyncio.to_thread(running.__enter__)
        try:
            before = await wait_until_settled(server, chain.url, tmp_path / "data")
            await chain.restart()
            await _within(server, lambda it: it["genesis"] != before["genesis"] and it["state"] == "ok")
            for lost in doors:
                for door in doors:
                    door.point_at(None if door is lost else chain.url)
                head = int((await chain.anvil.node.request("eth_blockNumber")), 16) + 1
                await chain.anvil.node.request("evm_mine")
                await _within(server, lambda it, head=head: it["indexedHead"] >= head and it["state"] == "ok")
        finally:
            await asyncio.to_thread(running.__exit__, None, None, None)


async def _within(server: Server, wanted: Callable[[Any], bool]) -> None:
    await asyncio.to_thread(wait_for_json, server, "/api/health", wanted)


async def test_a_node_that_lags_is_waited_for(chain: RestartableAnvil, server: Server, tmp_path: Path) -> None:
    """Tests a node that loses its newest blocks but stays on the same chain. The index must keep
    its data as long as no different blocks prove a reorg."""
    await asyncio.to_thread(play, server, chain.url, 1, "register", 1)
    before = await wait_until_settled(server, chain.url, tmp_path / "data")
    kept = stored_rows(tmp_path / "data" / "index.db")
    rpc_call(chain.url, "anvil_rollback", 2)
    found = wait_for_json(server, "/api/health", lambda it: it["state"] == "node-behind")
    assert (found["indexedHead"], found["nodeHead"]) == (before["indexedHead"], before["indexedHead"] - 2)
    assert stored_rows(tmp_path / "data" / "index.db") == kept
    rpc_call(chain.url, "anvil_mine", "0x3")
    await wait_until_settled(server, chain.url, tmp_path / "data")
    await check_against_fresh_index(tmp_path, chain.url)


async def test_a_deep_reorg_is_followed(chain: RestartableAnvil, server: Server, tmp_path: Path) -> None:
    rpc_call(chain.url, "anvil_mine", hex(70))
    await asyncio.to_thread(play, server, chain.url, 1, "register", 1)
    before = await wait_until_settled(server, chain.url, tmp_path / "data")
    rpc_call(chain.url, "anvil_reorg", 65, [])
    rpc_call(chain.url, "evm_mine")
    wait_for_json(server, "/api/health", lambda it: it["indexedHead"] == before["nodeHead"] + 1)
    assert (await wait_until_settled(server, chain.url, tmp_path / "data"))["genesis"] == before["genesis"]
    assert not server.get(f"/api/matches/{MATCH}")["board"]["players"]
    await check_against_fresh_index(tmp_path, chain.url)


async def test_index_follows_our_killed_anvil_back_to_its_save(tmp_path: Path) -> None:
    """Tests that the index follows the chain after the chain's process was killed. The server
    restarts the process from the chain's last save at the same address, and players can
    continue."""
    with up(tmp_path / "data") as server:
        url = node_url(tmp_path / "data")
        (anvil,) = anvils_of(server.process.pid)
        rpc_call(url, "anvil_mine", "0x5")
        await wait_until_settled(server, url, tmp_path / "data")
        os.kill(anvil, signal.SIGKILL)
        wait_for_json(server, "/api/health", lambda it: it["state"] == "node-lost")
        wait_for_json(server, "/api/health", lambda it: it["state"] == "ok")
        await wait_until_settled(server, url, tmp_path / "data")
        assert node_url(tmp_path / "data") == url
        await asyncio.to_thread(open_first_match, server, url)  # this match is newer than the chain's last save
        await asyncio.to_thread(play, server, url, 1, "register", 1)
        wait_for_json(server, f"/api/matches/{MATCH}", lambda it: len(it["board"]["players"]) == 1)
        await wait_until_settled(server, url, tmp_path / "data")
        await check_against_fresh_index(tmp_path, url)


def test_another_program_at_our_anvils_port_is_not_taken_for_it(tmp_path: Path) -> None:
    with up(tmp_path / "data") as server:
        parts = urlsplit(node_url(tmp_path / "data"))
        (anvil,) = anvils_of(server.process.pid)
        os.kill(anvil, signal.SIGKILL)
        with contextlib.closing(_taken(parts.hostname, parts.port)):
            assert server.process.wait(PATIENCE_SECONDS) == 1
        words = f"another program is now using its port ({parts.port})"
        # A separate thread reads the server's output, so wait for the words.
        wait_for(lambda: "".join(server.output), lambda output: words in output, words)


def _taken(host: str, port: int) -> socket.socket:
    """Wait until the operating system has released the killed process's port. Return a socket that
    listens on this port."""

    def take() -> socket.socket | None:
        with contextlib.suppress(OSError):
            return socket.create_server((host, port))
        return None

    taken = wait_for(take, bool, "the port of the killed process")
    assert taken is not None
    return taken


async def test_a_second_indexer_on_one_database_says_so_and_ends(
    chain: RestartableAnvil, server: Server, tmp_path: Path
) -> None:
    manifest = (tmp_path / "data" / "deployment.json").read_text()
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "deployment.json").write_text(manifest)
    database = f"sqlite:///{tmp_path / 'data' / 'index.db'}"
    answer = await asyncio.to_thread(
        run, "index", "--data", str(tmp_path / "other"), "--database", database, "--rpc", chain.url
    )
    assert answer.returncode == 1
    assert "another Chainboard process" in answer.stderr
    assert "Traceback" not in answer.stderr
    await wait_until_settled(server, chain.url, tmp_path / "data")


@pytest.mark.timeout(120)
async def test_a_chain_keeps_its_genesis_however_often_it_is_started_again(tmp_path: Path) -> None:
    """Tests that a chain keeps its genesis block when Anvil restarts. Each Anvil process creates
    its own block 0, which contains its start time. The state that the process saves contains this
    block, and also the block 0 that the process has loaded."""
    chains: set[Chain] = set()
    for _ in range(6):
        anvil = await Anvil.start(tmp_path)
        begun = int(time.time())
        try:
            await anvil.node.request("anvil_mine", ("0x1",))
            chains.add(await anvil.node.chain())
            await anvil.save()
        finally:
            await anvil.stop()
        await wait_for_async(time.time, lambda now, begun=begun: now >= begun + 1, "the next second")
    assert len(chains) == 1
