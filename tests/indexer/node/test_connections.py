"""Tests that clients for the same node have separate connections, so that the calls of one client
don't delay the calls of another client."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
from aiohttp import web

from indexer.model import Chain
from indexer.node.client import Node, NodeUnavailable
from indexer.node.failover import FailoverNode
from indexer.node.transport import CONNECTIONS
from tests.support.waiting import PATIENCE_SECONDS, wait_for_async

GENESIS = "0x" + "1" * 64
STUCK_METHOD = "eth_estimateGas"


class FakeNode:
    """A node with the chain ID in `chain_id`. The node never answers calls of the method
    STUCK_METHOD."""

    def __init__(self) -> None:
        self.chain_id, self.stuck, self.url = 5, 0, ""

    async def answer(self, request: web.Request) -> web.Response:
        request_body = await request.json()
        if isinstance(request_body, list):
            return web.json_response([self._one(one) for one in request_body])
        if request_body["method"] == STUCK_METHOD:
            self.stuck += 1
            await asyncio.Event().wait()
        return web.json_response(self._one(request_body))

    def _one(self, request_body: dict[str, object]) -> dict[str, object]:
        block = {"number": "0x0", "hash": GENESIS, "parentHash": GENESIS, "timestamp": "0x0"}
        block |= {"logsBloom": "0x" + "0" * 512, "transactions": [], "receiptsRoot": GENESIS}
        results = {"eth_chainId": hex(self.chain_id), "eth_getBlockByNumber": block}
        return {"jsonrpc": "2.0", "id": request_body["id"], "result": results.get(str(request_body["method"]), "0x7")}


async def _serve(fake_node: FakeNode) -> web.AppRunner:
    app = web.Application()
    app.router.add_post("/", fake_node.answer)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    fake_node.url = site.name + "/"
    return runner


@pytest.fixture
async def fake_nodes() -> AsyncIterator[list[FakeNode]]:
    found = [FakeNode(), FakeNode()]
    runners = [await _serve(fake_node) for fake_node in found]
    yield found
    for runner in runners:
        await runner.cleanup()


async def test_calls_that_take_long_hold_up_their_own_only(fake_nodes: list[FakeNode]) -> None:
    index = Node(fake_nodes[0].url)
    players = index.with_own_connections()
    pending = [asyncio.create_task(players.request(STUCK_METHOD)) for _ in range(2 * CONNECTIONS)]
    await wait_for_async(lambda: fake_nodes[0].stuck, lambda stuck: stuck >= CONNECTIONS, "calls on all connections")
    async with asyncio.timeout(PATIENCE_SECONDS):
        assert await index.request("eth_blockNumber") == "0x7"
    for task in pending:
        task.cancel()
    await asyncio.gather(*pending, return_exceptions=True)
    await players.aclose()
    await index.aclose()


async def test_the_twin_of_several_wants_the_chain_that_they_want(fake_nodes: list[FakeNode]) -> None:
    first = FailoverNode([Node(fake_node.url) for fake_node in fake_nodes])
    twin = first.with_own_connections()
    assert (await first.chain()).chain_id == 5
    fake_nodes[0].chain_id = 6  # the first node now serves a different chain
    with pytest.raises(NodeUnavailable, match="chain 6"):
        await twin.request("eth_blockNumber")
    assert await twin.request("eth_blockNumber") == "0x7"  # this answer comes from the second node
    fake_nodes[1].chain_id = 6
    first.expect_chain(Chain(6, GENESIS))
    assert await twin.request("eth_blockNumber") == "0x7"
    await twin.aclose()
    await first.aclose()
