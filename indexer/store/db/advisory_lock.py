"""The writer's lock on PostgreSQL: an advisory lock of the session that writes. The sponsor, which
gives ether to visitors, has another lock of the same kind.

Two processes never write at the same time. Every transaction that writes takes the lock again, and
the server grants it only to the session that already holds it. The server ends a session's
transaction before it frees the session's locks. Therefore, a writer that was replaced can't commit,
even if it was only paused, cut off or slow:
https://www.postgresql.org/docs/current/explicit-locking.html#ADVISORY-LOCKS

A lease would need synchronized clocks. With a session's lock, another process can take over soon
after a failure: when a process ends, its session ends too.

A suspended process keeps its session. Therefore, a writer sends a heartbeat every second, and a
standby process ends the session of a silent writer. The server's own timeouts don't suffice,
because they don't run while the server waits for the rows of a COPY."""

from __future__ import annotations

from contextlib import suppress
from threading import Event, Thread
from time import monotonic
from typing import Any

from sqlalchemy import Connection, Engine, Integer, TextClause, bindparam, text
from sqlalchemy.exc import DBAPIError

from indexer.store.db.engine import StoreError, store_errors
from indexer.store.db.postgresql import POOLER_HINT

WRITER, SPONSOR, SEEKS = 1, 2, 3
LOCK_CLASS = 1667785070
WRITER_KEY = f"{LOCK_CLASS}, {WRITER}"
"""The key of the writer's lock. Databases on the same server have separate keys:
https://www.postgresql.org/docs/current/view-pg-locks.html"""
HEARTBEAT_SECONDS, HEARTBEAT_TIMEOUT = 1.0, 3.0
TERMINATE_MILLISECONDS = 1000
OTHER_WRITER = "another Chainboard process is writing to the database: stop it, or choose a different --database"
CONNECTION_ENDED = "the connection that writes to the database was lost"


def _lock_statement(statement: str) -> TextClause:
    """Return a statement with the parameter `number`, the number of a lock. By default, it is the
    writer's lock."""
    return text(statement).bindparams(bindparam("number", WRITER, Integer))


TRY_LOCK = _lock_statement(f"SELECT pg_try_advisory_lock({LOCK_CLASS}, :number)")
TRY_LOCK_TRANSACTION = _lock_statement(f"SELECT pg_try_advisory_xact_lock({LOCK_CLASS}, :number)")
LOCK_SEEKS = text(f"SELECT pg_advisory_xact_lock({LOCK_CLASS}, {SEEKS})")
"""Waits until the lock is free, because each process holds it only for a moment. TRY_LOCK doesn't
wait."""
UNLOCK = _lock_statement(f"SELECT pg_advisory_unlock({LOCK_CLASS}, :number)")
SESSION_ID = text("SELECT pg_backend_pid()")
HOLDERS = (
    "pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid AND a.datid = l.database AND a.datname = current_database()"
    f" AND l.locktype = 'advisory' AND l.granted AND (l.classid, l.objid, l.objsubid) = ({LOCK_CLASS}, :number, 2)"
)
"""SQL for the sessions that hold the lock. An exclusive lock has one holder, and a shared lock can
have several."""
HOLDER = _lock_statement(
    f"SELECT a.pid, a.backend_start, a.state_change, c.bytes_processed FROM {HOLDERS}"
    " LEFT JOIN pg_stat_progress_copy c ON c.pid = a.pid"
    " WHERE l.mode = 'ExclusiveLock' AND a.wait_event_type = 'Client'"
)
"""Finds the session that holds the lock, but only if the server is waiting for the process that
uses that session. Every heartbeat changes a value in the row."""
FOREIGN_HOLDER = _lock_statement(
    f"SELECT a.pid, a.usename FROM {HOLDERS} WHERE l.mode != 'ExclusiveLock' OR a.usename != current_user LIMIT 1"
)
"""Finds a session that holds the lock but can't be a writer. It has a different role, or its lock
is shared."""
TERMINATE = text(
    "SELECT pg_terminate_backend(pid, :patience) FROM pg_stat_activity"
    " WHERE (pid, backend_start, state_change) = (:pid, :backend_start, :state_change)"
)
"""Ends a session, which must have the same role as this session:
https://www.postgresql.org/docs/current/functions-admin.html"""


class NotWriter(StoreError):
    """Another process has the right to write to the database, or this process has lost it."""


