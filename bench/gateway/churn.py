"""Measures whether the server releases memory and websockets after many clients have requested a
board, read nothing and disconnected."""

from __future__ import annotations

import asyncio
import re
import tempfile
import time
from pathlib import Path
from urllib.parse import urlsplit

from bench.load.attackers import AttackTarget, unread_websocket
from bench.load.many_ships import ManyShips
from bench.load.memory import resident_bytes
from bench.load.players import game_of
from indexer.node.client import Node
from tests.support.http import local
from tests.support.server import Server, node_url, up

CLIENTS, A_ROUND = 20_000, 2_000
SHIPS = 60


def figures(server: Server) -> tuple[float, float]:
    """Return the server's memory in MB, and the number of its open websockets."""
    text = local.get(f"{server.url}/api/metrics").text
    open_ = re.search(r"^chainboard_sockets (\S+)$", text, re.MULTILINE)
    assert open_
    return resident_bytes(server.process.pid) / 2**20, float(open_[1])


def settled(server: Server, seconds: float = 30) -> tuple[float, float]:
    """Wait until the server has closed all websockets, but at most `seconds`. Return the server's
    figures."""
    end = time.monotonic() + seconds
    while (found := figures(server))[1] and time.monotonic() < end:
        time.sleep(0.2)
    return found


async def opened(server: Server, data: Path) -> None:
    """Open a match with a large board."""
    node = Node(node_url(data))
    ships = ManyShips(node, game_of(server, "touche-coule"))
    await ships.fill(await ships.open(), SHIPS)
    await node.aclose()


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, up(Path(folder)) as server:
        asyncio.run(opened(server, Path(folder)))
        target: AttackTarget = {"port": urlsplit(server.url).port, "address": "127.0.0.1", "match": "touche-coule/2"}
        print(f"Churn: {CLIENTS} clients request a board of {SHIPS} ships, read nothing and disconnect")
        for done in range(0, CLIENTS + 1, A_ROUND):
            memory, sockets = settled(server)
            print(f"  after {done:6} clients {memory:7.1f} MB, {sockets:5.0f} sockets in the hub", flush=True)
            for _ in range(A_ROUND if done < CLIENTS else 0):
                unread_websocket(target).close()
