"""Tests that nothing about a client remains in the hub or in uvicorn, however the client
disconnects. The server logs nothing about it."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
import struct
from collections.abc import Awaitable, Callable
from operator import not_
from pathlib import Path

import pytest
from websockets.frames import Close, Frame, Opcode

from api.live import websocket
from api.net import websocket_protocol
from tests.api.live.test_slow_client import (
    KILOBYTES_32,
    READ_AT_ONCE,
    connected,
    metric,
    non_reading_socket,
    send_frame,
    sockets,
    watch,
)
from tests.api.playground import ApiServer, Playground, added, served
from tests.support.waiting import PATIENCE_SECONDS, wait_for_async

WATCH = b'{"t":"watch","match":"marks/1"}'
EMPTY_FRAGMENT = Frame(Opcode.CONT, b"", fin=False).serialize(mask=True)
WATCHES = 30
"""The number of requests that a client sends for a board of several megabytes. Together, the
answers are many times larger than the buffers of the operating system and the server."""


def frame(opcode: Opcode, payload: bytes) -> bytes:
    return Frame(opcode, payload).serialize(mask=True)


def reset_connection(it: socket.socket) -> None:
    """Reset the connection, as the system does when it kills a process that hasn't read all its
    data."""
    it.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    it.close()


async def watch_and_reset(it: socket.socket) -> None:
    await send_frame(it, Opcode.TEXT, WATCH, WATCHES)
    reset_connection(it)


async def watch_and_close(it: socket.socket) -> None:
    await send_frame(it, Opcode.TEXT, WATCH, WATCHES)
    it.close()


async def watch_and_send_close(it: socket.socket) -> None:
    """Send the requests and the close frame in a single write. Read no answer."""
    goodbye = frame(Opcode.CLOSE, Close(1000, "").serialize())
    await asyncio.get_running_loop().sock_sendall(it, frame(Opcode.TEXT, WATCH) * WATCHES + goodbye)


async def watch_and_send_garbage(it: socket.socket) -> None:
    await asyncio.get_running_loop().sock_sendall(it, frame(Opcode.TEXT, WATCH) * WATCHES + b"\xff" * 20)


async def reset_during_board(it: socket.socket) -> None:
    await send_frame(it, Opcode.TEXT, WATCH)
    await asyncio.get_running_loop().sock_recv(it, 1024)
    reset_connection(it)


async def reset_at_once(it: socket.socket) -> None:
    reset_connection(it)


async def watch_unknown_match(it: socket.socket) -> None:
    await send_frame(it, Opcode.TEXT, b'{"t":"watch","match":"marks/99"}', WATCHES)
    reset_connection(it)


WAYS: list[Callable[[socket.socket], Awaitable[None]]] = [
    watch_and_reset,
    watch_and_close,
    watch_and_send_close,
    watch_and_send_garbage,
    reset_during_board,
    reset_at_once,
    watch_unknown_match,
]


async def emptied(server: ApiServer) -> None:
    """Wait until the server holds nothing for any client."""

    async def left() -> float:
        return len(sockets(server)) or await metric(server, "chainboard_sockets")

    await wait_for_async(left, not_, "the end of all sockets")
    assert (await metric(server, "chainboard_watches"), await metric(server, "chainboard_backlog_bytes")) == (0, 0)


def warnings_logged(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]


@pytest.fixture(autouse=True)
def short_linger(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(websocket_protocol, "LINGER_SECONDS", 0.1)


@pytest.mark.parametrize("way", WAYS)
async def test_a_client_that_leaves_is_forgotten(
    way: Callable[[socket.socket], Awaitable[None]],
    server: ApiServer,
    play: Playground,
    caplog: pytest.LogCaptureFixture,
) -> None:
    play.block((1, "Added", {"text": 64 * KILOBYTES_32}))
    async with contextlib.AsyncExitStack() as stack:
        clients = [await stack.enter_async_context(non_reading_socket(server)) for _ in range(4)]
        await asyncio.gather(*map(way, clients))
        play.block(added(1, "x"))
        await emptied(server)
    assert warnings_logged(caplog) == []


async def test_one_who_closes_and_then_reads_all_leaves_no_error_in_the_log(
    server: ApiServer, play: Playground, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Tests that the server does not abort a connection that has already ended. asyncio would
    report an error with a traceback for each of these connections."""
    linger = 1.0
    monkeypatch.setattr(websocket_protocol, "LINGER_SECONDS", linger)
    play.block((1, "Added", {"text": 64 * KILOBYTES_32}))
    loop = asyncio.get_running_loop()
    async with non_reading_socket(server) as it:
        await send_frame(it, Opcode.TEXT, WATCH)
        await wait_for_async(lambda: metric(server, "chainboard_backlog_bytes"), bool, "the board in the buffer")
        await send_frame(it, Opcode.CLOSE, Close(1000, "").serialize())
        await wait_for_async(lambda: metric(server, "chainboard_sockets"), not_, "the end of the client's socket")
        while await loop.sock_recv(it, READ_AT_ONCE):
            pass
    await emptied(server)
    fired = loop.create_future()
    loop.call_later(linger, fired.set_result, None)  # this timer fires after the server's timer, which began earlier
    await fired
    assert warnings_logged(caplog) == []


