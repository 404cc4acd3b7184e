"""Reads the rows of a database as the driver returns them. Values are not converted, so damaged
rows can be read too.

The audit uses this module to compare two databases, and to repair one with rows of the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeAlias

from sqlalchemy import ColumnElement, Connection, TableClause, column, delete, event, func, insert, select
from sqlalchemy import table as bare_table
from sqlalchemy.exc import DBAPIError

from indexer.model import MatchKey
from indexer.store.db import postgresql
from indexer.store.db.engine import open_engine, store_error
from indexer.store.db.packed_types import AddressColumn, HashColumn, NameColumn, RawNameColumn
from indexer.store.db.schema import (
    BLOCK,
    CHAIN,
    CHECKPOINT,
    CONFIRMED,
    DEPLOYMENT,
    EVENT,
    MATCH,
    MENTION,
    RESULT,
    SEAT,
    SPARSE,
)

Key: TypeAlias = tuple[Any, ...]
Row: TypeAlias = dict[str, Any]
"""The value in each column of a row, as the driver returns it. JSON is text."""

INSERT_ORDER = (CHAIN, CONFIRMED, SPARSE, DEPLOYMENT, BLOCK, EVENT, MENTION, MATCH, SEAT, CHECKPOINT, RESULT)
"""The tables in the order for inserts: tables that others reference come first."""
KEYS = {one.name: tuple(column.name for column in one.primary_key) for one in INSERT_ORDER}
UNPACKING_TYPES = {HashColumn: HashColumn(), AddressColumn: AddressColumn(), NameColumn: RawNameColumn()}
BARE_TABLES: dict[str, TableClause] = {
    one.name: bare_table(one.name, *(column(each.name, UNPACKING_TYPES.get(type(each.type))) for each in one.c))
    for one in INSERT_ORDER
}
"""The tables without their column types. Only hashes, addresses and names are converted, because
PostgreSQL stores them as bytes and codes."""
MAX_ERRORS = 100
FACT_TABLES, DERIVED_TABLES = ("block", "event", "mention"), ("match", "seat", "checkpoint", "result")
OPTIONAL_TABLE = "checkpoint"
"""A table in which any row may be missing."""
CROSS_MATCH_TABLE = "result"
"""A table in which a row can depend on matches other than its own. A database with only one match
therefore has different rows than a complete database."""


@dataclass(frozen=True, slots=True)
class TableSlice:
    """The rows of one table for which the condition `where` is true. If `where` is None, all
    rows."""

    table: str
    where: ColumnElement[bool] | None = None


class RawSnapshot:
    """The rows of a database, read in one transaction."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def rows_of(self, table_slice: TableSlice) -> dict[Key, Row]:
        """Return the rows of a slice. The key is the row's primary key."""
        query = select(BARE_TABLES[table_slice.table])
        found = self._connection.execute(
            query if table_slice.where is None else query.where(table_slice.where)
        ).mappings()
        return {tuple(row[name] for name in KEYS[table_slice.table]): dict(row) for row in found}

    def rows_with(self, name: str, **equals: Any) -> list[Row]:
        """Return the rows of a table that have these values in these columns."""
        columns = BARE_TABLES[name].c
        conditions = [columns[key] == value for key, value in equals.items()]
        return [dict(row) for row in self._connection.execute(select(BARE_TABLES[name]).where(*conditions)).mappings()]

    def top(self, max_height: int) -> int | None:
        """Return the highest height up to `max_height` in the tables of blocks, events and
        mentions, or None.

        If rows are missing, there may be no block at this height."""
        heights = [BARE_TABLES[name].c.height for name in FACT_TABLES]
        found = [self._one(select(func.max(one)).where(one <= max_height)) for one in heights]
        return max((height for height in found if isinstance(height, int)), default=None)

    def blocks_above(self, height: int, limit: int = 1000) -> list[Row]:
        """Return the next blocks above this height, except blocks whose height isn't an integer."""
        block = BARE_TABLES["block"]
        query = select(block).where(block.c.height > height).order_by(block.c.height).limit(limit)
        found = self._connection.execute(query).mappings()
        return [dict(row) for row in found if isinstance(row["height"], int)]

    def sparse_height(self) -> int:
        """Return the sparse height, or -1. Up to it, blocks without events may be missing."""
        found = self._one(select(func.max(BARE_TABLES["sparse"].c.height)))
        return found if isinstance(found, int) else -1

    def heights_with_events(self, first: int, last: int) -> set[int]:
        """Return the heights of blocks with events, from `first` to `last`."""
        event = BARE_TABLES["event"].c
        query = select(event.height).where(event.height.between(first, last)).distinct()
        return set(self._connection.execute(query).scalars())

    def highest_block(self, max_height: int) -> Row | None:
        """Return the highest block up to this height as a row, or None."""
        block = BARE_TABLES["block"]
        query = select(block).where(block.c.height <= max_height).order_by(block.c.height.desc()).limit(1)
        found = self._connection.execute(query).mappings().first()
        return dict(found) if found else None

    def count(self, name: str) -> int:
        return int(self._one(select(func.count()).select_from(BARE_TABLES[name])))

    def nth(self, name: str, by: str, at: int, distance: int, **equals: Any) -> int | None:
        """Sort the rows of a table by the column `by`, and skip those with values below `at`.
        Return the value in the row with the index `distance`, counted from 0."""
        columns = BARE_TABLES[name].c
        conditions = [columns[key] == value for key, value in equals.items()]
        query = select(columns[by]).where(columns[by] >= at, *conditions).order_by(columns[by]).limit(1)
        found = self._one(query.offset(distance))
        return found if isinstance(found, int) else None

    def games(self) -> list[str]:
        return sorted(self._connection.execute(select(BARE_TABLES["match"].c.game).distinct()).scalars())

    def event_positions(self, match: MatchKey) -> set[tuple[int, int]]:
        """Return the positions of a match's events: their block heights and log indexes."""
        event = BARE_TABLES["event"].c
        query = select(event.height, event.log_index).where(event.game == match[0], event.match == match[1])
        found = self._connection.execute(query)
        return {(row[0], row[1]) for row in found if isinstance(row[0], int) and isinstance(row[1], int)}

    def count_match_blocks_below(self, height: int) -> int:
        """For each block below this height, count the matches with events in it. Return the sum."""
        event = BARE_TABLES["event"].c
        pairs = select(event.height, event.game, event.match).where(event.height < height).distinct().subquery()
        return int(self._one(select(func.count()).select_from(pairs)))

    def last_event_below(self, height: int) -> tuple[str, int, int] | None:
        """Return the last event below this height as its game, match and `seq`, or None."""
        event = BARE_TABLES["event"].c
        query = select(event.game, event.match, event.seq).where(event.height < height)
        row = self._connection.execute(query.order_by(event.height.desc(), event.log_index.desc()).limit(1)).first()
        return (row[0], row[1], row[2]) if row else None

    def highest_match(self, game: str, first: int, last: int) -> int:
        """Return the highest number of a stored match from `first` to `last`, or `first` - 1."""
        match = BARE_TABLES["match"].c
        found = self._one(select(func.max(match.match)).where(match.game == game, match.match.between(first, last)))
        return first - 1 if found is None else int(found)

    def _one(self, query: Any) -> Any:
        return self._connection.execute(query).scalar()


