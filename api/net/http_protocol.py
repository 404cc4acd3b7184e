"""uvicorn's HTTP protocol with two additions. It closes connections above the limit, and
connections whose client doesn't send a complete request in time."""

from __future__ import annotations

import asyncio
from http import HTTPStatus
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.utils import get_remote_addr

from api.net.connection_limits import ConnectionLimits
from api.net.websocket_protocol import WebSocketConnection
from api.problems import Problem

REQUEST_SECONDS = 15
"""The seconds in which a client must send a whole request. The time starts with the connection or,
for later requests, with the request's first byte. A body has at most 128 KiB."""
ANSWER_SECONDS = 300
"""The timeout, in seconds, for a client that does not read its response."""


class HttpProtocol(H11Protocol):
    """Closes slow connections and connections above the limit. uvicorn handles everything else.
    After an upgrade, a websocket and its HTTP connection count as one connection."""

    def __init__(self, *arguments: Any, limits: ConnectionLimits | None = None, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._limits = limits
        self._host: str | None = None
        self._counted = False
        self._request: asyncio.TimerHandle | None = None
        self._answer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        address = get_remote_addr(transport)
        self._host = address[0] if address else ""
        if self._limits is not None and not self._limits.enter(self._host):
            transport.write(_raw(self._limits.problem()))
            transport.close()
            return
        self._counted = True
        super().connection_made(transport)
        self._update_timeout()

    def connection_lost(self, exc: Exception | None) -> None:
        if self._counted:
            self._leave()
            super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._update_timeout()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        super().handle_websocket_upgrade(event)
        protocol = self.transport.get_protocol()
        if isinstance(protocol, WebSocketConnection):
            protocol.on_lost = self._leave
        self._cancel_timeout()
        self._read_on()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._wait_for_reading()

    def resume_writing(self) -> None:
        super().resume_writing()
        if not self.transport.is_closing():
            self._read_on()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self.transport.is_closing():
            self._wait_for_reading()

    def timeout_keep_alive_handler(self) -> None:
        super().timeout_keep_alive_handler()
        self._wait_for_reading()

    def _wait_for_reading(self) -> None:
        """Start the timeout for a client that does not read its response. Without this timeout, a
        closed transport would wait for the client forever."""
        if self._answer is None:
            self._answer = self.loop.call_later(ANSWER_SECONDS, self.transport.abort)

    def _read_on(self) -> None:
        if self._answer is not None:
            self._answer.cancel()
            self._answer = None

    def _update_timeout(self) -> None:
        """Start the timeout if the request is incomplete. Otherwise, cancel the timeout."""
        if self.transport.get_protocol() is not self or self.conn.their_state not in (h11.IDLE, h11.SEND_BODY):
            self._cancel_timeout()
        elif self._request is None:
            self._request = self.loop.call_later(REQUEST_SECONDS, self.transport.abort)

    def _cancel_timeout(self) -> None:
        if self._request is not None:
            self._request.cancel()
            self._request = None

    def _leave(self) -> None:
        self._cancel_timeout()
        self._read_on()
        if self._limits is not None and self._counted:
            self._limits.leave(self._host or "")
        self._counted = False


def _raw(problem: Problem) -> bytes:
    """Return the problem as a complete HTTP response."""
    response = problem.response()
    head_lines = [f"HTTP/1.1 {problem.status} {HTTPStatus(problem.status).phrase}".encode()]
    head_lines += [name + b": " + value for name, value in response.raw_headers]
    return b"\r\n".join(head_lines) + b"\r\n\r\n" + bytes(response.body)
