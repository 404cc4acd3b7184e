"""Checks the revision (version) of a database's tables, and upgrades them to the newest."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import cache
from pathlib import Path

from sqlalchemy import Connection, Engine, inspect
from sqlalchemy.exc import DBAPIError

from indexer.store.db import postgresql
from indexer.store.db.engine import ARCHIVED_BY_UP, StoreCorrupt, StoreError, enable_wal, store_error

MIGRATIONS = Path(__file__).parent / "migrations"
TABLE = "alembic_version"
OUR_TABLES = {"block", "chain", "event"}
"""Tables that exist in every revision. A database without them belongs to another program."""
OLDEST_READABLE = "0014"
"""The oldest revision of the tables that this program can read.

A program whose newest revision is older than this one can't read the newest tables. If a new
revision adds or drops a table or a column, set this constant to that revision."""
Begin = Callable[[], AbstractContextManager[Connection]]


class OtherVersion(StoreError):
    """The database has no tables yet, or this program can't read their revision. A reader then
    waits until the writer has created or upgraded the tables."""


def migrate(engine: Engine, begin: Begin | None = None) -> None:
    """Upgrade the tables to the newest revision. If they already have it, only read, so that a
    reader needs no right to write.

    `begin` begins a transaction that holds the writer's lock.

    Raises StoreError if the database belongs to a newer version or a different program, and
    StoreCorrupt if the file isn't a database."""
    with _open_errors():
        with engine.connect() as connection:
            revision = _revision(connection)
        enable_wal(engine)
        if revision == newest():
            return
        with (begin or engine.execution_options(writing=True).begin)() as connection:
            postgresql.check_encoding(connection)
            upgrade(connection)


def upgrade(connection: Connection) -> None:
    """Create or upgrade the tables. Raises StoreError if their revision is unknown."""
    from alembic import command  # a slow import, which only an upgrade needs
    from alembic.config import Config
    from alembic.util import CommandError

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    try:
        command.upgrade(config, "head")
    except CommandError as error:
        raise StoreError(
            f"the database was made by another version of Chainboard: {error}. Install that version, or choose a "
            "different --database"
        ) from error
    postgresql.finish_upgrade(connection, OLDEST_READABLE)


def check_readable(engine: Engine) -> None:
    """Raise OtherVersion if this program can't read the tables, and StoreError if they belong to a
    different program."""
    with _open_errors(), engine.connect() as connection:
        revision = _revision(connection)
        if revision is None:
            raise OtherVersion("the database is empty: run `chainboard up` or `chainboard index` first")
        known = f"the database's tables have revision {revision}, but this version reads revisions {OLDEST_READABLE} to"
        if revision < OLDEST_READABLE:
            raise OtherVersion(
                f"{known} {newest()}: run the `index` command of this version, which upgrades the tables"
            )
        if revision > newest():
            program, oldest = postgresql.table_version(connection, revision)
            if oldest > newest():
                raise OtherVersion(f"{known} {newest()}: install {program}")


@contextmanager
def _open_errors() -> Iterator[None]:
    """Raise StoreError with advice instead of the errors that the `with` block raises."""
    try:
        yield
    except DBAPIError as error:
        raise store_error("opened", error) from error
    except postgresql.UnsuitableServer as error:
        raise StoreError(f"the database can't be opened: {error}") from error
    except UnicodeDecodeError as error:  # sqlite3 could not decode the name of a table
        raise StoreCorrupt(f"the database can't be opened: its schema is damaged. {ARCHIVED_BY_UP}") from error


@cache
def newest() -> str:
    """Return the newest revision. The names of the migrations' files begin with their revisions."""
    return max(file.name for file in (MIGRATIONS / "versions").glob("[0-9]*.py")).partition("_")[0]


def _revision(connection: Connection) -> str | None:
    """Return the revision of the tables, or None if there are no tables. Raises StoreError if the
    tables belong to a different program."""
    tables = set(inspect(connection).get_table_names())
    if tables and not tables >= {TABLE, *OUR_TABLES}:
        raise StoreError("the database belongs to another program: choose a different --database")
    return str(connection.exec_driver_sql(f"SELECT version_num FROM {TABLE}").scalar()) if tables else None
