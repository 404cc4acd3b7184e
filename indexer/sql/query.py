"""Runs a user's SQL query. A query can only read, and its time and memory are limited.

SQLite's own protections ensure this: https://www.sqlite.org/security.html. The file is opened
read-only, an authorizer allows only reads, and the memory is limited. SQLite sorts rows in this
memory and creates no files."""

from __future__ import annotations

import contextlib
import re
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, TypeAlias

from indexer.sql.deployments import DEPLOYMENTS_QUERY, deployments
from indexer.sql.errors import OUT_OF_BOUNDS, QueryError, near_names, out_of_memory, rejected, timed_out
from indexer.sql.limits import MAX_MEMORY, MAX_VALUE_BYTES
from indexer.sql.views import SqlView, views
from indexer.store.db.engine import StoreCorrupt, StoreError, driver_error, parse_url, sqlite_file
from indexer.store.db.postgresql import MISSING_DRIVER, NAMES

if TYPE_CHECKING:
    from indexer.sql.server_database import ServerDatabase

Answer: TypeAlias = tuple[list[str], Iterator[Sequence[Any]]]
"""The names of the columns, and the rows."""

PROGRESS_STEPS = 10_000
"""The number of steps that SQLite's virtual machine runs before it checks the deadline again. They
take at most a millisecond."""
READ_ACTIONS = {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_RECURSIVE, sqlite3.SQLITE_FUNCTION}
FORBIDDEN = {"load_extension", "fts3_tokenizer"}
"""SQLite's functions that could read something other than the database."""
PRIMING_QUERIES = ("SELECT 1 FROM json_each('[]')", "SELECT 1 FROM json_tree('[]')")
"""These queries run before the authorizer is set. For SQLite, the first use of these functions is a
write, which the authorizer would reject."""
ACTION_TEXTS = {
    sqlite3.SQLITE_ATTACH: "opens another file",
    sqlite3.SQLITE_DETACH: "closes a file",
    sqlite3.SQLITE_PRAGMA: "reads or changes a setting",
    sqlite3.SQLITE_TRANSACTION: "begins or ends a transaction",
    sqlite3.SQLITE_SAVEPOINT: "begins or ends a transaction",
    sqlite3.SQLITE_FUNCTION: OUT_OF_BOUNDS,
}


class ReadOnlyDatabase:
    """A SQLite file and its views, opened for queries. Raises StoreError if it can't be read."""

    note = ""

    def __init__(self, file: Path) -> None:
        self._denied = ""
        self._timed_out = False
        with _store_errors():
            self._connection = sqlite3.connect(f"{file.resolve().as_uri()}?mode=ro", uri=True, isolation_level=None)
        try:
            with _store_errors():
                self.views = self._prepare()
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        self._connection.close()

    def _prepare(self) -> list[SqlView]:
        connection = self._connection
        connection.text_factory = lambda text: text.decode("utf-8", "backslashreplace")
        for pragma in ("temp_store=MEMORY", f"hard_heap_limit={MAX_MEMORY}"):
            connection.execute(f"PRAGMA {pragma}")
        tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
        rows = connection.execute(DEPLOYMENTS_QUERY.format("main")) if "deployment" in tables else ()
        found = views(deployments(rows), tables)
        for statement in (*(view.statement for view in found), *PRIMING_QUERIES):
            connection.execute(statement)
        connection.execute("PRAGMA query_only=ON")
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MAX_VALUE_BYTES)
        connection.set_authorizer(self._authorize)
        return found

    def _authorize(self, action: int, *arguments: str | None) -> int:
        if action in READ_ACTIONS and not (action == sqlite3.SQLITE_FUNCTION and arguments[1] in FORBIDDEN):
            return sqlite3.SQLITE_OK
        # SQLite reports this write when a query first uses a virtual table
        beyond = action == sqlite3.SQLITE_UPDATE and arguments[0] == "sqlite_master"
        self._denied = OUT_OF_BOUNDS if beyond else ACTION_TEXTS.get(action, "writes")
        return sqlite3.SQLITE_DENY

    def run(self, query: str, seconds: float) -> Answer:
        """Run a query and return its columns and rows. `seconds`: the maximum time that SQLite can
        use, including the time for reading the rows.

        Raises QueryError. It can also be raised while the caller reads the rows."""
        self._denied, self._timed_out, remaining = "", False, seconds

        def timed(job: Callable[[], Any]) -> Any:
            nonlocal remaining
            begin = monotonic()
            self._connection.set_progress_handler(lambda: self._is_timed_out(begin + remaining), PROGRESS_STEPS)
            try:
                return job()
            except (sqlite3.Error, sqlite3.Warning, MemoryError, ValueError) as error:
                raise self._query_error(error, seconds) from error
            finally:
                remaining -= monotonic() - begin

        cursor = timed(lambda: self._connection.execute(query))
        if cursor.description is None:
            raise QueryError(rejected("is empty"))
        return [column[0] for column in cursor.description], iter(lambda: timed(lambda: next(cursor, None)), None)

    def _is_timed_out(self, end: float) -> bool:
        self._timed_out = monotonic() > end
        return self._timed_out

    def _query_error(self, error: Exception, seconds: float) -> QueryError:
        if self._timed_out:
            return timed_out(seconds)
        if isinstance(error, MemoryError):
            return out_of_memory(MAX_MEMORY)
        if self._denied:
            return QueryError(rejected(self._denied))
        return QueryError(rejected(f"can't be answered: {error}{self._did_you_mean(str(error))}"))

    def _did_you_mean(self, error: str) -> str:
        unknown = re.match(r"no such (table|column): (?:\w+\.)?(.*)", error)
        if unknown is None:
            return ""
        if unknown[1] == "column":
            return near_names(unknown[2], {column for one in self.views for column in one.columns})
        return near_names(unknown[2], {one.name for one in self.views})


@contextlib.contextmanager
def _store_errors() -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        raise driver_error("read", error) from error
    except UnicodeDecodeError as error:
        raise StoreCorrupt("the database can't be read: its schema is damaged") from error


def open_database(url: str, seconds: float) -> ReadOnlyDatabase | ServerDatabase:
    """Open the database at this URL. On a server, the connection is also limited to `seconds`.
    Raises StoreError if the database can't be read, and QueryError if opening it takes too long."""
    file = sqlite_file(url)
    if file is not None:
        return ReadOnlyDatabase(file)
    backend = parse_url(url).get_backend_name()
    if backend not in NAMES:
        why = f"a database in memory or a {backend} database can't be queried"
        raise StoreError(f"the database URL can't be used: {why}. Use a file, or postgresql://…")
    try:
        from indexer.sql.server_database import ServerDatabase
    except ImportError as error:
        raise StoreError(f"the database can't be queried. {MISSING_DRIVER}") from error
    return ServerDatabase(url, seconds)
