"""Tests with a hot standby, a database server that copies all changes from a primary server.
Gateways can read from the standby. Commands that need to write must report that they can't."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from contextlib import aclosing
from pathlib import Path
from shutil import copy

import pytest
from websockets.asyncio.client import connect

from indexer.node.client import Node
from tests.support.http import local
from tests.support.server import node_url, run, started, up
from tests.support.services.postgres import PostgresServer, postgres_server
from tests.support.waiting import PATIENCE_SECONDS

PLAYER = "0x" + "0" * 36 + "dEaD"
COMMANDS = (("index", "--once"), ("index",), ("up", "--port", "0", "--dev", "--opponents", "0"))


@pytest.fixture
def primary() -> Iterator[PostgresServer]:
    """Yield a database server for this test only. The tests' shared server can't be the primary,
    because a standby copies all databases of its primary."""
    yield from postgres_server()


@pytest.mark.timeout(300)
async def test_a_standby_is_read_by_a_gateway_and_who_would_write_says_so(
    tmp_path: Path, primary: PostgresServer
) -> None:
    url, empty, other = primary.new_database(), primary.new_database(), tmp_path / "other"
    other.mkdir()
    with up(tmp_path, "--database", url) as writer, primary.standby() as standby:
        node = node_url(tmp_path)
        copy(tmp_path / "deployment.json", other)
        await asyncio.to_thread(standby.await_replay, primary)
        readable, unfilled = [("--database", standby.dsn(one.rpartition("/")[2])) for one in (url, empty)]
        for command, database in (*((one, readable) for one in COMMANDS), (COMMANDS[0], unfilled)):
            refused = await asyncio.to_thread(run, *command, "--data", str(other), "--rpc", node, *database)
            said = " ".join(refused.stderr.split())
            assert refused.returncode == 1, said
            assert "like a standby: set --database to the URL of the primary server" in said
            assert "Traceback" not in said
        with started("serve", "--data", str(tmp_path), "--port", "0", *readable) as gateway:
            async with (
                aclosing(Node(node)) as chain,
                connect(gateway.socket_url, origin=gateway.url) as socket,  # type: ignore[arg-type]
            ):
                assert json.loads(await socket.recv())["t"] == "hello"
                for _ in range(3):
                    await chain.request("anvil_mine", ("0x1",))
                    head = (await chain.head()).height
                    async with asyncio.timeout(PATIENCE_SECONDS):
                        async for message in socket:
                            frame = json.loads(message)
                            if frame["t"] == "head" and frame["height"] >= head:
                                break
            assert gateway.get("/api/matches") == writer.get("/api/matches")
            assert gateway.get("/api/health")["state"] == "ok"
            answer = local.post(f"{gateway.url}/api/faucet", json={"address": PLAYER})
            assert answer.status_code >= 500, answer.text
            assert answer.headers["content-type"] == "application/problem+json"
        assert "Traceback" not in "".join(gateway.output)