class AdvisoryLock:
    """A lock, and the connection whose session holds it. Only one thread at a time can use the
    connection.

    `number`: WRITER or SPONSOR."""

    def __init__(self, engine: Engine, number: int = WRITER) -> None:
        self._engine, self._lock = engine, {"number": number}
        self._connection: Connection | None = None
        self._heartbeat: Heartbeat | None = None
        self._is_replaced = False
        self._last_seen: tuple[Any, float] = (None, 0.0)

    def check(self) -> None:
        """Raise NotWriter if the connection was lost and `acquire` has not succeeded since."""
        heartbeat = self._heartbeat
        if self._is_replaced or (heartbeat is not None and heartbeat.has_lost):
            raise NotWriter(CONNECTION_ENDED)

    def open(self) -> Connection:
        """Return the connection for writing.

        Raises NotWriter if the connection with the lock was lost. Raises StoreError if the server
        is behind a pooler in transaction mode."""
        self.check()
        return self._connect()

    def _connect(self) -> Connection:
        if self._connection is None:
            require_session(self._engine)
            self._connection = self._engine.connect().execution_options(writing=True)
        return self._connection

    def lock_transaction(self, connection: Connection) -> None:
        """Take the lock for this transaction, too. Raises NotWriter if another session holds it."""
        if not connection.scalar(TRY_LOCK_TRANSACTION, self._lock):
            raise NotWriter(OTHER_WRITER)

    def acquire(self) -> None:
        """Take the lock for this session. If another session holds it and has been silent since an
        earlier call, end that session first.

        Raises NotWriter if the lock can't be taken yet."""
        if self._heartbeat is not None:
            if not self._heartbeat.has_lost:
                return
            self._is_replaced = True
            self.release()
        connection = self._connect()
        if not (self._try(connection) or (self._terminate_silent(connection) and self._try(connection))):
            raise NotWriter(self._holder_message(connection))
        self._heartbeat, self._is_replaced = Heartbeat(connection), False

    def _try(self, connection: Connection) -> bool:
        with connection.begin():
            return bool(connection.scalar(TRY_LOCK, self._lock))

    def _holder_message(self, connection: Connection) -> str:
        with connection.begin():
            holder = connection.execute(FOREIGN_HOLDER, self._lock).one_or_none()
        if holder is None:
            return OTHER_WRITER
        return f"the session {holder.pid} of the role {holder.usename} holds the writer's lock: end that session"

    def _terminate_silent(self, connection: Connection) -> bool:
        """End the session that holds the lock if it has been silent for too long. Return True if it
        has ended."""
        with connection.begin():
            holder = connection.execute(HOLDER, self._lock).one_or_none()
            last, since = self._last_seen
            if holder is None or holder != last:
                self._last_seen = (holder, monotonic())
                return False
            if monotonic() - since < HEARTBEAT_TIMEOUT:
                return False
            return bool(connection.scalar(TERMINATE, {**holder._mapping, "patience": TERMINATE_MILLISECONDS}))

    def release(self) -> None:
        """Free the lock and close the connection, even if the connection was lost."""
        heartbeat, connection = self._heartbeat, self._connection
        self._heartbeat = self._connection = None
        if heartbeat is not None:
            heartbeat.stop()
        if connection is not None:
            if heartbeat is not None and not heartbeat.has_lost:
                with suppress(DBAPIError), connection.begin():
                    connection.execute(UNLOCK, self._lock)
            connection.invalidate()
            connection.close()


class Heartbeat:
    """Shows other processes that this process is alive: sends a query every second on the
    connection that holds the lock."""

    def __init__(self, connection: Connection) -> None:
        self._driver: Any = connection.connection.driver_connection
        self._stopped = Event()
        self._thread = Thread(target=self._run, daemon=True)
        self._thread.start()

    @property
    def has_lost(self) -> bool:
        """True if the driver has noticed that the connection ended."""
        return bool(self._driver.closed)

    def stop(self) -> None:
        self._stopped.set()
        self._thread.join()

    def _run(self) -> None:
        """Send an empty query every second, which doesn't begin a transaction. During a COPY, send
        nothing, because a query would end the COPY."""
        from psycopg.pq import TransactionStatus

        while not self._stopped.wait(HEARTBEAT_SECONDS):
            with self._driver.lock:
                if self.has_lost:
                    return
                if self._driver.pgconn.transaction_status != TransactionStatus.ACTIVE:
                    self._driver.pgconn.exec_(b"")


def require_session(engine: Engine) -> None:
    """Raise StoreError if the server is behind a pooler in transaction mode. This pooler shares
    sessions between clients, so a session can't hold a lock.

    See https://www.pgbouncer.org/features.html"""
    with store_errors("opened"), engine.connect() as one, engine.connect() as other:
        with one.begin():
            first = one.scalar(SESSION_ID)
        with other.begin():
            pooled = first == other.scalar(SESSION_ID)
            if not pooled:
                with one.begin():
                    pooled = first != one.scalar(SESSION_ID)
    if pooled:
        raise StoreError(f"the database can't be opened: {POOLER_HINT}")
