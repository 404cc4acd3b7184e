"""A provider that lies in its refusals stops nothing: neither for long, nor by what it writes."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest
from aiohttp import web

from contracts.rpc_errors import RpcError
from indexer.node.client import Node, NodeError, NodeUnavailable
from indexer.node.pacer import MAX_PAUSE
from indexer.node.refusals import MAX_WORDS, refusal_of

RATE_LIMITED = 429
ADDRESS = "0x" + "11" * 20
MADE_UP = "block range limit exceeded (request 4f3c1234-0567-4abc-8def-0123456789ab, 2026-01-02)"
Handler = Callable[[web.Request], Awaitable[web.Response]]


@asynccontextmanager
async def provider(handler: Handler) -> AsyncIterator[str]:
    app = web.Application()
    app.router.add_post("/", handler)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    try:
        yield f"http://127.0.0.1:{runner.addresses[0][1]}/"
    finally:
        await runner.cleanup()


def answer(id: Any, **fields: Any) -> web.Response:
    return web.json_response({"jsonrpc": "2.0", "id": id, **fields})


@pytest.mark.parametrize("wait", ["1000000000", "inf", "nan", "1e300", "Fri, 31 Dec 9999 23:59:59 GMT"])
async def test_nobody_has_us_wait_for_ever(wait: str) -> None:
    async def refuse(_request: web.Request) -> web.Response:
        return web.Response(status=RATE_LIMITED, headers={"Retry-After": wait})

    async with provider(refuse) as url:
        node = Node(url, seconds=1.0)
        with pytest.raises(NodeUnavailable):
            await node.request("eth_chainId")
        assert node.pacer.pause <= MAX_PAUSE
        await node.aclose()


@pytest.mark.parametrize(
    ("code", "message", "data"),
    [
        (-32602, "block range too large, retry with 0100 - 0200", None),
        (-32005, MADE_UP, None),
        (-32005, "block range limit " + "9" * 5000, None),
        (RATE_LIMITED, "9" * 400 + "/second", None),
        (RATE_LIMITED, "slow down", {"rate": {"allowed_rps": "inf"}}),
        (RATE_LIMITED, "slow down", {"rate": {"allowed_rps": "many"}}),
        (RATE_LIMITED, "slow down", {"rate": {"allowed_rps": [10], "backoff_seconds": 1e9}}),
    ],
)
async def test_what_it_writes_is_an_error_of_the_node(code: int, message: str, data: Any) -> None:
    async def refuse(request: web.Request) -> web.Response:
        body = await request.json()
        return answer(body["id"], error={"code": code, "message": message, "data": data})

    async with provider(refuse) as url:
        node = Node(url, seconds=1.0)
        with pytest.raises((NodeError, NodeUnavailable)) as caught:
            await node.logs_between(1, 100, [ADDRESS])
        assert "invalid literal" not in str(caught.value)
        assert node.pacer.pause <= MAX_PAUSE
        await node.aclose()


async def test_an_id_that_is_a_list_is_no_answer() -> None:
    async def lists(_request: web.Request) -> web.Response:
        return answer([1], result="0x1")

    async with provider(lists) as url:
        node = Node(url, seconds=1.0)
        with pytest.raises((NodeError, NodeUnavailable)):
            await node.request("eth_chainId")
        await node.aclose()


def test_only_the_first_words_of_a_refusal_are_read() -> None:
    words = "eth_getLogs is limited to a 500 range"
    assert refusal_of(RpcError(-32000, words)) is not None
    assert refusal_of(RpcError(-32000, "batch" * MAX_WORDS + words)) is None
