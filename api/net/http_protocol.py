"""uvicorn's HTTP, which closes a connection that doesn't send whole requests in time, or is one too many."""

from __future__ import annotations

import asyncio
from http import HTTPStatus
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.utils import get_remote_addr

from api.net.connection_limits import Connections
from api.net.websocket_protocol import Connection
from api.problems import Problem

REQUEST_SECONDS = 15
"""From a connection's start, or a further request's first byte, to its last. A body has 128 KiB at most."""
ANSWER_SECONDS = 300
"""How long a client may take to read on, when an answer waits for it."""


class Http(H11Protocol):
    """Everything but those two ends is uvicorn's. A websocket keeps the place of the connection that it began as."""

    def __init__(self, *arguments: Any, places: Connections | None = None, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._places = places
        self._host: str | None = None
        self._in = False
        self._request: asyncio.TimerHandle | None = None
        self._answer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        address = get_remote_addr(transport)
        self._host = address[0] if address else ""
        if self._places is not None and not self._places.enter(self._host):
            transport.write(_raw(self._places.refusal()))
            transport.close()
            return
        self._in = True
        super().connection_made(transport)
        self._look()

    def connection_lost(self, exc: Exception | None) -> None:
        if self._in:
            self._leave()
            super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._look()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        super().handle_websocket_upgrade(event)
        following = self.transport.get_protocol()
        if isinstance(following, Connection):
            following.on_lost = self._leave
        self._stop()
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
        """What was written waits for the client: a transport that is closed waits as well, for ever."""
        if self._answer is None:
            self._answer = self.loop.call_later(ANSWER_SECONDS, self.transport.abort)

    def _read_on(self) -> None:
        if self._answer is not None:
            self._answer.cancel()
            self._answer = None

    def _look(self) -> None:
        """Whether all of a request is there; if not, the rest must come in time."""
        if self.transport.get_protocol() is not self or self.conn.their_state not in (h11.IDLE, h11.SEND_BODY):
            self._stop()
        elif self._request is None:
            self._request = self.loop.call_later(REQUEST_SECONDS, self.transport.abort)

    def _stop(self) -> None:
        if self._request is not None:
            self._request.cancel()
            self._request = None

    def _leave(self) -> None:
        self._stop()
        self._read_on()
        if self._places is not None and self._in:
            self._places.leave(self._host or "")
        self._in = False


def _raw(problem: Problem) -> bytes:
    """A whole answer."""
    response = problem.response()
    head = [f"HTTP/1.1 {problem.status} {HTTPStatus(problem.status).phrase}".encode()]
    head += [name + b": " + value for name, value in response.raw_headers]
    return b"\r\n".join(head) + b"\r\n\r\n" + bytes(response.body)
