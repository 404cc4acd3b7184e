"""Seeks: the players who are waiting for an opponent, at all gateways that share a database.

Each change is one transaction, so that no player gets two opponents."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from threading import Lock
from typing import TypeAlias

from sqlalchemy import Connection, Engine, delete, select

from indexer.model import Json
from indexer.store.db.advisory_lock import LOCK_SEEKS
from indexer.store.db.schema import SEEK
from indexer.store.shared.session import clock, transaction, upsert

Rows: TypeAlias = dict[str, Json]
"""The rows. The key is the row's id. Each row is one waiting player, as JSON."""
Edit: TypeAlias = AbstractContextManager[tuple[Rows, float]]
"""A context manager that yields all rows and the time, in seconds since 1970. The `with` block can
change the rows. They are saved at its end."""


class Seeks:
    """The rows of all waiting players. On a database server, all gateways share them. With SQLite,
    there is only one gateway, which keeps them in memory. Raises StoreError."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._own: Rows | None = {} if engine.dialect.name == "sqlite" else None
        self._lock = Lock()

    def read(self) -> tuple[Rows, float]:
        """Return all rows, and the time in seconds since 1970."""
        if self._own is not None:
            return dict(self._own), time.time()
        with transaction(self._engine, writing=False) as connection:
            return _all(connection, self._engine)

    def edit(self) -> Edit:
        """Return a context manager during which no other process can change the rows."""
        return self._edit_server() if self._own is None else self._edit_own(self._own)

    @contextmanager
    def _edit_own(self, own: Rows) -> Iterator[tuple[Rows, float]]:
        with self._lock:
            rows = dict(own)
            yield rows, time.time()
            own.clear()
            own.update(rows)

    @contextmanager
    def _edit_server(self) -> Iterator[tuple[Rows, float]]:
        with transaction(self._engine) as connection:
            connection.execute(LOCK_SEEKS)
            before, now = _all(connection, self._engine)
            rows = dict(before)
            yield rows, now
            removed = [key for key in before if key not in rows]
            if removed:
                connection.execute(delete(SEEK).where(SEEK.c.id.in_(removed)))
            for key, content in rows.items():
                if before.get(key) != content:
                    connection.execute(upsert(self._engine, SEEK, "id", {"id": key, "content": content}))


def _all(connection: Connection, engine: Engine) -> tuple[Rows, float]:
    rows = connection.execute(select(SEEK.c.id, SEEK.c.content)).all()
    return {row.id: row.content for row in rows}, float(connection.scalar(select(clock(engine))) or 0)
