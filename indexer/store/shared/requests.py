"""Requests from gateways to the writer's process, through the shared database.

A gateway needs no port, password or address of the writer for these requests."""

from __future__ import annotations

from collections.abc import Collection
from uuid import uuid4

from sqlalchemy import Engine, delete, insert, null, select, update

from indexer.model import Json
from indexer.store.db.schema import REQUEST
from indexer.store.shared.session import clock, transaction

EXPIRY_SECONDS = 15.0
"""The age, in seconds, at which a waiting request is no longer executed. By then, the gateway is
about to report an error to its client."""
PENDING, CLAIMED = "pending", "taken"


class Requests:
    """A queue of requests in the database. Several processes can take requests, but each request is
    taken only once. Raises StoreError."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def add(self, kind: str, content: Json) -> str:
        """Add a request and return its id. Delete old requests that nobody waits for."""
        request, now = uuid4().hex, clock(self._engine)
        with transaction(self._engine) as connection:
            connection.execute(delete(REQUEST).where(REQUEST.c.created_at < now - 3 * EXPIRY_SECONDS))
            row = {"id": request, "kind": kind, "content": content, "state": PENDING, "created_at": now}
            connection.execute(insert(REQUEST).values(**row, answer=null()))
        return request

    def claim(self, kinds: Collection[str]) -> list[tuple[str, str, Json]]:
        """Take the waiting requests of these kinds. Return each one's id, kind and content."""
        pending = REQUEST.c.state == PENDING, REQUEST.c.kind.in_(kinds)
        fresh = REQUEST.c.created_at > clock(self._engine) - EXPIRY_SECONDS
        with transaction(self._engine, writing=False) as connection:
            if connection.execute(select(REQUEST.c.id).where(*pending, fresh).limit(1)).first() is None:
                return []
        claiming = update(REQUEST).where(*pending, fresh).values(state=CLAIMED)
        with transaction(self._engine) as connection:
            rows = connection.execute(claiming.returning(REQUEST.c.id, REQUEST.c.kind, REQUEST.c.content)).all()
        return [(row.id, row.kind, row.content) for row in rows]

    def answer(self, request: str, answer: Json) -> None:
        with transaction(self._engine) as connection:
            connection.execute(update(REQUEST).where(REQUEST.c.id == request).values(answer=answer))

    def pop_answer(self, request: str) -> Json | None:
        """Return a request's answer and delete the request, or return None if there is none yet."""
        query = select(REQUEST.c.answer).where(REQUEST.c.id == request, REQUEST.c.answer.is_not(None))
        with transaction(self._engine, writing=False) as connection:
            row = connection.execute(query).first()
        if row is None:
            return None
        with transaction(self._engine) as connection:
            connection.execute(delete(REQUEST).where(REQUEST.c.id == request))
        answer: Json = row.answer
        return answer
