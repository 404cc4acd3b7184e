"""Measures the time from the node's announcement of a block until a client gets the `deltas`
message."""

from __future__ import annotations

import asyncio
import json
import statistics
import tempfile
import time
from contextlib import AsyncExitStack, contextmanager
from itertools import product
from pathlib import Path

from websockets.asyncio.client import ClientConnection, connect

from bench.load.announcements import record
from bench.load.many_ships import ManyShips
from bench.load.players import game_of
from indexer.node.client import Node
from tests.support.server import Server, node_url, started, up
from tests.support.services.postgres import MISSING, binaries, postgres_server

WARM_UP, MATCHES, TURNS = 20, 4, 50
"""The number of turns that don't count, the number of matches, and the number of turns per match.
The matches are short and on a large board, so that no match ends during the measurement."""


async def _receive(deltas: dict[str, float], socket: ClientConnection) -> None:
    async for message in socket:
        now = time.perf_counter()
        frame = json.loads(message)
        if frame["t"] == "deltas":
            deltas[frame["block"]["hash"]] = now


async def measure(data: Path, *servers: Server) -> list[dict[str, float]]:
    """Return the latency of the `deltas` messages in milliseconds, for each server and block.

    The measured time starts when the node announces the block's header or its last log, whichever
    is later. Every block has one turn."""
    node, server = Node(node_url(data)), servers[0]
    game = game_of(server, "touche-coule")
    accounts = await node.request("eth_accounts")

    opened = server.get(f"/api/matches?game={game['slug']}&limit=1")["matches"][0]["id"]
    sea = ManyShips(node, game, opened)

    async def prepare(match: int) -> None:
        assert await sea.open() == match
        for account in (0, 1, 0, 1):
            await sea.play(accounts[account], "register", match)

    async def turns(match: int, numbers: range) -> None:
        for number in numbers:
            anchor = await sea.play(accounts[number % 2], "turn", match, number)
            # Wait until the server mines the block that the next turn needs.
            while int(await node.request("eth_blockNumber"), 16) <= anchor:
                await asyncio.sleep(0.005)
            await asyncio.sleep(0.03)

    matches = range(opened + 1, opened + 2 + MATCHES)
    for match in matches:
        await prepare(match)
    heads, logs, deltas = dict[str, float](), dict[str, float](), [dict[str, float]() for _ in servers]
    ready = [asyncio.Event(), asyncio.Event()]
    async with AsyncExitStack() as sockets, asyncio.TaskGroup() as group:
        opened_sockets = [
            await sockets.enter_async_context(connect(one.socket_url, origin=one.url))  # type: ignore[arg-type]
            for one in servers
        ]
        tasks = [
            group.create_task(record(heads, "hash", node.url, ["newHeads"], ready[0])),
            group.create_task(record(logs, "blockHash", node.url, ["logs", {"address": game["address"]}], ready[1])),
            *(group.create_task(_receive(*pair)) for pair in zip(deltas, opened_sockets, strict=True)),
        ]
        await asyncio.gather(*(event.wait() for event in ready))
        for socket, match in product(opened_sockets, matches):
            await socket.send(json.dumps({"t": "watch", "match": f"{game['slug']}/{match}"}))
        await asyncio.sleep(0.5)
        await turns(matches[0], range(WARM_UP))
        for one in deltas:
            one.clear()
        for match in matches[1:]:
            await turns(match, range(TURNS))
        await asyncio.sleep(0.5)
        for task in tasks:
            task.cancel()
    await node.aclose()
    announced = heads.keys() & logs.keys()
    return [
        {hash: 1000 * (one[hash] - max(heads[hash], logs[hash])) for hash in one.keys() & announced} for one in deltas
    ]


def _percentiles(times: dict[str, float]) -> tuple[float, float]:
    return statistics.median(times.values()), sorted(times.values())[int(len(times) * 0.99) - 1]


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, up(Path(folder)) as server:
        [times] = asyncio.run(measure(Path(folder), server))
    p50, p99 = _percentiles(times)
    print(f"Block to browser, {MATCHES * TURNS} blocks of one turn each, after the node's announcement")
    print(f"  p50 {p50:6.2f} ms   (target: 5 ms; Ponder on a websocket: 18)")
    print(f"  p99 {p99:6.2f} ms   (target: 15 ms; Ponder: 50)")


def server() -> None:
    """Compare the gateway in the writer's process with a separate gateway, which the writer
    notifies through PostgreSQL."""
    if binaries() is None:
        print(MISSING)
        return
    with tempfile.TemporaryDirectory() as folder, contextmanager(postgres_server)() as server:
        data, database = Path(folder), ("--database", server.new_database())
        with up(data, *database) as own, started("serve", "--data", folder, "--port", "0", *database) as other:
            writers, readers = asyncio.run(measure(data, own, other))
    print(f"Block to browser on PostgreSQL, {MATCHES * TURNS} blocks of one turn each")
    for name, times, target in (("up", writers, ""), ("serve", readers, "   (target: at most 5 ms more)")):
        p50, p99 = _percentiles(times)
        print(f"  {name:<6} p50 {p50:6.2f} ms, p99 {p99:6.2f} ms{target}")
    later = statistics.median(readers[hash] - writers[hash] for hash in readers.keys() & writers.keys())
    print(f"  the same block arrives {later:.2f} ms later at serve")
