"""Tests clients that watch matches and the lobby on a real server. Clients resume from a known
event, follow reorgs, and get errors for wrong requests."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from contextlib import closing
from operator import not_
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from api.live import hub
from indexer.model import Json
from tests.api.playground import ALICE, BOB, CHAIN, GAMES, ApiServer, Playground, added, created, digest, joined
from tests.support.merge_patch import merged
from tests.support.waiting import PATIENCE_SECONDS, wait_for_async


async def test_hello_tells_chain_and_head(server: ApiServer) -> None:
    async with server.socket() as client:
        hello = await client.receive()
        assert hello["t"] == "hello"
        assert (hello["protocol"], hello["chainId"], hello["genesis"]) == (1, CHAIN.chain_id, CHAIN.genesis)
        assert hello["head"]["height"] == 4
        assert hello["development"] is False


async def test_watch_gives_the_board_then_each_block_in_one_message(server: ApiServer, play: Playground) -> None:
    async with server.socket() as client:
        await client.watch()
        reset = await client.receive("reset")
        assert (reset["match"], reset["seq"], reset["why"]) == ("marks/1", 6, "watch")
        assert reset["board"] == play.board(1)
        assert reset["block"]["height"] == 4
        assert "common" not in reset
        block = play.block(added(1, "d"), added(2, "x"), added(1, "e"))
        deltas = await client.receive("deltas", "head")
        assert deltas["block"] == {"height": 5, "hash": block.hash, "time": block.time}
        assert [item["seq"] for item in deltas["items"]] == [7, 8]
        assert deltas["items"][0]["event"] == {"name": "Added", "args": {"text": "d"}}
        assert deltas["items"][0]["tx"].startswith("0x")
        board = reset["board"]
        for item in deltas["items"]:
            board = merged(board, item["patch"])
            assert board == play.board(1, item["seq"])
        assert await client.receive() == {"t": "head", "height": 5, "hash": block.hash, "time": block.time}


async def test_several_blocks_at_one_ring_are_several_messages(server: ApiServer, play: Playground) -> None:
    async with server.watching() as client:
        for text in "def":
            play.block(added(1, text))
        heard = [await client.receive("deltas") for _ in range(3)]
        assert [(one["block"]["height"], one["items"][0]["seq"]) for one in heard] == [(5, 7), (6, 8), (7, 9)]
        assert (await client.receive("head"))["height"] == 7


async def test_a_lost_ring_loses_nothing(server: ApiServer, play: Playground) -> None:
    async with server.watching() as client:
        play.block(added(1, "d"))
        play.wakeup._notified.clear()
        assert (await client.receive("deltas"))["items"][0]["seq"] == 7


async def test_since_at_the_head_gets_nothing_but_what_comes(server: ApiServer, play: Playground) -> None:
    async with server.socket() as client:
        await client.receive("hello")
        with play.store.read() as snapshot:
            last = snapshot.last_event("marks", 1)
        assert last is not None
        # the server reads the first answer from the store, and the second from memory
        for _again in range(2):
            await client.watch(since={"seq": 6, "hash": last.hash})
            await client.expect_none("reset", "deltas", "error")
        play.block(added(1, "d"))
        assert (await client.receive())["items"][0]["seq"] == 7


@pytest.mark.parametrize("known", [1, 2, 3, 4, 5])
async def test_since_gets_what_is_missing_block_by_block(server: ApiServer, play: Playground, known: int) -> None:
    with play.store.read() as snapshot:
        event = snapshot.event_at("marks", 1, known)
    assert event is not None
    async with server.socket() as client:
        await client.watch(since={"seq": known, "hash": event.hash})
        board, seq, heights = play.board(1, known), known, []
        while seq < 6:
            message = await client.receive("deltas", "reset")
            heights.append(message["block"]["height"])
            for item in message["items"]:
                assert item["seq"] == seq + 1
                board, seq = merged(board, item["patch"]), item["seq"]
        assert board == play.board(1)
        assert heights == sorted(set(heights))
        await client.expect_none("deltas", "reset")


@pytest.mark.parametrize("since", [{"seq": 3, "hash": digest("other")}, {"seq": 0, "hash": digest("")}])
async def test_since_of_another_chain_gets_the_board(server: ApiServer, play: Playground, since: Json) -> None:
    async with server.socket() as client:
        await client.watch(since=since)
        reset = await client.receive("reset", "deltas")
        assert (reset["t"], reset["why"], reset["seq"]) == ("reset", "gap", 6)
        assert reset["board"] == play.board(1)


async def test_since_beyond_the_head_gets_the_board(server: ApiServer) -> None:
    async with server.socket() as client:
        await client.watch(since={"seq": 7, "hash": digest("x")})
        assert (await client.receive("reset", "deltas"))["why"] == "gap"


@pytest.mark.parametrize("depth", [1, 2])
async def test_a_reorg_is_a_reset_with_what_is_shared(server: ApiServer, play: Playground, depth: int) -> None:
    async with server.watching() as client, server.watching("marks/2") as other:
        first = 5 - depth
        play.store.delete_blocks_from(first)
        play.block(added(1, "z"), fork="b")
        with play.store.read() as snapshot:
            shared = snapshot.last_event("marks", 1, upto_height=first - 1)
        assert shared is not None
        reset = await client.receive("reset", "deltas")
        assert (reset["t"], reset["why"], reset["common"]) == ("reset", "reorg", shared.seq)
        assert reset["board"] == play.board(1)
        assert reset["seq"] == shared.seq + 1
        assert (await client.receive())["t"] == "head"
        play.block(added(1, "y"))
        assert (await client.receive("deltas", "reset"))["items"][0]["seq"] == shared.seq + 2
        if depth == 1:  # the events of marks/2 are below the fork, so the reorg doesn't change them
            await other.expect_none("deltas", "reset")


async def test_a_reorg_to_the_same_board_is_a_reset_all_the_same(server: ApiServer, play: Playground) -> None:
    async with server.watching() as client:
        before = play.board(1)
        play.store.delete_blocks_from(4)
        block = play.block(added(1, "c"), fork="b")
        reset = await client.receive("reset", "deltas")
        assert (reset["why"], reset["common"], reset["board"]) == ("reorg", 5, before)
        assert reset["block"]["hash"] == block.hash


async def test_a_rollback_is_a_reset_and_a_lower_head(server: ApiServer, play: Playground) -> None:
    async with server.watching() as client:
        play.drop_from(3)
        reset = await client.receive("reset", "deltas")
        assert (reset["why"], reset["seq"], reset["common"]) == ("reorg", 3, 3)
        assert (await client.receive("head"))["height"] == 2


async def test_a_match_that_a_reorg_took_is_the_empty_board_until_it_comes_back(
    server: ApiServer, play: Playground
) -> None:
    async with server.watching("marks/2") as client:
        play.drop_from(3)
        reset = await client.receive("reset")
        assert (reset["seq"], reset["common"], reset["board"]) == (0, 0, GAMES["marks"].start)
        play.block(created(2), fork="b")
        assert (await client.receive("deltas", "reset"))["items"][0]["seq"] == 1


async def test_another_chain_is_said_to_be_one(server: ApiServer, play: Playground, tmp_path: Path) -> None:
    async with server.watching() as client:
        with closing(sqlite3.connect(tmp_path / "index.db")) as database:
            database.execute("UPDATE chain SET genesis = ?", ("0x" + "b" * 64,))
            database.commit()
        play.store.delete_blocks_from(1)
        play.block(created(1), fork="other")
        reset = await client.receive("reset", "deltas")
        assert (reset["why"], reset["seq"]) == ("chain", 1)
        assert "common" not in reset


async def test_a_move_between_page_and_watch_is_not_lost(server: ApiServer, play: Playground) -> None:
    """A client loads a board over HTTP and then watches the match. Tests that the client gets a
    move that was made in between."""
    got = (await server.http.get("/api/matches/marks/1")).json()
    play.block(added(1, "between"))
    async with server.socket() as client:
        await client.watch(since={"seq": got["seq"], "hash": got["block"]["hash"]})
        board, seq = got["board"], got["seq"]
        while seq < 7:
            for item in (await client.receive("deltas"))["items"]:
                board, seq = merged(board, item["patch"]), item["seq"]
        assert board == play.board(1)


async def test_watching_while_blocks_come_never_misses_or_repeats(server: ApiServer, play: Playground) -> None:
    """Twenty sockets start watching at different moments during forty blocks. Tests that each
    socket receives every event exactly once."""

    async def follows(begin: int) -> None:
        async with server.socket() as client:
            await asyncio.sleep(begin * 0.004)
            await client.watch()
            reset = await client.receive("reset")
            board, seq = reset["board"], reset["seq"]
            while seq < 46:
                for item in (await client.receive("deltas"))["items"]:
                    assert item["seq"] == seq + 1
                    board, seq = merged(board, item["patch"]), item["seq"]
            assert board == play.board(1)

    async def moves() -> None:
        for number in range(40):
            await asyncio.to_thread(play.block, added(1, str(number)))

    await asyncio.gather(moves(), *(follows(begin) for begin in range(20)))


async def test_unwatch_ends_it(server: ApiServer, play: Playground) -> None:
    async with server.watching() as client:
        await client.send(t="unwatch", match="marks/1")
        await client.send(t="unwatch", match="marks/7")
        await client.expect_none("error")
        play.block(added(1, "d"))
        assert (await client.receive())["t"] == "head"


async def listed(server: ApiServer) -> Json:
    """Return the matches from the HTTP API in the lobby's format. The rows have no blocks, and
    count each opener as absent."""
    told = (await server.http.get("/api/matches")).json()["matches"]
    rows = {one["match"]: {key: value for key, value in one.items() if key != "block"} for one in told}
    return {name: row | ({"attended": False} if row["status"] == "open" else {}) for name, row in rows.items()}


async def test_the_lobby_is_a_numbered_board_of_its_own(server: ApiServer, play: Playground) -> None:
    async with server.socket() as client:
        await client.watch("lobby", since={"seq": 9, "hash": digest("ignored")})
        reset = await client.receive("reset")
        assert (reset["match"], reset["seq"], reset["why"]) == ("lobby", 0, "watch")
        board = reset["board"]
        assert board["matches"] == await listed(server)
        assert board["games"]["marks"] == {
            "counts": {"open": 1, "playing": 1, "finished": 0, "cancelled": 0, "live": 0},
            "more": {},
        }
        play.block(created(3), added(1, "d"))
        play.block(joined(3, BOB, 0))
        seq = 0
        while board["matches"].get("marks/3", {}).get("seq") != 2:
            message = await client.receive("deltas")
            for item in message["items"]:
                assert set(item) == {"seq", "patch"}
                assert item["seq"] == seq + 1
                seq, board = item["seq"], merged(board, item["patch"])
        assert board["matches"] == await listed(server)
        play.drop_from(5)
        board = merged(board, (await client.receive("deltas"))["items"][0]["patch"])
        assert sorted(board["matches"]) == ["marks/1", "marks/2"]
        async with server.socket() as second:
            await second.watch("lobby")
            assert (await second.receive("reset"))["seq"] == 0


async def test_a_match_that_is_just_being_indexed_is_waited_for(
    server: ApiServer, play: Playground, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked, look = asyncio.Event(), hub.Hub._answers

    async def answers(*arguments: Any) -> list[bytes] | None:
        found = await look(*arguments)
        looked.set()
        return found

    monkeypatch.setattr(hub.Hub, "_answers", answers)
    monkeypatch.setattr(hub, "UNKNOWN_MATCH_SECONDS", PATIENCE_SECONDS)
    async with server.socket() as client:
        await client.watch("marks/3")
        await looked.wait()
        play.block(created(3))
        assert (await client.receive("reset", "error"))["seq"] == 1


BAD: list[tuple[str, str, str]] = [
    ("{", "malformed-json", "not JSON"),
    ("[]", "unknown-type", "watch, unwatch, ping, emote, seek"),
    ('{"t":"dance"}', "unknown-type", "watch, unwatch, ping, emote, seek"),
    ("{}", "unknown-type", "watch, unwatch, ping, emote, seek"),
    ('{"t":"watch"}', "bad-message", "match"),
    ('{"t":"watch","match":7}', "bad-message", "match"),
    ('{"t":"watch","match":"marks/1","since":{"seq":-1,"hash":"0x"}}', "bad-message", "since"),
    ('{"t":"watch","match":"chess/1"}', "unknown-match", "the games are: marks"),
    ('{"t":"watch","match":"marks/0"}', "unknown-match", "<game>/<id>"),
    ('{"t":"watch","match":"marks/281474976710656"}', "unknown-match", "281474976710655"),
    ('{"t":"watch","match":"marks/99"}', "unknown-match", "no match marks/99"),
]


@pytest.mark.parametrize(("text", "code", "words"), BAD)
async def test_what_can_not_be_understood_is_told_and_the_socket_stays(
    server: ApiServer, text: str, code: str, words: str
) -> None:
    async with server.socket() as client:
        await client.connection.send(text)
        error = await client.receive("error")
        assert error["code"] == code
        assert words in error["detail"]
        await client.expect_none("error")


async def test_a_binary_frame_is_told(server: ApiServer) -> None:
    async with server.socket() as client:
        await client.connection.send(b'{"t":"ping"}')
        assert (await client.receive("error"))["code"] == "not-text"
        await client.expect_none("error")


async def test_at_most_64_watches(server: ApiServer, play: Playground) -> None:
    play.block(*(created(match) for match in range(3, 67)))
    async with server.socket() as client:
        for match in range(1, 65):
            await client.watch(f"marks/{match}")
            await client.receive("reset")
        await client.watch("marks/65")
        error = await client.receive("error")
        assert (error["code"], "64" in error["detail"]) == ("too-many-watches", True)
        await client.watch("marks/64")  # a match that is watched again counts only once
        await client.receive("reset")
        await client.send(t="unwatch", match="marks/1")
        await client.watch("marks/65")
        await client.receive("reset")


async def test_a_message_of_a_megabyte_ends_the_socket_with_a_reason(server: ApiServer) -> None:
    async with server.socket() as client:
        await client.connection.send("x" * 2**20)
        with pytest.raises(ConnectionClosed) as closed:
            await client.receive("never")
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1009
        assert "65536" in closed.value.rcvd.reason
    async with server.socket() as client:  # the error doesn't affect other clients
        await client.receive("hello")


@pytest.mark.parametrize(
    ("path", "headers", "status", "code"),
    [
        ("/ws", {"Origin": "http://evil.example"}, 403, "foreign-origin"),
        ("/ws", {"Origin": "null"}, 403, "foreign-origin"),
        ("/", {}, 404, "not-found"),
        ("/api/ws", {}, 404, "not-found"),
    ],
)
async def test_a_socket_that_is_refused_is_told_why(
    server: ApiServer, caplog: pytest.LogCaptureFixture, path: str, headers: Json, status: int, code: str
) -> None:
    with pytest.raises(InvalidStatus) as refused:
        async with connect(f"ws://127.0.0.1:{server.port}{path}", additional_headers=headers, proxy=None):
            pass
    assert refused.value.response.status_code == status
    assert json.loads(refused.value.response.body)["code"] == code
    await wait_for_async(lambda: len(server.connections), not_, "the end of the connection")
    assert [record.getMessage() for record in caplog.records if record.levelname == "ERROR"] == []


async def test_our_own_page_gets_a_socket(server: ApiServer) -> None:
    async with server.socket(origin=f"http://127.0.0.1:{server.port}") as client:
        assert (await client.receive())["t"] == "hello"


async def test_metrics_count_sockets_and_watches(server: ApiServer) -> None:
    async with server.watching():
        text = (await server.http.get("/api/metrics")).text
        assert "chainboard_sockets 1.0" in text
        assert "chainboard_watches 1.0" in text

    async def metrics() -> str:
        return (await server.http.get("/api/metrics")).text

    text = await wait_for_async(metrics, lambda text: "chainboard_sockets 0.0" in text, "the end of the socket")
    assert "chainboard_watches 0.0" in text
    assert ALICE not in text
