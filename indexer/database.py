"""Opens the database: connection settings, transactions, migrations."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson
from alembic import command
from alembic.config import Config
from alembic.util import CommandError
from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError

from indexer.game import canonical

MIGRATIONS = Path(__file__).parent / "migrations"
BUSY_MILLISECONDS = 10_000


class StoreError(Exception):
    """The database can't be read or written now: locked too long, full, damaged, gone, or of an unknown kind."""


def open_engine(url: str) -> Engine:
    """An engine whose JSON is canonical; on SQLite with WAL, foreign keys and real transactions for reads as well.

    Raises StoreError for a URL that names no kind of database that is installed."""
    try:
        engine = create_engine(
            url, json_serializer=lambda value: canonical(value).decode(), json_deserializer=orjson.loads, pool_size=16
        )
    except (ArgumentError, NoSuchModuleError, ModuleNotFoundError) as error:
        raise StoreError(f"the database's URL can't be used: {error}") from error
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", _prepare)
        event.listen(engine, "begin", _begin)
    return engine


def _prepare(connection: Any, _record: Any) -> None:
    connection.isolation_level = None  # the driver opens no transaction of its own: _begin does
    for pragma in ("journal_mode=WAL", "synchronous=NORMAL", "foreign_keys=ON", f"busy_timeout={BUSY_MILLISECONDS}"):
        connection.execute(f"PRAGMA {pragma}")


def _begin(connection: Connection) -> None:
    writing = connection.get_execution_options().get("writing", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writing else "BEGIN")


def migrate(engine: Engine) -> None:
    """Brings the tables to the newest revision. Raises StoreError for a file that is none, or of a newer version."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    try:
        with engine.execution_options(writing=True).begin() as connection:
            config.attributes["connection"] = connection
            command.upgrade(config, "head")
    except DBAPIError as error:
        raise StoreError(f"the database can't be opened: {error.orig}") from error
    except CommandError as error:
        raise StoreError(f"the database was made by another version: {error}") from error


def sqlite_file(url: str) -> Path | None:
    """The file behind a SQLite URL; None for other databases and for memory."""
    try:
        parsed = make_url(url)
    except ArgumentError:
        return None
    if parsed.get_backend_name() != "sqlite" or parsed.database in (None, "", ":memory:"):
        return None
    return Path(str(parsed.database))
