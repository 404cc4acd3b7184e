"""Block to browser: from the node's own announcement of a block to the `deltas` at a client of the real server."""

from __future__ import annotations

import asyncio
import json
import statistics
import tempfile
import time
from pathlib import Path

from websockets.asyncio.client import ClientConnection, connect

from bench.load.announcements import record
from bench.load.many_ships import ManyShips
from indexer.node.client import Node
from tests.support.server import Server, node_url, up

WARM_UP, MATCHES, TURNS = 20, 4, 50
"""Turns that don't count, then blocks of one turn each; short matches on a wide sea, so that none ends meanwhile."""


async def _receive(deltas: dict[str, float], socket: ClientConnection) -> None:
    async for message in socket:
        now = time.perf_counter()
        frame = json.loads(message)
        if frame["t"] == "deltas":
            deltas[frame["block"]["hash"]] = now


async def measure(server: Server, data: Path) -> list[float]:
    """Milliseconds from the later of head and last log to the deltas, of blocks with one turn each."""
    node = Node(node_url(data))
    game = server.get("/api/games")["games"][0]
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
            while int(await node.request("eth_blockNumber"), 16) <= anchor:  # the server mines what the next turn needs
                await asyncio.sleep(0.005)
            await asyncio.sleep(0.03)

    matches = range(opened + 1, opened + 2 + MATCHES)
    for match in matches:
        await prepare(match)
    heads, logs, deltas = dict[str, float](), dict[str, float](), dict[str, float]()
    ready = [asyncio.Event(), asyncio.Event()]
    async with connect(server.socket_url, origin=server.url) as socket, asyncio.TaskGroup() as group:  # type: ignore[arg-type]
        tasks = [
            group.create_task(record(heads, "hash", node.url, ["newHeads"], ready[0])),
            group.create_task(record(logs, "blockHash", node.url, ["logs", {"address": game["address"]}], ready[1])),
            group.create_task(_receive(deltas, socket)),
        ]
        await asyncio.gather(*(event.wait() for event in ready))
        for match in matches:
            await socket.send(json.dumps({"t": "watch", "match": f"{game['slug']}/{match}"}))
        await asyncio.sleep(0.5)
        await turns(matches[0], range(WARM_UP))
        deltas.clear()
        for match in matches[1:]:
            await turns(match, range(TURNS))
        await asyncio.sleep(0.5)
        for task in tasks:
            task.cancel()
    await node.aclose()
    return [1000 * (deltas[hash] - max(heads[hash], logs[hash])) for hash in deltas.keys() & heads.keys() & logs.keys()]


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, up(Path(folder)) as server:
        times = sorted(asyncio.run(measure(server, Path(folder))))
    p50, p99 = statistics.median(times), times[int(len(times) * 0.99) - 1]
    print(f"Block to browser, {MATCHES * TURNS} blocks of one turn each, after the node's own announcement")
    print(f"  p50 {p50:6.2f} ms   (aim: 5 ms; Ponder on a websocket measured 18)")
    print(f"  p99 {p99:6.2f} ms   (aim: 15 ms; Ponder 50)")
