"""Sends an error response to a request or to a websocket handshake."""

from __future__ import annotations

import asyncio
import contextlib

from starlette.responses import Response
from starlette.types import Receive, Scope, Send
from starlette.websockets import WebSocket


async def deny(response: Response, scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "websocket":
        await WebSocket(scope, receive, send).send_denial_response(response)
        # wait for the disconnection, because uvicorn logs an error if we return earlier
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(1):
                for _answer_then_disconnect in range(2):
                    while (await receive())["type"] != "websocket.disconnect":
                        pass
    else:
        await response(scope, receive, send)
