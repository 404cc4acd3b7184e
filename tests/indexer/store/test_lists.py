"""Tests that filtered lists return the same rows as a scan of all rows, but with few database
steps."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from itertools import product
from typing import Any

import pytest
from sqlalchemy import event

from bench.load.full_database import BATTLESHIP, TIC_TAC_TOE, TOUCHE_COULE, EventGenerator, player
from indexer.games import GAMES
from indexer.store.leaderboard import PageKey
from indexer.store.lobby_queries import MAX_LIVE
from indexer.store.snapshot import Snapshot
from indexer.store.store import Store
from tests.support.databases import DIALECTS, Databases

EVENTS = 8_000
GAME = (None, TIC_TAC_TOE, TOUCHE_COULE, BATTLESHIP, "chess")
PLAYERS = (None, player(0), player(17), player(-99))
MANY = 10**6


@pytest.fixture(scope="module", params=DIALECTS)
def store(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    server = request.getfixturevalue("postgres") if request.param == "postgresql" else None
    with closing(Store(Databases(tmp_path_factory.mktemp("generated"), server).url(), GAMES)) as it:
        EventGenerator().fill(it, EVENTS)
        yield it


@pytest.fixture
def snapshot(store: Store) -> Iterator[Snapshot]:
    with store.read() as it:
        yield it


def test_events_by_any_filters(snapshot: Snapshot) -> None:
    every = snapshot.events_between(0, MANY)
    found = 0
    for game, name, who, bounds in product(
        GAME, (None, "Moved", "Size", "Staked", "Sunk"), PLAYERS, ((None, None), (50, 120), (500, None))
    ):
        first, last = bounds
        wanted = [
            one
            for one in every
            if game in (None, one.game)
            and name in (None, one.name)
            and (who is None or who in one.args.values())
            and (first or 0) <= one.height <= (last or MANY)
        ]
        assert snapshot.search_events(game, name, who, first, last, MANY) == wanted, (game, name, who, bounds)
        some = wanted[len(wanted) // 3 :][:6]
        if len(some) == 6:
            after = (some[0].height, some[0].log_index)
            assert snapshot.search_events(game, name, who, first, last, 5, after) == some[1:]
        found += len(wanted)
    assert found > EVENTS


def test_matches_by_any_filters(snapshot: Snapshot) -> None:
    every = snapshot.summaries(limit=MANY)
    assert [one.position for one in every] == sorted((one.position for one in every), reverse=True)
    assert {one.status for one in every} >= {"open", "playing", "finished"}
    for game, status, who in product(GAME, (None, "open", "playing", "finished", "cancelled", "lost"), PLAYERS):
        wanted = [
            one
            for one in every
            if game in (None, one.game) and status in (None, one.status) and (who is None or who in one.players)
        ]
        assert snapshot.summaries(game, who, status, MANY) == wanted, (game, status, who)
        if len(wanted) > 5:
            assert snapshot.summaries(game, who, status, 4, wanted[1].position) == wanted[2:6]


def test_matches_by_who_was_invited(snapshot: Snapshot) -> None:
    every = snapshot.summaries(limit=MANY)
    invited = {one.board["opponent"] for one in every if "opponent" in one.board}
    assert len(invited) > 5
    for game, status, who in product(GAME, (None, "open", "playing", "finished"), [*sorted(invited)[:5], player(-99)]):
        wanted = [
            one
            for one in every
            if game in (None, one.game) and status in (None, one.status) and one.board.get("opponent") == who
        ]
        assert snapshot.summaries(game, None, status, MANY, None, who) == wanted, (game, status, who)
        if len(wanted) > 1:
            assert snapshot.summaries(game, None, status, 1, wanted[0].position, who) == wanted[1:2]


def test_live_matches(snapshot: Snapshot) -> None:
    """Tests lists of watched matches. In every second match, the player in seat 0 is watching. In
    an open match, this player is the opener."""
    all_matches = snapshot.summaries(limit=MANY)
    every = [one for one in all_matches if one.status == "playing"]
    times = sorted(one.time for one in every)
    everybody = {one.match: [player.lower() for player in one.players[:1]] for one in all_matches if one.match % 2}
    for game, since, claims in product(GAME[1:], (0, times[-20], times[-1] - 1, times[-1]), ({}, everybody)):
        wanted = [
            one
            for one in every
            if one.game == game and (one.time > since or one.players[0].lower() in claims.get(one.match, ()))
        ]
        wanted.sort(key=lambda one: (one.height, *one.position), reverse=True)
        waits = [
            one.match
            for one in all_matches
            if (one.game, one.status) == (game, "open") and one.opener.lower() in claims.get(one.match, ())
        ]
        found = snapshot.live(str(game), since, claims)
        assert found == (len(wanted), [one.match for one in wanted[:MAX_LIVE]], waits[:MAX_LIVE]), (game, since)
    assert snapshot.live(TIC_TAC_TOE, 0, {}).total > MAX_LIVE


def test_seats_and_the_moments_of_a_player(snapshot: Snapshot) -> None:
    every, events = snapshot.summaries(limit=MANY), snapshot.events_between(0, MANY)
    for who in PLAYERS[1:]:
        assert who is not None
        mine = [(one.game, one.status) for one in every if who in one.players]
        assert snapshot.seat_counts(who) == {pair: mine.count(pair) for pair in mine}
        times = [one.time for one in events if who in one.args.values()]
        assert snapshot.first_and_last_seen(who) == ((times[0], times[-1]) if times else None)


@contextmanager
def explained(snapshot: Snapshot, explain_as: str) -> Iterator[dict[str, list[Any]]]:
    """Explain all queries that the `with` block runs on this snapshot. Yield the query plans: the
    key is the SQL statement, and a plan is a list of rows."""
    found: dict[str, list[Any]] = {}
    engine = snapshot._connection.engine

    def explain(connection: Any, _cursor: Any, statement: str, parameters: Any, *_more: Any) -> None:
        if statement not in found and not statement.startswith("EXPLAIN"):
            found[statement] = []
            found[statement] = list(
                connection.connection.driver_connection.execute(f"{explain_as} {statement}", parameters)
            )

    event.listen(engine, "before_cursor_execute", explain)
    try:
        yield found
    finally:
        event.remove(engine, "before_cursor_execute", explain)


def plans(store: Store) -> dict[str, list[str]]:
    """Return SQLite's query plans for all lists. The keys are the SQL statements."""
    some = player(0)
    with store.read() as snapshot, explained(snapshot, "EXPLAIN QUERY PLAN") as found:
        for status in (None, "open"):
            for game in (None, TIC_TAC_TOE):
                for who in (None, some):
                    snapshot.summaries(game, who, status, 50, (10**6, 0))
                snapshot.summaries(game, None, status, 50, (10**6, 0), some)
        snapshot.summaries_of(TIC_TAC_TOE, snapshot.listing(TIC_TAC_TOE).open)
        snapshot.live(TIC_TAC_TOE, 0, {1: [some]})
        for name in (None, "Moved"):
            for game in (None, TIC_TAC_TOE):
                for who in (None, some):
                    snapshot.search_events(game, name, who, 1, 10**6, 50, (1, 0))
        first = snapshot.leaderboard(TIC_TAC_TOE, 10**6, 50)
        last = first[-1]
        snapshot.leaderboard(
            None, 10**6, 50, PageKey(50, last.rank, last.result.rating, last.result.address, last.result.game)
        )
        snapshot.ranks_of(some), snapshot.seat_counts(some), snapshot.first_and_last_seen(some)
        for game in (None, TIC_TAC_TOE):
            snapshot.opponents(some, game, 50)
        for before in (None, (10**6, 0)):
            snapshot.rating_history(some, TIC_TAC_TOE, 50, before)
        snapshot.board(TIC_TAC_TOE, 1, 5), snapshot.last_event(TIC_TAC_TOE, 1, 10)
        return {statement: [row[3] for row in rows] for statement, rows in found.items()}


