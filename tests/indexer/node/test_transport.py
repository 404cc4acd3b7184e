"""Tests that the transport accepts only answers to its own requests. The tests use a server that
gives prepared answers."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from typing import Any

import orjson
import pytest
from aiohttp import web

from indexer.node.client import Node, NodeError, NodeUnavailable
from tests.support.waiting import PATIENCE_SECONDS

Responder = Callable[[Any], web.Response]
CALLS = [("eth_chainId", ()), ("eth_blockNumber", ()), ("net_version", ())]


@contextlib.asynccontextmanager
async def serving(*responders: Responder) -> AsyncIterator[tuple[Node, list[Any]]]:
    """Run a server with prepared answers. Yield a node that uses the server, and the list of
    received requests. Each responder answers one request, in order. The last responder also answers
    all further requests."""
    received: list[Any] = []

    async def answer(request: web.Request) -> web.Response:
        received.append(orjson.loads(await request.read()))
        return responders[min(len(received), len(responders)) - 1](received[-1])

    runner = web.ServerRunner(web.Server(answer))
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    host, port = runner.addresses[0][:2]
    async with contextlib.aclosing(Node(f"http://{host}:{port}", seconds=PATIENCE_SECONDS)) as node:
        yield node, received
    await runner.cleanup()


def json_response(value: Any, status: int = 200) -> web.Response:
    return web.Response(body=orjson.dumps(value), status=status)


def result(request: Any, value: Any = None) -> Any:
    return {"jsonrpc": "2.0", "id": request["id"], "result": value or request["method"]}


async def test_a_batch_is_answered_in_the_order_it_was_asked() -> None:
    async with serving(lambda request: json_response([result(one) for one in reversed(request)])) as (node, _):
        assert await node.requests(CALLS) == [method for method, _ in CALLS]


@pytest.mark.parametrize(
    "wrong",
    [
        lambda good: good[:-1],
        lambda good: [*good, good[0]],
        lambda good: [good[0], good[0], good[1]],
        lambda good: [{**good[0], "id": 10**6}, *good[1:]],
        lambda good: [good[0], good[1], "nonsense"],
        lambda _: 7,
    ],
    ids=["short", "long", "doubled", "of another request", "nonsense", "a number"],
)
async def test_a_batch_that_is_not_whole_is_none(wrong: Callable[[Any], Any]) -> None:
    async with serving(lambda request: json_response(wrong([result(one) for one in request]))) as (node, _):
        with pytest.raises(NodeUnavailable):
            await node.requests(CALLS)


async def test_a_batch_that_is_rejected_whole_says_why() -> None:
    rejection = {"jsonrpc": "2.0", "id": None, "error": {"code": -32005, "message": "too long a batch"}}
    async with serving(lambda _: json_response(rejection)) as (node, _):
        with pytest.raises(NodeError, match="too long a batch"):
            await node.requests(CALLS)


@pytest.mark.parametrize(
    "body", [b"", b'{"jsonrpc":"2.0","id":', b"<html>", b"[]", b'{"jsonrpc":"2.0","id":0}', b"null"]
)
async def test_what_is_no_answer_is_none(body: bytes) -> None:
    async with serving(lambda _: web.Response(body=body)) as (node, _):
        with pytest.raises(NodeUnavailable):
            await node.request("eth_blockNumber")


async def test_an_answer_to_an_earlier_request_is_none() -> None:
    earlier: list[Any] = []

    def late(request: Any) -> web.Response:
        earlier.append(result(request))
        return json_response(earlier[0])

    async with serving(late) as (node, _):
        assert await node.request("eth_blockNumber") == "eth_blockNumber"
        with pytest.raises(NodeUnavailable, match="belongs to another request"):
            await node.request("eth_blockNumber")


@pytest.mark.parametrize(("status", "busy"), [(429, True), (500, False), (503, False), (404, False)])
async def test_a_rejected_request_says_whether_it_was_one_too_many(status: int, busy: bool) -> None:
    async with serving(lambda _: json_response({}, status)) as (node, _):
        with pytest.raises(NodeUnavailable) as lost:
            await node.request("eth_blockNumber")
        assert lost.value.busy == busy


async def test_a_kept_connection_that_turns_out_closed_is_made_anew_but_nothing_is_sent_twice() -> None:
    """The server closes the connection at the second request, as real servers can do with an idle
    connection. Tests that the client connects again, but never repeats a transaction that the node
    may have received."""
    received: list[str] = []

    async def once(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        for number in range(2):
            head = await reader.readuntil(b"\r\n\r\n")
            length = int(head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0])
            request = orjson.loads(await reader.readexactly(length))
            received.append(request["method"])
            if number == 0:
                body = orjson.dumps(result(request))
                writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: %d\r\n\r\n%b" % (len(body), body))
        writer.close()

    server = await asyncio.start_server(once, "127.0.0.1", 0)
    url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    async with server, contextlib.aclosing(Node(url, seconds=PATIENCE_SECONDS)) as node:
        for _ in range(2):
            assert await node.request("eth_blockNumber") == "eth_blockNumber"
        assert received == ["eth_blockNumber"] * 3
        with pytest.raises(NodeUnavailable):
            await node.request("eth_sendRawTransaction", ("0x",))
        assert received[3:] == ["eth_sendRawTransaction"]
