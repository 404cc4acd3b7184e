"""Every question that can be asked over HTTP, with a million events in the database: the median of each route.

`python -m bench questions_server 1000000` compares a PostgreSQL server with a file."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from statistics import median
from typing import Any

import httpx

from bench.load.full_database import BATTLESHIP, EVENTS_PER_BLOCK, TIC_TAC_TOE, TOUCHE_COULE, Town, digest, player
from indexer.games import GAMES
from indexer.store.store import Store
from tests.support.server import started
from tests.support.services.postgres import postgres_server

EVENTS, TIMES, FAR = 1_000_000, 21, 100
AIM = 50
STATUSES = ("open", "playing", "finished", "cancelled")
Question = tuple[str, str]
"""What it is about, and its path."""


def questions(events: int) -> Iterator[Question]:
    """Each route, each filter and combination of filters, and those that are hard to answer."""
    height = events // EVENTS_PER_BLOCK
    often, seldom, never = player(0), player(7), player(-99)
    yield from _matches(often, seldom, never)
    yield from _events(often, seldom, never, height)
    for address, who in ((often, "who plays most"), (seldom, "who plays seldom"), (never, "who never played")):
        yield f"player {who}", f"/players/{address}"
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


def _matches(often: str, seldom: str, never: str) -> Iterator[Question]:
    for game in ("", TIC_TAC_TOE, BATTLESHIP):
        for status in ("", *STATUSES):
            for who, address in (("", ""), ("often", often), ("seldom", seldom), ("never", never)):
                yield _question("matches", {"game": game, "status": status, "player": address}, who)


def _events(often: str, seldom: str, never: str, height: int) -> Iterator[Question]:
    """Names that nearly every event has, that few have, that one has, and that none has."""
    middle = {"from_block": height // 2, "to_block": height // 2 + height // 10}
    for game in ("", TIC_TAC_TOE, BATTLESHIP):
        for name in ("", "Moved", "Size", "Staked", "Sunk"):
            for who, address in (("", ""), ("often", often), ("seldom", seldom), ("never", never)):
                for bounds in ({}, middle):
                    yield _question("events", {"game": game, "name": name, "player": address, **bounds}, who)


def _question(route: str, filters: Mapping[str, Any], who: str) -> Question:
    params = {key: value for key, value in filters.items() if value != ""}
    label = " ".join(f"{key}={who if key == 'player' else value}" for key, value in params.items())
    query = "&".join(f"{key}={value}" for key, value in {**params, "limit": 100}.items())
    return f"{route} {label}", f"/{route}?{query}"


def answered(http: httpx.Client, path: str) -> float:
    """The median, in milliseconds."""
    times = []
    for _ in range(TIMES):
        begin = time.perf_counter()
        http.get(path).raise_for_status()
        times.append(1000 * (time.perf_counter() - begin))
    return median(times)


def last_page(http: httpx.Client, path: str, pages: int) -> str:
    """The path of a page so many pages behind the first, or of the last one."""
    for _ in range(pages):
        following = http.get(path).raise_for_status().json().get("next")
        if following is None:
            break
        path = f"{path.partition('&cursor=')[0]}&cursor={following}"
    return path


def measure(url: str, events: int) -> list[tuple[float, str]]:
    """Of each question, the slowest first."""
    serve = ("serve", "--database", url, "--rpc", "http://127.0.0.1:1", "--port", "0")
    with started(*serve) as server, httpx.Client(base_url=f"{server.url}/api", timeout=60) as http:
        selected = list(questions(events))
        for route in ("matches?limit=100", f"events?game={TIC_TAC_TOE}&limit=1000", f"leaderboard?game={TIC_TAC_TOE}"):
            selected.append((f"{route}, far behind", last_page(http, f"/{route}", FAR)))
        return sorted(((answered(http, path), what) for what, path in selected), reverse=True)


def filled(url: str, events: int) -> str:
    with closing(Store(url, GAMES)) as store, store.exclusive_writer():
        Town().fill(store, events)
    return url


def server(events: int = EVENTS) -> None:
    with tempfile.TemporaryDirectory() as folder, contextmanager(postgres_server)() as postgres:
        name = (on_server := filled(postgres.new_database(), events)).rpartition("/")[2]
        postgres.execute("VACUUM ANALYZE", name)  # as the server does by itself, soon
        [(size,)] = postgres.execute(f"SELECT pg_database_size('{name}')")
        [(empty,)] = postgres.execute("SELECT pg_database_size('template0')")
        of_file = {what: one for one, what in measure(filled(f"sqlite:///{folder}/index.db", events), events)}
        ratios = sorted(((one / of_file[what], one, what) for one, what in measure(on_server, events)), reverse=True)
    each = (int(str(size)) - int(str(empty))) / events
    print(f"Questions over {events:,} events on PostgreSQL ({each:,.0f} bytes an event, aim: 500), beside SQLite's")
    for ratio, milliseconds, what in ratios[:15]:
        print(f"  {ratio:5.2f} times, {milliseconds:7.1f} ms  {what}")
    middle = median(ratio for ratio, *_ in ratios)
    print(f"  {len(ratios)} questions; their median {middle:.2f} times (aim: at most 3 each)")


def main(events: int = EVENTS) -> None:
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder)
        begin = time.perf_counter()
        url = filled(f"sqlite:///{data / 'index.db'}", events)
        seconds = time.perf_counter() - begin
        size = (data / "index.db").stat().st_size / 1e6
        found = measure(url, events)
    print(f"Questions over {events:,} events ({size:,.0f} MB, made in {seconds:.0f} s): the median of {TIMES} answers")
    for milliseconds, what in found[:15]:
        print(f"  {milliseconds:7.1f} ms  {what}")
    middle = median(one for one, _ in found)
    print(f"  {len(found)} questions; the slowest {found[0][0]:.1f} ms (aim: {AIM} ms), their median {middle:.1f} ms")
