"""Tests that the server counts clients on real sockets correctly when they connect, leave or stop
answering."""

from __future__ import annotations

import asyncio
from pathlib import Path
from time import monotonic

import pytest
from websockets.frames import Opcode

from api.live.hub import PRESENCE_SECONDS
from api.live.messages import LOBBY
from api.live.presence import Presence
from api.live.send_queue import SendQueue
from api.live.websocket import PING_SECONDS
from api.net.websocket_protocol import SILENCE_SECONDS
from indexer.model import Json
from tests.api.live.test_slow_client import metric, non_reading_socket, send_frame
from tests.api.playground import ALICE, BOB, ApiServer, Playground, RecordingSink, SocketClient, served
from tests.support.waiting import PATIENCE_SECONDS

OPEN = "marks/2"
"""A match that Alice has opened and that nobody has joined."""
ALICES = frozenset({ALICE.lower()})
SOON_SECONDS = 5
"""The page must grey out a match within this number of seconds after its opener has left."""


async def present(client: SocketClient, match: str, watchers: int, here: bool, players: int | None = None) -> None:
    """Wait for a presence message with these figures, and skip earlier messages. `players` is the
    number of players who are present. By default, only the opener counts."""
    wanted = {"t": "presence", "match": match, "watchers": watchers, "openerIsHere": here}
    wanted |= {"playersHere": here if players is None else players}
    async with asyncio.timeout(PATIENCE_SECONDS):
        while await client.receive("presence") != wanted:
            pass


async def attended(client: SocketClient, lobby: Json, expected: bool) -> None:
    """Wait for a patch that sets the match's `attended` in the lobby to this value."""
    assert lobby["board"]["matches"][OPEN]["attended"] is not expected
    async with asyncio.timeout(PATIENCE_SECONDS):
        while True:
            for item in (await client.receive("deltas"))["items"]:
                row = item["patch"].get("matches", {}).get(OPEN, {})
                if "attended" in row:
                    assert row == {"attended": expected}
                    return


async def test_watchers_are_counted_and_the_opener_is_known_by_its_claim(server: ApiServer) -> None:
    async with server.socket() as visitor:
        await visitor.watch(OPEN, **{"as": [BOB]})
        await present(visitor, OPEN, 1, False)
        async with server.socket() as opener:
            await opener.watch(OPEN, **{"as": [BOB, ALICE.lower()]})
            await present(opener, OPEN, 2, True)
            await present(visitor, OPEN, 2, True)
            assert await metric(server, "chainboard_watchers") == 2
            await opener.watch(OPEN)  # this client no longer claims to be the match's opener
            await present(visitor, OPEN, 2, False)
        await present(visitor, OPEN, 1, False)
        await visitor.send(t="unwatch", match=OPEN)
        await visitor.expect_none("error")
        assert await metric(server, "chainboard_watchers") == 0


async def test_the_lobby_tells_of_openers_who_watch_the_match_or_the_lobby(server: ApiServer) -> None:
    async with server.socket() as visitor:
        for topic in (OPEN, "lobby"):
            await visitor.watch("lobby")
            lobby = await visitor.receive("reset")
            assert "attended" not in lobby["board"]["matches"]["marks/1"], "the match is already being played"
            async with server.socket() as opener:
                await opener.watch(topic, **{"as": [ALICE]})
                await attended(visitor, lobby, True)
            lobby["board"]["matches"][OPEN]["attended"] = True
            await attended(visitor, lobby, False)


async def test_a_client_that_answers_no_ping_is_left_out_within_five_seconds(play: Playground, page: Path) -> None:
    """Tests that the server stops counting a dead connection within five seconds, although the
    client hasn't closed it."""
    async with served(play, page) as server, server.socket() as visitor, non_reading_socket(server) as opener:
        await visitor.watch(OPEN)
        await send_frame(
            opener, Opcode.TEXT, b'{"t":"watch","match":"%s","as":["%s"]}' % (OPEN.encode(), ALICE.encode())
        )
        await present(visitor, OPEN, 2, True)
        await present(visitor, OPEN, 1, False)
    assert PING_SECONDS + SILENCE_SECONDS + PRESENCE_SECONDS < SOON_SECONDS


async def test_many_changes_are_one_message_a_second(server: ApiServer) -> None:
    async with server.socket() as visitor, server.socket() as other:
        await visitor.watch(OPEN)
        await present(visitor, OPEN, 1, False)
        begun, heard = monotonic(), 0
        for _ in range(50):
            await other.watch(OPEN, **{"as": [ALICE]})
            await other.send(t="unwatch", match=OPEN)
            await other.expect_none("error")
        await visitor.send(t="ping")
        while (await visitor.receive("presence", "pong"))["t"] == "presence":
            heard += 1
        assert heard <= (monotonic() - begun) / PRESENCE_SECONDS + 1


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize(
    ("claim", "detail"),
    [
        (["0x12"], "as.0: String should match pattern"),
        (["alice"], "as.0: String should match pattern"),
        (9 * [ALICE], "as: List should have at most 8 items"),
        (ALICE, "as: Input should be a valid array"),
        ([7], "as.0: Input should be a valid string"),
        ({"a": 1}, "as: Input should be a valid array"),
    ],
)
async def test_a_claim_that_names_no_accounts_is_refused(still: ApiServer, claim: Json, detail: str) -> None:
    async with still.socket() as client:
        await client.watch(OPEN, **{"as": claim})
        error = await client.receive("error")
        assert error["code"] == "bad-message"
        assert error["detail"].startswith(detail)
        await client.watch(OPEN)
        assert (await client.receive("reset"))["match"] == OPEN


def test_what_is_counted_is_taken_away_in_any_order() -> None:
    """Tests that all figures return to zero in whatever order clients leave. The server then stores
    nothing about these clients."""
    presence, one, two = Presence(lambda _: ALICES), SendQueue(RecordingSink()), SendQueue(RecordingSink())  # type: ignore[arg-type]
    presence.watch(one, OPEN, ALICES)
    presence.watch(two, OPEN, frozenset())
    presence.set_silent(one, True)
    presence.set_silent(one, True)
    assert [*presence.changes([OPEN], lambda _: ALICE)] == [(OPEN, (1, False, 0))]
    presence.watch(one, OPEN, ALICES)
    presence.set_silent(one, False)
    assert [*presence.changes([OPEN], lambda _: ALICE)] == [(OPEN, (2, True, 1))]
    assert [*presence.changes([OPEN], lambda _: ALICE)] == []
    presence.set_silent(one, True)
    presence.leave(one)
    presence.leave(two)
    presence.leave(two)
    assert presence.watchers() == 0
    assert not presence._watches
    assert not presence._silent
    assert not presence._claims
    assert not presence._watchers


def test_other_gateways_are_told_of_players_and_the_lobby_alone() -> None:
    """Tests which accounts a gateway reports to other gateways: only those that play or are in the
    lobby. A client can claim more accounts than a database row can hold."""
    presence, claims = Presence(lambda _: ALICES), frozenset(account.lower() for account in (ALICE, BOB))
    presence.watch(SendQueue(RecordingSink()), OPEN, claims)  # type: ignore[arg-type]
    presence.watch(SendQueue(RecordingSink()), LOBBY, claims)  # type: ignore[arg-type]
    here = presence.local()
    assert here.watchers == {OPEN: 1, LOBBY: 1}
    assert here.claims == {(OPEN, ALICE.lower()), (LOBBY, ALICE.lower()), (LOBBY, BOB.lower())}
