"""Tests that a hostile provider can't delay the client for long, no matter what its rejections
say."""

from __future__ import annotations

import gzip
import tracemalloc
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest
from aiohttp import web

from contracts.rpc_errors import RpcError
from indexer.node import transport
from indexer.node.client import AnswerTooLarge, Node, NodeError, NodeUnavailable
from indexer.node.pacer import MAX_PAUSE
from indexer.node.rejections import MAX_TEXT, rejection_of
from tests.support.waiting import PATIENCE_SECONDS

RATE_LIMITED = 429
ZONE = "Mon, 01 Jan 2026 00:00:00 +99999999999999999999"
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


@pytest.mark.parametrize("wait", ["1000000000", "inf", "nan", "1e300", "Fri, 31 Dec 9999 23:59:59 GMT", ZONE])
async def test_nobody_has_us_wait_for_ever(wait: str) -> None:
    async def reject(_request: web.Request) -> web.Response:
        return web.Response(status=RATE_LIMITED, headers={"Retry-After": wait})

    async with provider(reject) as url:
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
    async def reject(request: web.Request) -> web.Response:
        body = await request.json()
        return answer(body["id"], error={"code": code, "message": message, "data": data})

    async with provider(reject) as url:
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


def test_only_the_first_words_of_a_rejection_are_read() -> None:
    words = "eth_getLogs is limited to a 500 range"
    assert rejection_of(RpcError(-32000, words)) is not None
    assert rejection_of(RpcError(-32000, "batch" * MAX_TEXT + words)) is None


@pytest.mark.parametrize("encoding", ["gzip", "identity"])
async def test_an_answer_that_inflates_is_read_to_a_limit(monkeypatch: pytest.MonkeyPatch, encoding: str) -> None:
    monkeypatch.setattr(transport, "MAX_BYTES", 2**20)
    body = b'{"jsonrpc": "2.0", "id": 0, "result": "' + b"a" * 30_000_000 + b'"}'
    content = gzip.compress(body, 1) if encoding == "gzip" else body

    async def inflate(_request: web.Request) -> web.Response:
        return web.Response(body=content, headers={"Content-Encoding": encoding})

    async with provider(inflate) as url:
        node = Node(url, seconds=PATIENCE_SECONDS)
        tracemalloc.start()
        try:
            with pytest.raises(AnswerTooLarge, match="its answer is larger than 1 MiB"):
                await node.request("eth_chainId")
            assert encoding == "identity" or tracemalloc.get_traced_memory()[1] < 15_000_000
        finally:
            tracemalloc.stop()
            await node.aclose()


async def test_logs_that_are_too_many_bytes_are_requested_in_smaller_ranges(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transport, "MAX_BYTES", 10_000)

    async def logs(request: web.Request) -> web.Response:
        asked = await request.json()
        [query] = asked["params"]
        heights = range(int(query["fromBlock"], 16), int(query["toBlock"], 16) + 1)
        return answer(
            asked["id"], result=[{"blockNumber": hex(height), "data": "0x" + "00" * 500} for height in heights]
        )

    async with provider(logs) as url:
        node = Node(url)
        found = await node.logs_between(1, 100, [ADDRESS])
        assert [int(one["blockNumber"], 16) for one in found] == [*range(1, 101)]
        await node.aclose()
