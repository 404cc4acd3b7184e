"""Short transactions for shared data. On a database server, they don't wait for the store's writer,
and the writer doesn't wait for them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Connection, Engine, Float, cast, extract, func
from sqlalchemy.dialects import postgresql, sqlite

from indexer.store.db.engine import store_errors


@contextmanager
def transaction(engine: Engine, writing: bool = True) -> Iterator[Connection]:
    """Yield a connection with a short transaction. Raises StoreError."""
    options = engine.execution_options(writing=writing)
    with store_errors("written" if writing else "read"), options.begin() as connection:
        yield connection


def clock(engine: Engine) -> Any:
    """Return an SQL expression for the time in seconds since 1970. It uses the database server's
    clock, because the clocks of the processes' machines can differ."""
    if engine.dialect.name == "sqlite":
        return func.unixepoch("subsec")
    return cast(extract("epoch", func.clock_timestamp()), Float)


def upsert(engine: Engine, table: Any, key: str, values: Mapping[str, Any], later: str | None = None) -> Any:
    """Return a statement that inserts a row, or updates the row that has the same key.

    `later`: a column. If it is given, the row is updated only if the new value in this
    column is larger."""
    insert: Any = sqlite.insert if engine.dialect.name == "sqlite" else postgresql.insert
    statement = insert(table).values(**values)
    return statement.on_conflict_do_update(
        index_elements=[key],
        set_={name: statement.excluded[name] for name in values if name != key},
        where=None if later is None else table.c[later] < statement.excluded[later],
    )
