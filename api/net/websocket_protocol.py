"""uvicorn's websocket, with a way past ASGI for a frame that was made once for many."""

from __future__ import annotations

import contextlib
import socket
from asyncio import TimerHandle
from asyncio.transports import BaseTransport
from collections.abc import Callable
from typing import Any, cast

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame, Opcode
from websockets.protocol import State

EXTENSION = "chainboard.connection"
"""The key of the connection in the ASGI scope's `extensions`."""
SYSTEM_BYTES = 256 * 1024
"""What the system is asked to buffer for one client (Linux takes twice that); left to itself it takes up to 4 MiB."""
HIGH_WATER, LOW_WATER = 64 * 1024, 16 * 1024
"""The write buffer's high and low water mark, in bytes above SYSTEM_BYTES: it stops and starts writing."""
LINGER_SECONDS = 10
"""How long a closed socket may hold unread bytes."""
SILENCE_SECONDS = 2
"""A client that answers a ping later than that may be gone; it is only given up after the time-out of uvicorn's."""


def text_frame(payload: bytes) -> bytes:
    """A whole text frame as a server sends it: not masked, not compressed, and so the same for every client."""
    return Frame(Opcode.TEXT, payload).serialize(mask=False)


class WebSocketConnection(WebSocketsSansIOProtocol):
    """Takes whole frames by `write`; handshake, pings, closing and reading are uvicorn's."""

    _silence_timer: TimerHandle | None = None

    write: Callable[[bytes], None]
    """Sends now what can be sent, and keeps the rest. Only when `ready`."""

    on_ready: Callable[[], None] | None = None
    """Called when `ready` or `gone` has become true."""

    on_silence: Callable[[bool], None] | None = None
    """Called with True when the client does not answer a ping, and with False when it answers again."""

    on_lost: Callable[[], None] | None = None
    """Called once, when the line is lost."""

    @property
    def ready(self) -> bool:
        """Whether the client is there and has read enough of what was written."""
        return self.writable.is_set() and self.conn.state is State.OPEN and not self.disconnected

    @property
    def gone(self) -> bool:
        """True when nothing more can ever be sent: the connection is lost or being closed. A closed transport only ends
        when its client has read what was written, so nobody must wait for that."""
        return self.disconnected or self.transport.is_closing()

    @property
    def buffered(self) -> int:
        """Bytes that were written and that the system has not taken."""
        return self.transport.get_write_buffer_size()

    def connection_made(self, transport: BaseTransport) -> None:
        super().connection_made(transport)
        self.write = self.transport.write
        self.transport.set_write_buffer_limits(HIGH_WATER, LOW_WATER)
        with contextlib.suppress(OSError):
            system: socket.socket = transport.get_extra_info("socket")
            system.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SYSTEM_BYTES)

    async def run_asgi(self) -> None:
        extensions = cast(dict[str, Any], self.scope["extensions"])
        extensions[EXTENSION] = self
        try:
            await super().run_asgi()
        finally:  # a transport that is closed waits for its client to read
            self.loop.call_later(LINGER_SECONDS, self.transport.abort)

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        if self.on_lost is not None:
            self.on_lost()
        self._notify()

    def eof_received(self) -> None:
        """A client that says nothing more can't answer a ping either: what it has not read is given up."""
        self.transport.abort()

    def handle_close(self, event: Frame) -> None:
        super().handle_close(event)
        self._notify()

    def handle_parser_exception(self) -> None:
        super().handle_parser_exception()
        self._notify()

    def shutdown(self) -> None:
        super().shutdown()
        self._notify()

    def resume_writing(self) -> None:
        super().resume_writing()
        self._notify()

    def _notify(self) -> None:
        if self.on_ready is not None:
            self.on_ready()

    def handle_ping(self) -> None:
        """Answers, unless the client does not read its answers: they would be kept without bound."""
        pong = b"".join(self.conn.data_to_send())
        if self.writable.is_set():
            self.transport.write(pong)

    def send_keepalive_ping(self) -> None:
        super().send_keepalive_ping()
        if self.pending_ping_payload is not None:
            self._silence_timer = self.loop.call_later(SILENCE_SECONDS, self._silent, True)

    def handle_pong(self, event: Frame) -> None:
        super().handle_pong(event)
        if self.pending_ping_payload is None:
            self._silent(False)

    def stop_keepalive(self) -> None:
        super().stop_keepalive()
        self._cancel_silence()

    def _silent(self, silent: bool) -> None:
        self._cancel_silence()
        if self.on_silence is not None:
            self.on_silence(silent)

    def _cancel_silence(self) -> None:
        if self._silence_timer is not None:
            self._silence_timer.cancel()
            self._silence_timer = None

    def keepalive_timeout(self) -> None:
        super().keepalive_timeout()
        self.transport.abort()
