"""Measures the backfill speed of `chainboard index --once`, including all checks and the creation
of boards and database rows.

`python -m bench backfill_large` compares the cost per event for a million events with the cost per
event for few events. `python -m bench backfill_server 100000` compares a PostgreSQL server with a
SQLite file.
"""

from __future__ import annotations

import asyncio
import contextlib
import multiprocessing
import tempfile
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import count
from pathlib import Path
from statistics import median

from bench.backfill.flood import flooded
from bench.backfill.follow import Run, follow
from indexer.store.store import Store
from tests.support.services.postgres import PostgresServer, postgres_server

FEW, EVENTS, MANY = 20_000, 100_000, 1_000_000
DENSE, SPARSE = 200, 20
"""The two numbers of events per block for which the benchmark measures the speed."""
TIMES = 3
MEBI = 2**20
SPAWN = multiprocessing.get_context("spawn")


def files(folder: Path) -> Iterator[str]:
    """Yield the URLs of new SQLite databases in a folder."""
    for number in count():
        yield f"sqlite:///{folder / str(number)}.db"


async def measured(events: int, each: int) -> Run:
    """Measure several backfills of this number of events. Return the median run, with the
    highest peak memory of all runs.

    `each` is the number of events per block."""
    [run] = await side_by_side(events, each)
    return run


async def side_by_side(events: int, each: int, server: PostgresServer | None = None) -> list[Run]:
    """Measure a SQLite file and, if a PostgreSQL server is given, a database on that server.

    The runs alternate between the databases, so that the machine's other load affects both
    equally."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        async with flooded(folder / "chain", events, events // each) as (node, deployment):
            databases = [files(folder), *([iter(server.new_database, None)] if server else [])]
            sizes = [_file_size, *([partial(_database_size, server)] if server else [])]
            empty = [size_of(_empty(next(urls))) for urls, size_of in zip(databases, sizes, strict=True)]
            runs: list[list[Run]] = [[] for _ in databases]
            for _ in range(TIMES):
                for urls, size_of, nothing, made in zip(databases, sizes, empty, runs, strict=True):
                    with ProcessPoolExecutor(1, SPAWN) as pool:
                        job = pool.submit(follow, node.url, deployment, url := next(urls))
                        made.append((await asyncio.wrap_future(job))._replace(size=size_of(url) - nothing))
    assert {run.events for made in runs for run in made} == {events}, runs
    return [
        Run(events, median(one.seconds for one in made), max(one.peak for one in made), made[-1].size) for made in runs
    ]


def _empty(url: str) -> str:
    with contextlib.closing(Store(url, {})) as store, store.exclusive_writer():
        return url


def _file_size(url: str) -> int:
    return Path(url.removeprefix("sqlite:///")).stat().st_size


def _database_size(server: PostgresServer, url: str) -> int:
    """Return the size, in bytes, of a PostgreSQL database's tables and indexes, without
    PostgreSQL's own tables."""
    [[size]] = server.execute(
        "SELECT sum(pg_total_relation_size(oid))::bigint FROM pg_class WHERE relnamespace = 'public'::regnamespace"
        " AND relkind = 'r'",
        url.rpartition("/")[2],
    )
    return int(size)


def compare(*sizes: int) -> None:
    print(f"Backfill, median of {TIMES} runs")
    runs = [asyncio.run(measured(events, DENSE)) for events in sizes]
    for run in runs:
        print_run(run, DENSE)
    costs = [run.seconds / run.events for run in runs]
    print(f"  last / first {costs[-1] / costs[0]:5.2f}   (target: 1)", flush=True)


def print_run(run: Run, each: int) -> None:
    cost = f"{run.events / run.seconds:8,.0f} events/s {1e6 * run.seconds / run.events:6.1f} us per event"
    print(
        f"  {run.events:9,} events, {each:3} per block {cost}   peak {run.peak / MEBI:4.0f} MiB   (target: under 200)",
        flush=True,
    )


def main() -> None:
    compare(FEW, EVENTS)
    print_run(asyncio.run(measured(EVENTS, SPARSE)), SPARSE)


def server(events: int = EVENTS) -> None:
    for each in (DENSE, SPARSE):
        with contextlib.contextmanager(postgres_server)() as found:
            file, other = asyncio.run(side_by_side(events, each, found))
        print(f"Backfill of {events:,} events, {each} per block, median of {TIMES} alternating runs")
        print(f"  SQLite {events / file.seconds:9,.0f} events/s   PostgreSQL {events / other.seconds:9,.0f} events/s")
        print(f"  PostgreSQL / SQLite {file.seconds / other.seconds:5.2f}   (target: at least 0.6)")
        print(
            f"  {file.size / events:.0f} and {other.size / events:.0f} bytes per event   (target: at most 500)",
            flush=True,
        )


def large() -> None:
    compare(FEW, MANY)
