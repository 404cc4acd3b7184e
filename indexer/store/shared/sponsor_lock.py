"""The lock of a database server's only sponsor. Two would pay twice, each with its own budget."""

from __future__ import annotations

from threading import Lock

from sqlalchemy import Engine

from indexer.store.db.advisory_lock import SPONSOR, AdvisoryLock
from indexer.store.db.engine import store_errors


class SponsorLock:
    """A lock with its own session. Threads may share it. Raises StoreError."""

    def __init__(self, engine: Engine) -> None:
        self._lock, self._thread_lock = AdvisoryLock(engine, SPONSOR), Lock()

    def acquire(self) -> None:
        """Take the lock, also after its connection has closed. Raises NotWriter if another process
        holds it and has not been silent over several calls."""
        with self._thread_lock, store_errors("opened"):
            self._lock.acquire()

    def check(self) -> None:
        """Raises NotWriter if the lock was lost with its connection."""
        self._lock.check()

    def release(self) -> None:
        with self._thread_lock, store_errors("closed"):
            self._lock.release()
