"""Block to browser: from the node's own announcement of a block to the `deltas` at a client of the real server."""

from __future__ import annotations

import asyncio
import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from websockets.asyncio.client import ClientConnection, connect

from bench.load.many_ships import ManyShips
from indexer.node.client import Node
from tests.support.server import Server, node_url, up

WARM_UP, MATCHES, TURNS = 20, 4, 50
"""Turns that don't count, then blocks of one turn each; short matches on a wide sea, so that none ends meanwhile."""


MOST, MATCHES_PLAYED, ROUNDS = 500, 50, 2
"""Matches that the server's opponents may play, and that they do play; how often the two are compared."""


class Clock:
    """When each block was reported on each connection, by its hash; seconds of the monotonic clock."""

    def __init__(self) -> None:
        self.heads: dict[str, float] = {}
        self.logs: dict[str, float] = {}
        self.deltas: dict[str, float] = {}

    async def raw(self, url: str, kind: str, params: list[Any], ready: asyncio.Event) -> None:
        """A subscription of its own, read as raw text."""
        async with connect(url) as socket:
            await socket.send(json.dumps({"jsonrpc": "2.0", "id": 1, "method": "eth_subscribe", "params": params}))
            await socket.recv()
            ready.set()
            async for message in socket:
                now = time.perf_counter()
                result = json.loads(message)["params"]["result"]
                if kind == "heads":
                    self.heads[result["hash"]] = now
                else:
                    self.logs[result["blockHash"]] = now

    async def client(self, socket: ClientConnection) -> None:
        async for message in socket:
            now = time.perf_counter()
            frame = json.loads(message)
            if frame["t"] == "deltas":
                self.deltas[frame["block"]["hash"]] = now

    def milliseconds(self) -> list[float]:
        """For each block that all three reported: deltas after the later of head and last log."""
        return [
            1000 * (when - max(self.heads[hash], self.logs[hash]))
            for hash, when in self.deltas.items()
            if hash in self.heads and hash in self.logs
        ]


async def measure(server: Server, data: Path) -> list[float]:
    """The latencies of blocks with one turn each, in milliseconds."""
    node = Node(json.loads((data / "running.json").read_text())["node"])
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
    clock, url = Clock(), "ws" + node.url.removeprefix("http")
    ready = [asyncio.Event(), asyncio.Event()]
    logs = ["logs", {"address": game["address"]}]
    async with connect(server.socket_url, origin=server.url) as socket, asyncio.TaskGroup() as group:  # type: ignore[arg-type]
        tasks = [
            group.create_task(clock.raw(url, "heads", ["newHeads"], ready[0])),
            group.create_task(clock.raw(url, "logs", logs, ready[1])),
            group.create_task(clock.client(socket)),
        ]
        await asyncio.gather(*(event.wait() for event in ready))
        for match in matches:
            await socket.send(json.dumps({"t": "watch", "match": f"{game['slug']}/{match}"}))
        await asyncio.sleep(0.5)
        await turns(matches[0], range(WARM_UP))
        clock.deltas.clear()
        for match in matches[1:]:
            await turns(match, range(TURNS))
        await asyncio.sleep(0.5)
        for task in tasks:
            task.cancel()
    await node.aclose()
    return clock.milliseconds()


def main() -> None:
    if "--opponents" in sys.argv:
        with_opponents()
        return
    with tempfile.TemporaryDirectory() as folder, up(Path(folder)) as server:
        p50, p99 = quantiles(asyncio.run(measure(server, Path(folder))))
    print(f"Block to browser, {MATCHES * TURNS} blocks of one turn each, after the node's own announcement")
    print(f"  p50 {p50:6.2f} ms   (aim: 5 ms; Ponder on a websocket measured 18)")
    print(f"  p99 {p99:6.2f} ms   (aim: 15 ms; Ponder 50)")


def quantiles(times: list[float]) -> tuple[float, float]:
    """p50 and p99."""
    found = sorted(times)
    return statistics.median(found), found[int(len(found) * 0.99) - 1]


def with_opponents() -> None:
    """Beside fifty matches against opponents, and beside as many between people: in turn, each at a server of its own,
    as an embedded chain that grows is started anew."""
    against: list[float] = []
    between: list[float] = []
    for _ in range(ROUNDS):
        between += beside_matches("0")
        against += beside_matches(str(MOST))
    print(
        f"Block to browser, {len(against)} blocks, beside {MATCHES_PLAYED} matches against opponents, or between people"
    )
    for name, one, other in zip(("p50", "p99"), quantiles(against), quantiles(between), strict=True):
        print(f"  {name} {one:6.2f} ms, between people {other:6.2f} ms: {one / other:.2f} times (aim: 1.2)")


def beside_matches(opponents: str) -> list[float]:
    """The latencies at a server where fifty matches are played."""
    with tempfile.TemporaryDirectory() as folder, up(Path(folder), "--opponents", opponents) as server:
        data = Path(folder)
        while opponents != "0" and not server.get("/api/opponents")["opponents"]:
            time.sleep(0.1)
        keys = [] if opponents == "0" else [folder]
        command = (sys.executable, "-m", "bench.load.against_opponents", server.url, node_url(data), *keys)
        load = subprocess.Popen(command)
        try:
            while len(server.get("/api/matches?status=playing&limit=100")["matches"]) < MATCHES_PLAYED:
                assert load.poll() is None
                time.sleep(0.5)
            return asyncio.run(measure(server, data))
        finally:
            load.kill()
            load.wait()


if __name__ == "__main__":
    main()
