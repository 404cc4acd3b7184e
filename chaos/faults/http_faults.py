"""Faults in a single HTTP exchange between the tested process and its node."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import TypeAlias

from aiohttp import web

from chaos.faults.fault import Fault
from chaos.faults.jsonrpc import Calls, encode_answers
from indexer.model import Json

JSON = {"Content-Type": "application/json"}
STATUS_TEXT = b"<html><body><h1>The service can't answer now.</h1></body></html>"


SendToNode: TypeAlias = Callable[[], Awaitable[tuple[list[Json], list[str]]]]
"""A function that sends a request to the node. Every call sends the request again. It returns the
answers, and the kinds of wrong answers among them."""


class HttpExchange:
    """A request from the tested process that waits for its response.

    `earlier` contains the answers to an earlier request that called the same methods."""

    def __init__(self, request: web.BaseRequest, calls: Calls, send_to_node: SendToNode, earlier: list[Json]) -> None:
        self.request, self.calls, self.earlier = request, calls, earlier
        self._send_to_node = send_to_node
        self._is_answered = False
        self.node_answers: list[Json] = []
        self.wrong_kinds: list[str] = []

    async def answers(self) -> list[Json]:
        """Return the node's answers. If the request hasn't been sent to the node yet, send it."""
        return self.node_answers if self._is_answered else await self.resend()

    async def resend(self) -> list[Json]:
        """Send the request to the node, even if it was sent before. Return the new answers."""
        self.node_answers, self.wrong_kinds = await self._send_to_node()
        self._is_answered = True
        return self.node_answers

    async def body(self) -> bytes:
        return encode_answers(await self.answers(), self.calls.batch)

    def response(self, answers: list[Json]) -> web.StreamResponse:
        return web.Response(body=encode_answers(answers, self.calls.batch), headers=JSON)

    def abort(self) -> web.StreamResponse:
        """Abort the connection to the tested process without an answer."""
        return abort(self.request)

    async def cut(self, body: bytes, size: int) -> web.StreamResponse:
        """Announce the length of the whole body, but send only its first `size` bytes. Then close
        the connection."""
        response = web.StreamResponse(headers={**JSON, "Content-Length": str(len(body))})
        await response.prepare(self.request)
        await response.write(body[:size])
        if self.request.transport is not None:
            self.request.transport.close()
        return response


def abort(request: web.BaseRequest) -> web.StreamResponse:
    if request.transport is not None:
        request.transport.abort()
    return web.Response()


FaultHandler: TypeAlias = Callable[[HttpExchange, Fault], Awaitable[web.StreamResponse | None]]
"""A function that applies a fault to an exchange. It returns the response, or None if the fault
can't be applied to this exchange."""


async def drop(exchange: HttpExchange, fault: Fault) -> web.StreamResponse | None:
    if fault.variant == "after":
        await exchange.answers()
    return exchange.abort()


async def delay(exchange: HttpExchange, fault: Fault) -> web.StreamResponse | None:
    await asyncio.sleep(fault.seconds)
    return exchange.response(await exchange.answers())


async def duplicate(exchange: HttpExchange, fault: Fault) -> web.StreamResponse | None:
    if fault.variant == "earlier-answer":
        return exchange.response(exchange.earlier) if exchange.earlier else None
    if fault.variant == "answer-twice" and not exchange.calls.batch:
        return None
    answers = list(await exchange.answers())
    if fault.variant == "answer-twice":
        answers.insert(fault.random.randrange(len(answers) + 1), fault.random.choice(answers))
    else:
        answers = await exchange.resend()
    return exchange.response(answers)


async def reorder(exchange: HttpExchange, fault: Fault) -> web.StreamResponse | None:
    answers = await exchange.answers() if exchange.calls.batch else []
    if len(answers) < 2:
        return None
    first = fault.random.randrange(1, len(answers))
    return exchange.response(answers[first:] + answers[:first])


async def truncate(exchange: HttpExchange, fault: Fault) -> web.StreamResponse | None:
    if fault.variant == "short-batch":
        if len(exchange.calls.calls) < 2:
            return None
        return exchange.response((await exchange.answers())[:-1])
    body = await exchange.body()
    size = fault.random.randrange(len(body) // 2, len(body))
    if fault.variant == "garbled":
        return web.Response(body=body[:size], headers=JSON)
    return await exchange.cut(body, size)


async def too_many(exchange: HttpExchange, fault: Fault) -> web.StreamResponse | None:  # noqa: ARG001
    wait = {"Retry-After": "1"} if fault.variant == "retry-after" else {}
    return web.json_response({"error": "too many requests"}, status=429, headers=wait)


async def server_error(exchange: HttpExchange, fault: Fault) -> web.StreamResponse | None:  # noqa: ARG001
    return web.Response(body=STATUS_TEXT, status=int(fault.variant), content_type="text/html")


async def close(exchange: HttpExchange, fault: Fault) -> web.StreamResponse | None:
    body = await exchange.body()
    if fault.variant == "answering":
        response = await exchange.cut(body, 1)
        exchange.abort()
        return response
    response = web.Response(body=body, headers=JSON)
    await response.prepare(exchange.request)
    await response.write_eof()
    return exchange.abort()


HTTP_FAULTS: Mapping[str, FaultHandler] = {
    "drop": drop,
    "delay": delay,
    "duplicate": duplicate,
    "reorder": reorder,
    "truncate": truncate,
    "429": too_many,
    "5xx": server_error,
    "close-http": close,
}
DELIVERING = ("delay", "duplicate", "reorder", "close-http")
"""The kinds of faults that don't prevent the tested process from receiving the node's answers."""
