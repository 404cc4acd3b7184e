"""The backfill as `chainboard index --once` does it: all checks, boards, and the rows that users query."""

from __future__ import annotations

import contextlib
import gc
import os
import sys

from bench.backfill.flood import GAME
from bench.backfill.job import Job, do
from chainboard.cli import CYCLES_AFTER
from chainboard.indexing.database import catch_up
from indexer.follow.follower import Follower
from indexer.node.client import Node
from indexer.store.store import Store


async def work(job: Job) -> int:
    node = Node(job.url)
    with contextlib.closing(Store(f"sqlite:///{job.file}", {GAME.slug: GAME})) as store:
        store.set_chain(await node.chain(), [job.deployment])
        follower = Follower(node, store, [job.deployment])
        await catch_up(follower)
        if os.environ.get("PHASES"):
            print({phase: round(seconds, 2) for phase, seconds in follower.phases.seconds.items()}, file=sys.stderr)
    await node.aclose()
    return follower.counters.events


if __name__ == "__main__":
    gc.set_threshold(CYCLES_AFTER)  # as the command does
    gc.freeze()
    do(work)
