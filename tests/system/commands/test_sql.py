"""Tests of SQL queries about a chain with matches. They cover the contents of the views, the
rejection of queries that write, and the output formats."""

from __future__ import annotations

import asyncio
import csv
import hashlib
import io
import json
import re
import subprocess
from collections import Counter
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from chainboard.commands import sql
from chainboard.errors import UserError
from chainboard.settings import Settings
from indexer.gamekit.lifecycle import NOBODY
from indexer.games import GAMES
from indexer.model import Event
from indexer.sql.query import open_database
from indexer.sql.reader_role import grant_reader
from indexer.sql.views import SqlView, snake_case
from indexer.store.store import Store
from tests.support.chain import deployed_chain, fresh_store
from tests.support.databases import DIALECTS, Databases, copy_rows
from tests.support.server import COMMAND, run
from tests.support.services.postgres import PostgresServer

PAGE = (Path(__file__).parents[3] / "docs" / "how-to" / "query.md").read_text("utf-8")
EXAMPLES = dict(re.findall(r"^([^:\n]+):.*\n\n```sql\n((?:.|\n)*?)```", PAGE, re.MULTILINE))
HOUR, SERVER_HOUR = "strftime('%Y-%m-%d %H:00', time, 'unixepoch')", PAGE.split("On PostgreSQL, `")[1].split("`")[0]
WIN = ((1, 0, 0), (2, 1, 0), (1, 0, 1), (2, 1, 1), (1, 0, 2))
"""The moves of a won match of Tic-tac-toe, each as a player, a row and a column."""
MOST_TURNS = 300


async def played(folder: Path) -> None:
    """Play these matches on a new chain in this folder:

    - one match of Touché Coulé, to its end
    - three matches of Tic-tac-toe: a win, a resignation, and one that stays open"""
    async with deployed_chain(folder) as it:
        await it.begin(1)
        for number in range(1, MOST_TURNS):
            await it.mine()
            if (await it.send(1, "turn", 1, number))["status"] != "0x1":
                break
        it.game = next(one for one in it.deployments if one.game == "tic-tac-toe")
        for match in (1, 2, 3):
            await it.play(1, "create", it.accounts[2 + match], 0)
        for match in (1, 2):
            await it.play(2 + match, "accept", match)
        for ply, (player, row, column) in enumerate(WIN):
            await it.play(player if player == 1 else 3, "move", 1, ply, row, column)
        await it.play(1, "resign", 2)
        (await fresh_store(folder / "index.db", it.node, it.deployments)).close()


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("questions")
    asyncio.run(played(folder))
    return folder


@pytest.fixture(scope="module")
def events(data: Path) -> list[Event]:
    with closing(Store(f"sqlite:///{data / 'index.db'}", GAMES)) as store, store.read() as snapshot:
        return snapshot.events_between(0, 10**6)


