"""Tests of SQL queries on a real PostgreSQL server. Several guards stop harmful queries, and the
tests check each guard separately. The tests also cover the limits on time and memory, and users
who can't create roles."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import psycopg
import pytest

from indexer.games import GAMES
from indexer.model import Chain, Deployment
from indexer.sql.allow_list import FUNCTIONS
from indexer.sql.errors import QueryError
from indexer.sql.query import open_database
from indexer.sql.reader_role import READER, grant_reader
from indexer.sql.server_database import ServerDatabase
from indexer.store.db.codes import code_of
from indexer.store.db.engine import StoreError
from indexer.store.store import Store
from tests.support.server import COMMAND
from tests.support.services.postgres import PASSWORD, PostgresServer
from tests.support.waiting import PATIENCE_SECONDS, wait_for

SERIES = "generate_series(1, 2200000) x"


def database_of(server: PostgresServer, user: str, rights: str) -> str:
    """Create a database user with these rights, and a database that the user owns. Return the
    database's URL."""
    server.execute(f"CREATE ROLE {user} LOGIN PASSWORD '{PASSWORD}' {rights}")
    name = server.new_database(f"OWNER {user} TEMPLATE template0").rpartition("/")[2]
    url = server.dsn(name, user)
    with closing(Store(url, GAMES)) as store, store.exclusive_writer():
        grant_reader(url)
    return url


@pytest.fixture(scope="module")
def url(postgres: PostgresServer) -> str:
    return database_of(postgres, "sql_writer", "CREATEROLE")


@pytest.fixture(scope="module")
def plain_url(postgres: PostgresServer, url: str) -> str:  # noqa: ARG001
    """Return the URL of a database whose user can't create roles. The server already has the role
    for queries, but the role belongs to a different user."""
    return database_of(postgres, "sql_plain", "")


@pytest.fixture
def database(url: str) -> Iterator[ServerDatabase]:
    with closing(ServerDatabase(url, 30)) as it:
        yield it


def run_query(url: str, query: str, seconds: float = PATIENCE_SECONDS) -> tuple[list[str], list[Any]]:
    with closing(open_database(url, seconds)) as database:
        columns, rows = database.run(query, seconds)
        return columns, list(rows)


FORBIDDEN_STATEMENTS = [
    "DELETE FROM public.event",
    "INSERT INTO public.chain VALUES (1, '')",
    "CREATE TEMP TABLE mine (x int)",
    "SELECT * FROM public.chain",
    "SELECT * FROM public.mention",
    "SELECT * FROM pg_authid",
    "SELECT pg_read_file('/etc/passwd')",
    "SELECT pg_ls_dir('/')",
    "SELECT lo_import('/etc/passwd')",
    "COPY (SELECT 1) TO '/tmp/question'",
    "COPY (SELECT 1) TO PROGRAM 'id'",
    "SET TRANSACTION READ WRITE",
    "SET SESSION AUTHORIZATION chainboard",
    "SET ROLE chainboard",
    "SELECT set_config('role', 'chainboard', true)",
    "ALTER SYSTEM SET work_mem = '1GB'",
    "SELECT pg_reload_conf()",
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'chainboard'",
    "SELECT 1 FROM public.event FOR UPDATE",
    "CREATE FUNCTION public.mine() RETURNS int LANGUAGE sql AS 'SELECT 1'",
]


@pytest.mark.parametrize("statement", FORBIDDEN_STATEMENTS)
def test_role_and_transaction_stop_what_the_parser_would_let_through(
    database: ServerDatabase, postgres: PostgresServer, statement: str
) -> None:
    """Tests the guards behind the parser. The test sends a harmful statement directly to the
    connection. The statement must fail, and a superuser's session must stay open."""
    assert database.note == ""
    with psycopg.connect(postgres.dsn()) as other:
        refusals = (psycopg.errors.InsufficientPrivilege, psycopg.errors.ReadOnlySqlTransaction)
        with pytest.raises((*refusals, psycopg.errors.ActiveSqlTransaction)):
            database._timed(database._fetch(statement))
        assert other.execute("SELECT 1").fetchone() == (1,)


