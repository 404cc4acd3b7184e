"""Tests that a slow client uses a limited amount of memory. The server replaces the client's
backlog with one board, or closes the connection with a reason. No other client has to wait."""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
import socket
from collections.abc import AsyncIterator
from operator import not_

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.frames import Frame, Opcode

from api.live import websocket
from api.live.send_queue import MAX_BUFFERED
from api.net import websocket_protocol
from api.net.websocket_protocol import HIGH_WATER
from tests.api.playground import ApiServer, Playground, SocketClient, added
from tests.support.waiting import PATIENCE_SECONDS, wait_for_async

KILOBYTES_32 = "x" * (32 * 1024)
MESSAGE = 2 * len(KILOBYTES_32)
"""An upper limit for the size, in bytes, of a message about a move whose text is KILOBYTES_32. Both
the event and the patch in the message contain the text."""
READ_AT_ONCE = 256 * 1024
"""The number of bytes that asyncio reads from a socket at a time. Before the server notices that
the client reads nothing, it can answer requests of this total size."""


async def until_closed(it: ClientConnection) -> AsyncIterator[str | bytes]:
    with contextlib.suppress(ConnectionClosed):
        async with asyncio.timeout(PATIENCE_SECONDS):
            while True:
                yield await it.recv()


async def metric(server: ApiServer, name: str) -> float:
    """Read the value of one of the server's metrics."""
    found = re.search(rf"^{name} (\S+)$", (await server.http.get("/api/metrics")).text, re.MULTILINE)
    assert found
    return float(found[1])


async def connected(server: ApiServer) -> socket.socket:
    """Return a socket with a small receive buffer. The server soon notices that the client doesn't
    read."""
    it = socket.socket()
    it.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    it.setblocking(False)
    await asyncio.get_running_loop().sock_connect(it, ("127.0.0.1", server.port))
    return it


@contextlib.asynccontextmanager
async def slow_client(server: ApiServer) -> AsyncIterator[SocketClient]:
    """Yield a client that watches marks/1 and has received its board. After that, the client reads
    only on the test's request."""
    sock = await connected(server)
    url = f"ws://127.0.0.1:{server.port}/ws"
    async with connect(url, sock=sock, proxy=None, max_queue=1, max_size=None) as it:
        client = SocketClient(it)
        await client.watch()
        await client.receive("reset")
        yield client


@contextlib.asynccontextmanager
async def non_reading_socket(server: ApiServer) -> AsyncIterator[socket.socket]:
    """Yield a socket that has completed the websocket handshake. The client reads nothing after
    that."""
    loop = asyncio.get_running_loop()
    with await connected(server) as it:
        await loop.sock_sendall(
            it,
            f"GET /ws HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n".encode(),
        )
        assert b" 101 " in await loop.sock_recv(it, 1024)
        yield it


def sockets(server: ApiServer) -> list[websocket_protocol.WebSocketConnection]:
    """Return the websockets that uvicorn still holds."""
    return [one for one in server.connections if isinstance(one, websocket_protocol.WebSocketConnection)]


async def watch(server: ApiServer, it: socket.socket) -> None:
    await send_frame(it, Opcode.TEXT, b'{"t":"watch","match":"marks/1"}')
    await wait_for_async(lambda: metric(server, "chainboard_watches"), bool, "the watch")


async def send_frame(it: socket.socket, opcode: Opcode, payload: bytes, times: int = 1) -> None:
    await asyncio.get_running_loop().sock_sendall(it, times * Frame(opcode, payload).serialize(mask=True))


async def test_a_slow_client_gets_one_board_then_the_end_and_slows_nobody(server: ApiServer, play: Playground) -> None:
    """Tests that a slow client gets one board instead of its backlog. The large moves first fill
    the operating system's buffers for the client, and then the client's send queue."""
    moves, held = 30, []
    async with slow_client(server) as client:
        async with server.watching() as quick:
            for number in range(moves):
                play.block((1, "Added", {"text": KILOBYTES_32}), (1, "Cleared", {}))
                assert (await quick.receive("deltas"))["items"][0]["seq"] == 7 + 2 * number
                held.append(await metric(server, "chainboard_backlog_bytes"))
        messages = [json.loads(text) async for text in until_closed(client.connection)]
    assert MAX_BUFFERED < max(held) < 2 * (MAX_BUFFERED + MESSAGE) + HIGH_WATER
    messages = [message for message in messages if message["t"] not in ("head", "presence")]
    seqs = [item["seq"] for message in messages[:-1] for item in message["items"]]
    # the client has received every message up to the last one
    assert seqs == list(range(7, 7 + len(seqs)))
    assert len(seqs) < 2 * moves
    last = messages[-1]
    assert (last["t"], last["why"], last["board"]) == ("reset", "lag", play.board(1))
    assert last["seq"] == 6 + 2 * moves
    assert (client.connection.close_code, "slow" in str(client.connection.close_reason)) == (1013, True)
    assert await metric(server, "chainboard_lagged_total") == 1


