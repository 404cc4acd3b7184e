"""Announcements from the writer to the gateways, through the database. With them, a gateway needs
no access to the data folder or the node."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Engine, select

from indexer.model import Json
from indexer.store.db.schema import ANNOUNCEMENT
from indexer.store.shared.session import clock, transaction, upsert


@dataclass(frozen=True, slots=True)
class Announcement:
    """An announcement. `age`: how many seconds ago it was made."""

    content: Json
    age: float


class Announcements:
    """The last announcement on each topic, stored in the database. Raises StoreError."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def announce(self, topic: str, content: Json) -> None:
        """Store an announcement, which replaces the previous one on this topic."""
        row = {"topic": topic, "content": content, "announced_at": clock(self._engine)}
        with transaction(self._engine) as connection:
            connection.execute(upsert(self._engine, ANNOUNCEMENT, "topic", row))

    def latest(self, topic: str) -> Announcement | None:
        """Return the last announcement on a topic, or None."""
        age = (clock(self._engine) - ANNOUNCEMENT.c.announced_at).label("age")
        query = select(ANNOUNCEMENT.c.content, age).where(ANNOUNCEMENT.c.topic == topic)
        with transaction(self._engine, writing=False) as connection:
            row = connection.execute(query).first()
        return Announcement(row.content, float(row.age)) if row else None
