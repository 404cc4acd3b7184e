"""Story 7 (lila #3984 and #20611, boardgame.io #713, playhex #79, pychess #2344, colyseus #950): a
board forks from the server's.

The board is the page's own: its websocket.js and board.js, on a line that is disturbed."""

from __future__ import annotations

import asyncio
from pathlib import Path

from tests.support.waiting import PATIENCE_SECONDS, wait_for_async
from tests.system.incidents.support.harness import NAME, IncidentStage
from tests.system.incidents.support.lossy_socket import Json, Rule, untouched
from tests.system.incidents.support.watcher import seated


def once(kind: str, number: int, instead: int) -> Rule:
    """A rule that delivers the message of this kind and number (1: the first) `instead` times."""
    count = 0

    async def rule(message: Json) -> list[Json]:
        nonlocal count
        count += message["t"] == kind and message["match"] == NAME
        hit = message["t"] == kind and message["match"] == NAME and count == number
        return [message] * (instead if hit else 1)

    return rule


async def test_a_dropped_message_is_missed_and_asked_for(stage: IncidentStage, page: Path) -> None:
    """lila #3984, #20611: a bishop's move was lost in transit, and the game continued with the
    bishop in its old place."""
    async with seated(stage, page) as seat:
        seat.line.down = once("deltas", 2, 0)
        for _ in range(4):
            await seat.play()
        await seat.agrees()
        kinds = await seat.kinds()
        assert "reset" not in kinds[kinds.index("deltas") :], "what was missed did not come as what was missed"


async def test_a_doubled_message_changes_nothing(stage: IncidentStage, page: Path) -> None:
    """boardgame.io #713: an update was applied twice, and client and server counted differently
    from then on."""
    async with seated(stage, page) as seat:
        seat.line.down = once("deltas", 2, 2)
        for _ in range(4):
            await seat.play()
        await seat.agrees()
        seqs = [seq for _match, kind, seq in (await seat.tab.do("shown"))["boards"] if kind == "deltas"]
        assert seqs == sorted(set(seqs))


async def test_a_move_between_snapshot_and_subscription_is_there(stage: IncidentStage, page: Path) -> None:
    """playhex #79: a move came after the page was loaded and before its socket listened."""
    async with seated(stage, page, watch=False) as seat:

        async def late(message: Json) -> list[Json]:
            """Play the next move before the board reaches the tab."""
            if message["t"] == "reset":
                seat.line.down = untouched
                await seat.play()
            return [message]

        seat.line.down = late
        await seat.tab.do("watch", match=NAME)
        await wait_for_async(seat.board, lambda board: board is not None, "a board")
        await seat.agrees()


async def test_a_move_between_reconnecting_and_subscribing_is_there(stage: IncidentStage, page: Path) -> None:
    """playhex #79 again: the tab reconnects and reports what it has, which is already outdated."""
    async with seated(stage, page) as seat:
        played = asyncio.Event()

        async def late(message: Json) -> list[Json]:
            if message["t"] == "watch" and not played.is_set():
                await seat.play()
                played.set()
            return [message]

        seat.line.up = late
        await seat.line.end()
        async with asyncio.timeout(PATIENCE_SECONDS):
            await played.wait()
        await seat.agrees()
        assert (await seat.kinds()).count("reset") == 1


async def test_a_close_that_is_swallowed_is_noticed_and_its_late_end_ends_nothing_new(
    stage: IncidentStage, page: Path
) -> None:
    """colyseus #950: the old socket's deferred leave killed the new socket. Here nothing reports
    the old socket's end."""
    async with seated(stage, page) as seat:
        seat.line.mute = True
        await seat.line.end()
        seat.line.mute = False  # for later connections
        await seat.play()
        await wait_for_async(
            lambda: seat.tab.do("shown"),
            lambda shown: seat.line.connections > 1 and shown["connected"],
            "the second connection",
        )
        seat.line.hang_up()
        await seat.play()
        await seat.agrees()
        told = await seat.tab.do("shown")
        assert (told["status"], seat.line.connections) == (["live", "lost", "live"], 2)
