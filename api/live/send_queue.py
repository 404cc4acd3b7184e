"""The send queue of one socket. Publishers never wait for a slow client, and the queue's size in
bytes is limited."""

from __future__ import annotations

import asyncio
from collections.abc import Set
from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import dataclass
from typing import Any

from api.net.websocket_protocol import WebSocketConnection

MAX_BUFFERED = 512 * 1024
"""The maximum number of bytes of published messages that may wait for a client. If more are
waiting, the client is too slow."""


@dataclass(frozen=True, slots=True)
class Close:
    """An instruction to close the socket with this code and reason after sending the queued
    frames."""

    code: int
    reason: str


@dataclass(frozen=True, slots=True)
class Overflow:
    """The client was too slow. One whole board per topic replaces its queued messages."""

    topics: frozenset[str]


class SendQueue:
    """The queue of one socket. Use only in one event loop. Queuing never waits, so no client can
    delay another client.

    The queue stores frames until the sink (the connection) is ready for them. It drops all frames
    once the client is gone. The sink takes the whole queue in one write. For a client that reads
    nothing, the queue and the sink each hold at most MAX_BUFFERED bytes plus one publication.

    The hub reads boards for one client at a time. Clients with the same network address share a
    `turn`, which is a lock, and the hub holds it while it reads for one of them. Otherwise, someone
    with a hundred sockets would make everybody wait for a hundred boards."""

    def __init__(
        self,
        sink: WebSocketConnection,
        limit: int = MAX_BUFFERED,
        turn: AbstractAsyncContextManager[Any] | None = None,
    ) -> None:
        self._sink, self._limit = sink, limit
        self.turn = turn or nullcontext()
        self._queue: list[tuple[Set[str], bytes]] = []
        self._published = 0
        self._overflowed: set[str] | None = None
        self._close: Close | None = None
        self._changed, self._ending = asyncio.Event(), asyncio.Event()

    @property
    def gone(self) -> bool:
        """True if the client has disconnected."""
        return self._sink.gone

    @property
    def buffered(self) -> int:
        """The number of bytes that wait for the client, in this queue and in the sink."""
        return self._sink.buffered + sum(len(frames) for _topics, frames in self._queue)

    def publish(self, topics: Set[str], frames: bytes) -> None:
        """Send or queue messages on these topics. If too many bytes are queued, replace the queue
        with an Overflow."""
        if self._sink.gone:
            return
        if self._overflowed is not None:
            self._overflowed |= topics
        elif not self._queue and self._sink.ready:
            self._sink.write(frames)
        elif self._published > self._limit:
            self._overflow(topics)
        else:
            self._published += len(frames)
            self._queue.append((topics, frames))

    def answer(self, topic: str, frame: bytes) -> None:
        """Queue a reply. Replies need no limit, because the server reads the client's next message
        only when the queue is empty (`drained`)."""
        if self._sink.gone:
            return
        if self._overflowed is None:
            self._queue.append(({topic}, frame))
            self.flush()
        else:
            self._overflowed.add(topic)

    def flush(self) -> None:
        """Write the queue if the sink is ready. Drop it if the client is gone."""
        if self._sink.gone:
            self._queue.clear()
            self._published = 0
            self._changed.set()
            return
        if not self._sink.ready:
            return
        if self._queue:
            frames = b"".join([frames for _topics, frames in self._queue])
            self._queue.clear()
            self._published = 0
            self._sink.write(frames)
        self._changed.set()

    def close(self, code: int, reason: str) -> None:
        """Close the socket after the queued frames, with this code (RFC 6455) and reason. `outcome`
        returns the code and the reason."""
        self._close = Close(code, reason)
        self._ending.set()

    def _overflow(self, topics: Set[str]) -> None:
        self._overflowed = set(topics).union(*(waiting for waiting, _frames in self._queue))
        self._queue.clear()
        self._published = 0
        self._changed.set()
        self._ending.set()

    async def drained(self) -> None:
        """Wait until the sink has taken all queued frames or is gone."""
        while self._queue and not self._sink.gone:
            await self._change()

    async def closing(self) -> None:
        """Wait until the socket should be closed."""
        await self._ending.wait()

    async def outcome(self) -> Close | Overflow | None:
        """Wait until the sink is ready for the last frames. Return the instruction for closing the
        socket, or None if the client is gone."""
        while not self._sink.gone and (self._queue or not self._sink.ready):
            await self._change()
        if self._sink.gone:
            return None
        if self._overflowed is not None:
            return Overflow(frozenset(self._overflowed))
        assert self._close is not None
        return self._close

    async def _change(self) -> None:
        self._changed.clear()
        await self._changed.wait()
