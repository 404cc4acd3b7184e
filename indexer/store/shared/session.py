"""Short transactions that are separate from the store's own. On a server, these transactions and
the store's writer don't wait for each other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Connection, Engine, Float, cast, extract, func
from sqlalchemy.dialects import postgresql, sqlite

from indexer.store.db.engine import store_errors


@contextmanager
def transaction(engine: Engine, writing: bool = True) -> Iterator[Connection]:
    """Yield the connection of a short transaction. Raises StoreError."""
    options = engine.execution_options(writing=writing)
    with store_errors("written" if writing else "read"), options.begin() as connection:
        yield connection


def clock(engine: Engine) -> Any:
    """Return an expression for the database's time in seconds since 1970, because the machines' own
    clocks may differ."""
    if engine.dialect.name == "sqlite":
        return func.unixepoch("subsec")
    return cast(extract("epoch", func.clock_timestamp()), Float)


def upsert(engine: Engine, table: Any, key: str, values: Mapping[str, Any], later: str | None = None) -> Any:
    """Return a statement that inserts a row or updates the row with the same key.

    If `later` names a column, an existing row is updated only if the new value in that column is
    higher."""
    insert: Any = sqlite.insert if engine.dialect.name == "sqlite" else postgresql.insert
    statement = insert(table).values(**values)
    return statement.on_conflict_do_update(
        index_elements=[key],
        set_={name: statement.excluded[name] for name in values if name != key},
        where=None if later is None else table.c[later] < statement.excluded[later],
    )
