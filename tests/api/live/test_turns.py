"""Tests that network addresses take turns at the hub, which reads boards for one client at a time.
Someone with many sockets makes others wait for one board, and not for a hundred."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest

from api.live.hub import Hub
from api.live.send_queue import SendQueue
from api.live.tail import MAX_MISSING, Since, Tail, WatchedMatch
from api.metrics import Metrics
from indexer.gamekit.game import Game
from indexer.store.snapshot import Snapshot
from tests.api.playground import GAMES, MARKS, ApiServer, Playground, RecordingSink, SocketClient, added, served
from tests.support.waiting import PATIENCE_SECONDS, wait_for_async

CROWD = 20
CROWDED, VISITED = 1, 2


class HeldReads:
    """Records which matches the hub loads. It holds the first load until `release` is called."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.matches: list[int] = []
        self._go_on, load = threading.Event(), Tail.load_match
        self.release: Callable[[], None] = self._go_on.set

        def held(tail: Tail, snapshot: Snapshot, game: Game, match: int) -> WatchedMatch | None:
            self.matches.append(match)
            assert self._go_on.wait(PATIENCE_SECONDS)
            return load(tail, snapshot, game, match)

        monkeypatch.setattr(Tail, "load_match", held)


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> HeldReads:
    return HeldReads(monkeypatch)


def first_event(play: Playground) -> Since:
    with play.store.read() as snapshot:
        event = snapshot.event_at("marks", CROWDED, 1)
    assert event is not None
    return Since(1, event.hash)


@contextlib.asynccontextmanager
async def client_at(server: ApiServer, address: str) -> AsyncIterator[SocketClient]:
    async with server.socket(additional_headers={"X-Forwarded-For": address}) as client:
        await client.receive("hello")
        yield client


async def test_who_has_many_sockets_holds_up_others_for_one_board(
    play: Playground, page: Path, reads: HeldReads, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []
    watch = Hub._locked_watch

    def noted(hub: Hub, queue: SendQueue, game: Game, match: int, *rest: Any) -> object:
        asked.append(match)
        return watch(hub, queue, game, match, *rest)

    monkeypatch.setattr(Hub, "_locked_watch", noted)
    since = first_event(play)
    trusted = {"proxy_headers": True, "forwarded_allow_ips": ["127.0.0.1/32"]}
    async with served(play, page, trusted) as server, contextlib.AsyncExitStack() as stack:
        crowd = [await stack.enter_async_context(client_at(server, "192.0.2.1")) for _ in range(CROWD)]
        visitor = await stack.enter_async_context(client_at(server, "192.0.2.2"))
        for client in crowd:
            await client.watch(f"marks/{CROWDED}", since={"seq": since.seq, "hash": since.hash})
        await wait_for_async(lambda: len(asked), lambda number: number == CROWD, "the requests of the crowd")
        await visitor.watch(f"marks/{VISITED}")
        await wait_for_async(lambda: VISITED in asked, bool, "the visitor's request")
        reads.release()
        assert (await visitor.receive("reset"))["match"] == f"marks/{VISITED}"
        for client in crowd:
            await client.receive("deltas")
    assert (reads.matches.index(VISITED), len(reads.matches)) == (1, CROWD + 1)


async def test_nothing_is_read_for_those_who_have_left(play: Playground, reads: HeldReads) -> None:
    """Tests that clients who connect, ask and leave don't fill the hub's time. Each of their
    requests could take as long as the longest."""
    turn, since, hub = asyncio.Lock(), first_event(play), Hub(play.store, GAMES, play.wakeup, Metrics())
    crowd = [SendQueue(RecordingSink(), turn=turn) for _ in range(CROWD)]
    for queue in crowd:
        await hub.join(queue)
    asking = [asyncio.create_task(hub.watch(queue, MARKS, CROWDED, since)) for queue in crowd]
    await wait_for_async(lambda: len(reads.matches), bool, "the first read")
    for task, queue in zip(asking, crowd, strict=True):
        task.cancel()
        hub.leave(queue)
    reads.release()
    await asyncio.gather(*asking, return_exceptions=True)
    await wait_for_async(lambda: len(hub._jobs), lambda number: number == 0, "the end of all jobs")
    hub.stop()
    assert reads.matches == [CROWDED]


async def test_a_client_that_lacks_too_many_events_gets_the_board(server: ApiServer, play: Playground) -> None:
    since = first_event(play)
    play.block(*(added(CROWDED, "") for _ in range(MAX_MISSING)))
    async with server.socket() as client:
        await client.watch(f"marks/{CROWDED}", since={"seq": since.seq, "hash": since.hash})
        assert (await client.receive("reset", "deltas"))["why"] == "gap"
