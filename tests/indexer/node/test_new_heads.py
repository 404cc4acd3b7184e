"""The bell of new heads: rings for each, and finds its way back when the connection ends."""

from __future__ import annotations

import asyncio
import contextlib

from websockets.asyncio.server import ServerConnection, serve

from indexer.node import client
from indexer.node.client import Node


async def test_a_lost_subscription_is_made_anew_and_rings_for_what_was_missed() -> None:
    asked: list[str] = []

    async def announce(socket: ServerConnection) -> None:
        asked.append(str(await socket.recv()))
        await socket.send('{"jsonrpc":"2.0","id":1,"result":"0x1"}')
        if len(asked) > 1:
            await socket.wait_closed()

    rings = 0
    second = asyncio.Event()

    def ring() -> None:
        nonlocal rings
        rings += 1
        if len(asked) > 1:
            second.set()

    async with serve(announce, "127.0.0.1", 0) as server:
        port = next(iter(server.sockets)).getsockname()[1]
        async with contextlib.aclosing(Node(f"http://127.0.0.1:{port}")) as it:
            listening = asyncio.create_task(it.listen(ring))
            async with asyncio.timeout(10):
                await second.wait()
            listening.cancel()
            await asyncio.gather(listening, return_exceptions=True)
    assert asked == [client.SUBSCRIBE] * 2
    assert rings >= 3  # an answer, the loss, the answer of the second subscription
