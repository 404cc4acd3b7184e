"""Tests which SQL statements are allowed and which are rejected before they reach PostgreSQL. The
tests need no server."""

from __future__ import annotations

import re

import pytest

from indexer.sql.errors import QueryError
from indexer.sql.statement import MAX_TOKENS, parse

EXPLAIN_OPTIONS_ALLOWED = "but only analyze, buffers, costs, format, summary, timing, verbose are allowed"
VIEWS = {"matches", "events", "seats", "results"}
FUNCTIONS = (
    # functions that read or write files
    "pg_read_file('/etc/passwd')",
    "pg_read_binary_file('/etc/passwd')",
    "pg_ls_dir('/')",
    "pg_stat_file('/etc/passwd')",
    "lo_import('/etc/passwd')",
    "lo_export(1, '/tmp/x')",
    "lo_get(1)",
    "pg_file_write('x', 'y', true)",
    # functions that affect other sessions, send notifications or control the server
    "pg_notify('a', 'b')",
    "pg_terminate_backend(1)",
    "pg_cancel_backend(1)",
    "pg_reload_conf()",
    "pg_switch_wal()",
    "pg_promote()",
    "pg_create_restore_point('x')",
    "pg_logical_emit_message(true, 'a', 'b')",
    "pg_stat_get_activity(NULL)",
    "pg_stat_reset()",
    "pg_backend_pid()",
    # functions that read settings and secrets
    "set_config('role', 'none', false)",
    "set_config('transaction_read_only', 'off', false)",
    "current_setting('data_directory')",
    "pg_show_all_settings()",
    "pg_hba_file_rules()",
    "version()",
    "inet_server_addr()",
    "pg_get_userbyid(10)",
    "has_table_privilege('event', 'INSERT')",
    # functions that lock rows or wait
    "pg_advisory_lock(1)",
    "pg_try_advisory_xact_lock(1)",
    "pg_sleep(1)",
    "pg_sleep_for('1 second')",
    "pg_sleep_until(now())",
    "clock_timestamp()",
    # functions that run SQL from a string
    "query_to_xml('SELECT 1', true, true, '')",
    "table_to_xml('pg_authid', true, true, '')",
    "database_to_xml(true, true, '')",
    "cursor_to_xml('x', 1, true, true, '')",
    "xpath('/a', '<a/>')",
    "ts_stat('SELECT 1')",
    "dblink('host=x', 'SELECT 1')",
    "plpgsql_call_handler()",
    # functions that use sequences, random numbers or the system catalog
    "nextval('x')",
    "setval('x', 1)",
    "random()",
    "setseed(0)",
    "to_regclass('pg_authid')",
    "pg_get_viewdef('pg_views')",
    "pg_relation_size('event')",
    # functions that use much memory
    "repeat('x', 1000000000)",
    "lpad('x', 1000000000)",
    "array_agg(1)",
    "jsonb_agg(1)",
    "array_fill(0, ARRAY[1000000000])",
    "string_to_array('a,b', ',')",
    # functions in unusual spellings
    "PG_SLEEP(1)",
    '"pg_sleep"(1)',
    'U&"pg\\005fsleep"(1)',
    "pg_catalog.pg_sleep(1)",
    "public.length('x')",
    "postgres.pg_catalog.length('x')",
    "pg_temp.length('x')",
    "information_schema._pg_char_max_length(1, 1)",
)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_functions_are_those_of_the_list(function: str) -> None:
    for query in (
        f"SELECT {function}",
        f"SELECT * FROM {function} AS f",
        f"SELECT 1 FROM matches WHERE {function} IS NULL",
        f"WITH x AS (SELECT 1 ORDER BY {function}) SELECT 1",
        f"SELECT 1 LIMIT (SELECT {function})",
        f"EXPLAIN ANALYZE SELECT {function}",
        f"SELECT count(*) FILTER (WHERE {function} IS NULL) OVER (PARTITION BY {function}) FROM matches",
        f"VALUES (1, {function})",
        f"SELECT 1 FROM matches m JOIN LATERAL (SELECT {function}) f ON true",
        f"SELECT 1 FROM ROWS FROM (generate_series(1, 2), {function}) AS f",
        f"SELECT CASE WHEN {function} IS NULL THEN 1 END",
        f"SELECT sum(1) OVER (ORDER BY {function}) FROM matches",
        f"SELECT 1 UNION SELECT 2 HAVING {function} IS NULL",
    ):
        with pytest.raises(QueryError, match=r"but only some functions for aggregates, .*One SELECT is allowed$"):
            parse(query, VIEWS)


