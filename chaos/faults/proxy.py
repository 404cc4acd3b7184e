"""The fault proxy. It passes HTTP requests and websockets between the tested process and a node,
and injects faults."""

from __future__ import annotations

import contextlib
import itertools
import time
from collections.abc import Callable, Sequence
from typing import Any, cast

from aiohttp import ClientError, ClientSession, ClientTimeout, web

from chaos.faults.byzantine import StaleReplica, WrongAnswer
from chaos.faults.counts import FaultCounts
from chaos.faults.fault import HTTP, Fault
from chaos.faults.http_faults import DELIVERING, HTTP_FAULTS, JSON, HttpExchange, abort
from chaos.faults.jsonrpc import Calls, answers_of, blocks_in, calls_of, encode_answers
from chaos.faults.websocket_faults import FaultySocket
from indexer.model import Json

NODE_SECONDS = 20
SOCKET_KINDS = ("half-open-websocket", "close-websocket")
MAX_MESSAGE_BYTES = 64 * 1024 * 1024
"""The maximum size of a websocket message, in bytes. No message in the tests is this large."""


class FaultProxy:
    """A loopback address that passes requests to a node. The node can be replaced.

    `seen_blocks` contains, for each block's hash, the time when the tested process first saw the
    block. `head_seen_at` is the time when it last saw a head. Both times are values of
    time.monotonic()."""

    def __init__(self, counts: FaultCounts) -> None:
        self.counts = counts
        self.seen_blocks: dict[str, float] = {}
        self.head_seen_at = 0.0
        self._node: str | None = None
        self._armed: list[Fault] = []
        self._wrong_answers: list[WrongAnswer] = []
        self._earlier: dict[str, list[Json]] = {}
        self._sockets: set[FaultySocket] = set()
        self._ids = itertools.count(1)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._port}"

    async def start(self) -> None:
        self._session = ClientSession(timeout=ClientTimeout(total=NODE_SECONDS))
        server = web.Server(self._handle, access_log=None)
        self._runner = web.ServerRunner(server, handle_signals=False, shutdown_timeout=0.01)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        self._port = int(self._runner.addresses[0][1])

    async def stop(self) -> None:
        self.drop_sockets()
        await self._runner.cleanup()
        await self._session.close()

    def point_at(self, node: str | None) -> None:
        """Set the HTTP URL of the node to which the proxy passes requests. If it is None, the proxy
        aborts all requests."""
        self._node = node

    def arm(self, fault: Fault) -> None:
        """Activate a fault until it has hit `fault.hits` times.

        If its variant is `live` and a websocket is connected, the fault hits immediately."""
        live = fault.kind in SOCKET_KINDS and fault.variant == "live"
        if not (live and self._apply_to_sockets(fault)):
            self._armed.append(fault)

    def answer_wrongly(self, wrong_answer: WrongAnswer) -> None:
        self._wrong_answers.append(wrong_answer)

    @property
    def is_answering_wrongly(self) -> bool:
        """True if an active fault can make answers permanently wrong, and not just outdated."""
        return any(wrong_answer.kind != StaleReplica.kind for wrong_answer in self._wrong_answers)

    def stop_faults(self) -> None:
        """Deactivate all faults and wrong answers. A half-open websocket stays half-open."""
        self._armed.clear()
        self._wrong_answers.clear()

    def drop_sockets(self) -> None:
        for faulty_socket in self._sockets:
            faulty_socket.abort()

    def _apply_to_sockets(self, fault: Fault) -> bool:
        for faulty_socket in self._sockets:
            self._apply_to_socket(fault, faulty_socket)
        return bool(self._sockets)

    def _apply_to_socket(self, fault: Fault, faulty_socket: FaultySocket) -> None:
        self.counts.inject(fault.kind)
        if fault.kind == "half-open-websocket":
            faulty_socket.make_half_open()
        else:
            faulty_socket.abort()
            self.counts.observe(fault.kind)

    async def _handle(self, request: web.BaseRequest) -> web.StreamResponse:
        if request.headers.get("Upgrade", "").lower() == "websocket":
            return await self._socket(request)
        return await self._http(request)

    # ---- HTTP

    async def _http(self, request: web.BaseRequest) -> web.StreamResponse:
        body = await request.read()
        try:
            exchange = self._exchange(request, body)
            fault, response = await self._apply_faults(exchange)
            if fault is not None:
                self.counts.inject(fault.kind)
            if not response.prepared and not _is_disconnected(request):
                await response.prepare(request)
                await response.write_eof()
        except (ClientError, OSError, TimeoutError, ValueError):  # the node or the tested process can't be reached
            return abort(request)
        self._count(exchange, fault)
        return response

    def _exchange(self, request: web.BaseRequest, body: bytes) -> HttpExchange:
        calls = calls_of(body)
        key = " ".join(sorted(calls.methods))

        async def send_to_node() -> tuple[list[Json], list[str]]:
            answers = await self._forward(body)
            self._earlier[key] = answers
            return answers, await self._altered(calls, answers)

        return HttpExchange(request, calls, send_to_node, self._earlier.get(key, []))

    async def _forward(self, body: bytes) -> list[Json]:
        if self._node is None:
            raise ConnectionError("the node is down")
        async with self._session.post(self._node, data=body, headers=JSON) as answer:
            return answers_of(await answer.read())

    async def _apply_faults(self, exchange: HttpExchange) -> tuple[Fault | None, web.StreamResponse]:
        for fault in [one for one in self._armed if one.variant in HTTP.get(one.kind, ())]:
            if fault.hits <= 0:
                continue
            fault.hits -= 1  # count before the await; otherwise, another request could use the same hit
            response = await HTTP_FAULTS[fault.kind](exchange, fault)
            if response is not None:
                if fault.hits <= 0 and fault in self._armed:
                    self._armed.remove(fault)
                return fault, response
            fault.hits += 1
        return None, exchange.response(await exchange.answers())

    def _count(self, exchange: HttpExchange, fault: Fault | None) -> None:
        """Count the faults that have reached the tested process. Also note the blocks that it has
        seen."""
        if fault is not None:
            self.counts.observe(fault.kind)
        if fault is None or fault.kind in DELIVERING:
            for kind in exchange.wrong_kinds:
                self.counts.observe(kind)
            self._record_seen(exchange.node_answers, _requests_head(exchange.calls))

    def _record_seen(self, answers: list[Json], head: bool) -> None:
        now = time.monotonic()
        for block in blocks_in(answers):
            self.seen_blocks.setdefault(str(block["hash"]), now)
            self.head_seen_at = now if head else self.head_seen_at

    async def _altered(self, calls: Calls, answers: list[Json]) -> list[str]:
        """Alter the node's answers. Return the kinds of wrong answers that changed something."""
        self._wrong_answers = [wrong_answer for wrong_answer in self._wrong_answers if not wrong_answer.is_over]
        altered = [
            wrong_answer.kind
            for wrong_answer in self._wrong_answers
            if await wrong_answer.alter(calls, answers, self.request)
        ]
        for kind in altered:
            self.counts.inject(kind)
        return altered

    async def request(self, method: str, params: Sequence[Any] = ()) -> Any:
        """Send a request of the proxy's own. Return None if the node returns an error."""
        body = {"jsonrpc": "2.0", "id": next(self._ids), "method": method, "params": list(params)}
        [answer] = await self._forward(encode_answers([body], False))
        return answer.get("result")

    # ---- websocket

    async def _socket(self, request: web.BaseRequest) -> web.StreamResponse:
        socket = web.WebSocketResponse(autoping=False, max_msg_size=MAX_MESSAGE_BYTES)
        # The type hints of aiohttp require a `web.Request`, but the handshake works with a
        # `BaseRequest`.
        try:
            await socket.prepare(cast(web.Request, request))
        except ConnectionError:  # the tested process was killed during the handshake
            return web.Response()
        faulty_socket = FaultySocket(socket, request, self._use_head_fault, self._note_delivered, self.counts)
        self._sockets.add(faulty_socket)
        try:
            if fault := self._use_fault(lambda one: one.kind in SOCKET_KINDS):
                self._apply_to_socket(fault, faulty_socket)
            if self._node is not None:
                with contextlib.suppress(ClientError, OSError, TimeoutError):
                    url = "ws" + self._node.removeprefix("http")
                    async with self._session.ws_connect(url, max_msg_size=MAX_MESSAGE_BYTES) as node:
                        await faulty_socket.relay(node)
        finally:
            self._sockets.remove(faulty_socket)
        return socket

    def _use_head_fault(self) -> Fault | None:
        return self._use_fault(lambda one: one.variant in ("head", "heads"))

    def _use_fault(self, wanted: Callable[[Fault], bool]) -> Fault | None:
        """Use up one hit of the first active fault that `wanted` accepts, and return this fault.
        Return None if there is no such fault."""
        fault = next(filter(wanted, self._armed), None)
        if fault is not None:
            fault.hits -= 1
            if fault.hits <= 0:
                self._armed.remove(fault)
        return fault

    def _note_delivered(self, text: str) -> None:
        with contextlib.suppress(ValueError):
            self._record_seen(answers_of(text.encode()), True)


def _is_disconnected(request: web.BaseRequest) -> bool:
    return request.transport is None or request.transport.is_closing()


def _requests_head(calls: Calls) -> bool:
    return any(call.get("method") == "eth_getBlockByNumber" and call["params"][0] == "latest" for call in calls.calls)
