"""Subscribes to new heads on a node's websocket, and reconnects after each failure."""

from __future__ import annotations

import contextlib
import time
from asyncio import Event, sleep
from collections.abc import Callable

import orjson
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

SUBSCRIBE = '{"jsonrpc":"2.0","id":1,"method":"eth_subscribe","params":["newHeads"]}'
PING_SECONDS = 10
"""The interval between pings, in seconds. If no pong arrives within the same time, the connection
is closed."""
RECONNECT_SECONDS, MAX_RECONNECT_SECONDS = 1.0, 600.0
"""Both in seconds: the pause before reconnecting after a stable connection, and the longest pause.
The pause doubles with each failure."""
STABLE_SECONDS = 5.0
"""The number of seconds after which a connection counts as stable. Providers close each connection
after minutes or hours."""
NO_WEBSOCKET = "none"
"""The value that the operator sets instead of a URL if there is no websocket."""


class NewHeads:
    """A subscription to a node's new heads. `is_open`: True while the node announces them."""

    def __init__(self, url: str) -> None:
        self._url = url
        self.is_open = False

    async def listen(self, notify: Callable[[], None]) -> None:
        """Call `notify` for each new head until cancelled. Reconnect when the connection ends, and
        wait longer after each failed attempt.

        `notify` gets no block, because announcements can be missed or repeated. No requests are
        sent over this connection, because they would delay the announcements."""
        if self._url == NO_WEBSOCKET:
            await Event().wait()
        pause = RECONNECT_SECONDS
        while True:
            begin = time.monotonic()
            was_open = await self._subscription(notify)
            if was_open and time.monotonic() - begin >= STABLE_SECONDS:
                pause = RECONNECT_SECONDS
            if was_open:
                notify()  # heads may have been missed, so the follower must poll
            await sleep(pause)
            pause = min(2 * pause, MAX_RECONNECT_SECONDS)

    async def _subscription(self, notify: Callable[[], None]) -> bool:
        """Keep one connection until it ends. Return False if the node rejected the subscription."""
        was_open = False
        try:
            with contextlib.suppress(OSError, TimeoutError, WebSocketException):
                async with connect(
                    self._url, ping_interval=PING_SECONDS, ping_timeout=PING_SECONDS, proxy=None
                ) as socket:
                    await socket.send(SUBSCRIBE)
                    async for message in socket:
                        if not was_open and _is_rejected(message):
                            break
                        was_open = self.is_open = True
                        notify()
        finally:
            self.is_open = False
        return was_open


def _is_rejected(message: str | bytes) -> bool:
    with contextlib.suppress(ValueError):
        answer = orjson.loads(message)
        return isinstance(answer, dict) and "error" in answer
    return True
