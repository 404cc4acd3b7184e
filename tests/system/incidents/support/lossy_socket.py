"""A websocket between a tab and the gateway, on which a test can drop, double or delay single
messages."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any, TypeAlias

from aiohttp import ClientSession, ClientWebSocketResponse, WSMsgType, web

Json: TypeAlias = dict[str, Any]
Rule: TypeAlias = Callable[[Json], Awaitable[list[Json]]]
"""A function that takes a message and returns the messages to deliver in its place."""


async def unchanged(message: Json) -> list[Json]:
    return [message]


class LossySocket:
    """A websocket between a tab and the gateway. It applies a rule to each message.

    - `to_tab`, `to_gateway`: the rules for messages to the tab and to the gateway.
    - `is_blocked`: if True, the socket aborts new connections.
    - `hides_close`: if True, the tab doesn't notice when the gateway closes a connection. It
      notices only after a call of `deliver_close`."""

    def __init__(self, gateway: str, session: ClientSession) -> None:
        self._gateway, self._session = gateway, session
        self.to_tab: Rule = unchanged
        self.to_gateway: Rule = unchanged
        self.is_blocked = self.hides_close = False
        self.connections = 0
        self._gateway_sockets: list[ClientWebSocketResponse] = []
        self._close_delivered = asyncio.Event()

    async def handle(self, request: web.BaseRequest) -> web.StreamResponse:
        if self.is_blocked and request.transport is not None:
            request.transport.abort()
            return web.Response()
        tab = web.WebSocketResponse()
        await tab.prepare(request)  # type: ignore[arg-type]  # aiohttp wants its application's request
        self.connections += 1
        async with self._session.ws_connect(self._gateway) as gateway:
            self._gateway_sockets.append(gateway)
            jobs = [
                asyncio.create_task(self._relay_to_gateway(tab, gateway)),
                asyncio.create_task(self._relay_to_tab(tab, gateway)),
            ]
            await asyncio.wait(jobs, return_when=asyncio.FIRST_COMPLETED)
            if self.hides_close:
                await self._close_delivered.wait()
            for job in jobs:
                job.cancel()
            await asyncio.gather(*jobs, return_exceptions=True)
        return tab

    async def _relay_to_gateway(self, tab: web.WebSocketResponse, gateway: ClientWebSocketResponse) -> None:
        async for message in tab:
            if message.type is WSMsgType.TEXT and not gateway.closed:
                for one in await self.to_gateway(json.loads(message.data)):
                    await gateway.send_str(json.dumps(one))

    async def _relay_to_tab(self, tab: web.WebSocketResponse, gateway: ClientWebSocketResponse) -> None:
        async for message in gateway:
            for one in await self.to_tab(json.loads(message.data)):
                await tab.send_str(json.dumps(one))

    async def close_gateway_side(self) -> None:
        """Close all connections between this socket and the gateway."""
        for one in self._gateway_sockets:
            await one.close()
        self._gateway_sockets.clear()

    def deliver_close(self) -> None:
        """Let the tab notice that the gateway has closed its connections."""
        self._close_delivered.set()


@asynccontextmanager
async def lossy_socket(port: int) -> AsyncIterator[tuple[LossySocket, str]]:
    """Yield a lossy websocket to the gateway at this port. Also yield the URL at which a tab
    connects to the socket."""
    async with ClientSession() as session:
        it = LossySocket(f"ws://127.0.0.1:{port}/ws", session)
        runner = web.ServerRunner(web.Server(it.handle, access_log=None), handle_signals=False, shutdown_timeout=0.01)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        try:
            yield it, f"ws://127.0.0.1:{runner.addresses[0][1]}/ws"
        finally:
            it.deliver_close()
            await it.close_gateway_side()
            await runner.cleanup()
