"""Measures the median latency of every HTTP query over a database with a million events.

`python -m bench questions_server 1000000` compares the processor time of queries to a PostgreSQL
server with that of queries to a SQLite file.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from itertools import chain
from os import getpid
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import httpx

from bench.load.full_database import (
    BATTLESHIP,
    EVENTS_PER_BLOCK,
    TIC_TAC_TOE,
    TOUCHE_COULE,
    EventGenerator,
    digest,
    player,
)
from bench.load.processor_time import family_seconds, processor_seconds
from chainboard.settings import Settings
from chainboard.sharing.facts import announce_facts
from indexer.games import GAMES
from indexer.store.store import Store
from tests.support.server import Server, started
from tests.support.services.postgres import postgres_server

EVENTS, FAR = 1_000_000, 100
ROUNDS, TIMES = 3, 7
"""The number of rounds, and the number of times that each query is sent per round."""
TARGET = 50
TABLE_SIZES = """
    SELECT relname, pg_total_relation_size(oid)::bigint FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' ORDER BY 2 DESC LIMIT 6
"""
"""A query that returns the sizes of the largest tables, in bytes."""
STATUSES = ("open", "playing", "finished", "cancelled")
ApiQuery = tuple[str, str]
"""A query to the HTTP API: its description and its path."""


class Answers(NamedTuple):
    """The cost of answering a query.

    - `cpu`: the processor time per answer, in milliseconds, in the cheapest round.
    - `milliseconds`: the median latency."""

    cpu: float
    milliseconds: float


def api_queries(events: int) -> Iterator[ApiQuery]:
    """Yield queries for all routes with all combinations of filters, including expensive ones."""
    height = events // EVENTS_PER_BLOCK
    often, seldom, never = player(0), player(7), player(-99)
    yield from _matches(often, seldom, never)
    yield from _events(often, seldom, never, height)
    for address, who in ((often, "a frequent player"), (seldom, "a rare player"), (never, "an unknown player")):
        yield f"profile of {who}", f"/players/{address}"
        yield f"rivals of {who}", f"/players/{address}/rivals?limit=100"
        yield f"ratings of {who}", f"/players/{address}/ratings?game={TIC_TAC_TOE}&limit=1000"
    yield "leaderboard of all games", "/leaderboard?limit=100"
    for game in (TIC_TAC_TOE, TOUCHE_COULE, BATTLESHIP):
        yield f"leaderboard of {game}", f"/leaderboard?game={game}&limit=100"
    for match in (f"{TIC_TAC_TOE}/1", f"{TOUCHE_COULE}/2"):
        for what in (
            "",
            "/events",
            "/deltas",
            "/deltas?after=5",
            "?seq=5",
            f"?block={height // 2}",
            f"?block={digest('block 900')}",
        ):
            yield f"{match}{what[:30]}", f"/matches/{match}{what}"
    yield "games", "/games"
    yield "health", "/health"


def _matches(often: str, seldom: str, never: str) -> Iterator[ApiQuery]:
    for game in ("", TIC_TAC_TOE, BATTLESHIP):
        for status in ("", *STATUSES):
            for who, address in (("", ""), ("often", often), ("seldom", seldom), ("never", never)):
                yield _query("matches", {"game": game, "status": status, "player": address}, who)


def _events(often: str, seldom: str, never: str, height: int) -> Iterator[ApiQuery]:
    """Yield queries for events whose names are common, rare, unique or unused in the database."""
    middle = {"from_block": height // 2, "to_block": height // 2 + height // 10}
    for game in ("", TIC_TAC_TOE, BATTLESHIP):
        for name in ("", "Moved", "Size", "Staked", "Sunk"):
            for who, address in (("", ""), ("often", often), ("seldom", seldom), ("never", never)):
                for bounds in ({}, middle):
                    yield _query("events", {"game": game, "name": name, "player": address, **bounds}, who)


def _query(route: str, filters: Mapping[str, Any], who: str) -> ApiQuery:
    params = {key: value for key, value in filters.items() if value != ""}
    label = " ".join(f"{key}={who if key == 'player' else value}" for key, value in params.items())
    query = "&".join(f"{key}={value}" for key, value in {**params, "limit": 100}.items())
    return f"{route} {label}", f"/{route}?{query}"


class Gateway:
    """A gateway that serves a PostgreSQL database or a SQLite file. `postmaster` is the process id
    of the PostgreSQL server."""

    def __init__(self, server: Server, http: httpx.Client, postmaster: int | None) -> None:
        self._server, self.http, self._postmaster = server, http, postmaster

    def processor_seconds(self) -> float:
        """Return the processor seconds used so far by the gateway and its PostgreSQL server."""
        own = processor_seconds(self._server.process.pid)
        return own if self._postmaster is None else own + family_seconds(self._postmaster)

    def fetch(self, path: str) -> tuple[float, list[float]]:
        """Send the query repeatedly. Return the processor time per answer, and each answer's
        latency, in milliseconds."""
        before, times = self.processor_seconds(), []
        for _ in range(TIMES):
            begin = time.perf_counter()
            self.http.get(path).raise_for_status()
            times.append(1000 * (time.perf_counter() - begin))
        return 1000 * (self.processor_seconds() - before) / TIMES, times


def answered(gateways: Sequence[Gateway], paths: Sequence[str]) -> list[Answers]:
    """Measure the cost of one query at each gateway. The gateways take turns in each round, so that
    the machine's other load affects all gateways equally."""
    rounds = [[one.fetch(path) for one, path in zip(gateways, paths, strict=True)] for _ in range(ROUNDS)]
    return [
        Answers(min(cpu for cpu, _times in mine), median(chain.from_iterable(times for _cpu, times in mine)))
        for mine in zip(*rounds, strict=True)
    ]


