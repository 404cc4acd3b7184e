"""Tests of computer players that use another operator's gateway. Its strange or malicious answers
must cause no harm."""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import Any

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer

from bots.opponent import Choice
from bots.service.boards import BoardFeed
from bots.service.calls import BadChoice, GameCalls
from bots.service.gateway import MAX_BYTES, Gateway, GatewayError
from indexer.games import GAMES
from tests.support.waiting import PATIENCE_SECONDS

GENESIS, THIEF = "0x" + "ab" * 32, "0x" + "66" * 20
GREETINGS: list[Any] = [
    [],
    {"t": "hello"},
    {"t": "hello", "chainId": "../../x", "genesis": GENESIS, "head": None},
    {"t": "hello", "chainId": 1, "genesis": "../x", "head": None},
    {"t": "hello", "chainId": 1, "genesis": GENESIS, "head": None},
]
"""The `hello` messages that the gateway sends, one per connection. Only the last message is
valid."""


@pytest.fixture
async def url() -> AsyncIterator[str]:
    hellos = iter(GREETINGS)

    async def socket(request: web.Request) -> web.WebSocketResponse:
        answer = web.WebSocketResponse()
        await answer.prepare(request)
        await answer.send_json(next(hellos))
        await answer.close()
        return answer

    async def bomb(_request: web.Request) -> web.Response:
        body = gzip.compress(b" " * (8 * MAX_BYTES))
        return web.Response(body=body, headers={"content-encoding": "gzip", "content-type": "application/json"})

    async def large(_request: web.Request) -> web.Response:
        return web.Response(body=b" " * (MAX_BYTES + 1))

    async def listed(_request: web.Request) -> web.Response:
        return web.json_response([])

    app = web.Application()
    app.add_routes([web.get("/ws", socket), web.get("/api/bomb", bomb), web.get("/api/large", large)])
    app.add_routes([web.get("/api/listed", listed)])
    async with TestServer(app) as server:
        yield str(server.make_url("")).rstrip("/")


@pytest.mark.parametrize("path", ["/bomb", "/large", "/listed"])
async def test_invalid_answer_is_an_error_with_a_sentence(url: str, path: str) -> None:
    async with aclosing(Gateway(url)) as gateway:
        with pytest.raises(GatewayError, match=r"returned|no gateway answers"):
            await gateway.get(path)


async def test_a_chain_has_a_number_and_a_hash_and_the_feed_outlives_what_has_not(url: str) -> None:
    chains: asyncio.Queue[str] = asyncio.Queue()
    feed = BoardFeed(url.replace("http", "ws") + "/ws", chains.put_nowait, lambda: None, lambda: None)
    running = asyncio.create_task(feed.run())
    async with asyncio.timeout(PATIENCE_SECONDS):
        assert await chains.get() == f"1:{GENESIS}"
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)


def test_deposits_go_only_to_named_contracts_for_a_seat() -> None:
    entry = {"deployments": [{"address": THIEF, "firstMatch": 1}], "actions": [{"pays": "everything"}], "abi": []}
    board = {"stake": str(10**18)}
    choice = Choice("accept", {"commitment": "0x" + 64 * "1", "tile": 4})
    calls = GameCalls(GAMES["battleship"], entry)
    assert calls.encode(1, board, choice).value == 0
    assert calls.encode(1, board, choice, joins=True).value == 10**18
    with pytest.raises(BadChoice, match="not one of the contracts that the computer players may call"):
        GameCalls(GAMES["battleship"], entry, allowed=["0x" + "11" * 20]).encode(1, board, choice)
