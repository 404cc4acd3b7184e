"""A gateway that lies, for tests. It stands between a browser and a real server, and changes HTTP
responses and websocket messages."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import NamedTuple, TypeAlias, cast

import orjson
from aiohttp import ClientSession, ClientWebSocketResponse, TCPConnector, WSMsgType, web

from indexer.model import Json
from tests.contracts.support.anvil import AnvilNode
from tests.support.server import Server, up
from tests.support.waiting import PATIENCE_SECONDS

Alter: TypeAlias = Callable[[Json], Json | None]
"""A function that takes a websocket message from the server and returns the message for the
browser, or None to suppress the message."""
HOP_BY_HOP_HEADERS = {"connection", "content-length", "keep-alive", "transfer-encoding", "upgrade"}


def honest(message: Json) -> Json:
    return message


class LyingGateway:
    """A gateway that lies. `alter` changes each message that the server sends through the
    websocket. `answers` maps the paths of URLs to the responses that the browser gets instead of
    the server's."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self.alter: Alter = honest
        self.answers: dict[str, Json] = {}
        self.url = ""

    async def serve(self, ready: threading.Event) -> None:
        self._loop, self._end = asyncio.get_running_loop(), asyncio.Event()
        # The server could close an idle connection in the moment when the gateway reuses it. The
        # gateway therefore opens a new connection for each request.
        connector = TCPConnector(force_close=True)
        async with ClientSession(auto_decompress=False, connector=connector) as self._session:
            runner = web.ServerRunner(web.Server(self._handle), handle_signals=False, shutdown_timeout=0.01)
            await runner.setup()
            await web.TCPSite(runner, "127.0.0.1", 0).start()
            self.url = f"http://127.0.0.1:{runner.addresses[0][1]}"
            ready.set()
            await self._end.wait()
            await runner.cleanup()

    def stop(self) -> None:
        self._loop.call_soon_threadsafe(self._end.set)

    async def _handle(self, request: web.BaseRequest) -> web.StreamResponse:
        if request.headers.get("Upgrade", "").lower() == "websocket":
            return await self._socket(request)
        if (altered := self.answers.get(request.path)) is not None:
            return web.Response(body=orjson.dumps(altered), content_type="application/json")
        sent = {name: value for name, value in request.headers.items() if name.lower() not in HOP_BY_HOP_HEADERS}
        body = await request.read()
        url = self._server.url + request.path_qs
        async with self._session.request(request.method, url, headers=sent, data=body) as answer:
            headers = {name: value for name, value in answer.headers.items() if name.lower() not in HOP_BY_HOP_HEADERS}
            return web.Response(status=answer.status, headers=headers, body=await answer.read())

    async def _socket(self, request: web.BaseRequest) -> web.StreamResponse:
        browser = web.WebSocketResponse()
        await browser.prepare(cast(web.Request, request))
        async with self._session.ws_connect(self._server.socket_url, max_msg_size=0) as server:
            relaying = asyncio.create_task(self._relay_to_server(browser, server))
            async for message in server:
                altered = self.alter(orjson.loads(message.data)) if message.type is WSMsgType.TEXT else None
                if altered is not None and not browser.closed:
                    await browser.send_str(orjson.dumps(altered).decode())
            relaying.cancel()
        return browser

    async def _relay_to_server(self, browser: web.WebSocketResponse, server: ClientWebSocketResponse) -> None:
        async for message in browser:
            await server.send_str(message.data)
        await server.close()


@contextmanager
def lying_gateway(server: Server) -> Iterator[LyingGateway]:
    """Run a lying gateway in front of a server. The gateway changes nothing until the test sets its
    `alter` or `answers`."""
    it, ready = LyingGateway(server), threading.Event()
    # At the end, asyncio.run cancels the requests that are still running and waits for them, so no
    # socket stays open.
    thread = threading.Thread(target=asyncio.run, args=(it.serve(ready),))
    thread.start()
    try:
        assert ready.wait(PATIENCE_SECONDS)
        yield it
    finally:
        it.stop()
        thread.join(PATIENCE_SECONDS)


class LyingSite(NamedTuple):
    server: Server
    node: str
    gateway: LyingGateway


@contextmanager
def site_with_lying_gateway(data: Path) -> Iterator[LyingSite]:
    """Yield a site whose node is a separate process. Its pages can query this node directly, as the
    player's own node. Pages can't query a node that belongs to the server."""
    with closing(AnvilNode(genesis=int(time.time()))) as node:
        node.rpc("anvil_removeBlockTimestampInterval")
        url = f"http://127.0.0.1:{node.port}"
        with up(data, "--rpc", url, "--dev") as server, lying_gateway(server) as it:
            yield LyingSite(server, url, it)
