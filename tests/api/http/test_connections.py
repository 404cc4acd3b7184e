"""Tests that the server closes connections above the limit, and connections that send no complete
request. The server logs nothing about them."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
from functools import partial
from operator import not_
from pathlib import Path

import pytest

from api.net import http_protocol
from api.net.client_address import client_key
from api.net.connection_limits import ConnectionLimits
from api.net.http_protocol import HttpProtocol
from tests.api.playground import ApiServer, Playground, served
from tests.support.waiting import PATIENCE_SECONDS, wait_for_async

HEAD = b"Host: 127.0.0.1\r\nContent-Type: application/json\r\n"
WHOLE = b"GET /api/health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
SOME = {
    "no byte": b"",
    "half a request line": b"GET /api/hea",
    "half of the headers": b"POST /api/rpc HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Ty",
    "half a body": b"POST /api/rpc HTTP/1.1\r\n" + HEAD + b'Content-Length: 100\r\n\r\n{"jsonrpc"',
    "half a body in chunks": b"POST /api/rpc HTTP/1.1\r\n" + HEAD + b'Transfer-Encoding: chunked\r\n\r\n5\r\n{"jso\r\n',
    "half a handshake": b"GET /ws HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n",
    "half a second request": WHOLE + b"GET /api/hea",
}


def warnings_logged(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]


async def read_to_the_end(it: socket.socket) -> bytes:
    loop, found = asyncio.get_running_loop(), b""
    async with asyncio.timeout(PATIENCE_SECONDS):
        with contextlib.suppress(ConnectionResetError):
            while data := await loop.sock_recv(it, 65536):
                found += data
    return found


async def connected(server: ApiServer, source: str = "127.0.0.1") -> socket.socket:
    it = socket.socket()
    it.setblocking(False)
    it.bind((source, 0))
    await asyncio.get_running_loop().sock_connect(it, ("127.0.0.1", server.port))
    return it


def test_a_request_has_fifteen_seconds() -> None:
    assert http_protocol.REQUEST_SECONDS == 15


@pytest.mark.parametrize("some", SOME.values(), ids=SOME.keys())
async def test_what_sends_no_whole_request_is_closed(
    some: bytes, server: ApiServer, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(http_protocol, "REQUEST_SECONDS", 0.2)
    with await connected(server) as it:
        loop = asyncio.get_running_loop()
        if some.startswith(WHOLE):
            await loop.sock_sendall(it, WHOLE)
            assert b"HTTP/1.1 200" in await loop.sock_recv(it, 65536)
        await loop.sock_sendall(it, some.removeprefix(WHOLE))
        assert await read_to_the_end(it) == b""
    await wait_for_async(lambda: len(server.connections), not_, "no connection")
    assert warnings_logged(caplog) == []


async def test_a_drop_now_and_then_does_not_keep_it(server: ApiServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_protocol, "REQUEST_SECONDS", 0.3)
    with await connected(server) as it:
        loop = asyncio.get_running_loop()
        with contextlib.suppress(ConnectionError):
            await wait_for_async(lambda: loop.sock_sendall(it, b"G"), lambda _: False, "the end of the connection")
        assert await read_to_the_end(it) == b""


async def test_an_answer_that_takes_longer_is_waited_for(
    play: Playground, page: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Tests that the time limit applies to receiving a request, not to answering it. A websocket
    without messages stays open."""
    monkeypatch.setattr(http_protocol, "REQUEST_SECONDS", 0.1)

    class Slow:
        def __init__(self) -> None:
            self.asked, self.go = asyncio.Event(), asyncio.Event()

        async def request(self, _method: str, _params: object = ()) -> str:
            self.asked.set()
            await self.go.wait()
            return "0x1"

    node = Slow()
    async with served(play, page, node=node) as server, server.watching() as client:
        body = {"jsonrpc": "2.0", "id": 1, "method": "eth_blockNumber", "params": []}
        asking = asyncio.create_task(server.http.post("/api/rpc", json=body))
        await node.asked.wait()
        with await connected(server) as later:
            assert await read_to_the_end(later) == b"", "this one timed out, as the slow request would have"
        node.go.set()
        assert (await asking).json()["result"] == "0x1"
        await client.expect_none("deltas")


