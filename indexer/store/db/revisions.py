"""Checks whether this program can read a database's revision of the tables, and upgrades tables to
the newest revision."""

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
"""The tables that every version of this program has had."""
OLDEST_READABLE = "0014"
"""The oldest revision that this program can read.

It is also the revision of the oldest program that can read the newest tables. Set it to each new
revision that adds or drops a table or a column."""
Begin = Callable[[], AbstractContextManager[Connection]]


class OtherVersion(StoreError):
    """The tables are missing or have a different version. Readers wait for the writer's upgrade."""


def migrate(engine: Engine, begin: Begin | None = None) -> None:
    """Upgrade the tables to the newest revision.

    `begin` begins a transaction that holds the writer's lock. If the tables are up to date, they
    are only read, so readers need no write access.

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
    from alembic import command  # Alembic is slow to import, and only a writer that upgrades needs it
    from alembic.config import Config
    from alembic.util import CommandError

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    try:
        command.upgrade(config, "head")
    except CommandError as error:
        raise StoreError(
            f"the database was made by another version: {error}. Install that version, or choose a different --database"
        ) from error
    postgresql.finish_upgrade(connection, OLDEST_READABLE)


def check_readable(engine: Engine) -> None:
    """Raise OtherVersion for tables that this program can't read, and StoreError for a different
    program's tables. On a server, only the writer upgrades tables."""
    with _open_errors(), engine.connect() as connection:
        revision = _revision(connection)
        if revision is None:
            raise OtherVersion("the database is empty: run `chainboard up` or `chainboard index` first")
        known = f"the database's tables have revision {revision}, but this version reads {OLDEST_READABLE} to"
        if revision < OLDEST_READABLE:
            raise OtherVersion(f"{known} {newest()}: run the `index` of this version, which upgrades them")
        if revision > newest():
            program, oldest = postgresql.table_version(connection, revision)
            if oldest > newest():
                raise OtherVersion(f"{known} {newest()}: install Chainboard {program} or newer")


@contextmanager
def _open_errors() -> Iterator[None]:
    """Convert errors to StoreError with advice."""
    try:
        yield
    except DBAPIError as error:
        raise store_error("opened", error) from error
    except postgresql.UnsuitableServer as error:
        raise StoreError(f"the database can't be opened: {error}") from error
    except UnicodeDecodeError as error:  # sqlite3 decodes the names of tables as UTF-8
        raise StoreCorrupt(f"the database can't be opened: its schema is damaged. {ARCHIVED_BY_UP}") from error


@cache
def newest() -> str:
    """Return the newest revision. The name of each migration's file begins with its revision."""
    return max(file.name for file in (MIGRATIONS / "versions").glob("[0-9]*.py")).partition("_")[0]


def _revision(connection: Connection) -> str | None:
    """Return the Alembic revision of the tables, or None if there are no tables. Raises StoreError
    if the tables aren't ours."""
    tables = set(inspect(connection).get_table_names())
    if tables and not tables >= {TABLE, *OUR_TABLES}:
        raise StoreError("the database belongs to another program: choose a different --database")
    return str(connection.exec_driver_sql(f"SELECT version_num FROM {TABLE}").scalar()) if tables else None
