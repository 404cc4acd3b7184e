"""The outbox of one socket: a bounded queue between those who publish and one slow or quick client."""

from __future__ import annotations

import asyncio
from collections import deque
from dataclasses import dataclass

LIMIT = 256
"""Published messages that may wait; more, and the client is too slow."""


@dataclass(frozen=True, slots=True)
class Close:
    """Ends the socket with this code and reason, after what was put before."""

    code: int
    reason: str


@dataclass(frozen=True, slots=True)
class Behind:
    """The client was too slow: in place of its backlog, one whole board of each of these."""

    topics: frozenset[str]


class Outbox:
    """Used by one event loop. Putting never waits, so no client can hold up another."""

    def __init__(self, limit: int = LIMIT) -> None:
        self._limit = limit
        self._queue: deque[tuple[str, str, bool]] = deque()
        self._published = 0
        self._behind: set[str] | None = None
        self._close: Close | None = None
        self._more, self._empty = asyncio.Event(), asyncio.Event()
        self._empty.set()

    def publish(self, topic: str, text: str) -> None:
        """Adds a message that nobody here asked for now. When too many wait already, all are given up."""
        if self._behind is not None:
            self._behind.add(topic)
        elif self._published >= self._limit:
            self._behind = {topic, *(waiting for waiting, _text, _published in self._queue)}
            self._queue.clear()
            self._more.set()
        else:
            self._published += 1
            self._put(topic, text, True)

    def answer(self, topic: str, text: str) -> None:
        """Adds the answer to a client's own message. Bounded by `emptied`: no next one is read before."""
        if self._behind is None:
            self._put(topic, text, False)
        else:
            self._behind.add(topic)

    def close(self, code: int, reason: str) -> None:
        self._close = Close(code, reason)
        self._more.set()

    def _put(self, topic: str, text: str, published: bool) -> None:
        self._queue.append((topic, text, published))
        self._empty.clear()
        self._more.set()

    async def emptied(self) -> None:
        """Waits until all answers have been taken."""
        await self._empty.wait()

    async def take(self) -> str | Close | Behind:
        """The next message to send, or how it ends."""
        while True:
            if self._behind is not None:
                return Behind(frozenset(self._behind))
            if self._queue:
                _topic, text, published = self._queue.popleft()
                self._published -= published
                return text
            self._empty.set()
            if self._close is not None:
                return self._close
            self._more.clear()
            await self._more.wait()
