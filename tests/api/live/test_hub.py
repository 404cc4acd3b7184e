"""Tests the hub, which sends updates to all watchers. A failure for one client must not affect
other clients."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from api.live.hub import MAX_BATCH_BYTES, Hub
from api.live.lobby import MAX_BYTES
from api.live.messages import Message, batches
from api.live.send_queue import SendQueue
from api.live.tail import UnknownMatch, WatchedMatch
from api.metrics import Metrics
from indexer.gamekit.game import Game
from indexer.model import Chain
from indexer.store.snapshot import Snapshot
from tests.api.playground import GAMES, MARKS, Playground, RecordingSink, added, created, decode_messages
from tests.support.waiting import PATIENCE_SECONDS, wait_for_async


@pytest.fixture
async def hub(play: Playground) -> AsyncIterator[Hub]:
    """Yield a hub without its background task, so that the test controls each step."""
    it = Hub(play.store, GAMES, play.wakeup, Metrics())
    yield it
    it.stop()


async def watching(hub: Hub, match: int = 1) -> RecordingSink:
    """Let a new client watch the match, and return its connection."""
    read = RecordingSink()
    queue = SendQueue(read)
    await hub.join(queue)
    await hub.watch(queue, MARKS, match, None)
    assert [one["t"] for one in read.messages() if one["t"] != "head"] == ["hello", "reset"]
    return read


async def test_one_who_leaves_while_asking_takes_nothing_from_others(hub: Hub, play: Playground) -> None:
    """A client asks for marks/2, and the hub reads the new block for all clients. Tests that the
    other clients get the block, although the first client leaves during the read."""
    read, leaver = await watching(hub), SendQueue(RecordingSink())
    await hub.join(leaver)
    play.block(added(1, "d"))
    begun, go_on, follow = threading.Event(), threading.Event(), hub._tail.load_match

    def held(snapshot: Snapshot, game: Game, match: int) -> WatchedMatch | None:
        begun.set()
        assert go_on.wait(PATIENCE_SECONDS)
        return follow(snapshot, game, match)

    hub._tail.load_match = held  # type: ignore[method-assign]
    asking = asyncio.create_task(hub.watch(leaver, MARKS, 2, None))
    assert await asyncio.to_thread(begun.wait, 5)
    asking.cancel()
    hub.leave(leaver)
    go_on.set()
    with pytest.raises(asyncio.CancelledError):
        await asking
    await hub._locked_advance()
    assert [one["t"] for one in read.messages()] == ["deltas", "head"]
    assert hub._topics.keys() == {"marks/1"}


async def test_a_board_read_after_an_unnoticed_reorg_is_not_taken_back(hub: Hub, play: Playground) -> None:
    other = await watching(hub, 2)
    play.drop_from(4)
    play.block(added(1, "z"), fork="b")
    read = await watching(hub)
    await hub._locked_advance()
    assert read.messages() == []
    assert [one["t"] for one in other.messages()] == ["head"]


async def test_another_chain_is_greeted_before_its_boards(hub: Hub, play: Playground) -> None:
    read = await watching(hub)
    with play.store.read() as snapshot:
        deployments = snapshot.deployments()
    play.store.reset_to(Chain(31337, "0x" + "b" * 64), deployments, None)
    play.block(created(1))
    await hub._locked_advance()
    hello, reset, head = read.messages()
    assert (hello["t"], hello["genesis"]) == ("hello", "0x" + "b" * 64)
    assert (reset["t"], reset["why"], reset["seq"]) == ("reset", "chain", 1)
    assert head["t"] == "head"


async def test_all_that_a_step_found_is_one_write(hub: Hub, play: Playground) -> None:
    """Tests that all messages of a step go into a single write. With thousands of clients and few
    messages each, the writes are the main cost."""
    read = await watching(hub)
    play.block(added(1, "d"))
    play.block(added(1, "e"))
    await hub._locked_advance()
    assert [[one["t"] for one in decode_messages(frames)] for frames in read.writes] == [["deltas", "deltas", "head"]]


async def test_each_hears_what_it_watches(hub: Hub, play: Playground) -> None:
    one, two, none = await watching(hub), await watching(hub, 2), RecordingSink()
    await hub.join(SendQueue(none))
    none.messages()
    play.block(added(1, "d"), added(2, "e"))
    await hub._locked_advance()
    received = [[said.get("match", said["t"]) for said in read.messages()] for read in (one, two, none)]
    assert received == [["marks/1", "head"], ["marks/2", "head"], ["head"]]


async def test_a_change_of_the_lobby_that_is_larger_than_the_whole_is_the_whole(hub: Hub) -> None:
    """Tests a change to the lobby that is larger than the lobby itself, as after a deep reorg. The
    hub sends the whole lobby instead, which is shorter."""
    read = RecordingSink()
    queue = SendQueue(read)
    await hub.join(queue)
    await hub.watch_lobby(queue)
    for name in ("marks/1", MAX_BYTES * "x", "marks/2"):
        hub._publish_lobby({"matches": {name: None}})
    messages = [one for one in read.messages() if one.get("match") == "lobby"]
    assert [one["t"] for one in messages] == ["reset", "deltas", "reset", "deltas"]
    assert [one["seq"] if one["t"] == "reset" else one["items"][0]["seq"] for one in messages] == [0, 1, 0, 1]
    assert (messages[2]["why"], messages[2]["board"]) == ("gap", hub._lobby.board)


def test_what_is_published_together_is_bounded() -> None:
    """Tests that the messages of one step are split into parts. After a long pause, a step can find
    more messages than a queue should take at a time."""
    found = [Message("", size * b"x") for size in (3, 3, 3, 9, 1, 7, 8)]
    sizes = [[len(message.frame) for message in part] for part in batches(found, 8)]
    assert sizes == [[3, 3], [3], [9], [1, 7], [8]]
    assert list(batches([], 8)) == []


async def test_a_step_that_fails_is_made_good_by_whole_boards(hub: Hub, play: Playground, tmp_path: Path) -> None:
    read = await watching(hub)
    play.block(added(1, "d"))
    play.store.close()
    file = tmp_path / "index.db"
    file.rename(tmp_path / "away")
    file.mkdir()
    with pytest.raises(Exception, match="unable to open"):
        await hub._locked_advance()
    file.rmdir()
    (tmp_path / "away").rename(file)
    await hub._locked_advance()
    reset, head = read.messages()
    assert (reset["t"], reset["why"], reset["seq"], head["t"]) == ("reset", "gap", 7, "head")
    play.block(added(1, "e"))
    await hub._locked_advance()
    assert read.messages()[0]["items"][0]["seq"] == 8


@pytest.mark.parametrize("next_step", ["_locked_advance", "_locked_publish_presence"])
async def test_what_the_lobby_failed_to_read_is_read_with_the_next_step(
    hub: Hub, play: Playground, monkeypatch: pytest.MonkeyPatch, next_step: str
) -> None:
    read = RecordingSink()
    queue = SendQueue(read)
    await hub.join(queue)
    await hub.watch_lobby(queue)
    with monkeypatch.context() as broken:
        broken.setattr(hub._lobby, "advance", None)
        play.block(created(3))
        with pytest.raises(TypeError):
            await hub._locked_advance()
    read.messages()
    play.block(added(1, "d"))
    await getattr(hub, next_step)()
    [patch] = [one["items"][0]["patch"] for one in read.messages() if one["t"] == "deltas"]
    assert sorted(patch["matches"]) == ["marks/1", "marks/3"]


async def test_the_loop_survives_a_failing_step(
    hub: Hub, play: Playground, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    read = await watching(hub)
    running = asyncio.create_task(hub.run())
    play.store.close()
    file = tmp_path / "index.db"
    file.rename(tmp_path / "away")
    file.mkdir()
    play.wakeup.notify()
    await wait_for_async(lambda: caplog.text, lambda text: "could not read the database" in text, "a failing step")
    file.rmdir()
    (tmp_path / "away").rename(file)
    play.block(added(1, "d"))
    said = await wait_for_async(read.messages, bool, "a message")
    assert said[0]["why"] == "gap"
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)


async def test_what_nobody_watches_is_forgotten(hub: Hub, play: Playground) -> None:
    await watching(hub)
    hub.leave(next(iter(hub._sockets)))
    play.block(added(1, "d"))
    await hub._locked_advance()
    assert hub._tail.watched == {}


async def test_an_unknown_match_is_given_up_after_some_patience(hub: Hub) -> None:
    queue = SendQueue(RecordingSink())
    await hub.join(queue)
    with pytest.raises(UnknownMatch):
        await hub.watch(queue, MARKS, 9, None)


async def test_resets_are_of_what_is_watched(hub: Hub) -> None:
    await watching(hub)
    (frame,) = hub.overflow({"marks/1", "marks/2", ""})
    assert [one["why"] for one in decode_messages(frame)] == ["lag"]
    assert hub._metrics.lagged._value.get() == 1


async def test_thousands_of_blocks_at_once_come_whole(hub: Hub, play: Playground) -> None:
    """Tests messages that fill more than one batch. No message is lost at the boundary between two
    batches."""
    read = await watching(hub)
    for number in range(1100):
        play.block(*([added(1, 1000 * "x")] if number % 10 == 0 else []))
    await hub._locked_advance()
    assert MAX_BATCH_BYTES / 2 < max(map(len, read.writes)) <= MAX_BATCH_BYTES
    seqs = [item["seq"] for one in read.messages() if one["t"] == "deltas" for item in one["items"]]
    assert seqs == list(range(7, 117))
