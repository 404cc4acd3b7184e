"""Writes many rows quickly. A row is a tuple in the order of the table's columns, in which JSON is
text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain
from operator import attrgetter
from typing import Any, TypeAlias

from sqlalchemy import Connection, bindparam, delete, insert, update
from sqlalchemy.engine import Dialect

from indexer.gamekit.game import canonical
from indexer.gamekit.lifecycle import NOBODY
from indexer.model import Block, Event
from indexer.store.db import codes, postgresql
from indexer.store.db.engine import StoreError, driver_error
from indexer.store.db.packed_types import PackedType
from indexer.store.db.schema import BLOCK, CHECKPOINT, EVENT, MATCH, MENTION, RESULT, SEAT

Row: TypeAlias = tuple[Any, ...]
ADDRESS_LENGTH = len(NOBODY)
BATCH_ROWS = (1000, 50)
"""The possible numbers of rows in an insert statement. A statement inserts the first number of rows
as long as enough rows are left, and the second number after that. SQLite accepts 32,766 parameters:
https://www.sqlite.org/limits.html#max_variable_number"""

KEY = ("game", "match")
GAME, NAME = (EVENT.c.keys().index(name) for name in ("game", "name"))
INSERT_BLOCK, INSERT_EVENT, INSERT_MENTION, INSERT_MATCH, INSERT_SEAT, INSERT_CHECKPOINT, INSERT_RESULT = (
    insert(table).prefix_with("OR FAIL", dialect="sqlite")
    for table in (BLOCK, EVENT, MENTION, MATCH, SEAT, CHECKPOINT, RESULT)
)
"""The insert statements. OR FAIL means that the first rows of a failed statement stay until the
transaction is rolled back. By default, SQLite would copy every page that a statement changes, to
undo only that statement."""
UPDATE_MATCH = (
    update(MATCH)
    .values({column.key: bindparam(f"new_{column.key}") for column in MATCH.c if column.key not in KEY})
    .where(*(MATCH.c[key] == bindparam(f"of_{key}") for key in KEY))
)
"""Updates a match's row. The parameters are the row's values, with the row's key at the end."""


def _with_key(table: Any) -> list[Any]:
    return [each == bindparam(f"of_{each.key}") for each in table.primary_key]


def _update(table: Any, column: str) -> Any:
    """Return a statement that sets one column of one row. Its parameters are the new value and the
    primary key."""
    return update(table).values({column: bindparam("new")}).where(*_with_key(table))


DELETE_SEAT = delete(SEAT).where(*_with_key(SEAT))
UPDATE_SEAT = _update(SEAT, "status")
SUPERSEDE = _update(RESULT, "until_height")


def execute_many(connection: Connection, statement: Any, rows: Sequence[Row]) -> None:
    """Execute an SQLAlchemy statement for each of these rows. It bypasses SQLAlchemy's conversion
    of the parameters, which would be slow.

    An insert statement contains many rows. Between two statements, the driver lets other threads
    run, and then waits up to 5 ms for its turn. With one statement per row, most of the time would
    be spent waiting.

    Raises StoreError, or the driver's errors."""
    if statement.is_insert and connection.dialect.name == "postgresql":
        return _copy(connection, statement.table, rows)
    done = 0
    try:
        for size in BATCH_ROWS if statement.is_insert else ():
            while len(rows) - done >= size:
                flat = tuple(chain.from_iterable(rows[done : done + size]))
                connection.exec_driver_sql(_sql(statement, connection.dialect, size), flat)
                done += size
        if done < len(rows):
            connection.exec_driver_sql(_sql(statement, connection.dialect), list(rows[done:]))
    except OverflowError as error:
        raise StoreError(f"the database can't be written: {error}") from error


def _copy(connection: Connection, table: Any, rows: Sequence[Row]) -> None:
    from psycopg import Error

    if rows:
        try:
            postgresql.copy_rows(connection, table.name, table.c.keys(), _packed(table, rows))
        except Error as error:
            raise driver_error("written", error) from error


def _packed(table: Any, rows: Sequence[Row]) -> Iterable[Row]:
    """Return the rows as PostgreSQL stores them: with bytes for hashes and addresses, and with
    codes for names."""
    columns = [(at, one.type.pack) for at, one in enumerate(table.c) if isinstance(one.type, PackedType)]
    if not columns:
        return rows
    if table is EVENT:
        codes.register({name for row in rows for name in (row[GAME], row[NAME])})
    return _pack_each(rows, columns)


def _pack_each(rows: Sequence[Row], columns: Sequence[tuple[int, Callable[[str], Any]]]) -> Iterator[Row]:
    for row in rows:
        values = list(row)
        for at, pack in columns:
            values[at] = pack(values[at])
        yield tuple(values)


@lru_cache
def _sql(statement: Any, dialect: Dialect, rows: int = 1) -> str:
    """Return the SQL of a statement, with placeholders for its parameters. An insert has
    placeholders for `rows` rows."""
    marks = "qmark" if dialect.name == "sqlite" else "format"
    single = str(statement.compile(dialect=type(dialect)(paramstyle=marks)))  # type: ignore[call-arg]
    insert_into, values, marks = single.partition(" VALUES ")
    return insert_into + values + ", ".join([marks] * rows)


block_row: Callable[[Block], Row] = attrgetter(*(column.key for column in BLOCK.c))


def event_rows(events: Iterable[Event]) -> list[Row]:
    return [
        (one.height, one.log_index, one.game, one.match, one.seq, one.name, canonical(one.args).decode(), one.tx)
        for one in events
    ]


def mention_rows(events: Iterable[Event]) -> list[Row]:
    """Return a row for each address in each event's arguments, including lists of addresses. If an
    event contains an address twice, return only one row.

    A row has the event's height and log index, the address, and the event's game and name."""
    found: list[Row] = []
    for event in events:
        before, game, name = len(found), event.game, event.name
        for value in event.args.values():
            if value.__class__ is str:
                if len(value) == ADDRESS_LENGTH and value != NOBODY and value[:2] == "0x":
                    found.append((event.height, event.log_index, value, game, name))
            elif value.__class__ is list:
                addresses = (
                    one for one in value if one.__class__ is str and len(one) == ADDRESS_LENGTH and one != NOBODY
                )
                found += ((event.height, event.log_index, one, game, name) for one in addresses if one[:2] == "0x")
        if len(found) - before > 1:
            found[before:] = sorted(set(found[before:]))
    return found
