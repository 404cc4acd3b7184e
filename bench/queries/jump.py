"""Measures jumps to single events in a match with a hundred thousand events, and the cost of
folding events into a board.

The jumps are HTTP requests to a process that has just started, with and without checkpoints in the
database. For folding, the benchmark compares the cost per event in long matches with the cost in
short matches.
"""

from __future__ import annotations

import asyncio
import sqlite3
import tempfile
import time
from contextlib import closing
from pathlib import Path
from random import Random
from statistics import median

import httpx

from bench.load.burst import GAME, filled
from chainboard.chain.anvil import Anvil
from indexer.gamekit.game import Game, fold
from indexer.games import GAMES
from indexer.model import Event, Json
from indexer.store.match_state import CHECKPOINT_EVERY
from indexer.store.store import Store
from tests.support.server import started

EVENTS = 100_000
TIMES, FEW = 101, 5
TARGET = 50
LENGTHS, LAST = (1_000, 10_000, 100_000), 500


async def fill_database(folder: Path, events: int) -> int:
    """Make a real chain with one match that has this number of events, and index the chain. Return
    the match's number."""
    anvil = await Anvil.start(folder / "chain")
    try:
        [match] = await filled(anvil, folder / "data", 1, events)
        return match
    finally:
        await anvil.stop()


def jumps(data: Path, match: int, seqs: list[int]) -> list[float]:
    """Measure how long a new server process takes to return the board after an event. Return the
    milliseconds for each of these events."""
    times = []
    serve = ("serve", "--data", str(data), "--rpc", "http://127.0.0.1:1", "--port", "0")
    with started(*serve) as server, httpx.Client(base_url=f"{server.url}/api", timeout=60) as http:
        http.get("/health").raise_for_status()
        for seq in seqs:
            begin = time.perf_counter()
            found = http.get(f"/matches/{GAME}/{match}?seq={seq}").raise_for_status()
            times.append(1000 * (time.perf_counter() - begin))
            assert found.json()["seq"] == seq
    return times


def folding(data: Path, match: int, events: int) -> dict[int, float]:
    """Measure how long it takes to fold an event at the end of a match into the board. Return the
    microseconds. The keys are the lengths of the matches, in events."""
    costs: dict[int, float] = {}
    rules = GAMES[GAME]
    with closing(Store(f"sqlite:///{data / 'index.db'}", GAMES)) as store, store.read() as snapshot:
        for length in (one for one in LENGTHS if one <= events):
            at = snapshot.board(GAME, match, length - LAST)
            assert at is not None
            last = snapshot.events(GAME, match, length - LAST, LAST)
            costs[length] = 1e6 * median(_seconds(rules, at[0], last) for _ in range(TIMES)) / LAST
    return costs


def _seconds(rules: Game, board: Json, events: list[Event]) -> float:
    begin = time.perf_counter()
    fold(rules, board, events)
    return time.perf_counter() - begin


def without_checkpoints(data: Path) -> None:
    with closing(sqlite3.connect(data / "index.db")) as database, database:
        database.execute("DELETE FROM checkpoint")


def main(events: int = EVENTS) -> None:
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "data"
        match = asyncio.run(fill_database(Path(folder), events))
        costs = folding(data, match, events)
        random = Random(6)
        seqs = [random.randrange(1, events) for _ in range(TIMES)]
        found = jumps(data, match, seqs)
        without_checkpoints(data)  # the checkpoints stay deleted, because no writer is running
        far = jumps(data, match, seqs[:FEW])
    print(
        f"Jump to any of {events:,} events of one match, a checkpoint every {CHECKPOINT_EVERY}: over HTTP, "
        "from a fresh process"
    )
    print(f"  median of {TIMES}       {median(found):8.1f} ms   (target: {TARGET} ms)")
    print(f"  worst              {max(found):8.1f} ms")
    times = median(far) / median(found[:FEW])
    print(f"  without checkpoints{median(far):8.1f} ms   the same {FEW} jumps: {times:.0f} times as long")
    print(f"Folding, the last {LAST} events of a match")
    for length, cost in costs.items():
        print(f"  of {length:9,}       {cost:8.2f} us per event")
    print(f"  last / first       {costs[max(costs)] / costs[min(costs)]:8.2f}   (target: 1)")
