"""The program that runs a measured backfill in a process of its own.

It imports the same modules as `chainboard index`, so that its peak memory is the same.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import resource
import time
from typing import NamedTuple

from chainboard.__main__ import CYCLES_AFTER
from chainboard.indexing.database import catch_up
from indexer.follow.follower import Follower
from indexer.gamekit.game import Game
from indexer.gamekit.lifecycle import DUEL, to_move
from indexer.model import Deployment, Event, Json
from indexer.node.client import Node
from indexer.store.store import Store

SIDE = 10
KIBI = 2**10


def moved(board: Json, event: Event) -> Json:
    args = event.args
    cell, mark = args["row"] * SIDE + args["column"], args["mark"]
    after = {**board, "ply": args["ply"] + 1, "cells": {**board["cells"], str(cell): mark}, "last": cell}
    return to_move(after, mark % 2, event.time)


GAME = Game(
    slug="flood",
    title="Flood",
    contract="Flood",
    layout="grid",
    start={"status": "none", "ply": 0, "deadline": 0, "players": {}, "cells": {}, "width": SIDE, "height": SIDE},
    reducers={**DUEL, "Moved": moved},
    actions=(),
)


class Run(NamedTuple):
    """The figures of one backfill.

    - `seconds`: the time from the connection to the last commit, without imports.
    - `peak`: the peak memory of the process, in bytes.
    - `size`: the size of the database minus the size of an empty one, in bytes."""

    events: int
    seconds: float
    peak: int
    size: int = 0


def follow(url: str, deployment: Deployment, database: str) -> Run:
    """Backfill an empty database, and return the figures. Call this function in a process of its
    own, because it measures the peak memory of the process."""
    gc.set_threshold(CYCLES_AFTER)  # `chainboard index` sets the garbage collector to the same threshold
    gc.freeze()
    begin = time.perf_counter()
    events = asyncio.run(_follow(url, deployment, database))
    seconds = time.perf_counter() - begin
    return Run(events, seconds, KIBI * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)


async def _follow(url: str, deployment: Deployment, database: str) -> int:
    node = Node(url)
    with contextlib.closing(Store(database, {GAME.slug: GAME})) as store, store.exclusive_writer():
        store.set_chain(await node.chain(), [deployment])
        follower = Follower(node, store, [deployment])
        await catch_up(follower)
    await node.aclose()
    return follower.counters.events