def test_the_role_owns_nothing_and_may_not_log_in(postgres: PostgresServer, url: str) -> None:
    assert postgres.execute(
        "SELECT rolsuper, rolcreaterole, rolcreatedb, rolcanlogin, rolreplication, rolbypassrls "
        f"FROM pg_roles WHERE rolname = '{READER}'"
    ) == [(False,) * 6]
    with closing(ServerDatabase(url, 30)) as database:
        (row,) = database._timed(database._fetch("SELECT current_user, current_setting('transaction_read_only')"))[1]
    assert row == (READER, "on")


def test_without_the_role_queries_still_only_read(plain_url: str) -> None:
    with closing(ServerDatabase(plain_url, 30)) as database:
        assert "the user in --database can't use the role reader_of_chainboard, so the query runs with" in database.note
        assert list(database.run("SELECT count(*) FROM blocks", 30)[1]) == [(0,)]
        with pytest.raises(psycopg.errors.ReadOnlySqlTransaction):
            database._timed(database._fetch("DELETE FROM public.event"))


def test_a_role_with_more_rights_is_not_taken(postgres: PostgresServer, url: str) -> None:
    postgres.execute("CREATE ROLE sql_more")
    postgres.execute(f"GRANT sql_more TO {READER}")
    with closing(ServerDatabase(url, 30)) as database:
        assert "the user in --database can't use the role" in database.note
    postgres.execute(f"REVOKE sql_more FROM {READER}")
    with closing(ServerDatabase(url, 30)) as database:
        assert database.note == ""


def test_a_user_who_may_only_ask_asks(postgres: PostgresServer, url: str) -> None:
    postgres.execute(f"CREATE ROLE sql_analyst LOGIN PASSWORD '{PASSWORD}'")
    postgres.execute(f"GRANT {READER} TO sql_analyst")
    analyst = postgres.dsn(url.rpartition("/")[2], "sql_analyst")
    assert run_query(analyst, "SELECT count(*) FROM matches") == (["count(*)"], [(0,)])


def test_no_function_of_the_list_is_volatile_and_each_is_there(postgres: PostgresServer) -> None:
    found = postgres.execute(
        "SELECT proname, provolatile::text, prosecdef FROM pg_proc WHERE pronamespace = 'pg_catalog'::regnamespace"
    )
    assert {name for name, _, _ in found} >= FUNCTIONS
    assert {name for name, volatile, _ in found if name in FUNCTIONS and volatile == "v"} == set()
    assert {name for name, _, owners in found if name in FUNCTIONS and owners} == set()


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("SELECT m.pg_typeof FROM matches m", "pg_typeof"),
        ("SELECT m.array_agg FROM (SELECT 1 AS a) m", "array_agg"),
        ("SELECT m.pg_sleep FROM generate_series(1, 2) m", "pg_sleep"),
        ("SELECT m.pg_sleep FROM generate_series(1, 2) m, (SELECT 1 AS pg_sleep) n", "pg_sleep"),
        ("SELECT (m).pg_get_viewdef.x FROM generate_series(1, 2) m", "pg_get_viewdef"),
        ("SELECT ('/etc/passwd'::text).pg_read_file", "pg_read_file"),
        ('EXPLAIN ANALYZE SELECT 1 FROM generate_series(1, 2) m WHERE m."pg_sleep" IS NULL', "pg_sleep"),
    ],
)
def test_no_function_is_called_by_a_dot(url: str, query: str, name: str) -> None:
    with pytest.raises(QueryError, match=rf"uses \.{name}, which PostgreSQL treats as a function: give the column"):
        run_query(url, query)


