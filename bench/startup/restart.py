"""Measures the time from a server's restart until users get their first answers, with a million
events in the database."""

from __future__ import annotations

import asyncio
import json
import sqlite3
import tempfile
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, closing
from functools import partial
from pathlib import Path
from statistics import median

import httpx
from websockets.sync.client import connect

from bench.load.burst import GAME, filled
from chainboard.chain.anvil import Anvil
from tests.support.server import Server, started

EVENTS, MATCHES = 1_000_000, 50
TIMES = 5
Start = Callable[[], AbstractContextManager[Server]]


def seconds(start: Start) -> float:
    """Return the seconds until the page, a match over HTTP, and a board over the websocket are
    loaded."""
    begin = time.perf_counter()
    with start() as server:
        httpx.get(server.url).raise_for_status()
        assert server.get(f"/api/matches/{GAME}/{MATCHES}")["seq"]
        with connect(server.socket_url) as socket:
            socket.send(json.dumps({"t": "watch", "match": f"{GAME}/1"}))
            while json.loads(socket.recv())["t"] != "reset":
                pass
        return time.perf_counter() - begin


async def measure(folder: Path, events: int) -> None:
    anvil = await Anvil.start(folder / "chain")
    data = folder / "data"
    try:
        await filled(anvil, data, MATCHES, events)
        rpc = ("--rpc", anvil.node.url, "--data", str(data))
        commands = {"up": ("up", "--dev", "--opponents", "0", *rpc), "serve": ("serve", *rpc)}
        found: dict[str, list[float]] = {what: [] for what in commands}
        for _ in range(TIMES):
            for what, command in commands.items():
                start = partial(started, *command, "--port", "0")
                found[what].append(await asyncio.to_thread(seconds, start))
    finally:
        await anvil.stop()
    _print(data / "index.db", found)


def _print(database: Path, found: dict[str, list[float]]) -> None:
    with closing(sqlite3.connect(database)) as connection:
        [count] = connection.execute("SELECT count(*) FROM event").fetchone()
    print(
        f"Restart with {count:,} events in {database.stat().st_size / 1e6:,.0f} MB: to the first answers, {TIMES} runs"
    )
    for what, times in found.items():
        print(f"  chainboard {what:6} median {median(times):5.2f} s, slowest {max(times):5.2f} s   (target: 2.5 s)")


def main(events: int = EVENTS) -> None:
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(measure(Path(folder), events))
