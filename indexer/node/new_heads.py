"""The subscription to new heads over a node's websocket, which reconnects after each failure."""

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
"""The interval between pings, and the time to wait for a pong before the connection is reopened."""
RECONNECT_SECONDS, MAX_RECONNECT_SECONDS = 1.0, 600.0
"""The pause after a stable connection, and the longest pause. Each failure doubles the pause."""
STABLE_SECONDS = 5.0
"""The time after which a subscription is stable. Providers end each one after minutes or hours."""
NO_WEBSOCKET = "none"
"""The value to use instead of a URL if there is no websocket."""


class NewHeads:
    """The subscription to the new heads of one node.
    `is_open`: true while the subscription is active, so that the node announces each block."""

    def __init__(self, url: str) -> None:
        self._url = url
        self.is_open = False

    async def listen(self, notify: Callable[[], None]) -> None:
        """Call `notify` for each new head until cancelled. Reconnect when the connection ends.
        While there is no websocket, wait longer after each attempt.

        Notifications carry no data, because heads can be missed or repeated. No requests are sent
        over this connection, because they would delay the notifications."""
        if self._url == NO_WEBSOCKET:
            await Event().wait()
        pause = RECONNECT_SECONDS
        while True:
            begin = time.monotonic()
            was_open = await self._subscription(notify)
            if was_open and time.monotonic() - begin >= STABLE_SECONDS:
                pause = RECONNECT_SECONDS
            if was_open:
                notify()  # the follower polls, because heads may have been missed
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
