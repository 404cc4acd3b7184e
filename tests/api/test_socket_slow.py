"""A client that can't keep up: its backlog becomes one board, it is closed with a reason, and nobody else waits."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from api.outbox import LIMIT
from tests.api.playground import Client, Playground, Server, added

KILOBYTES_128 = "x" * (128 * 1024)


async def until_closed(connection: ClientConnection) -> AsyncIterator[str | bytes]:
    with contextlib.suppress(ConnectionClosed):
        async with asyncio.timeout(20):
            while True:
                yield await connection.recv()


async def test_a_slow_client_gets_one_board_then_the_end_and_slows_nobody(server: Server, play: Playground) -> None:
    """Large moves fill what the system buffers for a client that does not read; then its queue."""
    moves = LIMIT + 150
    async with connect(f"ws://127.0.0.1:{server.port}/ws", proxy=None, max_queue=1, max_size=None) as connection:
        slow = Client(connection)
        await slow.watch()
        await slow.hear("reset")
        async with server.watching() as quick:
            for number in range(moves):
                play.block((1, "Added", {"text": KILOBYTES_128}), (1, "Cleared", {}))
                assert (await quick.hear("deltas"))["items"][0]["seq"] == 7 + 2 * number
        messages = [json.loads(text) async for text in until_closed(connection)]
    messages = [message for message in messages if message["t"] != "head"]
    seqs = [item["seq"] for message in messages[:-1] for item in message["items"]]
    assert seqs == list(range(7, 7 + len(seqs)))  # what came before the end is whole
    assert len(seqs) < 2 * (moves - LIMIT)
    last = messages[-1]
    assert (last["t"], last["why"], last["board"]) == ("reset", "lag", play.board(1))
    assert last["seq"] == 6 + 2 * moves
    assert (connection.close_code, "slow" in str(connection.close_reason)) == (1013, True)
    assert "chainboard_lagged_total 1.0" in (await server.http.get("/api/metrics")).text


async def test_many_clients_all_hear_the_same(server: Server, play: Playground) -> None:
    async def one() -> list[int]:
        async with server.watching() as client:
            ready.release()
            return [(await client.hear("deltas"))["items"][0]["seq"] for _ in range(5)]

    ready = asyncio.Semaphore(0)
    clients = [asyncio.create_task(one()) for _ in range(50)]
    for _ in clients:
        await ready.acquire()
    for number in range(5):
        play.block(added(1, str(number)))
        await asyncio.sleep(0.01)
    assert await asyncio.gather(*clients) == [[7, 8, 9, 10, 11]] * 50
