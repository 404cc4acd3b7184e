"""How fast a chain is followed from its beginning, beside the floor and beside what people write today."""

from __future__ import annotations

import asyncio
import tempfile
from dataclasses import replace
from pathlib import Path
from statistics import median

from bench.backfill.flood import flooded
from bench.backfill.job import Done, Job, run

EVENTS, FEW = 100_000, 20_000
DENSE, SPARSE = 200, 20
"""Events a block."""
PART = 10
"""The usual way gets a tenth of the chain."""
TIMES = 3
MEBI = 2**20
OURS, FLOOR, USUAL = "bench.backfill.ours", "bench.backfill.floor", "bench.backfill.usual"


async def measured(events: int, each: int, ways: tuple[str, ...]) -> list[Done]:
    """What these ways take for a chain with so many events, `each` a block: the run of the middle speed, with the
    highest of the peaks. They take turns, so that what else the machine does meets all of them."""
    with tempfile.TemporaryDirectory() as name:
        folder, blocks = Path(name), events // each
        async with flooded(folder / "chain", events, blocks) as (node, deployment):
            job = Job(node.url, deployment, events, blocks, str(folder / "index.db"))
            part = replace(job, events=events // PART, blocks=blocks // PART)
            runs = [[await run(way, part if way == USUAL else job) for way in ways] for _ in range(TIMES)]
    return [_middle([one[at] for one in runs], part if way == USUAL else job) for at, way in enumerate(ways)]


def _middle(runs: list[Done], job: Job) -> Done:
    assert {one.events for one in runs} == {job.events}, runs
    middle = median(one.seconds for one in runs)
    return replace(next(one for one in runs if one.seconds == middle), peak=max(one.peak for one in runs))


def show(each: int, ours: Done, floor: Done, usual: Done) -> None:
    print(f"Backfill of {ours.events:,} events over {ours.events // each:,} blocks, the middle of {TIMES} runs")
    for what, done in (
        ("ours: all checks, boards and rows", ours),
        ("(a) the floor", floor),
        (f"(b) web3.py and an ORM, {usual.events:,} of them", usual),
    ):
        print(f"  {what:40} {done.rate:9,.0f} events/s {done.seconds:7.2f} s  peak {done.peak / MEBI:4.0f} MiB")
    print(f"  ours / (a) {ours.rate / floor.rate:7.2f}   (aim: 0.5, at least 0.33)")
    print(f"  ours / (b) {ours.rate / usual.rate:7.1f}   (aim: 15)")
    print(f"  peak       {ours.peak / MEBI:7.0f} MiB   (aim: under 200)", flush=True)


def show_cost(done: list[Done]) -> None:
    print(f"Cost of an event, {DENSE} a block")
    for one in done:
        cost = 1e6 * one.seconds / one.events
        print(f"  of {one.events:9,} {cost:6.1f} us   peak {one.peak / MEBI:4.0f} MiB")
    costs = [one.seconds / one.events for one in done]
    print(f"  last / first {costs[-1] / costs[0]:5.2f}   (aim: 1)", flush=True)


async def figures() -> None:
    dense = await measured(EVENTS, DENSE, (OURS, FLOOR, USUAL))
    show(DENSE, *dense)
    show(SPARSE, *await measured(EVENTS, SPARSE, (OURS, FLOOR, USUAL)))
    show_cost([*await measured(FEW, DENSE, (OURS,)), dense[0]])


def main() -> None:
    asyncio.run(figures())


if __name__ == "__main__":
    main()
