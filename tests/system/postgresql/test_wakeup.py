"""Tests of a gateway and a writer that share a database server. Each block must wake the gateway,
even after the server has restarted. The gateway also polls, because notifications can be lost."""

from __future__ import annotations

import asyncio
import json
from contextlib import aclosing, closing
from pathlib import Path

import pytest
from websockets.asyncio.client import connect

from chainboard.indexing import watcher
from chainboard.indexing.watcher import Watcher
from chainboard.sharing.status import StatusReader
from indexer.games import GAMES
from indexer.node.client import Node
from indexer.store.db import writer
from indexer.store.store import Store
from tests.indexer.store.test_store import CHAIN, append, block_events, contract
from tests.support.databases import Databases
from tests.support.server import node_url, started, up
from tests.support.services.postgres import PostgresServer
from tests.support.waiting import PATIENCE_SECONDS


async def test_writer_and_gateway_go_on_after_the_server_was_killed(tmp_path: Path, postgres: PostgresServer) -> None:
    database = ("--database", postgres.new_database())
    with (
        up(tmp_path, *database) as writer,
        started("serve", "--data", str(tmp_path), "--port", "0", *database) as gateway,
    ):
        async with (
            aclosing(Node(node_url(tmp_path))) as node,
            connect(gateway.socket_url, origin=gateway.url) as socket,  # type: ignore[arg-type]
        ):
            assert json.loads(await socket.recv())["t"] == "hello"
            for killed in (False, True):
                if killed:
                    await asyncio.to_thread(postgres.kill)
                    await node.request("anvil_mine", ("0x1",))
                    await asyncio.to_thread(postgres.start)
                await node.request("anvil_mine", ("0x1",))
                head = (await node.head()).height
                async with asyncio.timeout(PATIENCE_SECONDS):
                    async for message in socket:
                        frame = json.loads(message)
                        if frame["t"] == "head" and frame["height"] >= head:
                            break
        assert "Traceback" not in "".join(writer.output + gateway.output)


async def test_a_block_whose_wake_up_is_lost_is_found_by_the_readers_own_look(
    tmp_path: Path, postgres: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Tests that a reader finds each block, in order, if the writer's notifications are lost. In
    this test, the writer sends no notifications, so the reader must poll."""
    monkeypatch.setattr(writer, "notify", lambda _connection: None)
    monkeypatch.setattr(watcher, "LISTENING_POLL_SECONDS", 0.05)
    url = Databases(tmp_path, postgres).url()
    with closing(Store(url, GAMES)) as one, closing(Store(url, GAMES)) as other:
        one.set_chain(CHAIN, [contract()])
        async with aclosing(Node("http://127.0.0.1:9")) as nobody:
            watching = Watcher(other, nobody, StatusReader(other))
            woken, looks, found = asyncio.Semaphore(0), asyncio.Event(), list[int]()

            def look() -> None:
                with other.read() as snapshot:
                    tip = snapshot.tip()
                if tip is not None:
                    found.append(tip.height)
                looks.set()

            tasks = [asyncio.create_task(watching.listen(woken.release)), asyncio.create_task(watching.run(look))]
            async with asyncio.timeout(PATIENCE_SECONDS):
                await woken.acquire()  # the first wake-up means that the listener has subscribed
                for told in block_events():
                    looks.clear()
                    await asyncio.to_thread(append, one, [told])
                    await looks.wait()
            assert found == [block.height for block, _events in block_events()]
            assert woken.locked(), "no notification arrived"
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