def last_page(http: httpx.Client, path: str, pages: int) -> str:
    """Go to the next page `pages` times, or until there is no next page. Return the path of the
    page that is reached last."""
    for _ in range(pages):
        following = http.get(path).raise_for_status().json().get("next")
        if following is None:
            break
        path = f"{path.partition('&cursor=')[0]}&cursor={following}"
    return path


def measure(databases: Mapping[str, int | None], events: int) -> Iterator[tuple[str, list[Answers]]]:
    """Yield each query's description, and the cost of its answers from each database.

    `databases` maps each database's URL to the process id of its PostgreSQL server, or to None for
    a SQLite file."""
    with ExitStack() as stack:
        gateways = []
        for url, postmaster in databases.items():
            serve = ("serve", "--database", url, "--rpc", "http://127.0.0.1:1", "--port", "0")
            server = stack.enter_context(started(*serve))
            http = stack.enter_context(httpx.Client(base_url=f"{server.url}/api", timeout=60))
            gateways.append(Gateway(server, http, postmaster))
        for what, path in api_queries(events):
            yield what, answered(gateways, [path] * len(gateways))
        for route in ("matches?limit=100", f"events?game={TIC_TAC_TOE}&limit=1000", f"leaderboard?game={TIC_TAC_TOE}"):
            yield (
                f"{route}, {FAR} pages later",
                answered(gateways, [last_page(one.http, f"/{route}", FAR) for one in gateways]),
            )


def filled(url: str, events: int) -> str:
    with closing(Store(url, GAMES)) as store, store.exclusive_writer():
        EventGenerator().fill(store, events)
        announce_facts(store, Settings())  # otherwise, a gateway on PostgreSQL would wait for a writer's facts
    return url


def compared(in_file: str, on_server: str, postmaster: int, events: int) -> list[tuple[float, Answers, str]]:
    """For each query, return the ratio of processor times (server / file), and the cost on the
    server.

    The greatest ratio comes first. The function doesn't compare wall-clock times. On a busy
    machine, these times mostly depend on how long the three processes wait for the processor."""
    found = measure({in_file: None, on_server: postmaster}, events)
    return sorted(((other.cpu / own.cpu, other, what) for what, [own, other] in found), reverse=True)


def server(events: int = EVENTS) -> None:
    with tempfile.TemporaryDirectory() as folder, contextmanager(postgres_server)() as postgres:
        begin = family_seconds(postgres.pid) + processor_seconds(getpid())
        name = (on_server := filled(postgres.new_database(), events)).rpartition("/")[2]
        spent = family_seconds(postgres.pid) + processor_seconds(getpid()) - begin
        postgres.execute("VACUUM ANALYZE", name)  # a server would soon vacuum the database by itself
        tables = postgres.execute(TABLE_SIZES, name)
        [(size,)] = postgres.execute(f"SELECT pg_database_size('{name}')")
        [(empty,)] = postgres.execute("SELECT pg_database_size('template0')")
        begin = processor_seconds(getpid())
        in_file = filled(f"sqlite:///{folder}/index.db", events)
        spent_on_file = processor_seconds(getpid()) - begin
        file_size = Path(folder, "index.db").stat().st_size
        ratios = compared(in_file, on_server, postgres.pid, events)
    each, parts = (
        (int(str(size)) - int(str(empty))) / events,
        [f"{name} {int(size) / events:.0f}" for name, size in tables],
    )
    print(f"Queries over {events:,} events of short matches, PostgreSQL compared with SQLite")
    print(f"  {each:,.0f} and {file_size / events:,.0f} bytes per event; tables with their indexes: {', '.join(parts)}")
    print(
        f"  stored in {1e6 * spent / events:.0f} and {1e6 * spent_on_file / events:.0f} us of processor time per event"
    )
    for ratio, answers, what in ratios[:15]:
        print(f"  {ratio:5.2f} times the processor time, {answers.milliseconds:7.1f} ms  {what}")
    middle = median(ratio for ratio, *_ in ratios)
    print(f"  {len(ratios)} queries, alternating; median {middle:.2f} times (target: at most 3 each)")


def main(events: int = EVENTS) -> None:
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder)
        begin = time.perf_counter()
        url = filled(f"sqlite:///{data / 'index.db'}", events)
        seconds = time.perf_counter() - begin
        size = (data / "index.db").stat().st_size / 1e6
        found = sorted(((one.milliseconds, what) for what, [one] in measure({url: None}, events)), reverse=True)
    print(f"Queries over {events:,} events ({size:,.0f} MB, made in {seconds:.0f} s): medians of {ROUNDS * TIMES}")
    for milliseconds, what in found[:15]:
        print(f"  {milliseconds:7.1f} ms  {what}")
    middle = median(one for one, _ in found)
    print(f"  {len(found)} queries; slowest {found[0][0]:.1f} ms (target: {TARGET} ms), median {middle:.1f} ms")
