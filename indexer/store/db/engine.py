"""Opens a database, configures its connections and transactions, and converts the driver's errors
to errors with advice."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import orjson
from sqlalchemy import URL, Connection, Engine, create_engine, event, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError
from sqlalchemy.exc import TimeoutError as NoConnection

from indexer.gamekit.game import canonical
from indexer.store.db import postgresql

BUSY_MILLISECONDS = 10_000
PRAGMAS = ("page_size=8192", "synchronous=NORMAL", "cache_size=-16000", "wal_autocheckpoint=8000")
"""SQLite's settings for each connection.

The page size, in bytes, takes effect only in an empty file. It must come before the cache size,
because SQLite converts the cache size from KiB to a number of pages. In the opposite order, larger
pages would enlarge the cache. A WAL checkpoint waits for the disk and writes each page once, so it
runs only every 8,000 pages."""


class StoreError(Exception):
    """The database can't be read or written at the moment.

    Possible causes:
    - The database has been locked for too long, or is read-only or missing.
    - It is of an unknown kind, or a newer version of this program has made it.
    - The disk is full.

    The data may be intact, so no program moves the database away because of this error."""


class StoreCorrupt(StoreError):
    """The file is not a SQLite database, or it is damaged.

    Its content can be rebuilt from the chain, except nicknames and blocked words."""


REMEDIES = {
    "SQLITE_BUSY": "another program has locked it: stop that program, or wait",
    "SQLITE_LOCKED": "another program has locked it: stop that program, or wait",
    "SQLITE_FULL": "free space on the disk; nothing was lost",
    "SQLITE_READONLY": "make the file and its folder writable, or choose a different --database",
    "SQLITE_CANTOPEN": "check that its folder exists and is writable, or choose a different --database",
    "SQLITE_IOERR": "check the disk, or choose a different --database",
    "SQLITE_PERM": "make the file and its folder writable, or choose a different --database",
    "SQLITE_AUTH": "make the file and its folder writable, or choose a different --database",
}
"""Advice for each error. The key is the name of SQLite's primary result code:
https://www.sqlite.org/rescode.html"""
ARCHIVED_BY_UP = (
    "`chainboard up` moves the file away and builds a new one from the chain. "
    "Nicknames and blocked words are lost unless you have a backup"
)
CORRUPT_CODES = {"SQLITE_CORRUPT", "SQLITE_NOTADB"}
ESCAPING_HINT = "write the port as a number, and write @ : / [ ] in a user name or password as %40 %3A %2F %5B %5D"

CONNECTIONS = 64
"""The maximum number of connections to a SQLite file. At most 40 threads serve requests."""


def store_error(action: str, error: DBAPIError) -> StoreError:
    """Return a StoreError that describes a database error and says what to do about it.

    `action`: "read", "written" or "opened", as in "the database can't be read"."""
    if hasattr(error.orig, "sqlstate"):
        remedy = postgresql.remedy(error.orig)
        message = f"the database can't be {action}: {postgresql.first_line(error.orig)}"
        return StoreError(f"{message}. {remedy[0].upper()}{remedy[1:]}" if remedy else message)
    name = "_".join(getattr(error.orig, "sqlite_errorname", "").split("_")[:2])
    message = f"the database can't be {action}: {error.orig}"
    if name in CORRUPT_CODES:
        return StoreCorrupt(f"{message}. {ARCHIVED_BY_UP}")
    return StoreError(f"{message}. {REMEDIES[name].capitalize()}" if name in REMEDIES else message)


def driver_error(action: str, error: Exception) -> StoreError:
    """Return the StoreError for an error that the driver raised without SQLAlchemy."""
    return store_error(action, DBAPIError("", None, error))


@contextmanager
def store_errors(action: str) -> Iterator[None]:
    """Raise StoreError instead of the errors that the driver and the connection pool raise in the
    `with` block."""
    try:
        yield
    except DBAPIError as error:
        raise store_error(action, error) from error
    except NoConnection as error:
        raise StoreError(f"the database can't be {action}: all connections to it are in use") from error