GROWING = "(SELECT name FROM events LIMIT 1)"
PRODUCTS = (
    f"translate(name, {GROWING}, '')",
    f"translate(name, '', {GROWING})",
    f"replace('a', name, {GROWING})",
    "replace(name, 'a', 'b' || 'c')",
    "pg_catalog.replace(name, game, 'b')",
    "split_part(name, game, 1)",
    "strpos('a', name)",
    "position(name IN 'a')",
    "trim(game FROM name)",
    "trim(LEADING game FROM name)",
    "rtrim(name, upper('a'))",
    f"btrim(name, '{'x' * 101}')",
    f"btrim(name, '{'x' * 101}'::text)",
    "btrim(name, 1e100000::text)",
    "btrim(name, 1e100000::numeric::text)",
    "btrim(name, CAST('x' AS char(100000))::text)",
)


@pytest.mark.parametrize("call", PRODUCTS)
def test_what_no_clock_ends_takes_short_constants(call: str) -> None:
    with pytest.raises(QueryError, match=r"calls \w+, but the other arguments must be constants of at most 100"):
        parse(f"SELECT {call} FROM events", VIEWS)


REFUSED = [
    ("COPY matches TO '/tmp/x'", "reads or writes files"),
    ("COPY (SELECT 1) TO PROGRAM 'id'", "reads or writes files"),
    ("LOAD 'x'", "reads or writes files"),
    ("NOTIFY x", "notifies other sessions"),
    ("LISTEN x", "notifies other sessions"),
    ("SET ROLE postgres", "changes a setting"),
    ("SET SESSION AUTHORIZATION postgres", "changes a setting"),
    ("RESET ROLE", "changes a setting"),
    ("RESET ALL", "changes a setting"),
    ("SET statement_timeout = 0", "changes a setting"),
    ("SET TRANSACTION READ WRITE", "changes a setting"),
    ("ALTER SYSTEM SET work_mem = '1GB'", "changes a setting"),
    ("DISCARD ALL", "uses something other"),
    ("SHOW data_directory", "reads a setting"),
    ("BEGIN", "begins or ends a transaction"),
    ("COMMIT", "begins or ends a transaction"),
    ("ROLLBACK TO x", "begins or ends a transaction"),
    ("LOCK TABLE event", "locks a table"),
    ("SELECT * FROM matches FOR UPDATE", "locks rows"),
    ("SELECT * FROM (SELECT * FROM matches FOR SHARE) x", "locks rows"),
    ("DO $$ BEGIN PERFORM 1; END $$", "runs a program"),
    ("CALL x()", "runs a program"),
    ("PREPARE x AS SELECT 1", "uses something other"),
    ("EXECUTE x", "uses something other"),
    ("DECLARE x CURSOR FOR SELECT 1", "uses something other"),
    ("FETCH ALL FROM allowed_query", "uses something other"),
    ("CLOSE allowed_query", "uses something other"),
    ("INSERT INTO event SELECT 1", "writes"),
    ("DELETE FROM event", "writes"),
    ("UPDATE event SET name = ''", "writes"),
    ("MERGE INTO event USING matches ON true WHEN MATCHED THEN DELETE", "writes"),
    ("TRUNCATE event", "writes"),
    ("CREATE TABLE x AS SELECT 1", "writes"),
    ("CREATE TEMP VIEW matches AS SELECT 1", "writes"),
    ("CREATE FUNCTION x() RETURNS int LANGUAGE sql AS 'SELECT 1'", "writes"),
    ("CREATE EXTENSION dblink", "writes"),
    ("DROP TABLE event", "writes"),
    ("GRANT ALL ON event TO PUBLIC", "writes"),
    ("VACUUM", "writes"),
    ("SELECT 1 INTO x", "writes"),
    ("WITH x AS (DELETE FROM event RETURNING 1) SELECT * FROM x", "writes"),
    ("EXPLAIN ANALYZE DELETE FROM event", "writes"),
    ("EXPLAIN EXECUTE x", "uses something other"),
    ("EXPLAIN (SETTINGS) SELECT 1", f"uses the EXPLAIN option settings, {EXPLAIN_OPTIONS_ALLOWED}"),
    ("EXPLAIN (WAL) SELECT 1", f"uses the EXPLAIN option wal, {EXPLAIN_OPTIONS_ALLOWED}"),
    ("EXPLAIN (FORMAT 'text) DELETE') SELECT 1", "gives an EXPLAIN option a value that is not a single word"),
    ("SELECT 1; SELECT 2", "one statement at a time"),
    ("SELECT 1;; DROP TABLE event", "one statement at a time"),
    ("SELECT * FROM event", "no such table: event (similar: events)"),
    ("SELECT * FROM pg_authid", "no such table"),
    ("SELECT * FROM pg_stat_activity", "no such table"),
    ("SELECT * FROM information_schema.tables", "names a schema"),
    ("SELECT * FROM public.event", "names a schema"),
    ("SELECT * FROM pg_catalog.pg_authid", "names a schema"),
    ("TABLE pg_authid", "no such table"),
    ("SELECT (SELECT rolname FROM pg_authid LIMIT 1)", "no such table"),
    ("SELECT * FROM pg_authid, (WITH pg_authid AS (SELECT 1) SELECT 1) x", "no such table: pg_authid"),
    ("WITH pg_authid AS (SELECT * FROM pg_authid) SELECT * FROM pg_authid", "no such table: pg_authid"),
    ("WITH a AS (SELECT * FROM b), b AS (SELECT 1) SELECT 1", "no such table: b"),
    ("WITH a AS (WITH b AS (SELECT 1) SELECT 1) SELECT * FROM b", "no such table: b"),
    ("SELECT 1 UNION (WITH b AS (SELECT 1) SELECT 1) UNION SELECT * FROM b", "no such table: b"),
    ("SELECT 'pg_authid'::regclass", "uses the type regclass"),
    ("SELECT CAST('root' AS regrole)", "uses the type regrole"),
    ("SELECT regproc 'pg_sleep'", "uses the type regproc"),
    ("SELECT '<a/>'::xml", "uses the type xml"),
    ("SELECT 1::public.mine", "uses the type public.mine"),
    ("SELECT ARRAY['x']::regclass[]", "uses the type regclass"),
    ("SELECT * FROM json_to_recordset('[]') AS x (a regclass)", "uses something other"),
    ("SELECT xmlelement(name a)", "makes XML"),
    ("SELECT * FROM xmltable('/a' PASSING '<a/>' COLUMNS b int)", "makes XML"),
    ("SELECT current_user", "the name of a user or a database"),
    ("SELECT session_user", "the name of a user or a database"),
    ("SELECT current_catalog", "the name of a user or a database"),
    ("SELECT * FROM current_schema", "the name of a user or a database"),
    ("SELECT 1 OPERATOR(public.+) 2", "uses something other"),
    ("SELECT 1 = ANY (SELECT 1) AND 1 OPERATOR(mine.=) ANY (SELECT 2)", "uses something other"),
    ("SELECT 'a' COLLATE public.mine", "uses something other"),
    ("SELECT 1 ORDER BY 1 USING OPERATOR(public.<)", "uses something other"),
    ("SELECT ARRAY(SELECT 1)", "collects rows in an ARRAY"),
    ("SELECT * FROM matches TABLESAMPLE system (1)", "uses something other"),
    ("SELECT $1", "has a parameter"),
    (
        "SELECT a && b FROM (SELECT args::text[] AS a, args::text[] AS b FROM events) e",
        "uses &&, but one operand must be a constant",
    ),
    (
        "SELECT args::jsonb @> args::jsonb FROM events",
        "uses @>, but one operand must be a constant of at most 100 characters",
    ),
    (f"SELECT args::jsonb <@ '{'1' * 101}' FROM events", "uses <@, but one operand must be a constant"),
    ("SELECT args::jsonb ?| ARRAY[name] FROM events", "uses ?|, but one operand must be a constant"),
    ("SELECT args::jsonb ?& ANY (SELECT '{a}'::text[]) FROM events", "uses ?&, but one operand must be a constant"),
    ("SELECT a && '{x}'::char(9999)[] FROM events e (a)", "uses &&, but one operand must be a constant"),
    ("SELECT ARRAY[1] @> ALL (SELECT ARRAY[2])", "uses @>, but one operand must be a constant"),
    (
        "SELECT a - b FROM (SELECT args::jsonb AS a, string_agg(name, ',')::text[] AS b FROM events) e",
        "makes arrays and uses the operator -, but one operand must be a constant of at most 100 characters",
    ),
    (
        "SELECT args::jsonb - ARRAY[name] FROM events",
        "makes arrays and uses the operator -, but one operand must be a constant",
    ),
    (
        f"SELECT args::jsonb - '{{{'x,' * 99}x}}'::text[] FROM events",
        "makes arrays and uses the operator -, but one operand must be a constant",
    ),
    (
        "WITH RECURSIVE r (a) AS (SELECT '{a}'::text[] UNION ALL SELECT a || a FROM r) SELECT args::jsonb - a "
        "FROM events, r",
        "makes arrays and uses the operator -, but one operand must be a constant",
    ),
    (
        "SELECT args::jsonb - (m || m) FROM (SELECT args, regexp_match(name, 'a') AS m FROM events) e",
        "makes arrays and uses the operator -, but one operand must be a constant",
    ),
    ("SELECT name LIKE game FROM events", "uses LIKE, but one operand must be a constant of at most 100 characters"),
    ("SELECT name NOT ILIKE '%' || game FROM events", "uses LIKE, but one operand must be a constant"),
    ("SELECT name::bytea LIKE game::bytea FROM events", "uses LIKE, but one operand must be a constant"),
    ("SELECT name ~~ game FROM events", "uses LIKE, but one operand must be a constant"),
    (f"SELECT name LIKE '{'x' * 101}' FROM events", "uses LIKE, but one operand must be a constant"),
    ("SELECT name LIKE game ESCAPE 'x' FROM events", "uses LIKE, but one operand must be a constant"),
    ("SELECT name LIKE ANY (args::text[]) FROM events", "uses LIKE, but one operand must be a constant"),
    ("SELECT name LIKE ALL (SELECT game FROM events) FROM events", "uses LIKE, but one operand must be a constant"),
    ("SELECT name @@ name FROM events", "uses @@, which is allowed only in the form"),
    ("SELECT name @@ 'x' FROM events", "uses @@, which is allowed only in the form"),
    ("SELECT args::jsonb @@ name::text FROM events", "uses @@, which is allowed only in the form"),
    ("SELECT " + " + ".join(["seq * seq"] * 41) + " FROM events", "takes powers more than 40 times in a row"),
    ("SELECT " + " + ".join(["power(seq, 2)"] * 41) + " FROM events", "more than 40 times in a row"),
    ("SELECT 1 FROM events WHERE " + " AND ".join(["seq % 2 = 0"] * 41), "more than 40 times in a row"),
    (
        "SELECT " + " + ".join(["x"] * 41) + " FROM (SELECT seq * seq AS x FROM events) e",
        "more than 40 times in a row: simplify the query, or end a subquery with OFFSET 0",
    ),
    (
        "WITH a AS (SELECT seq * seq AS x FROM events), b AS (SELECT x + x + x + x AS x FROM a), "
        "c AS (SELECT x + x + x + x AS x FROM b) SELECT x + x + x FROM c",
        "more than 40 times in a row",
    ),
    ("SELECT (SELECT " + " + ".join(["e.x"] * 41) + ") FROM (SELECT seq / 2 AS x FROM events) e", "more than 40 times"),
    (
        "SELECT " + " + ".join(["x"] * 41) + " FROM (SELECT 1 AS x UNION ALL SELECT seq * seq FROM events) e",
        "more than 40 times in a row",
    ),
    ("SELECT " + "(SELECT " * 51 + "1" + ")" * 51, "nests more than 50 queries"),
    (
        "SELECT string_agg(name, ','), json_agg(name), json_object_agg(name, seq) FROM events",
        "collects rows in memory more than 2 times (with json_agg, json_object_agg, string_agg)",
    ),
    (
        "WITH a AS (SELECT string_agg(name, '') FROM events) SELECT string_agg(name, ''), "
        "(SELECT string_agg(name, '') OVER () FROM events LIMIT 1) FROM events, a",
        "collects rows in memory more than 2 times",
    ),
    ("", "is empty"),
    (" ; -- nothing", "is empty"),
    ("nonsense", 'syntax error at or near "nonsense", at character 1'),
    ("SELECT 'é', FROM matches", 'syntax error at or near "FROM", at character 13'),
    ("SELECT '\udcff'", "not valid UTF-8"),
    ("SELECT 'abc", "unterminated quoted string"),
    ("SELECT /* abc", "unterminated /* comment"),
    ("SELECT $a$ abc", "unterminated dollar-quoted string"),
    ("SELECT 1) SELECT (2", "syntax error"),
    ("SELECT " + "1+" * MAX_TOKENS + "1", "more than 10,000 words"),
    ("SELECT '" + "é" * 1001 + "'", "more than 1,000 non-ASCII characters"),
    ("SELECT " + "(" * (MAX_TOKENS - 2) + "1", "can't be answered"),
]