@pytest.mark.parametrize("store", ["sqlite"], indirect=True)
def test_no_list_looks_through_a_table(store: Store) -> None:
    """Tests that the plans contain no full scan, which SQLite marks with the word SCAN. Exceptions
    are steps through an index, and the rows of a single page."""
    told = plans(store)
    assert len(told) > 20
    for statement, plan in told.items():
        tables = ("event", "mention", "match", "seat", "result", "checkpoint", "block")
        scans = [line for line in plan if line.split()[:2] in [["SCAN", table] for table in tables]]
        assert all("COVERING INDEX" in line and "walk" in statement for line in scans), (statement, plan)
        sorts = [line for line in plan if "TEMP B-TREE" in line]
        # A query for opponents may sort three times: to count, to combine the counts, and to order
        # them.
        rows_of_one = 3 if "AS opponents" in statement else 1
        assert len(sorts) <= rows_of_one * ("anon_1" in statement or "result" in statement), (statement, plan)
        assert not sorts or "seq" not in statement or "result" not in statement, "the history is already sorted"


def steps(plan: Any) -> Iterator[tuple[str, float]]:
    """Yield each step of a PostgreSQL query plan: the table that the step scanned, and the number
    of rows that it returned."""
    yield plan.get("Relation Name", ""), plan["Actual Rows"] * plan["Actual Loops"]
    for below in plan.get("Plans", ()):
        yield from steps(below)


@pytest.mark.parametrize("store", ["postgresql"], indirect=True)
def test_no_scan_of_a_list_passes_on_more_than_a_page(store: Store) -> None:
    """Tests that each scan has a limit. Otherwise, PostgreSQL would read and sort all rows of a
    game."""
    page, some = 20, player(0)
    with ExitStack() as stack:
        snapshot = stack.enter_context(store.read())
        # turn off the scans that PostgreSQL prefers for small tables
        for cheap in ("seqscan", "bitmapscan"):
            snapshot._connection.exec_driver_sql(f"SET LOCAL enable_{cheap} = off")
        found = stack.enter_context(explained(snapshot, "EXPLAIN (ANALYZE, FORMAT JSON)"))
        for game, who in product((None, TIC_TAC_TOE), (None, some)):
            assert len(snapshot.search_events(game, None, who, limit=page)) == page
            assert len(snapshot.summaries(game, who, None, page)) == page
        snapshot.summaries(None, None, "finished", page), snapshot.search_events(None, "PlayerJoined", limit=page)
    lists = [rows for statement, rows in found.items() if "walk" not in statement]
    assert len(lists) == 10
    for [(told,)] in lists:
        passed_on = [rows for table, rows in steps(told[0]["Plan"]) if table in ("event", "mention", "match", "seat")]
        assert passed_on
        assert max(passed_on) <= page, (passed_on, told)
