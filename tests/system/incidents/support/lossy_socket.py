"""The line between a tab and the gateway: a websocket on which single messages can be disturbed."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any, TypeAlias

from aiohttp import ClientSession, ClientWebSocketResponse, WSMsgType, web

Json: TypeAlias = dict[str, Any]
Rule: TypeAlias = Callable[[Json], Awaitable[list[Json]]]
"""Messages to deliver in place of a message."""


async def untouched(message: Json) -> list[Json]:
    return [message]


class Line:
    """`down` is the rule for the gateway's messages, `up` for the tab's. While `shut`, no
    connection gets through.

    While `mute`, the tab doesn't notice the end of the gateway's side until `hang_up`."""

    def __init__(self, gateway: str, session: ClientSession) -> None:
        self._gateway, self._session = gateway, session
        self.down: Rule = untouched
        self.up: Rule = untouched
        self.shut = self.mute = False
        self.connections = 0
        self._ends: list[ClientWebSocketResponse] = []
        self._late = asyncio.Event()

    async def handle(self, request: web.BaseRequest) -> web.StreamResponse:
        if self.shut and request.transport is not None:
            request.transport.abort()
            return web.Response()
        tab = web.WebSocketResponse()
        await tab.prepare(request)  # type: ignore[arg-type]  # aiohttp wants its application's request
        self.connections += 1
        async with self._session.ws_connect(self._gateway) as gateway:
            self._ends.append(gateway)
            jobs = [asyncio.create_task(self._up(tab, gateway)), asyncio.create_task(self._down(tab, gateway))]
            await asyncio.wait(jobs, return_when=asyncio.FIRST_COMPLETED)
            if self.mute:
                await self._late.wait()
            for job in jobs:
                job.cancel()
            await asyncio.gather(*jobs, return_exceptions=True)
        return tab

    async def _up(self, tab: web.WebSocketResponse, gateway: ClientWebSocketResponse) -> None:
        async for message in tab:
            if message.type is WSMsgType.TEXT and not gateway.closed:
                for one in await self.up(json.loads(message.data)):
                    await gateway.send_str(json.dumps(one))

    async def _down(self, tab: web.WebSocketResponse, gateway: ClientWebSocketResponse) -> None:
        async for message in gateway:
            for one in await self.down(json.loads(message.data)):
                await tab.send_str(json.dumps(one))

    async def end(self) -> None:
        """End the gateway's side of all connections."""
        for one in self._ends:
            await one.close()
        self._ends.clear()

    def hang_up(self) -> None:
        """Let the tab notice the ends that were held back."""
        self._late.set()


@asynccontextmanager
async def line(port: int) -> AsyncIterator[tuple[Line, str]]:
    """A line to the gateway at a port, and the address where a tab reaches this line."""
    async with ClientSession() as session:
        it = Line(f"ws://127.0.0.1:{port}/ws", session)
        runner = web.ServerRunner(web.Server(it.handle, access_log=None), handle_signals=False, shutdown_timeout=0.01)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        try:
            yield it, f"ws://127.0.0.1:{runner.addresses[0][1]}/ws"
        finally:
            it.hang_up()
            await it.end()
            await runner.cleanup()