class RawDatabase:
    """A database that already exists. It is opened without a `Store`, which would upgrade it.
    Raises StoreError if it can't be used."""

    def __init__(self, url: str) -> None:
        self._engine = open_engine(url)
        prepare = _decode_invalid_text if self._engine.dialect.name == "sqlite" else postgresql.json_as_text
        event.listen(self._engine, "connect", prepare)

    def close(self) -> None:
        self._engine.dispose()

    @contextmanager
    def snapshot(self) -> Iterator[RawSnapshot]:
        """Yield the rows of the database in a read transaction. It doesn't block a writer."""
        try:
            with self._engine.connect() as connection:
                yield RawSnapshot(connection)
        except DBAPIError as error:
            raise store_error("read", error) from error

    def integrity_errors(self) -> list[str]:
        """Return what SQLite's integrity check finds, for example an index that lacks rows."""
        if self._engine.dialect.name != "sqlite":
            return []
        try:
            with self._engine.connect() as connection:
                messages = [str(row[0]) for row in connection.exec_driver_sql(f"PRAGMA integrity_check({MAX_ERRORS})")]
        except DBAPIError as error:
            raise store_error("read", error) from error
        return [] if messages == ["ok"] else messages


def repair(connection: Connection, parts: Sequence[TableSlice], expected: RawSnapshot, indexes: bool) -> None:
    """Replace slices of a database by the same slices of another database.

    `connection`: a connection in a transaction that can write. `indexes`: True to rebuild all
    indexes too, on SQLite only."""
    if indexes:
        connection.exec_driver_sql("REINDEX")
    # delete all rows first, because a new row in one slice can conflict with an old row in another
    for table_slice in parts:
        query = delete(BARE_TABLES[table_slice.table])
        connection.execute(query if table_slice.where is None else query.where(table_slice.where))
    for table_slice in parts:
        if rows := list(expected.rows_of(table_slice).values()):
            connection.execute(insert(BARE_TABLES[table_slice.table]), rows)


def _decode_invalid_text(connection: Any, _record: Any) -> None:
    """Make the connection return text even if it is not valid UTF-8."""
    connection.text_factory = lambda text: text.decode("utf-8", "backslashreplace")
