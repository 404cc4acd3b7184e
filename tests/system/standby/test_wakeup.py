"""A gateway beside the writer, on a server: woken by each block, also after the server's restart."""

from __future__ import annotations

import asyncio
import json
from contextlib import aclosing
from pathlib import Path

from websockets.asyncio.client import connect

from indexer.node.client import Node
from tests.support.server import node_url, started, up
from tests.support.services.postgres import PostgresServer

SECONDS = 60.0
"""For what may take 2 s after a restart, on a machine that is busy."""


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
                async with asyncio.timeout(SECONDS):
                    async for message in socket:
                        frame = json.loads(message)
                        if frame["t"] == "head" and frame["height"] >= head:
                            break
        assert "Traceback" not in "".join(writer.said + gateway.said)
