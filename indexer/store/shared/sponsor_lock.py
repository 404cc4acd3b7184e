"""The lock that allows only one sponsor per database server. Two sponsors would pay twice, each
from its own budget."""

from __future__ import annotations

from threading import Lock

from sqlalchemy import Engine

from indexer.store.db.advisory_lock import SPONSOR, AdvisoryLock
from indexer.store.db.engine import store_errors


class SponsorLock:
    """A lock with its own session. Threads can share it. Raises StoreError."""

    def __init__(self, engine: Engine) -> None:
        self._lock, self._thread_lock = AdvisoryLock(engine, SPONSOR), Lock()

    def acquire(self) -> None:
        """Take the lock, even if its connection was lost. Raises NotWriter if another process holds
        the lock. If that process was silent during several calls, take the lock from it."""
        with self._thread_lock, store_errors("opened"):
            self._lock.acquire()

    def check(self) -> None:
        """Raise NotWriter if the lock was lost together with its connection."""
        self._lock.check()

    def release(self) -> None:
        with self._thread_lock, store_errors("closed"):
            self._lock.release()