async def test_an_address_has_so_many_connections(
    play: Playground, page: Path, caplog: pytest.LogCaptureFixture
) -> None:
    limits = ConnectionLimits(3)
    async with served(play, page, {"http": partial(HttpProtocol, limits=limits)}) as server:
        async with contextlib.AsyncExitStack() as stack:
            for _ in range(2):
                stack.enter_context(await connected(server, "127.0.0.2"))
            await stack.enter_async_context(server.socket(local_addr=("127.0.0.2", 0)))
            with await connected(server, "127.0.0.2") as one_too_many:
                told = await read_to_the_end(one_too_many)
            assert told.startswith(b"HTTP/1.1 429 Too Many Requests\r\n")
            assert b"too many open connections (limit: 3)" in told
            # this request comes from a different client address
            assert (await server.http.get("/api/health")).status_code == 200
        # one connection stays open, because the HTTP client `server.http` keeps it alive
        await wait_for_async(lambda: len(server.connections), lambda count: count <= 1, "the end of all but one")
        async with server.socket(local_addr=("127.0.0.2", 0)) as client:
            await client.receive("hello")
    assert warnings_logged(caplog) == []


def test_who_is_counted() -> None:
    limits = ConnectionLimits(1, loopback=False, proxies=["10.0.0.0/8"])
    assert [limits.enter(host) for host in 2 * ["192.0.2.1"]] == [True, False]
    for host in ("127.0.0.1", "::1", "10.1.2.3"):
        assert [limits.enter(host) for _ in range(3)] == [True] * 3
    limits.leave("192.0.2.1")
    assert limits.enter("192.0.2.1")
    limits = ConnectionLimits(1)  # the limit that the option --connections sets
    assert [limits.enter("127.0.0.1") for _ in range(2)] == [True, False]
    limits = ConnectionLimits(5, total=2)
    assert [limits.enter(f"192.0.2.{number}") for number in range(3)] == [True, True, False]


@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::9", "2001:db8:1:2::/64"),
        ("::1", "::1"),
        ("x" * 1000, "x" * 64),
    ],
)
def test_addresses_of_one_client_count_as_one(host: str, address: str) -> None:
    assert client_key(host) == address


ASKED = {"jsonrpc": "2.0", "id": 1, "method": "admin_x", "params": []}


async def refused(server: ApiServer) -> int:
    """Send 40 batches, each with a different forwarded client address. Return how many of the
    batches the server rejects."""
    codes = [
        (await server.http.post("/api/rpc", json=[ASKED] * 20, headers={"x-forwarded-for": f"192.0.2.{n}"})).status_code
        for n in range(40)
    ]
    return codes.count(429)


async def test_forwarded_addresses_are_a_named_proxys_word_alone(play: Playground, page: Path) -> None:
    from api.chain.rpc_proxy import ClientLimits

    few = {"client_limits": ClientLimits(calls=100, seconds=60)}
    async with served(play, page, **few) as server:
        assert await refused(server) == 35
    trusted = {"proxy_headers": True, "forwarded_allow_ips": ["127.0.0.1/32"]}
    async with served(play, page, trusted, **few) as server:
        assert await refused(server) == 0


async def test_clients_behind_a_proxy_are_counted_each(play: Playground, page: Path) -> None:
    trusted = {"proxy_headers": True, "forwarded_allow_ips": ["127.0.0.1/32"]}
    trusted["http"] = partial(HttpProtocol, limits=ConnectionLimits(1, proxies=["127.0.0.1/32"]))
    async with served(play, page, trusted, forwarded=ConnectionLimits(2)) as server:
        one, other = ({"X-Forwarded-For": f"192.0.2.{number}"} for number in (1, 2))
        async with contextlib.AsyncExitStack() as stack:
            for _ in range(2):
                await stack.enter_async_context(server.socket(additional_headers=one))
            answer = await server.http.get("/api/health", headers=one)
            assert (answer.status_code, answer.json()["code"]) == (429, "too-many-connections")
            assert "content-security-policy" in answer.headers
            assert (await server.http.get("/api/health", headers=other)).status_code == 200
            async with server.socket(additional_headers=other) as client:
                await client.receive("hello")