@pytest.mark.parametrize(("query", "words"), REFUSED, ids=[query[:40] for query, _ in REFUSED])
def test_all_else_is_rejected_in_a_sentence(query: str, words: str) -> None:
    with pytest.raises(QueryError, match=re.escape(words)) as refused:
        parse(query, VIEWS)
    assert str(refused.value).endswith("One SELECT is allowed")


ALLOWED = [
    ("SELECT count(*) FROM matches", {"matches"}),
    ("SELECT ';' AS \"a;b\", '%' FROM matches WHERE winner LIKE '%a%' ; -- ; SELECT", {"matches"}),
    ("WITH matches AS (SELECT * FROM matches) SELECT * FROM matches", {"matches"}),
    ("WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 9) SELECT x FROM n", set()),
    ("WITH RECURSIVE a AS (SELECT * FROM b), b AS (SELECT 1) SELECT * FROM a", set()),
    ("WITH a AS (SELECT 1) SELECT (SELECT 2 FROM a), x.* FROM (SELECT * FROM a, seats) x", {"seats"}),
    ("(SELECT 1 FROM seats) UNION ALL (VALUES (2) EXCEPT TABLE events)", {"seats", "events"}),
    ("SELECT args ->> 'x', extract(year FROM now()), time AT TIME ZONE 'UTC' FROM events", {"events"}),
    (
        "SELECT name SIMILAR TO 'a' ESCAPE 'b', trim(both FROM name), substring(name FROM 1 FOR 2) FROM events",
        {"events"},
    ),
    (
        "SELECT trim(name), trim('ab' FROM name), replace(name, E'\\\\', 'b'::text), "
        "position('\\\\x'::bytea IN name::bytea), split_part(name, ',', -1), "
        f"translate(name, '{'x' * 100}', NULL) FROM events",
        {"events"},
    ),
    (
        "SELECT CAST(seq AS integer), seq::numeric(9, 2), 1::bigint[], interval '1 day', CURRENT_DATE FROM events",
        {"events"},
    ),
    ("SELECT rank() OVER w, lag(seq) OVER (ORDER BY seq) FROM events WINDOW w AS (ORDER BY seq)", {"events"}),
    (
        "SELECT 1 FROM events GROUP BY ROLLUP (game, name) HAVING bool_and(seq > 1) ORDER BY 1 LIMIT 1 OFFSET 1",
        {"events"},
    ),
    (
        "SELECT DISTINCT ON (game) * FROM events e JOIN matches m USING (game) ORDER BY game DESC NULLS LAST",
        {"events", "matches"},
    ),
    ("SELECT * FROM events, json_each_text(args) AS a (k, v), generate_series(1, 2) WITH ORDINALITY", {"events"}),
    (
        "SELECT args::jsonb @> '{\"a\": 1}', args::jsonb ?| '{a,b}'::text[], ARRAY[1, 2] && ARRAY[seq] FROM events",
        {"events"},
    ),
    ("SELECT args::jsonb - 'a' - '{b,c}'::text[] - ARRAY['d'], -seq, ARRAY[seq, 1], seq - 1 FROM events", {"events"}),
    ("SELECT last_time - created FROM matches WHERE status = ANY (ARRAY['finished', 'cancelled'])", {"matches"}),
    ("SELECT seq - ply, name || 'x' FROM events JOIN matches USING (game, match)", {"events", "matches"}),
    (
        "SELECT name LIKE 'a%' ESCAPE '!', name LIKE ANY (ARRAY['a%', '%b']), 'abc' LIKE name, "
        "args::jsonb @@ '$.x > 1' FROM events",
        {"events"},
    ),
    ("SELECT " + " + ".join(["seq * seq"] * 40) + " FROM events", {"events"}),
    ("SELECT " + " + ".join(["x"] * 99) + " FROM (SELECT seq * seq AS x FROM events OFFSET 0) e", {"events"}),
    ("SELECT " + " + ".join(["x"] * 99) + " FROM (SELECT sum(seq * seq) AS x FROM events) e", {"events"}),
    ("SELECT 1" + " UNION ALL SELECT seq * seq FROM events" * 200, {"events"}),
    ("SELECT string_agg(name, ','), (SELECT json_agg(game) FROM events) FROM events", {"events"}),
    ('SELECT name COLLATE "C", (ARRAY[1, 2])[1], ROW (1, 2) = ROW (1, 3) FROM events', {"events"}),
]


