"""Databases for tests. Each is a copy of one migrated database, because an Alembic migration takes
longer than most tests."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psycopg
from sqlalchemy import Engine
from sqlmodel import SQLModel

from indexer.store.db.engine import open_engine, sqlite_file
from indexer.store.db.revisions import migrate

if TYPE_CHECKING:
    from tests.support.services.postgres import PostgresServer

DIALECTS = ("sqlite", "postgresql")


def from_copy(template: Path) -> Callable[..., None]:
    """Return a replacement for `migrate`. If the database file doesn't exist, the replacement
    copies the template to it before it calls `migrate`."""

    def copied_and_migrated(engine: Engine, *begin: Any) -> None:
        file = sqlite_file(engine.url.render_as_string(hide_password=False))
        if file and file.parent.is_dir() and not file.exists():
            if not template.exists():
                first = open_engine(f"sqlite:///{template}")
                migrate(first)
                first.dispose()
            try:
                shutil.copyfile(template, file)
            except OSError:
                # if the copy fails, `migrate` below fails for the same reason, and its error
                # includes the path
                with suppress(OSError):
                    file.unlink()
        migrate(engine, *begin)

    return copied_and_migrated


class Databases:
    """A test's databases, each with a name and the newest tables. A database is a file in the
    test's folder. If a server is given, the database is on that server instead."""

    def __init__(self, folder: Path, server: PostgresServer | None = None) -> None:
        self._folder, self.server = folder, server
        self._urls: dict[str, str] = {}

    def url(self, name: str = "index") -> str:
        if self.server is None:
            return f"sqlite:///{self._folder / name}.db"
        if name not in self._urls:
            self._urls[name] = self.server.new_database(f"TEMPLATE {_template(self.server)}")
        return self._urls[name]

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Hold a lock on the database `index`. Other processes can't write blocks until the lock is
        released."""
        if self.server is None:
            with closing(sqlite3.connect(self._folder / "index.db", isolation_level=None)) as other:
                other.execute("BEGIN IMMEDIATE")
                yield
                other.execute("ROLLBACK")
        else:
            with closing(psycopg.connect(self.url())) as other:
                other.execute("LOCK TABLE block IN EXCLUSIVE MODE")
                yield
                other.rollback()


@cache
def _template(server: PostgresServer) -> str:
    """Create and migrate a new database. Return its name."""
    url = server.new_database()
    first = open_engine(url)
    migrate(first)
    first.dispose()
    return url.rpartition("/")[2]


def copy_rows(source: str, target: str) -> None:
    """Copy all rows of a database to an empty database. The two can be of different types, SQLite
    and PostgreSQL."""
    engines = [open_engine(url) for url in (source, target)]
    with engines[0].connect() as old, engines[1].execution_options(writing=True).begin() as new:
        for table in SQLModel.metadata.sorted_tables:
            rows = [row._asdict() for row in old.execute(table.select())]
            if rows:
                new.execute(table.insert(), rows)
    for engine in engines:
        engine.dispose()
