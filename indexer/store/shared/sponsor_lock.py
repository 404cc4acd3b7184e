"""The lock of the one sponsor of a database server: its budgets are its own, so that two would pay twice."""

from __future__ import annotations

from threading import Lock

from sqlalchemy import Engine

from indexer.store.db.advisory_lock import SPONSOR, AdvisoryLock
from indexer.store.db.engine import store_errors


class SponsorLock:
    """A lock of a session that does nothing else; threads may share it. Raises StoreError."""

    def __init__(self, engine: Engine) -> None:
        self._lock, self._turn = AdvisoryLock(engine, SPONSOR), Lock()

    def acquire(self) -> None:
        """Takes the lock, also after its connection ended. Raises NotWriter when another process holds it; one that is
        silent over several calls holds it no longer."""
        with self._turn, store_errors("opened"):
            self._lock.acquire()

    def check(self) -> None:
        """Raises NotWriter when the lock went with its connection."""
        self._lock.check()

    def release(self) -> None:
        with self._turn, store_errors("closed"):
            self._lock.release()
