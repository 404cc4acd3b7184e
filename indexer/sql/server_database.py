"""A PostgreSQL database and its views, opened for one query.

Three independent protections apply. An allow list accepts only a single SELECT from the views. The
transaction is read-only. The role, if the server has it, owns nothing. The query can't undo these
settings: https://www.postgresql.org/docs/current/sql-set-role.html"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Collection, Coroutine, Iterator, Sequence
from itertools import chain
from time import monotonic
from typing import Any, TypeVar

from psycopg import AsyncConnection, Error, InterfaceError, OperationalError
from psycopg.errors import IdleInTransactionSessionTimeout, InFailedSqlTransaction
from psycopg.pq import TransactionStatus
from sqlalchemy.engine import make_url

from indexer.sanitize import printable
from indexer.sql.allow_list import FUNCTIONS, TYPES
from indexer.sql.deployments import DEPLOYMENTS_QUERY, deployments
from indexer.sql.dialect import server_dialect
from indexer.sql.errors import QueryError, out_of_memory, read_too_slowly, rejected, timed_out
from indexer.sql.limits import MAX_MEMORY
from indexer.sql.reader_role import MISSING_ROLE, READER, TABLES, usable_role_query
from indexer.sql.server_values import ADAPTERS, ValueTooBig
from indexer.sql.statement import AllowedQuery, parse
from indexer.sql.views import SqlView, views
from indexer.store.db.engine import driver_error
from indexer.store.db.postgresql import connect_arguments, driver_url

Result = TypeVar("Result")

GRACE_SECONDS = 0.5
"""If a statement still runs this number of seconds after the server's timeout, we disconnect."""
CANCEL_SECONDS = 2.0
"""The number of seconds that a cancel request can take before we disconnect."""
TIMEOUT_STATES = {"57014", "25P02"}
"""The error codes (SQLSTATE) of a statement that the server's timeout stopped, and of the statement
after it. If the timeout comes after a statement's last row but before its end, only the next
statement fails."""
MAX_PAUSE_SECONDS = 300
"""The maximum number of seconds between two batches of rows. It is limited because the open
transaction blocks changes to tables."""
MEMORY_EXHAUSTED = ("53200", "53400")
"""The error codes (SQLSTATE) of a statement that needs too much memory or temporary disk space."""
MAX_MESSAGE = 500
"""The maximum length of an error message, which can contain, for example, a player's text."""
BATCH = 1000
"""The number of rows that are fetched at a time."""
SETTINGS = {
    "standard_conforming_strings": "on",
    "transform_null_equals": "off",
    "TimeZone": "UTC",
    "DateStyle": "ISO",
    "IntervalStyle": "postgres",
    "bytea_output": "hex",
    "cursor_tuple_fraction": "1",
    "jit": "off",
    "max_parallel_workers_per_gather": "0",
    "work_mem": "64MB",
}
"""Settings for the parser, the format of values, and the server's resources. A query runs in one
process, and each sort or hash has limited memory:
https://www.postgresql.org/docs/current/runtime-config-resource.html"""
SET_TEMP_FILES = f"""
SELECT set_config('temp_file_limit', '{MAX_MEMORY >> 10}', true) FROM pg_roles
WHERE rolname = current_user AND rolsuper
"""
FIND_FUNCTIONS = """
SELECT DISTINCT proname FROM pg_proc WHERE pronamespace = 'pg_catalog'::regnamespace AND proname IN ({}) ORDER BY 1
"""
FIND_TABLES = f"""
SELECT n.nspname, c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE c.oid IN ({", ".join(f"to_regclass('{table}')" for table in TABLES)})
AND has_table_privilege(c.oid, 'SELECT')
"""