@pytest.mark.parametrize("asks", [0, WATCHES])
async def test_one_whose_line_stays_half_open(
    asks: int, play: Playground, page: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Tests a client that has closed its sending side and reads nothing. While the server waits for
    the client to read, an unanswered ping ends the connection."""
    monkeypatch.setitem(websocket.UVICORN, "ws_ping_interval", 0.1)
    monkeypatch.setitem(websocket.UVICORN, "ws_ping_timeout", 0.1)
    play.block((1, "Added", {"text": 64 * KILOBYTES_32}))
    async with served(play, page) as server, non_reading_socket(server) as it:
        await send_frame(it, Opcode.TEXT, WATCH, asks)
        it.shutdown(socket.SHUT_WR)
        await emptied(server)


@pytest.mark.parametrize(
    ("message", "code"),
    [
        (frame(Opcode.TEXT, b"\xff\xfe"), 1007),
        (Frame(Opcode.TEXT, b"", fin=False).serialize(mask=True) + 1100 * EMPTY_FRAGMENT, 1009),
    ],
    ids=["not UTF-8", "empty frames without end"],
)
async def test_a_message_that_is_none_ends_the_socket_without_a_word_in_the_log(
    message: bytes, code: int, server: ApiServer, caplog: pytest.LogCaptureFixture
) -> None:
    """Tests messages with which a client could fill the server's log or memory. Empty frames don't
    count towards the maximum size of a message."""
    loop = asyncio.get_running_loop()
    async with non_reading_socket(server) as it, asyncio.timeout(PATIENCE_SECONDS):
        await loop.sock_sendall(it, message)
        read = b""
        while part := await loop.sock_recv(it, READ_AT_ONCE):
            read += part
    await emptied(server)
    assert code.to_bytes(2, "big") in read
    assert warnings_logged(caplog) == []


async def test_one_who_leaves_before_its_backlog_is_folded(server: ApiServer, play: Playground) -> None:
    """The client has a backlog and reads nothing. Tests that the server frees everything when this
    client resets its connection."""
    async with non_reading_socket(server) as it:
        await watch(server, it)
        async with server.watching() as quick:
            held = -1.0
            while held < (held := await metric(server, "chainboard_backlog_bytes")) or not held:
                for _ in range(8):
                    play.block((1, "Added", {"text": KILOBYTES_32}), (1, "Cleared", {}))
                    await quick.receive("deltas")
        reset_connection(it)
        await emptied(server)


async def test_half_a_handshake_is_forgotten(server: ApiServer) -> None:
    with await connected(server) as it:
        await asyncio.get_running_loop().sock_sendall(it, b"GET /ws HTTP/1.1\r\nUpgrade: websocket\r\n")
    await wait_for_async(lambda: len(server.connections), not_, "the end of the connection")


async def test_a_server_that_ends_waits_for_nobody_and_complains_of_none(
    play: Playground, page: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Tests that a server stops at once and without warnings, although some clients read nothing,
    some have left and some are quiet."""
    monkeypatch.setattr(websocket, "CLOSE_SECONDS", 600)
    play.block((1, "Added", {"text": 64 * KILOBYTES_32}))
    async with contextlib.AsyncExitStack() as stack:
        async with served(play, page) as server:
            clients = [await stack.enter_async_context(non_reading_socket(server)) for _ in range(9)]
            for it in clients[:6]:
                await send_frame(it, Opcode.TEXT, WATCH, WATCHES)
            for it in clients[:3]:
                reset_connection(it)
        await wait_for_async(lambda: sockets(server), not_, "the end of all sockets")
    assert warnings_logged(caplog) == []


async def test_thousands_that_come_and_go_leave_nothing(server: ApiServer, play: Playground) -> None:
    """Tests that the server frees everything: after many clients have connected and disconnected,
    it has as many send queues, connections and tasks as before. `python -m bench churn` runs a
    longer version of this test."""
    play.block((1, "Added", {"text": KILOBYTES_32}))
    before = len(asyncio.all_tasks())
    for _ in range(40):
        async with contextlib.AsyncExitStack() as stack:
            clients = [await stack.enter_async_context(non_reading_socket(server)) for _ in range(25)]
            await asyncio.gather(*(WAYS[number % 2](it) for number, it in enumerate(clients)))
    await emptied(server)
    await wait_for_async(lambda: len(asyncio.all_tasks()), lambda count: count <= before, "the end of all tasks")
