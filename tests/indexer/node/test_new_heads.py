"""Tests that a subscription notifies its listener of each new head. If the connection ends, the
client reconnects."""

from __future__ import annotations

import asyncio
import contextlib

import pytest
from websockets.asyncio.server import ServerConnection, serve
from websockets.http11 import Request, Response

from indexer.node import new_heads
from indexer.node.client import Node
from indexer.node.new_heads import SUBSCRIBE
from tests.support.waiting import PATIENCE_SECONDS, wait_for_async


async def test_a_lost_subscription_is_made_anew_and_rings_for_what_was_missed() -> None:
    asked: list[str] = []

    async def announce(socket: ServerConnection) -> None:
        asked.append(str(await socket.recv()))
        await socket.send('{"jsonrpc":"2.0","id":1,"result":"0x1"}')
        if len(asked) > 1:
            await socket.wait_closed()

    rings = 0
    second = asyncio.Event()

    def notify() -> None:
        nonlocal rings
        rings += 1
        if len(asked) > 1:
            second.set()

    async with serve(announce, "127.0.0.1", 0) as server:
        port = next(iter(server.sockets)).getsockname()[1]
        async with contextlib.aclosing(Node(f"http://127.0.0.1:{port}")) as it:
            listening = asyncio.create_task(it.listen(notify))
            async with asyncio.timeout(PATIENCE_SECONDS):
                await second.wait()
            listening.cancel()
            await asyncio.gather(listening, return_exceptions=True)
    assert asked == [SUBSCRIBE] * 2
    # `notify` was called at both subscriptions, and when the connection was lost
    assert rings >= 3


class Pauses(list[float]):
    """A list of the pauses between connection attempts. Each pause ends immediately, except the
    last of the `max_pauses` pauses, which never ends."""

    def __init__(self, max_pauses: int) -> None:
        super().__init__()
        self._max_pauses, self.done = max_pauses, asyncio.Event()

    async def pause(self, seconds: float) -> None:
        self.append(seconds)
        if len(self) == self._max_pauses:
            self.done.set()
            await asyncio.Event().wait()


MAX_PAUSES = 14
DOUBLED = [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0, 512.0, 600.0, 600.0, 600.0, 600.0]
"""The pauses, in seconds, between failed attempts to connect."""


@pytest.fixture
def pauses(monkeypatch: pytest.MonkeyPatch) -> Pauses:
    it = Pauses(MAX_PAUSES)
    monkeypatch.setattr(new_heads, "sleep", it.pause)
    return it


async def listened(port: int, pauses: Pauses) -> int:
    """Run the subscription until its last pause begins. Return how often it has notified its
    listener."""
    rings = 0

    def notify() -> None:
        nonlocal rings
        rings += 1

    async with contextlib.aclosing(Node(f"http://127.0.0.1:{port}")) as it:
        listening = asyncio.create_task(it.listen(notify))
        async with asyncio.timeout(PATIENCE_SECONDS):
            await pauses.done.wait()
        assert not it.is_listening
        listening.cancel()
        await asyncio.gather(listening, return_exceptions=True)
    return rings


async def test_a_node_without_a_websocket_is_dialled_less_and_less_often(pauses: Pauses) -> None:
    dials = 0

    def reject(connection: ServerConnection, _request: Request) -> Response:
        nonlocal dials
        dials += 1
        return connection.respond(404, "there is no websocket here")

    async def never(_socket: ServerConnection) -> None: ...

    async with serve(never, "127.0.0.1", 0, process_request=reject) as server:
        rings = await listened(next(iter(server.sockets)).getsockname()[1], pauses)
    assert (dials, pauses) == (MAX_PAUSES, DOUBLED)
    assert rings == 0, "without a subscription, no head was missed"


async def test_where_there_is_none_none_is_dialled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(new_heads, "connect", lambda *_, **__: pytest.fail("dialled"))
    listening = asyncio.create_task(new_heads.NewHeads(new_heads.NO_WEBSOCKET).listen(lambda: None))
    await asyncio.sleep(0)
    assert not listening.done()
    listening.cancel()


@pytest.mark.parametrize(
    ("lasting", "expected"), [(0.0, [1.0] * MAX_PAUSES), (3600.0, DOUBLED)], ids=["lasts", "flaps"]
)
async def test_a_websocket_that_ends_again_and_again_comes_back(
    pauses: Pauses, monkeypatch: pytest.MonkeyPatch, lasting: float, expected: list[float]
) -> None:
    """Providers end subscriptions after some time. Tests that the client reconnects after the
    shortest pause if a connection has lasted, and that the pauses get longer if connections keep
    ending immediately."""
    monkeypatch.setattr(new_heads, "STABLE_SECONDS", lasting)
    dials, asked = 0, list[str]()

    def dialled(_connection: ServerConnection, _request: Request) -> None:
        nonlocal dials
        dials += 1

    async def drop(socket: ServerConnection) -> None:
        asked.append(str(await socket.recv()))
        await socket.send('{"jsonrpc":"2.0","id":1,"result":"0x1"}')

    async with serve(drop, "127.0.0.1", 0, process_request=dialled) as server:
        rings = await listened(next(iter(server.sockets)).getsockname()[1], pauses)
    assert (dials, asked) == (MAX_PAUSES, [SUBSCRIBE] * MAX_PAUSES), "one dial, one subscription after each end"
    assert pauses == expected
    assert rings == 2 * MAX_PAUSES, "one for each answer, and one for each loss"


async def test_a_node_that_takes_no_subscription_is_not_listened_to(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(new_heads, "RECONNECT_SECONDS", 0.05)
    rejected = 0

    async def reject(socket: ServerConnection) -> None:
        nonlocal rejected
        await socket.recv()
        rejected += 1
        await socket.send('{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no subscriptions"}}')
        await socket.wait_closed()

    rings = 0

    def notify() -> None:
        nonlocal rings
        rings += 1

    async with serve(reject, "127.0.0.1", 0) as server:
        port = next(iter(server.sockets)).getsockname()[1]
        async with contextlib.aclosing(Node(f"http://127.0.0.1:{port}")) as it:
            listening = asyncio.create_task(it.listen(notify))
            await wait_for_async(lambda: rejected, lambda count: count > 1, "the dial after a rejection")
            assert (it.is_listening, rings) == (False, 0)
            listening.cancel()
            await asyncio.gather(listening, return_exceptions=True)
