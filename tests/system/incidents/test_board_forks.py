"""Replays incident 7 from README.md (lila #3984 and #20611, boardgame.io #713, playhex #79, pychess
#2344, colyseus #950): the board in the page differs from the server's board.

The tests use the page's own websocket.js and board.js. The websocket between the page and the
server loses, doubles and delays messages."""

from __future__ import annotations

import asyncio
from pathlib import Path

from tests.support.waiting import PATIENCE_SECONDS, wait_for_async
from tests.system.incidents.support.harness import MATCH_NAME, IncidentTestbed
from tests.system.incidents.support.lossy_socket import Json, Rule, unchanged
from tests.system.incidents.support.spectator import spectating


def once(kind: str, number: int, instead: int) -> Rule:
    """Return a rule that delivers each message once, except for one message, which it delivers
    `instead` times. `kind` and `number` select this message. Messages of a kind are counted from
    1."""
    count = 0

    async def rule(message: Json) -> list[Json]:
        nonlocal count
        count += message["t"] == kind and message["match"] == MATCH_NAME
        hit = message["t"] == kind and message["match"] == MATCH_NAME and count == number
        return [message] * (instead if hit else 1)

    return rule


async def test_dropped_message_is_noticed_and_requested(testbed: IncidentTestbed, page: Path) -> None:
    """Replays lila #3984 and #20611, in which the message about a bishop's move was lost. There,
    the game continued with the bishop on its old square. Here, the tab must request the lost
    message."""
    async with spectating(testbed, page) as spectator:
        spectator.socket.to_tab = once("deltas", 2, 0)
        for _ in range(4):
            await spectator.play()
        await spectator.check_boards()
        kinds = await spectator.message_kinds()
        assert "reset" not in kinds[kinds.index("deltas") :], "missed events must come as deltas, not as a reset"


async def test_a_doubled_message_changes_nothing(testbed: IncidentTestbed, page: Path) -> None:
    """Replays boardgame.io #713, in which a client applied an update twice. From then on, the
    client's event numbers differed from the server's."""
    async with spectating(testbed, page) as spectator:
        spectator.socket.to_tab = once("deltas", 2, 2)
        for _ in range(4):
            await spectator.play()
        await spectator.check_boards()
        seqs = [seq for _match, kind, seq in (await spectator.tab.run("history"))["boards"] if kind == "deltas"]
        assert seqs == sorted(set(seqs))


async def test_move_between_snapshot_and_subscription_is_not_lost(testbed: IncidentTestbed, page: Path) -> None:
    """Replays playhex #79, in which a move was lost because it came after the page had loaded and
    before the page's socket was listening."""
    async with spectating(testbed, page, watch=False) as spectator:

        async def late(message: Json) -> list[Json]:
            """When the first board is on the way from the server to the tab, play another move."""
            if message["t"] == "reset":
                spectator.socket.to_tab = unchanged
                await spectator.play()
            return [message]

        spectator.socket.to_tab = late
        await spectator.tab.run("watch", match=MATCH_NAME)
        await wait_for_async(spectator.board, lambda board: board is not None, "a board")
        await spectator.check_boards()


async def test_move_between_reconnecting_and_subscribing_is_not_lost(testbed: IncidentTestbed, page: Path) -> None:
    """Replays a variant of playhex #79. When the tab reconnects, it reports its last event, but the
    server already has a newer event, which must reach the tab."""
    async with spectating(testbed, page) as spectator:
        played = asyncio.Event()

        async def late(message: Json) -> list[Json]:
            if message["t"] == "watch" and not played.is_set():
                await spectator.play()
                played.set()
            return [message]

        spectator.socket.to_gateway = late
        await spectator.socket.close_gateway_side()
        async with asyncio.timeout(PATIENCE_SECONDS):
            await played.wait()
        await spectator.check_boards()
        assert (await spectator.message_kinds()).count("reset") == 1


async def test_undelivered_close_is_noticed_and_its_late_delivery_closes_no_new_socket(
    testbed: IncidentTestbed, page: Path
) -> None:
    """Replays colyseus #950, in which the late "leave" message from the old socket ended the new
    socket. In this test, the tab notices late that its old socket is closed. This must not close
    the new socket."""
    async with spectating(testbed, page) as spectator:
        spectator.socket.hides_close = True
        await spectator.socket.close_gateway_side()
        spectator.socket.hides_close = False  # the tab will notice when later connections close
        await spectator.play()
        await wait_for_async(
            lambda: spectator.tab.run("history"),
            lambda shown: spectator.socket.connections > 1 and shown["connected"],
            "the second connection",
        )
        spectator.socket.deliver_close()
        await spectator.play()
        await spectator.check_boards()
        history = await spectator.tab.run("history")
        assert (history["status"], spectator.socket.connections) == (["live", "lost", "live"], 2)