def parse_url(url: str) -> URL:
    """Parse a database URL. Raises StoreError. The message doesn't contain the URL, because the URL
    can contain a password."""
    try:
        parsed = make_url(url)
    except ArgumentError as error:
        raise StoreError(f"the database URL can't be used: {error}") from error
    except ValueError as error:
        raise StoreError(f"the database URL can't be used: {ESCAPING_HINT}") from error
    if "@" in (parsed.host or ""):
        raise StoreError(f"the database URL can't be used: {ESCAPING_HINT}")
    return parsed


def open_engine(url: str) -> Engine:
    """Return an engine for the database at this URL. JSON is written in canonical form.

    A transaction reads a consistent snapshot, unless the engine's option `writing` is set. Raises
    StoreError if the URL is invalid or its driver isn't installed."""
    try:
        parsed = postgresql.driver_url(parse_url(url))
        on_server = parsed.drivername == postgresql.DRIVER
        engine = create_engine(
            parsed,
            json_serializer=lambda value: canonical(value).decode(),
            json_deserializer=orjson.loads,
            connect_args=postgresql.connect_arguments(parsed) if on_server else {},
            **(postgresql.POOL if on_server else {"pool_size": CONNECTIONS}),
        )
    except (ArgumentError, NoSuchModuleError, ImportError) as error:
        if isinstance(error, ImportError) and url.startswith("postgres"):
            raise StoreError(f"the database can't be opened. {postgresql.MISSING_DRIVER}") from error
        raise StoreError(f"the database URL can't be used: {error}") from error
    if on_server:
        postgresql.prepare(engine)
    elif engine.dialect.name == "sqlite":
        event.listen(engine, "connect", _prepare)
        event.listen(engine, "begin", _begin)
    return engine


def close_engine(engine: Engine) -> None:
    """Close all connections to the database: idle connections now, and the others when their
    threads return them. If the pool were only disposed, connections in use would stay open."""
    event.listen(engine, "checkin", lambda _connection, record: record.invalidate())
    engine.dispose()


def _prepare(connection: Any, _record: Any) -> None:
    connection.isolation_level = None  # transactions begin in _begin, not in the driver
    for pragma in (*PRAGMAS, f"busy_timeout={BUSY_MILLISECONDS}"):
        connection.execute(f"PRAGMA {pragma}")


def _begin(connection: Connection) -> None:
    options = connection.get_execution_options()
    if not options.get("bare", False):  # some SQLite statements fail inside a transaction
        connection.exec_driver_sql("BEGIN IMMEDIATE" if options.get("writing", False) else "BEGIN")


def enable_wal(engine: Engine) -> None:
    """Switch a SQLite file to WAL mode, in which readers and the writer don't block each other. The
    file keeps this setting, so later calls change nothing."""
    if engine.dialect.name == "sqlite":
        with engine.connect().execution_options(bare=True) as connection:
            if connection.exec_driver_sql("PRAGMA journal_mode").scalar() != "wal":
                connection.exec_driver_sql("PRAGMA journal_mode=WAL")


def backup(engine: Engine, archive: Path) -> None:
    """Copy a SQLite database to the new file `archive`.

    Until the copy is complete on the disk, it has a different name. Raises StoreError."""
    new = archive.with_name(archive.name + ".new")
    try:
        archive.parent.mkdir(parents=True, exist_ok=True)
        if archive.exists():
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST))
        new.unlink(missing_ok=True)
        with engine.connect().execution_options(bare=True) as connection:
            connection.execute(text("VACUUM INTO :file"), {"file": str(new)})
        with new.open("rb+") as file:
            os.fsync(file.fileno())
        new.rename(archive)
    except DBAPIError as error:
        new.unlink(missing_ok=True)
        raise store_error(f"backed up to {archive}", error) from error
    except OSError as error:
        raise StoreError(f"the database can't be backed up to {archive}: {error.strerror or error}") from error


def sqlite_file(url: str) -> Path | None:
    """Return the file that a SQLite URL names. Return None for other databases, and for a database
    in memory."""
    try:
        parsed = parse_url(url)
    except StoreError:
        return None
    if parsed.get_backend_name() != "sqlite" or parsed.database in (None, "", ":memory:"):
        return None
    return Path(str(parsed.database))