@pytest.fixture(scope="module")
def server(data: Path, postgres: PostgresServer, tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """Return settings for a PostgreSQL database with the same rows as the SQLite database."""
    url = Databases(tmp_path_factory.mktemp("none"), postgres).url()
    copy_rows(f"sqlite:///{data / 'index.db'}", url)
    grant_reader(url)
    return Settings(data, url)


@pytest.fixture(params=DIALECTS)
def settings(request: pytest.FixtureRequest, data: Path) -> Settings:
    """Return settings for the database under test, which is SQLite or PostgreSQL."""
    found: Settings = request.getfixturevalue("server") if request.param == "postgresql" else Settings(data)
    return found


def query_rows(settings: Settings, query: str) -> list[dict[str, Any]]:
    with closing(open_database(settings.database_url, 30)) as it:
        assert it.note == ""
        columns, rows = it.run(query, 30)
        return [dict(zip(columns, row, strict=True)) for row in rows]


def views_of(settings: Settings) -> list[SqlView]:
    with closing(open_database(settings.database_url, 30)) as it:
        return it.views


def args(event: Event) -> dict[str, Any]:
    return {snake_case(name): value for name, value in event.args.items()}


def event_location(event: Event) -> dict[str, Any]:
    return {"block": event.height, "block_hash": event.hash, "log_index": event.log_index, "tx": event.tx} | {
        "time": event.time
    }


NUMBERS = """
SELECT count(*), sum(seq), avg(seq), max(seq) * 1.5, 7 / 2, count(*) > 3, 'a%;b', 'é' || NULL,
       sum(seq)  +  1 AS "x;%", game, min ( name )
FROM events e -- ; %s
GROUP BY game ORDER BY game;
"""
WITH_QUERIES = """
WITH late AS (SELECT * FROM events WHERE seq > 1), last AS (SELECT max(seq) AS m FROM late)
SELECT name, count(*), m FROM late, last JOIN (WITH a AS (SELECT * FROM seats) SELECT count(*) AS n FROM a) b
ON n > 1 GROUP BY name, m ORDER BY 2 DESC, name
"""


def test_both_kinds_of_databases_give_equal_answers(
    data: Path, server: Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    """Tests that queries return the same rows and column names on SQLite and PostgreSQL, in each
    output format."""
    questions = [
        NUMBERS,
        "SELECT *, 1 + 1 FROM matches m ORDER BY game, match",
        "SELECT args FROM events ORDER BY block, log_index",
    ]
    questions += [WITH_QUERIES, *(f"SELECT * FROM {view.name} ORDER BY 1, 2, 3" for view in views_of(server))]
    for query in questions:
        for format in ("table", "csv", "json") if query in questions[:3] else ("csv",):
            sql.run_query(Settings(data), query, format, 30)
            ours = capsys.readouterr().out
            sql.run_query(server, query, format, 30)
            assert capsys.readouterr().out == ours, query


def test_each_kind_of_event_has_its_rows(settings: Settings, events: list[Event]) -> None:
    kinds = {(event.game, event.name) for event in events}
    assert len(kinds) >= 15
    for game, name in kinds:
        ours = [one for one in events if (one.game, one.name) == (game, name)]
        rows = query_rows(settings, f"SELECT * FROM {snake_case(f'{game}_{name}')} ORDER BY block, log_index")
        assert rows == [{"match": one.match, "seq": one.seq, **args(one), **event_location(one)} for one in ours]


TYPES = {"INTEGER": int, "TEXT": str, "REAL": float}


def test_columns_hold_their_documented_types(settings: Settings) -> None:
    """Tests that each column has the documented type, and that no column name needs quotes. On
    PostgreSQL, some columns need the view's alias as a prefix, such as `v.`."""
    table = "v." if settings.database else ""
    for view in views_of(settings):
        rows = query_rows(settings, f"SELECT {', '.join(table + column for column in view.columns)} FROM {view.name} v")
        wrong = {
            (view.name, column, kind, type(row[column]).__name__)
            for row in rows
            for column, kind in view.columns.items()
            if not isinstance(row[column], TYPES[kind] | None)
        }
        assert wrong == set()


def test_matches_and_seats(settings: Settings, events: list[Event]) -> None:
    ends = {(one.game, one.match): one for one in events if one.name == "MatchEnded"}
    starts = {(one.game, one.match): one for one in events if one.seq == 1}
    rows = query_rows(settings, "SELECT * FROM matches ORDER BY created_block")
    assert len(rows) == len(starts) >= 4
    for row in rows:
        key = row["game"], row["match"]
        ours = [one for one in events if (one.game, one.match) == key]
        assert (row["events"], row["last_block"]) == (len(ours), ours[-1].height)
        assert (row["created"], row["created_block"]) == (starts[key].time, starts[key].height)
        assert row["ended"] == (ends[key].time if key in ends else None)
        winner = ends[key].args["winner"] if key in ends else NOBODY
        assert row["winner"] == (None if winner == NOBODY else winner)
        joined = [one.args for one in ours if one.name == "PlayerJoined"]
        assert row["players"] == len(joined)
        seats = query_rows(settings, f"SELECT address, seat FROM seats WHERE game = '{key[0]}' AND match = {key[1]}")
        assert sorted((one["seat"], one["address"]) for one in seats) == sorted(
            (one["seat"], one["player"]) for one in joined
        )
    reasons = {row["reason"] for row in rows} - {"draw"}  # the match of Touché Coulé can also end in a draw
    assert reasons == {"won", "resigned", None}


def test_events_and_blocks(settings: Settings, events: list[Event]) -> None:
    rows = query_rows(settings, "SELECT * FROM events ORDER BY block, log_index")
    assert [{**row, "args": json.loads(row["args"])} for row in rows] == [
        {
            "game": one.game,
            "match": one.match,
            "seq": one.seq,
            "name": one.name,
            "args": one.args,
            **event_location(one),
        }
        for one in events
    ]
    assert query_rows(settings, "SELECT value FROM events, json_each(args) WHERE key = 'creator' LIMIT 1")
    assert query_rows(settings, "SELECT args ->> 'creator' AS creator FROM events WHERE name = 'MatchCreated' LIMIT 1")
    (whole,) = query_rows(settings, "SELECT count(*) AS n, max(height) - min(height) + 1 AS span FROM blocks")
    assert whole["n"] == whole["span"]


REJECTED = [
    ("DELETE FROM event", "the query writes"),
    ("DROP TABLE block", "the query writes"),
    ("UPDATE match SET ply = 0", "the query writes"),
    ("INSERT INTO block VALUES (1, 2, 3, 4)", "the query writes"),
    ("CREATE TEMP TABLE mine (x)", "the query writes"),
    ("CREATE TABLE mine AS SELECT 1", "the query writes"),
    ("WITH x AS (SELECT 1) DELETE FROM event", "the query writes"),
    ("ATTACH 'other.db' AS other", "opens another file"),
    ("VACUUM INTO 'copy.db'", "One SELECT is allowed"),
    ("PRAGMA query_only=OFF", "reads or changes a setting"),
    ("SELECT * FROM pragma_database_list", "reaches beyond the tables and views"),
    ("BEGIN", "begins or ends a transaction"),
    ("SAVEPOINT here", "begins or ends a transaction"),
    ("SELECT load_extension('x')", "reaches beyond the tables and views"),
    ("SELECT 1; SELECT 2", "one statement at a time"),
    ("SELECT 1; DROP TABLE event", "one statement at a time"),
    ("nonsense", 'near "nonsense": syntax error'),
    ("", "is empty"),
    ("-- nothing", "is empty"),
    ("SELECT ?", "can't be answered"),
    ("SELECT * FROM matchs", "no such table: matchs (similar: matches"),
    ("SELECT * FROM zzz", "`chainboard sql --views` lists the views"),
    ("SELECT m.winer FROM matches m", "no such column: m.winer (similar: winner"),
    ("SELECT zeroblob(500000000)", "too big"),
]


@pytest.mark.parametrize(("query", "words"), REJECTED)
def test_invalid_query_is_rejected_with_a_sentence(
    data: Path, query: str, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    before = hashlib.sha256((data / "index.db").read_bytes()).digest()
    with pytest.raises(UserError, match=re.escape(words)) as refused:
        sql.run_query(Settings(data), query, "csv", 10)
    assert str(refused.value).endswith("One SELECT is allowed")
    assert hashlib.sha256((data / "index.db").read_bytes()).digest() == before
    assert list(tmp_path.iterdir()) == []


ENDLESS_QUERIES = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) "


@pytest.mark.parametrize("format", ["table", "csv", "json"])
def test_a_query_that_never_ends_is_ended(
    settings: Settings, format: sql.Format, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(UserError, match=r"stopped after 0\.5 seconds: select less, or raise --timeout"):
        sql.run_query(settings, ENDLESS_QUERIES + "SELECT count(*) FROM n", format, 0.5)
    if format != "table":  # the table format prints no row before the query has ended
        with pytest.raises(UserError, match="stopped after"):
            sql.run_query(settings, ENDLESS_QUERIES + "SELECT x FROM n", format, 0.5)
        assert len(capsys.readouterr().out.splitlines()) > 1000


def test_a_query_that_wants_all_the_memory_does_not_get_it(data: Path) -> None:
    rows = "SELECT x, randomblob(10000000) AS y FROM n LIMIT 100"
    with pytest.raises(UserError, match="needs more than 512 MiB of memory: select less"):
        sql.run_query(Settings(data), f"{ENDLESS_QUERIES} SELECT x FROM ({rows}) ORDER BY y", "csv", 30)


def bytes_of(settings: Settings) -> str:
    return r"'\x00ff'::bytea" if settings.database else "x'00ff'"


def test_csv_is_what_rfc_4180_says(settings: Settings, capsys: pytest.CaptureFixture[str]) -> None:
    query = f"SELECT 'a,\"b\"' AS one, NULL AS two, {bytes_of(settings)} AS three, 'é\nx' AS four"
    sql.run_query(settings, query, "csv", 10)
    out = capsys.readouterr().out
    assert out.startswith('one,two,three,four\r\n"a,""b""",,0x00ff,"é\nx"\r\n')
    assert list(csv.reader(io.StringIO(out, newline=""))) == [
        ["one", "two", "three", "four"],
        ['a,"b"', "", "0x00ff", "é\nx"],
    ]


def test_json_is_an_array_of_objects(
    settings: Settings, capsys: pytest.CaptureFixture[str], events: list[Event]
) -> None:
    sql.run_query(settings, f"SELECT NULL AS a, {bytes_of(settings)} AS b, 1.5 AS c, 'é' AS d", "json", 10)
    assert json.loads(capsys.readouterr().out) == [{"a": None, "b": "0x00ff", "c": 1.5, "d": "é"}]
    sql.run_query(settings, "SELECT seq FROM events", "json", 10)
    assert len(json.loads(capsys.readouterr().out)) == len(events)
    sql.run_query(settings, "SELECT 1 WHERE 1 = 0", "json", 10)
    assert json.loads(capsys.readouterr().out) == []
    with pytest.raises(UserError, match="Rename one of them with AS"):
        sql.run_query(settings, "SELECT 1 AS a, 2 AS a", "json", 10)


@pytest.mark.parametrize(
    "query",
    ["SELECT * FROM matches", "SELECT * FROM events", "SELECT game, status FROM matches", "SELECT 1 WHERE 1 = 0"],
)
def test_a_table_fits_80_columns(
    settings: Settings, query: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    sql.run_query(settings, query, "table", 10)
    out = capsys.readouterr().out
    assert max(len(line) for line in out.splitlines()) <= 80
    assert "game" in out or "WHERE" in query


def test_a_table_shows_what_it_can_and_says_what_is_missing(
    settings: Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    sql.run_query(settings, ENDLESS_QUERIES + "SELECT x FROM n LIMIT 1000000", "table", 10)
    said = capsys.readouterr()
    assert [line.strip() for line in said.out.splitlines() if line.strip().isdigit()] == [
        str(number) for number in range(1, 501)
    ]
    assert "first 500 rows" in said.err
    escape, long = ("chr(27)", f"'{'z' * 400}'") if settings.database else ("char(27)", "printf('%.*c', 400, 'z')")
    sql.run_query(settings, f"SELECT {escape} || '[31m[red]' AS x, NULL AS y, {long} AS z", "table", 10)
    out = capsys.readouterr().out
    assert "\x1b" not in out
    assert "[31m[red]" in out
    assert "NULL" in out
    assert "… (400 characters)" in " ".join(out.split())


def test_views_are_listed(capsys: pytest.CaptureFixture[str], settings: Settings) -> None:
    sql.list_views(settings, 30)
    out = " ".join(capsys.readouterr().out.split())
    for view in views_of(settings):
        assert f"{view.name}: {view.description}" in out


def test_the_command_ends_as_it_should(settings: Settings) -> None:
    """Tests that the command exits with 0, 1 or 2. If the program that reads the command's output
    stops early, the command must report no error."""
    places = ["--data", str(settings.data), *(["--database", settings.database] if settings.database else [])]
    assert json.loads(run("sql", "SELECT 1 AS a", "--format", "json", *places).stdout) == [{"a": 1}]
    refused = run("sql", "DELETE FROM event", *places)
    assert (refused.returncode, refused.stdout) == (1, "")
    assert refused.stderr.startswith("chainboard: the query writes")
    for wrong in (["SELECT 1", "--views"], ["SELECT 1", "--format", "xml"]):
        assert run("sql", *wrong, *places).returncode == 2
    command = [*COMMAND, "sql", ENDLESS_QUERIES + "SELECT x FROM n", "--format", "csv", *places]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline() == b"x\r\n"
        process.stdout.close()
        assert (process.wait(60), process.stderr.read()) == (0, b"")


# ---- tests of the examples in docs/how-to/query.md


def example_answer(settings: Settings, name: str) -> list[dict[str, Any]]:
    query = EXAMPLES[name].replace(HOUR, SERVER_HOUR) if settings.database else EXAMPLES[name]
    database = ["--database", settings.database] if settings.database else []
    done = run("sql", query, "--format", "json", "--data", str(settings.data), *database)
    assert done.returncode == 0, done.stderr
    rows: list[dict[str, Any]] = json.loads(done.stdout)
    return rows


def test_who_sank_most_ships(settings: Settings, events: list[Event]) -> None:
    owner = {one.args["ship"]: one.args["owner"] for one in events if one.name == "Registered"}
    sunk = Counter(owner[one.args["by"]] for one in events if one.name == "Touched")
    assert sunk.total() >= 2
    assert example_answer(settings, "The players who sank the most ships") == [
        {"player": player, "sunk": count} for player, count in sorted(sunk.items(), key=lambda one: (-one[1], one[0]))
    ]


def test_longest_match(settings: Settings, events: list[Event]) -> None:
    battle = [one for one in events if one.game == "touche-coule"]
    turns = [one for one in battle if one.name == "TurnPlayed"]
    whole = {"game": "touche-coule", "match": 1, "moves": len(turns), "events": len(battle)}
    assert example_answer(settings, "The longest match") == [{**whole, "seconds": battle[-1].time - battle[0].time}]


def test_moves_per_hour(settings: Settings, events: list[Event]) -> None:
    moves = [one for one in events if (one.game, one.name) == ("tic-tac-toe", "Moved")]
    hours = Counter(datetime.fromtimestamp(one.time, UTC).strftime("%Y-%m-%d %H:00") for one in moves)
    assert hours.total() == len(WIN)
    assert example_answer(settings, "Moves per hour") == [
        {"hour": hour, "moves": count} for hour, count in sorted(hours.items())
    ]


def test_best_players_of_a_game(settings: Settings, events: list[Event]) -> None:
    ended = [one for one in events if (one.game, one.name) == ("tic-tac-toe", "MatchEnded")]
    won = Counter(one.args["winner"] for one in ended)
    rows = example_answer(settings, "The best players of a game")
    assert {row["address"]: row["won"] for row in rows if row["won"]} == won
    assert [row["rating"] for row in rows] == sorted((row["rating"] for row in rows), reverse=True)
    assert sum(row["played"] for row in rows) == 2 * len(ended)


def test_every_example_of_the_page_is_tested() -> None:
    assert set(EXAMPLES) == {
        "The players who sank the most ships",
        "The longest match",
        "Moves per hour",
        "The best players of a game",
    }
