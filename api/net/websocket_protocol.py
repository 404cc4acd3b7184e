"""uvicorn's websocket with one addition: a frame that many clients receive can be written directly
to the connection, without ASGI."""

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
"""The key under which the ASGI scope's `extensions` contain the websocket connection."""
SYSTEM_BYTES = 256 * 1024
"""The size, in bytes, of the send buffer per client that is requested from the system. Linux
doubles this size. The default buffer could grow to 4 MiB."""
HIGH_WATER, LOW_WATER = 64 * 1024, 16 * 1024
"""The high-water and low-water marks of our write buffer, in bytes. The buffer holds what doesn't
fit into the system's buffer. Writing stops at the first mark and resumes at the second."""
LINGER_SECONDS = 10
"""The seconds after which a closed socket is aborted, even if its client hasn't read everything
yet."""
SILENCE_SECONDS = 2
"""If a client hasn't answered a ping for this many seconds, it counts as silent. uvicorn's own
timeout decides when the client's socket is closed."""

MAX_FRAGMENTS = 1024
"""The maximum number of frames in a client's message. Without a limit, a client could fill the
memory with empty frames, which don't count towards the maximum size of a message."""


def text_frame(payload: bytes) -> bytes:
    """Return a complete text frame from a server. It is neither masked nor compressed, so it is the
    same for every client."""
    return Frame(Opcode.TEXT, payload).serialize(mask=False)


class WebSocketConnection(WebSocketsSansIOProtocol):
    """A websocket connection to which complete frames can be written. uvicorn handles the
    handshake, pings, closing and reading."""

    _silence_timer: TimerHandle | None = None

    write: Callable[[bytes], None]
    """Send as many bytes as possible now, and buffer the rest. Call this only when `ready` is
    true."""

    on_ready: Callable[[], None] | None = None
    """A function that is called when `ready` or `gone` has become true."""

    on_silence: Callable[[bool], None] | None = None
    """A function that is called with True when the client has not answered a ping in time, and with
    False when the client answers again."""

    on_lost: Callable[[], None] | None = None
    """A function that is called once, when the connection is lost."""

    @property
    def ready(self) -> bool:
        """True while the client is connected and its write buffer is below the high-water mark."""
        return self.writable.is_set() and self.conn.state is State.OPEN and not self.disconnected

    @property
    def gone(self) -> bool:
        """True if nothing more can be sent because the connection is lost or closing. Don't wait
        for a closing transport, because it ends only when its client has read everything."""
        return self.disconnected or self.transport.is_closing()

    @property
    def buffered(self) -> int:
        """The number of written bytes that the system has not accepted yet."""
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
        finally:  # a closed transport would wait until its client has read everything
            self.loop.call_later(LINGER_SECONDS, self._abort)

    def _abort(self) -> None:
        # asyncio raises an error if a transport is aborted after it has sent its buffer and closed
        if not self.disconnected:
            self.transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        if self.on_lost is not None:
            self.on_lost()
        self._notify()

    def eof_received(self) -> None:
        """Abort the connection when the client has closed its side. The client can no longer answer
        pings, so its unread bytes are dropped."""
        self.transport.abort()

    def handle_cont(self, event: Frame) -> None:
        if len(self.frames) < MAX_FRAGMENTS:
            super().handle_cont(event)
        else:
            self._fail(1009, f"A message may have at most {MAX_FRAGMENTS} frames.")

    def send_receive_event_to_app(self) -> None:
        """Pass on a message. If its text is not UTF-8, close the socket. uvicorn would also log a
        traceback, so that clients could fill the log."""
        try:
            if self.curr_msg_data_type == "text":
                b"".join(self.frames).decode()
        except UnicodeDecodeError:
            self.frames = []
            self._fail(1007, "The text is not UTF-8.")
        else:
            super().send_receive_event_to_app()

    def _fail(self, code: int, reason: str) -> None:
        if not self.close_sent:
            self.conn.fail(code, reason)
            self.handle_parser_exception()

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
        """Answer a ping, but only if the client reads. Otherwise, unread answers would accumulate
        without a limit."""
        pong = b"".join(self.conn.data_to_send())
        if self.writable.is_set():
            self.transport.write(pong)

    def send_keepalive_ping(self) -> None:
        super().send_keepalive_ping()
        if self.pending_ping_payload is not None:
            self._silence_timer = self.loop.call_later(SILENCE_SECONDS, self._report_silence, True)

    def handle_pong(self, event: Frame) -> None:
        super().handle_pong(event)
        if self.pending_ping_payload is None:
            self._report_silence(False)

    def stop_keepalive(self) -> None:
        super().stop_keepalive()
        self._cancel_silence()

    def _report_silence(self, silent: bool) -> None:
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