def test_names_behind_a_dot_are_columns(url: str) -> None:
    query = """SELECT m.count, n."it's", n.date, (json_each(m.j)).value, o.ordinality, o.x,
    generate_series.generate_series FROM (SELECT 1 AS count, '{"a":4}'::json AS j) m, (SELECT 2 AS "it's", 3 AS date) n,
    generate_series(7, 7), generate_series(6, 6) WITH ORDINALITY AS o (x)"""
    assert run_query(url, query)[1] == [(1, 2, 3, "4", 1, 6, 7)]
    with pytest.raises(QueryError, match=r"column m\.wrong does not exist"):
        run_query(url, "SELECT m.wrong FROM matches m")


def test_functions_and_tables_of_others_are_not_found(postgres: PostgresServer, url: str) -> None:
    """Tests that queries search only PostgreSQL's own schema, so that they can't use functions and
    tables of other users by mistake."""
    name = url.rpartition("/")[2]
    postgres.execute("CREATE FUNCTION public.upper(a bool) RETURNS int LANGUAGE sql AS 'SELECT 1'", name)
    postgres.execute("GRANT EXECUTE ON FUNCTION public.upper(bool) TO PUBLIC", name)
    with pytest.raises(QueryError, match=r"function upper\(boolean\) does not exist"):
        run_query(url, "SELECT upper(true)")


def test_errors_of_the_server_have_its_words_and_the_position_in_the_query(url: str) -> None:
    with pytest.raises(QueryError) as refused:
        run_query(url, "SELECT 'é', winer FROM matches")
    assert str(refused.value) == (
        'the query can\'t be answered: column "winer" does not exist (Perhaps you meant to reference the column '
        '"matches.winner"), at character 13. One SELECT is allowed'
    )
    for query, words in {
        "SELECT 1 / 0": "division by zero",
        "SELECT 'x'::int": "invalid input syntax",
        "SELECT (chr(27) || '[31m')::int": r'integer: "\ufffd\[31m"',
        "EXPLAIN SELECT x FROM matches -- ": 'column "x" does not exist, at character 16',
        "SELECT sum(1, 2)": r"function sum\(integer, integer\) does not exist",
        "SELECT (1, 2), 3 UNION SELECT 4": "each UNION query must have the same number of columns",
        "EXPLAIN SELECT x FROM matches": 'column "x" does not exist',
    }.items():
        with pytest.raises(QueryError, match=words):
            run_query(url, query)


def test_values_are_as_sqlite_has_them(url: str) -> None:
    query = """SELECT 2::numeric, 2.50::numeric, 1e30::numeric, sum(x), avg(x), true, '{"b": [1, 2], "a": null}'::jsonb,
    json_agg(x), NULL::json, DATE '2026-01-02', to_timestamp(0), interval '1 day', 1.5::float4, 'NaN'::numeric = 1,
    9007199254740993, 'a%s;' || $$;$$, ROW (1, 'a'), ARRAY['a', NULL] FROM generate_series(1, 2) x"""
    numbers = (2, 2.5, str(10**30), 3, 1.5, 1)
    texts = ('{"a":null,"b":[1,2]}', "[1,2]", None, "2026-01-02", "1970-01-01 00:00:00+00", "1 day")
    assert run_query(url, query)[1] == [(*numbers, *texts, 1.5, 0, 9007199254740993, "a%s;;", "(1,a)", "{a,NULL}")]


def test_half_a_surrogate_pair_stays_escaped(url: str) -> None:
    query = r"""SELECT '{"\ud800": ["\uDFFF\ud83d\ude00", "\\ud800"]}'::json AS j"""
    ((value,),) = run_query(url, query)[1]
    assert value == '{"\\ud800":["\\udfff\U0001f600","\\\\ud800"]}'


def test_fields_of_a_row_are_columns(url: str) -> None:
    query = """SELECT 1 + 1, (json_each('{"a":1}')).*, 2 + 2"""
    assert run_query(url, query) == (["1 + 1", "key", "value", "2 + 2"], [(2, "a", "1", 4)])


def test_a_plan_is_told_and_nothing_is_changed(url: str) -> None:
    columns, rows = run_query(url, "EXPLAIN (ANALYZE, COSTS OFF) SELECT * FROM matches WHERE game = 'nim'")
    assert columns == ["QUERY PLAN"]
    assert any("actual time" in line for (line,) in rows)