@pytest.mark.parametrize(("query", "views"), ALLOWED)
def test_allowed_queries_are_accepted(query: str, views: set[str]) -> None:
    found = parse(query, VIEWS)
    assert found.views == views
    assert parse(f"EXPLAIN {query}", VIEWS).text == found.text
    assert query[found.offset :].startswith(found.text)


@pytest.mark.parametrize(
    ("query", "explain"),
    [
        ("EXPLAIN SELECT 1", "EXPLAIN "),
        ("EXPLAIN (SELECT 1)", "EXPLAIN "),
        ("EXPLAIN ANALYZE VERBOSE (SELECT 1)", "EXPLAIN (analyze, verbose) "),
        ("explain (costs off, format json) (SELECT 1)", "EXPLAIN (costs off, format json) "),
    ],
)
def test_the_plan_may_be_requested(query: str, explain: str) -> None:
    found = parse(query, VIEWS)
    assert (found.explain, found.text.strip("()")) == (explain, "SELECT 1")


def test_names_behind_a_dot_are_reported() -> None:
    query = "SELECT a.b, d, f.*, a.c.e, (a).g.h, (a.i).*, (ARRAY[1])[1] FROM matches a ORDER BY a.j"
    assert parse(query, VIEWS).fields == {"b", "c", "e", "g", "h", "i", "j"}


def test_columns_are_named_as_sqlite_names_them() -> None:
    query = "SELECT count(*) , a IS DISTINCT FROM b, f.*, game, (1+2) AS x,\n [1]".replace(
        "[1]", "'a,b' || c UNION SELECT 1"
    )
    assert parse("SELECT (json_each('{}')).*, 1 + 1", VIEWS).names == (..., "1 + 1")
    assert parse(query, VIEWS).names == ("count(*)", "a IS DISTINCT FROM b", ..., None, None, "'a,b' || c")
