"""Measures how long it takes until all clients have the events of a block that is full of events in
one match."""

from __future__ import annotations

import asyncio
import json
import tempfile
from multiprocessing.connection import Connection
from pathlib import Path
from statistics import median
from urllib.parse import urlsplit

from bench.load.announcements import record
from bench.load.burst import GAME, Burst
from bench.load.spectators import collect, crowd
from indexer.node.client import Node
from tests.support.server import Server, node_url, up

CLIENTS, EVENTS, TRANSACTIONS = 100, 500, 10
BLOCKS, WARM_UP, PAUSE_SECONDS = 50, 5, 0.2


async def measure(server: Server, data: Path) -> list[float]:
    """Return, for each block, the seconds from the node's announcement until all clients have the
    block's events."""
    node, heads, listening, delays = Node(node_url(data)), dict[str, float](), asyncio.Event(), []
    burst = await Burst.over(node, json.loads((data / "deployment.json").read_text("utf-8")))
    match = await burst.open()
    recording = asyncio.create_task(record(heads, "number", node.url, ["newHeads"], listening))
    await listening.wait()
    with crowd(urlsplit(server.url).port or 80, [f"{GAME}/{match}"], CLIENTS) as crowds:
        seq = max([(await asyncio.to_thread(pipe.recv))[0] for pipe in crowds])
        for _ in range(WARM_UP + BLOCKS):
            seq += EVENTS
            height = await burst.pour(match, EVENTS, TRANSACTIONS)
            received_at = await asyncio.to_thread(_until, crowds, seq)
            delays.append(received_at - heads[hex(height)])
            await asyncio.sleep(PAUSE_SECONDS)
        assert not any(one.wrong or one.ended for one in map(collect, crowds))
    recording.cancel()
    await node.aclose()
    return delays[WARM_UP:]


def _until(crowds: list[Connection], seq: int) -> float:
    """Return the time when the last client received this event."""
    times = []
    for pipe in crowds:
        while (latest := pipe.recv())[0] != seq:
            pass
        times.append(latest[1])
    return max(times)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, up(Path(folder)) as server:
        found = sorted(1000 * delay for delay in asyncio.run(measure(server, Path(folder))))
    print(f"Live: {BLOCKS} blocks of {EVENTS} events of one match each, until all {CLIENTS} clients have them")
    print(f"  median {median(found):6.1f} ms   (target: 100 ms)")
    print(f"  worst  {found[-1]:6.1f} ms")
