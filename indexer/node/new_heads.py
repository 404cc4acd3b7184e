"""New heads over a node's websocket, and how it is dialled again when it ends or was never there."""

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
"""How often an idle connection is pinged, and how long the pong may take: else it is opened again."""
RECONNECT_SECONDS, LONGEST_RECONNECT_SECONDS = 1.0, 600.0
"""The pause after a connection that lasted, and the longest after dials in vain: twice as long after each."""
LASTING_SECONDS = 5.0
"""From how long on a subscription was not in vain: providers end them after minutes or hours."""
NONE = "none"
"""Instead of a URL: there is no websocket."""


class NewHeads:
    """The subscription to one node's new heads. `is_open`: it stands now, so that a block is announced."""

    def __init__(self, url: str) -> None:
        self._url = url
        self.is_open = False

    async def listen(self, notify: Callable[[], None]) -> None:
        """Notifies at each new head, until cancelled; reconnects when the connection ends. Where there is no websocket,
        it is dialled less and less often.

        A notification says that there is something new, not what: heads can be missed and repeated, so none is even
        read. The connection is one of its own: requests on the same one would delay the heads."""
        if self._url == NONE:
            await Event().wait()
        pause = RECONNECT_SECONDS
        while True:
            begin = time.monotonic()
            was_open = await self._subscription(notify)
            if was_open and time.monotonic() - begin >= LASTING_SECONDS:
                pause = RECONNECT_SECONDS
            if was_open:
                notify()  # what was missed meanwhile is found by asking
            await sleep(pause)
            pause = min(2 * pause, LONGEST_RECONNECT_SECONDS)

    async def _subscription(self, notify: Callable[[], None]) -> bool:
        """One connection, to its end; False where the node took no subscription."""
        was_open = False
        try:
            with contextlib.suppress(OSError, TimeoutError, WebSocketException):
                async with connect(
                    self._url, ping_interval=PING_SECONDS, ping_timeout=PING_SECONDS, proxy=None
                ) as socket:
                    await socket.send(SUBSCRIBE)
                    async for message in socket:
                        if not was_open and _refuses(message):
                            break
                        was_open = self.is_open = True
                        notify()
        finally:
            self.is_open = False
        return was_open


def _refuses(message: str | bytes) -> bool:
    with contextlib.suppress(ValueError):
        answer = orjson.loads(message)
        return isinstance(answer, dict) and "error" in answer
    return True
