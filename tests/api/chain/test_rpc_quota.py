"""Tests that the gateway sends only a limited number of JSON-RPC calls per address to the node at a
time. The remaining calls wait for their turn."""

from __future__ import annotations

import asyncio
from contextlib import closing
from operator import not_
from pathlib import Path
from typing import Any

from tests.api.playground import Playground, served
from tests.support.waiting import wait_for_async


class SlowNode:
    """A node that answers a call only when the test allows it. The node records the calls."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.go = asyncio.Event()

    async def request(self, method: str, _params: Any = ()) -> Any:
        self.asked.append(method)
        await self.go.wait()
        return "0x1"


async def test_one_address_has_four_calls_at_the_node_and_hanging_up_frees_the_queue(tmp_path: Path) -> None:
    node: Any = SlowNode()
    one = {"jsonrpc": "2.0", "id": 1, "method": "eth_blockNumber", "params": []}
    with closing(Playground(tmp_path)) as play:
        async with served(play, tmp_path, node=node) as server:
            asking = [asyncio.create_task(server.http.post("/api/rpc", json=one)) for _ in range(30)]
            await wait_for_async(lambda: len(node.asked), lambda asked: asked >= 4, "four calls at the node")
            for task in asking:
                task.cancel()
            await asyncio.gather(*asking, return_exceptions=True)
            await wait_for_async(lambda: len(server.connections), not_, "uvicorn, which hears of it")
            assert len(node.asked) == 4
            node.go.set()
            batch = [{**one, "id": number} for number in range(20)]
            assert len((await server.http.post("/api/rpc", json=batch)).json()) == 20
            assert len(node.asked) == 4 + 20  # calls whose clients hung up in the queue never reached the node
