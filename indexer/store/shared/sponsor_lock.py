"""The lock that allows only one sponsor per database. The sponsor gives ether to visitors. Two
sponsors would pay twice, because each has its own budget."""

from __future__ import annotations

from threading import Lock

from sqlalchemy import Engine

from indexer.store.db.advisory_lock import SPONSOR, AdvisoryLock
from indexer.store.db.engine import store_errors


class SponsorLock:
    """The sponsor's lock, which is held by a database session of its own. Several threads can use
    it. Raises StoreError."""

    def __init__(self, engine: Engine) -> None:
        self._lock, self._thread_lock = AdvisoryLock(engine, SPONSOR), Lock()

    def acquire(self) -> None:
        """Take the lock, or take it again after its connection was lost. If another process holds
        the lock, take it over if that process has been silent since an earlier call. If it has not,
        raises NotWriter."""
        with self._thread_lock, store_errors("opened"):
            self._lock.acquire()

    def check(self) -> None:
        """Raise NotWriter if the connection with the lock was lost."""
        self._lock.check()

    def release(self) -> None:
        with self._thread_lock, store_errors("closed"):
            self._lock.release()