def test_rows_come_in_batches_and_stars_keep_their_names(url: str) -> None:
    columns, rows = run_query(url, "SELECT x + 1, g.*, -x FROM generate_series(1, 2500) g (x)")
    assert columns == ["x + 1", "x", "-x"]
    assert rows == [(x + 1, x, -x) for x in range(1, 2501)]


# ---- tests of the limits on time and memory


def test_time_limit_covers_the_whole_query(url: str) -> None:
    """Tests that the time limit covers the whole query. It must also apply in these cases:

    - The server never answers.
    - Another session holds a lock.
    - Planning the query takes too long.
    - The rows arrive slowly."""
    ended = r"stopped after 0\.5 seconds: select less, or raise --timeout"
    with socket.create_server(("127.0.0.1", 0)) as silent, pytest.raises(QueryError, match=ended):
        run_query(f"postgresql://a:b@127.0.0.1:{silent.getsockname()[1]}/x", "SELECT 1", 0.5)
    with psycopg.connect(url) as holder:
        holder.execute("LOCK TABLE block")
        with pytest.raises(QueryError, match=ended):
            run_query(url, "SELECT * FROM blocks", 0.5)
    for query in (
        f"SELECT sum(a.x) FROM {SERIES.replace('x', 'a (x)')}, {SERIES.replace('x', 'b')}",
        "SELECT x FROM generate_series(1, 1000000000000) x",
    ):
        with pytest.raises(QueryError, match=ended):
            run_query(url, query, 0.5)


def await_fetches(server: PostgresServer, url: str, wanted: int, states: str = "('active')") -> None:
    """Wait until exactly `wanted` sessions of the database have FETCH as their last statement and
    are in one of these states."""
    count = f"SELECT count(*) FROM pg_stat_activity WHERE datname = '{url.rpartition('/')[2]}' AND state IN {states}"
    fetching = f"{count} AND query LIKE 'FETCH%'"
    wait_for(lambda: server.execute(fetching), lambda found: found == [(wanted,)], f"{wanted} sessions {states}")


def test_ctrl_c_ends_the_question_on_the_server(postgres: PostgresServer, url: str) -> None:
    query = f"SELECT count(*) FROM {SERIES.replace('x', 'a')}, {SERIES.replace('x', 'b')}"
    # A shell that runs the tests in the background makes the process ignore SIGINT. With `env`, the
    # process reacts to SIGINT again.
    command = ["env", "--default-signal=INT", *COMMAND, "sql", "--database", url, "--timeout", "600", query]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as process:
        await_fetches(postgres, url, 1)
        process.send_signal(signal.SIGINT)
        assert (process.communicate(timeout=60)[0], process.returncode) == (b"", 130)
    await_fetches(postgres, url, 0)


