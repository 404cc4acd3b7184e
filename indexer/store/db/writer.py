"""The process's only connection for writing. Its cache stays valid, because no other connection
writes. On PostgreSQL, a lock ensures that no other process writes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

from sqlalchemy import Connection, Engine

from indexer.store.db import engine
from indexer.store.db.advisory_lock import AdvisoryLock
from indexer.store.db.engine import StoreError, store_errors
from indexer.store.db.notifications import notify


class Writer:
    """A process's connection for writing. Only one thread at a time can use it.

    Raises StoreError for the driver's errors, or if a thread waits too long for another thread."""

    def __init__(self, database: Engine) -> None:
        self._engine = database
        self._connection: Connection | None = None
        self._write_lock = Lock()
        self._lock = AdvisoryLock(database) if database.dialect.name == "postgresql" else None

    @contextmanager
    def transaction(self) -> Iterator[Connection]:
        """Yield the connection in a transaction that can write. After the commit, listeners are
        notified. Raises NotWriter."""
        with self._exclusive("written"):
            connection = self._open()
            with connection.begin():
                if self._lock is not None:
                    self._lock.lock_transaction(connection)
                yield connection
                if self._lock is not None:
                    notify(connection)

    def _open(self) -> Connection:
        if self._lock is not None:
            return self._lock.open()
        if self._connection is None:
            self._connection = self._engine.connect().execution_options(writing=True)
        return self._connection

    def acquire(self) -> None:
        """On PostgreSQL, take the writer's lock. Raises NotWriter if another process holds it."""
        if self._lock is not None:
            with self._exclusive("opened"):
                self._lock.acquire()

    def check(self) -> None:
        """On PostgreSQL, raise NotWriter if the connection with the lock was lost."""
        if self._lock is not None:
            self._lock.check()

    def release(self) -> None:
        """On PostgreSQL, free the writer's lock."""
        if self._lock is not None:
            with self._exclusive("closed"):
                self._lock.release()

    def close(self) -> None:
        self.release()
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    @contextmanager
    def _exclusive(self, action: str) -> Iterator[None]:
        if not self._write_lock.acquire(timeout=engine.BUSY_MILLISECONDS / 1000):
            raise StoreError(f"the database can't be {action}: another write has locked the database for too long")
        try:
            with store_errors(action):
                yield
        finally:
            self._write_lock.release()
