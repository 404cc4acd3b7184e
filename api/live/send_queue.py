"""The outbox of one socket: between those who publish and one slow or quick client, bounded in bytes."""

from __future__ import annotations

import asyncio
from collections.abc import Set
from dataclasses import dataclass
from typing import Protocol

LIMIT = 512 * 1024
"""Bytes of published messages that may wait; more, and the client is too slow."""


@dataclass(frozen=True, slots=True)
class Close:
    """Ends the socket with this code and reason, after what was put before."""

    code: int
    reason: str


@dataclass(frozen=True, slots=True)
class Behind:
    """The client was too slow: in place of its backlog, one whole board of each of these."""

    topics: frozenset[str]


class Way(Protocol):
    """The way to the client."""

    @property
    def ready(self) -> bool:
        """Whether it takes more now. When it does again, it calls `flush`."""

    @property
    def gone(self) -> bool:
        """Whether it takes nothing more for good. When it is, it calls `flush`."""

    @property
    def held(self) -> int:
        """Bytes that it has taken and not passed on."""

    def write(self, frames: bytes) -> None: ...


class Outbox:
    """Used by one event loop. Putting never waits, so no client can hold up another.

    What the way does not take waits here; nothing does for a client that is gone. Of what is published, at most LIMIT
    and one publication do so for a client that reads nothing, and once as much may be with the way: it takes all that
    waits in one write."""

    def __init__(self, way: Way, limit: int = LIMIT) -> None:
        self._way, self._limit = way, limit
        self._queue: list[tuple[Set[str], bytes]] = []
        self._published = 0
        self._behind: set[str] | None = None
        self._close: Close | None = None
        self._moved, self._ending = asyncio.Event(), asyncio.Event()

    @property
    def gone(self) -> bool:
        """Whether there is nobody to send to any more."""
        return self._way.gone

    @property
    def held(self) -> int:
        """Bytes that wait for the client, here and with the way."""
        return self._way.held + sum(len(frames) for _topics, frames in self._queue)

    def publish(self, topics: Set[str], frames: bytes) -> None:
        """Sends messages of these topics that nobody here asked for now. When too much waits, all is given up."""
        if self._way.gone:
            return
        if self._behind is not None:
            self._behind |= topics
        elif not self._queue and self._way.ready:
            self._way.write(frames)
        elif self._published > self._limit:
            self._give_up(topics)
        else:
            self._published += len(frames)
            self._queue.append((topics, frames))

    def answer(self, topic: str, frame: bytes) -> None:
        """Sends the answer to a client's own message. Bounded by `emptied`: no next one is read before."""
        if self._way.gone:
            return
        if self._behind is None:
            self._queue.append(({topic}, frame))
            self.flush()
        else:
            self._behind.add(topic)

    def flush(self) -> None:
        """Sends what waits, if the way is ready; forgets it when the client is gone."""
        if self._way.gone:
            self._queue.clear()
            self._published = 0
            self._moved.set()
            return
        if not self._way.ready:
            return
        if self._queue:
            frames = b"".join([frames for _topics, frames in self._queue])
            self._queue.clear()
            self._published = 0
            self._way.write(frames)
        self._moved.set()

    def close(self, code: int, reason: str) -> None:
        self._close = Close(code, reason)
        self._ending.set()

    def _give_up(self, topics: Set[str]) -> None:
        self._behind = set(topics).union(*(waiting for waiting, _frames in self._queue))
        self._queue.clear()
        self._published = 0
        self._moved.set()
        self._ending.set()

    async def emptied(self) -> None:
        """Waits until the way has taken everything, or is gone."""
        while self._queue and not self._way.gone:
            await self._move()

    async def ending(self) -> None:
        """Waits until it is to end."""
        await self._ending.wait()

    async def ended(self) -> Close | Behind | None:
        """How it ends, once the way is ready for the last words; None when it is gone."""
        while not self._way.gone and (self._queue or not self._way.ready):
            await self._move()
        if self._way.gone:
            return None
        if self._behind is not None:
            return Behind(frozenset(self._behind))
        assert self._close is not None
        return self._close

    async def _move(self) -> None:
        self._moved.clear()
        await self._moved.wait()
