"""A SQLite file for data that must survive a power cut. A database transaction ends only when its
changes are on disk."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock

BUSY_SECONDS = 30
LOCK_POLL_SECONDS = 0.005


class DurableFile:
    """A SQLite file that several threads and processes can use. `name` is the file's name in error
    messages. Raises `error` if the file can't be used, or if its version isn't `version`."""

    def __init__(self, path: Path, name: str, version: int, tables: Sequence[str], error: type[Exception]) -> None:
        self._text, self._error = f"{name} {path}", error
        self._lock = threading.Lock()
        with self._translating_errors():
            path.parent.mkdir(parents=True, exist_ok=True)
            self._database = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)
            with FileLock(path.with_name(f"{path.name}.lock"), timeout=BUSY_SECONDS, poll_interval=LOCK_POLL_SECONDS):
                self._prepare(version, tables)

    def _prepare(self, version: int, tables: Sequence[str]) -> None:
        # SQLite does not wait when two connections change the mode of a new file: one of them
        # immediately fails with "database is locked".
        self._database.execute("PRAGMA journal_mode = WAL")
        self._database.execute("PRAGMA synchronous = FULL")
        [found] = self._database.execute("PRAGMA user_version").fetchone()
        if found not in (0, version):
            raise self._error(f"{self._text} was written by a different version of this program")
        for statement in (*tables, f"PRAGMA user_version = {version}"):
            self._database.execute(statement)

    def close(self) -> None:
        self._database.close()

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        with self._lock, self._translating_errors():
            yield self._database

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """Run the `with` block in one database transaction. Its changes are on disk at the end."""
        with self.reading():
            self._database.execute("BEGIN IMMEDIATE")
            try:
                yield self._database
            except BaseException:
                self._database.execute("ROLLBACK")
                raise
            self._database.execute("COMMIT")

    @contextmanager
    def _translating_errors(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            raise self._error(f"{self._text} can't be used: {error}") from error
