"""A user's SQL query: read-only, with a deadline and bounded memory.

SQLite's own guards see to that: https://www.sqlite.org/security.html. The file is opened for reading, an authorizer
lets nothing but reading through, and the heap has a limit. What SQLite sorts stays in that memory: no file is made."""

from __future__ import annotations

import contextlib
import difflib
import json
import re
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from time import monotonic
from typing import Any, TypeAlias

from sqlalchemy.exc import DBAPIError

from indexer.model import Deployment
from indexer.sql.views import SqlView, views
from indexer.store.db.engine import StoreCorrupt, StoreError, open_engine, sqlite_file, store_error

Answer: TypeAlias = tuple[list[str], Iterator[Sequence[Any]]]
"""The columns' names, and the rows as they are found."""

MAX_MEMORY = 2**29
MAX_VALUE_BYTES = 2**26
"""In bytes."""
PROGRESS_STEPS = 10_000
"""Steps of SQLite's machine between two looks at the clock: a millisecond or less."""
READ_ACTIONS = {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_RECURSIVE, sqlite3.SQLITE_FUNCTION}
FORBIDDEN = {"load_extension", "fts3_tokenizer"}
"""Functions that reach beyond the database."""
PRIMING_QUERIES = ("SELECT 1 FROM json_each('[]')", "SELECT 1 FROM json_tree('[]')")
"""The first use of such a function is a kind of writing for the authorizer."""
OUT_OF_BOUNDS = "reaches beyond the tables and views"
ACTION_TEXTS = {
    sqlite3.SQLITE_ATTACH: "opens another file",
    sqlite3.SQLITE_DETACH: "closes a file",
    sqlite3.SQLITE_PRAGMA: "asks for a setting",
    sqlite3.SQLITE_TRANSACTION: "begins or ends a transaction",
    sqlite3.SQLITE_SAVEPOINT: "begins or ends a transaction",
    sqlite3.SQLITE_FUNCTION: OUT_OF_BOUNDS,
}
ALLOWED = "One SELECT is allowed"


class QueryError(Exception):
    """The query can't be run; the message says why."""


class ReadOnlyDatabase:
    """A SQLite file with its views, open for queries. Raises StoreError when it can't be read."""

    def __init__(self, file: Path) -> None:
        self._denied = ""
        self._timed_out = False
        with _reading():
            self._connection = sqlite3.connect(f"{file.resolve().as_uri()}?mode=ro", uri=True, isolation_level=None)
        try:
            with _reading():
                self.views = self._prepare()
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        self._connection.close()

    def _prepare(self) -> list[SqlView]:
        ours = self._connection
        ours.text_factory = lambda text: text.decode("utf-8", "backslashreplace")
        for pragma in ("temp_store=MEMORY", f"hard_heap_limit={MAX_MEMORY}"):
            ours.execute(f"PRAGMA {pragma}")
        tables = {name for (name,) in ours.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
        found = views(self._deployments() if "deployment" in tables else [], tables)
        for statement in (*(view.statement for view in found), *PRIMING_QUERIES):
            ours.execute(statement)
        ours.execute("PRAGMA query_only=ON")
        ours.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MAX_VALUE_BYTES)
        ours.set_authorizer(self._authorize)
        return found

    def _deployments(self) -> list[Deployment]:
        columns = "contract, address, height, block_hash, code_hash, first_match, end_match"
        rows = self._connection.execute(f"SELECT game, abi, {columns} FROM deployment ORDER BY game, first_match")
        names = columns.split(", ")
        return [
            Deployment(game=game, abi=json.loads(abi), **dict(zip(names, rest, strict=True)))
            for game, abi, *rest in rows
        ]

    def _authorize(self, action: int, *about: str | None) -> int:
        if action in READ_ACTIONS and not (action == sqlite3.SQLITE_FUNCTION and about[1] in FORBIDDEN):
            return sqlite3.SQLITE_OK
        beyond = action == sqlite3.SQLITE_UPDATE and about[0] == "sqlite_master"  # a module of SQLite's: its first use
        self._denied = OUT_OF_BOUNDS if beyond else ACTION_TEXTS.get(action, "writes")
        return sqlite3.SQLITE_DENY

    def run(self, query: str, seconds: float) -> Answer:
        """Runs a query. Raises QueryError, also while the rows are read. `seconds` bounds SQLite's own time for all of
        them."""
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
            raise QueryError(f"the query asks nothing. {ALLOWED}")
        return [column[0] for column in cursor.description], iter(lambda: timed(lambda: next(cursor, None)), None)

    def _is_timed_out(self, end: float) -> bool:
        self._timed_out = monotonic() > end
        return self._timed_out

    def _query_error(self, error: Exception, seconds: float) -> QueryError:
        if self._timed_out:
            return QueryError(f"the query was ended after {seconds:g} seconds: ask for less, or give it more --timeout")
        if isinstance(error, MemoryError):
            return QueryError(f"the query needs more than {MAX_MEMORY >> 20} MiB of memory: ask for less")
        if self._denied:
            return QueryError(f"the query {self._denied}. {ALLOWED}")
        return QueryError(f"the query can't be answered: {error}{self._did_you_mean(str(error))}. {ALLOWED}")

    def _did_you_mean(self, error: str) -> str:
        """Close names, where one is unknown."""
        unknown = re.match(r"no such (table|column): (?:\w+\.)?(.*)", error)
        if unknown is None:
            return ""
        known = [one.name for one in self.views]
        if unknown[1] == "column":
            known = sorted({column for one in self.views for column in one.columns})
        near = difflib.get_close_matches(unknown[2], known)
        return f" (near it: {', '.join(near)})" if near else " (`chainboard sql --views` lists what there is)"


@contextlib.contextmanager
def _reading() -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        raise store_error("read", DBAPIError("", None, error)) from error
    except UnicodeDecodeError as error:
        raise StoreCorrupt("the database can't be read: its schema is damaged") from error


@contextlib.contextmanager
def run_query(url: str, query: str, seconds: float) -> Iterator[Answer]:
    """Runs one query on the database behind the URL. Raises QueryError, also while the rows are read, and StoreError
    when the database can't be read."""
    file = sqlite_file(url)
    if file is None:
        with _run_on_server(url, query, seconds) as answer:
            yield answer
        return
    with contextlib.closing(ReadOnlyDatabase(file)) as database:
        yield database.run(query, seconds)


@contextlib.contextmanager
def _run_on_server(url: str, query: str, seconds: float) -> Iterator[Answer]:
    """PostgreSQL: it bounds the time and its own memory. It has the tables only, no views."""
    engine = open_engine(url)
    if engine.dialect.name == "sqlite":
        raise StoreError("a database in memory can't be asked: name a file")
    if ";" in query.strip().rstrip(";"):  # its simplest protocol takes several statements at a time
        raise QueryError(f"the query has a semicolon within. {ALLOWED}")
    try:
        with engine.connect().execution_options(stream_results=True) as connection:
            connection.exec_driver_sql("SET TRANSACTION READ ONLY")
            connection.exec_driver_sql(f"SET LOCAL statement_timeout = {int(seconds * 1000)}")
            result = connection.exec_driver_sql(query)
            if not result.returns_rows:
                raise QueryError(f"the query asks nothing. {ALLOWED}")
            yield list(result.keys()), iter(result)
    except DBAPIError as error:
        raise QueryError(f"the query can't be answered: {error.orig}. {ALLOWED}") from error
    finally:
        engine.dispose()
