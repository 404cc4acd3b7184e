"""How fast a chain is followed from its beginning, beside the floor and beside what people write today."""

from __future__ import annotations

import asyncio
import tempfile
from dataclasses import replace
from pathlib import Path
from statistics import median

from bench.backfill_job import Done, Job, run
from bench.flood import flooded
from indexer.model import Deployment
from indexer.node import Node

EVENTS, CHAINS = 100_000, (500, 5_000)
PART = 10
"""The usual way gets a tenth of the chain."""
TIMES = 3
MEBI = 2**20


def best(runs: list[Done]) -> Done:
    """The run of the middle speed, with the highest of the peaks."""
    middle = median(one.seconds for one in runs)
    return replace(next(one for one in runs if one.seconds == middle), peak=max(one.peak for one in runs))


async def measured(node: Node, deployment: Deployment, events: int, blocks: int, folder: Path) -> list[Done]:
    """Ours, the floor and the usual way over the same chain."""
    job = Job(node.url, deployment, events, blocks, str(folder / "index.db"))
    part = replace(job, events=events // PART, blocks=blocks // PART)
    ours, floor = [], []
    for _ in range(TIMES):
        floor.append(await run("bench.backfill_floor", job))
        ours.append(await run("bench.backfill_ours", job))
    usual = await run("bench.backfill_usual", part)
    for done in (*ours, *floor):
        assert done.events == events, done
    assert usual.events == part.events, usual
    return [best(ours), best(floor), usual]


async def figures() -> None:
    for blocks in CHAINS:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            async with flooded(folder / "chain", EVENTS, blocks) as (node, deployment):
                show(blocks, *await measured(node, deployment, EVENTS, blocks, folder))


def show(blocks: int, ours: Done, floor: Done, usual: Done) -> None:
    print(f"Backfill of {EVENTS:,} events over {blocks:,} blocks, middle of {TIMES} runs")
    for what, done in (
        ("ours: all checks, boards and rows", ours),
        ("(a) the floor", floor),
        (f"(b) web3.py and an ORM, of {usual.events:,}", usual),
    ):
        print(f"  {what:36} {done.rate:9,.0f} events/s  {done.seconds:6.2f} s  peak {done.peak / MEBI:4.0f} MiB")
    print(f"  ours / (a) {ours.rate / floor.rate:6.2f}   (aim: 0.5, at least 0.33)")
    print(f"  ours / (b) {ours.rate / usual.rate:6.1f}   (aim: 15)")
    print(f"  peak       {ours.peak / MEBI:6.0f} MiB   (aim: under 200 MB)", flush=True)


def main() -> None:
    asyncio.run(figures())


if __name__ == "__main__":
    main()