def test_idle_reader_holds_no_transaction(postgres: PostgresServer, url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("indexer.sql.server_database.MAX_PAUSE_SECONDS", 2)
    with closing(open_database(url, PATIENCE_SECONDS)) as database:
        rows = database.run("SELECT x FROM generate_series(1, 2500) x", 30)[1]
        assert next(rows) == (1,)
        await_fetches(postgres, url, 0, "('active', 'idle in transaction')")
        with pytest.raises(
            QueryError, match=r"^the query was stopped because no program read its rows for 2 seconds. Write the rows"
        ):
            list(rows)


def test_the_time_of_who_reads_slowly_does_not_count(url: str) -> None:
    with closing(open_database(url, PATIENCE_SECONDS)) as database:
        _, rows = database.run("SELECT x FROM generate_series(1, 2500) x", PATIENCE_SECONDS)
        assert isinstance(database, ServerDatabase)
        next(rows)
        spent = database._spent_seconds
        begun = time.monotonic()
        wait_for(time.monotonic, lambda now: now > begun, "a later moment")
        assert database._spent_seconds == spent
        assert len(list(rows)) == 2499
        assert database._spent_seconds > spent


def test_values_and_rows_are_bounded(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(QueryError, match=r"string or blob too big\. One SELECT is allowed"):
        run_query(url, f"SELECT string_agg(md5('x'), '') FROM {SERIES}")
    monkeypatch.setattr("indexer.sql.server_database.MAX_MEMORY", 2**20)
    with pytest.raises(QueryError, match="needs more than 1 MiB of memory: select less"):
        run_query(url, "SELECT string_agg(md5(x::text), '') FROM generate_series(1, 100000) x GROUP BY x % 10")


def test_what_a_superuser_sorts_on_disk_is_bounded(postgres: PostgresServer, url: str) -> None:
    """Tests that a superuser's query can't sort an unlimited amount on disk. The limit applies only
    to superusers' queries, because only a superuser can set it."""
    with closing(ServerDatabase(postgres.dsn(url.rpartition("/")[2]), 30)) as database:
        assert database.note == ""
        (row,) = database._timed(database._fetch("SELECT current_setting('temp_file_limit'), current_user"))[1]
        assert row == ("512MB", READER)
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            database._timed(database._fetch("SET temp_file_limit = -1"))


# ---- tests of missing packages and wrong addresses


@pytest.mark.parametrize("module", ["pglast", "psycopg"])
def test_what_must_be_installed_is_said(module: str, url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [one for one in sys.modules if one.startswith(("indexer.sql.server", "indexer.sql.statement"))]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(StoreError, match=r"pip install 'chainboard\[postgresql\]'"):
        open_database(url, PATIENCE_SECONDS)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (("secret@", "wrong@"), "user and the password"),
        (("/test", "/missing"), "createdb"),
        (("127.0.0.1:", "127.0.0.1:1"), "can't be (used|read)"),
        (("postgresql://", ""), "URL can't be used"),
        (("postgresql:", "mysql:"), "a mysql database can't be queried"),
    ],
)
def test_a_wrong_url_is_told_in_a_sentence(url: str, wrong: tuple[str, str], words: str) -> None:
    with pytest.raises(StoreError, match=words):
        run_query(url.replace(*wrong), "SELECT 1", 10)


def test_a_database_without_tables_has_no_views(postgres: PostgresServer) -> None:
    with pytest.raises(QueryError, match="no such table: matches"):
        run_query(postgres.new_database(), "SELECT * FROM matches")


TEXTS = {"matchId": "uint48", "seq": "uint32", "words": "string", "loud": "bool"}
TEXT_ARGS = r'{"loud":true,"words":"a\u0000b\""}'


def test_texts_of_a_chain_that_postgresql_can_not_hold(postgres: PostgresServer) -> None:
    """Tests that views show an event with a text that PostgreSQL can't store. A player's text can
    contain U+0000, which JSON allows but PostgreSQL's text type doesn't."""
    url = postgres.new_database()
    inputs = [{"name": name, "type": kind} for name, kind in TEXTS.items()]
    abi = [{"type": "event", "name": "Spoken", "inputs": inputs}]
    with closing(Store(url, GAMES)) as store, store.exclusive_writer():
        store.set_chain(Chain(1, "0x00"), [Deployment("nim", "Nim", "0x01", abi, 1, "0x02", "0x03", 1)])
        grant_reader(url)
    with psycopg.connect(url) as connection:
        connection.execute("INSERT INTO block VALUES (1, '\\x02', '\\x01', 7)")
        connection.execute(
            'INSERT INTO event (height, log_index, game, "match", seq, name, args, tx) '
            r"VALUES (1, 0, %s, 1, 1, %s, %s, '\x04')",
            (code_of("nim"), code_of("Spoken"), TEXT_ARGS),
        )
    assert run_query(url, "SELECT words, loud FROM nim_spoken")[1] == [('a\ufffdb"', 1)]
    assert run_query(url, "SELECT args FROM events")[1] == [(TEXT_ARGS,)]
    assert run_query(url, "SELECT * FROM matches")[1] == []
