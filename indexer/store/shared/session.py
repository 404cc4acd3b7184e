"""Transactions beside the store's own, of one statement or two: neither they nor its writer wait for each other on a
server."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Connection, Engine, Float, cast, extract, func
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as NoConnection

from indexer.store.db.engine import StoreError, store_error


@contextmanager
def transaction(engine: Engine, writing: bool = True) -> Iterator[Connection]:
    """A short transaction. Raises StoreError."""
    doing = "written" if writing else "read"
    try:
        with engine.execution_options(writing=writing).begin() as connection:
            yield connection
    except DBAPIError as error:
        raise store_error(doing, error) from error
    except NoConnection as error:
        raise StoreError(f"the database can't be {doing}: all connections to it are in use") from error


def clock(engine: Engine) -> Any:
    """Seconds of the database's clock, as the machines' own may differ."""
    if engine.dialect.name == "sqlite":
        return func.unixepoch("subsec")
    return cast(extract("epoch", func.clock_timestamp()), Float)


def upsert(engine: Engine, table: Any, key: str, values: Mapping[str, Any]) -> Any:
    """The statement that inserts a row, or updates the one with its key."""
    insert: Any = sqlite.insert if engine.dialect.name == "sqlite" else postgresql.insert
    statement = insert(table).values(**values)
    return statement.on_conflict_do_update(
        index_elements=[key], set_={name: statement.excluded[name] for name in values if name != key}
    )