async def test_a_client_that_reads_nothing_for_long_is_cut_off(
    server: ApiServer, play: Playground, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Tests that the server disconnects a client that reads nothing for a long time. It frees the
    client's queue and all data for its socket."""
    monkeypatch.setattr(websocket, "CLOSE_SECONDS", 0.1)
    monkeypatch.setattr(websocket_protocol, "LINGER_SECONDS", 0.1)

    def play_on() -> int:
        play.block((1, "Added", {"text": KILOBYTES_32}), (1, "Cleared", {}))
        return len(sockets(server))

    async with non_reading_socket(server) as it:
        await watch(server, it)
        await wait_for_async(play_on, not_, "the end of the socket")


async def test_a_dead_client_is_cut_off_with_what_waits_for_it(server: ApiServer, play: Playground) -> None:
    """Tests that the server disconnects a client that answers no ping. The client doesn't read the
    messages that the server has sent before the close frame."""
    async with non_reading_socket(server) as it:
        await watch(server, it)
        play.block((1, "Added", {"text": 64 * KILOBYTES_32}))
        await wait_for_async(lambda: metric(server, "chainboard_backlog_bytes"), bool, "a backlog")
        [connection] = sockets(server)
        connection.stop_keepalive()
        connection.ping_timeout = 0.1
        # an earlier ping would have disconnected the client before it had a backlog
        connection.send_keepalive_ping()
        await wait_for_async(lambda: len(sockets(server)), not_, "the end of the socket")


async def test_one_who_comes_to_itself_in_time_has_missed_nothing(server: ApiServer, play: Playground) -> None:
    moves = 0
    async with slow_client(server) as client:
        async with server.watching() as quick:
            while await metric(server, "chainboard_backlog_bytes") < HIGH_WATER + MESSAGE:
                play.block((1, "Added", {"text": KILOBYTES_32}), (1, "Cleared", {}))
                await quick.receive("deltas")
                moves += 1
        for number in range(moves):
            assert (await client.receive("deltas", "reset"))["items"][0]["seq"] == 7 + 2 * number
        await client.expect_none("reset")
    assert await metric(server, "chainboard_lagged_total") == 0


async def test_a_flood_of_pings_from_one_who_reads_nothing_is_not_kept(server: ApiServer) -> None:
    """Tests that the server's pongs don't pile up if a client sends many pings and reads nothing.
    The limit of the message queue doesn't cover pongs."""
    async with non_reading_socket(server) as it:
        for _ in range(100):
            await send_frame(it, Opcode.PING, 125 * b"p", 200)
        held = await metric(server, "chainboard_backlog_bytes")
        assert 0 < held <= HIGH_WATER + READ_AT_ONCE
        loop = asyncio.get_running_loop()
        await send_frame(it, Opcode.TEXT, b'{"t":"ping"}')
        async with asyncio.timeout(PATIENCE_SECONDS):
            # the server still answers this other client
            while b'{"t":"pong"}' not in await loop.sock_recv(it, 2**20):
                pass


async def test_many_clients_all_hear_the_same(server: ApiServer, play: Playground) -> None:
    async def one() -> list[int]:
        async with server.watching() as client:
            heard.release()
            seqs = []
            for _ in range(5):
                seqs.append((await client.receive("deltas"))["items"][0]["seq"])
                heard.release()
            return seqs

    heard = asyncio.Semaphore(0)
    clients = [asyncio.create_task(one()) for _ in range(50)]
    for number in range(5):
        for _ in clients:
            await heard.acquire()
        play.block(added(1, str(number)))
    assert await asyncio.gather(*clients) == [[7, 8, 9, 10, 11]] * 50