class ServerDatabase:
    """A database on a server, opened for one query. Raises StoreError if it can't be read, and
    QueryError if opening it takes more than `seconds`."""

    def __init__(self, url: str, seconds: float) -> None:
        self._seconds, self._spent_seconds = seconds, 0.0
        self._loop = asyncio.new_event_loop()
        self._connection: AsyncConnection[Any] | None = None
        self.note = ""
        try:
            with self._store_errors():
                self.views = self._timed(self._prepare(url))
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        self._abort()
        self._loop.close()

    def _abort(self) -> None:
        """Cancel the statement that is running, because the server would continue it otherwise.
        Then close the connection and stop all tasks that use it."""
        waiting = asyncio.all_tasks(self._loop)
        if self._connection is not None:
            try:
                if self._connection.pgconn.transaction_status == TransactionStatus.ACTIVE:
                    request = self._loop.create_task(self._cancel())
                    self._loop.run_until_complete(asyncio.wait({request}, timeout=CANCEL_SECONDS))
            finally:
                self._connection.pgconn.finish()
        waiting |= asyncio.all_tasks(self._loop)
        for task in waiting:
            task.cancel()
        if waiting:
            self._loop.run_until_complete(asyncio.gather(*waiting, return_exceptions=True))

    async def _cancel(self) -> None:
        assert self._connection is not None
        with contextlib.suppress(Error):
            await self._connection.cancel_safe(timeout=CANCEL_SECONDS)

    def run(self, query: str, seconds: float) -> tuple[list[str], Iterator[Sequence[Any]]]:
        """Run a query. `seconds`: the maximum time for the database, from connecting to the last
        row. Raises QueryError. It can also be raised while the caller reads the rows."""
        begin, self._seconds = monotonic(), seconds
        allowed = parse(query, {view.name for view in self.views})
        self._spent_seconds += monotonic() - begin
        statement = self._statement(allowed)
        with self._query_errors(statement, allowed):
            columns, first = self._timed(self._start(statement, allowed))
        return _with_sqlite_names(columns, allowed.names), self._rows(first, statement, allowed)

    def _rows(self, first: list[Any], statement: str, allowed: AllowedQuery) -> Iterator[Sequence[Any]]:
        yield from first
        rows = first
        while len(rows) == BATCH and not allowed.explain:
            with self._query_errors(statement, allowed):
                rows = self._timed(self._batch())
            yield from rows

    def _statement(self, allowed: AllowedQuery) -> str:
        """Add the views in a WITH clause, because a standby server can't create views."""
        used = [view.common_table for view in self.views if view.name in allowed.views]
        text = f"({allowed.text}\n)"
        if allowed.has_with:  # a SELECT can have only one WITH clause
            text = f"SELECT * FROM {text} allowed_query"
        if used:
            text = f"WITH {', '.join(used)} {text}"
        return allowed.explain + text if allowed.explain else f"DECLARE allowed_query NO SCROLL CURSOR FOR {text}"

    # ---- communication with the server

    async def _prepare(self, url: str) -> list[SqlView]:
        parsed = driver_url(make_url(url))
        of_url = parsed.get_dialect()().create_connect_args(parsed)[1]
        own = {"client_encoding": "utf8", "context": ADAPTERS, "autocommit": True, "prepare_threshold": None}
        arguments: dict[str, Any] = {**connect_arguments(parsed), **of_url, **own}
        self._connection = connection = await AsyncConnection.connect(**arguments)
        settings = SETTINGS | {
            "statement_timeout": str(self._milliseconds),
            "idle_in_transaction_session_timeout": f"{MAX_PAUSE_SECONDS}s",
        }
        await connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        await self._fetch("SELECT " + ", ".join(f"set_config('{name}', '{it}', true)" for name, it in settings.items()))
        await self._fetch(SET_TEMP_FILES)
        if (await self._fetch(usable_role_query(connection.info.server_version)))[1]:
            await connection.execute(f"SET LOCAL ROLE {READER}")
        else:
            self.note = MISSING_ROLE
        found = (await self._fetch(FIND_TABLES))[1]
        schema = next((schema for schema, table in found if table == "block"), "public")
        tables = {table for where, table in found if where == schema}
        dialect = server_dialect(schema)
        abis = (await self._fetch(DEPLOYMENTS_QUERY.format(dialect.schema)))[1] if "deployment" in tables else []
        await self._fetch("SELECT set_config('search_path', '', true)")
        return views(deployments(abis), tables, dialect)

    async def _reject_functions(self, names: Collection[str]) -> None:
        """Raise QueryError if a name after a dot is a function on the server, unless it is also a
        column of a view. A column that the query itself names is no exception, because the query
        could give it the name of a function."""
        unknown = set(names).difference(FUNCTIONS, TYPES, *(view.columns for view in self.views))
        if unknown:
            quoted = ", ".join("'" + name.replace("'", "''") + "'" for name in unknown)
            functions = (await self._fetch(FIND_FUNCTIONS.format(quoted)))[1]
            if functions:
                name = printable(functions[0][0])
                why = "which PostgreSQL treats as a function: give the column a different name"
                raise QueryError(rejected(f"uses .{name}, {why} (docs/reference/sql.md)"))

    async def _start(self, statement: str, allowed: AllowedQuery) -> tuple[list[str], list[Any]]:
        assert self._connection is not None
        await self._set_timeout()
        await self._reject_functions(allowed.fields)
        if allowed.explain:
            return await self._fetch(statement)
        await self._connection.execute(statement.encode())
        no_rows = await self._connection.execute("FETCH 0 FROM allowed_query")
        return [column.name for column in no_rows.description or ()], await self._batch()

    async def _batch(self) -> list[Any]:
        await self._set_timeout()
        return (await self._fetch(f"FETCH {BATCH} FROM allowed_query"))[1]

    async def _fetch(self, statement: str) -> tuple[list[str], list[Any]]:
        """Return the columns' names and the rows. Raises QueryError if the rows are too large."""
        assert self._connection is not None
        rows: list[Any] = []
        size = 0
        async with self._connection.cursor() as cursor:
            async for row in cursor.stream(statement.encode()):
                rows.append(row)
                size += sum(len(value) for value in row if isinstance(value, str | bytes))
                if size > MAX_MEMORY:
                    raise out_of_memory(MAX_MEMORY)
            return [column.name for column in cursor.description or ()], rows

    async def _set_timeout(self) -> None:
        """Limit the next statement to the remaining time."""
        assert self._connection is not None
        await self._connection.execute(f"SET LOCAL statement_timeout = {self._milliseconds}".encode())

    @property
    def _remaining(self) -> float:
        return self._seconds - self._spent_seconds

    @property
    def _milliseconds(self) -> int:
        return max(1, int(self._remaining * 1000))

    # ---- time and errors

    def _timed(self, job: Coroutine[Any, Any, Result]) -> Result:
        """Run a job in the remaining time. When the time is up, the server should stop the
        statement. If it doesn't, or can't be reached, close the connection."""
        begin = monotonic()
        grace = GRACE_SECONDS if self._connection is not None else 0
        task = self._loop.create_task(job)
        task.add_done_callback(lambda done: done.cancelled() or done.exception())  # otherwise, asyncio would log Ctrl-C
        self._loop.run_until_complete(asyncio.wait({task}, timeout=max(self._remaining, 0) + grace))
        self._spent_seconds += monotonic() - begin
        if not task.done():
            self._abort()
            raise timed_out(self._seconds)
        return task.result()

    @contextlib.contextmanager
    def _store_errors(self) -> Iterator[None]:
        try:
            yield
        except Error as error:
            if error.sqlstate in TIMEOUT_STATES or self._remaining < 0:
                raise timed_out(self._seconds) from error
            raise driver_error("read", error) from error

    @contextlib.contextmanager
    def _query_errors(self, statement: str, allowed: AllowedQuery) -> Iterator[None]:
        try:
            yield
        except ValueTooBig as error:
            raise QueryError(rejected(f"can't be answered: {error}")) from error
        except IdleInTransactionSessionTimeout as error:
            raise read_too_slowly(MAX_PAUSE_SECONDS) from error
        except (OperationalError, InterfaceError, InFailedSqlTransaction) as error:
            if error.sqlstate in TIMEOUT_STATES:
                raise timed_out(self._seconds) from error
            if error.sqlstate in MEMORY_EXHAUSTED:
                raise out_of_memory(MAX_MEMORY) from error
            if error.sqlstate is None or error.sqlstate.startswith(("08", "53", "57")):
                raise driver_error("read", error) from error
            raise QueryError(rejected(_server_message(error, statement, allowed))) from error
        except Error as error:
            raise QueryError(rejected(_server_message(error, statement, allowed))) from error


def _server_message(error: Error, statement: str, allowed: AllowedQuery) -> str:
    """Return the server's message with its hint and the position in the user's query."""
    message, hint = error.diag.message_primary or str(error), error.diag.message_hint
    words = f"can't be answered: {printable(message[:MAX_MESSAGE])}" + (f" ({hint.rstrip('.')})" if hint else "")
    if error.diag.statement_position:
        position = int(error.diag.statement_position) - statement.rindex(allowed.text)
        if position > 0:
            words += f", at character {position + allowed.offset}"
    return words


def _with_sqlite_names(columns: list[str], names: tuple[Any, ...]) -> list[str]:
    """Return the columns' names: SQLite's name where it is known, otherwise the server's name.

    `names`: the names on SQLite, with `...` for each star. SQLite's names from the first star to
    the last star are unknown."""
    if ... not in names:
        return [sqlite_name or name for name, sqlite_name in zip(columns, names, strict=True)] if names else columns
    first = names.index(...)
    behind = names[::-1].index(...)
    padding = (None,) * (len(columns) - first - behind)
    known = chain(names[:first], padding, names[len(names) - behind :])
    return [sqlite_name or name for name, sqlite_name in zip(columns, known, strict=True)]
