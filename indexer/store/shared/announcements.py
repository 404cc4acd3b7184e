"""The writer's announcements to gateways. Thanks to them, a gateway needs neither the data folder
nor the node."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Engine, select

from indexer.model import Json
from indexer.store.db.schema import ANNOUNCEMENT
from indexer.store.shared.session import clock, transaction, upsert


@dataclass(frozen=True, slots=True)
class Announcement:
    """An announcement. `age`: the number of seconds since it was made."""

    content: Json
    age: float


class Announcements:
    """The latest announcement about each topic. Raises StoreError."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def announce(self, topic: str, content: Json) -> None:
        """Replace the announcement about a topic."""
        row = {"topic": topic, "content": content, "announced_at": clock(self._engine)}
        with transaction(self._engine) as connection:
            connection.execute(upsert(self._engine, ANNOUNCEMENT, "topic", row))

    def latest(self, topic: str) -> Announcement | None:
        """Return the latest announcement about a topic, or None."""
        age = (clock(self._engine) - ANNOUNCEMENT.c.announced_at).label("age")
        query = select(ANNOUNCEMENT.c.content, age).where(ANNOUNCEMENT.c.topic == topic)
        with transaction(self._engine, writing=False) as connection:
            row = connection.execute(query).first()
        return Announcement(row.content, float(row.age)) if row else None
