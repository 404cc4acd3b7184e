"""Tests that the server pairs clients over real sockets. The signatures of the clients are real."""

from __future__ import annotations

import asyncio
import json
import time
from pathlib import Path
from typing import Any

import pytest
from eth_account import Account
from eth_account.messages import encode_typed_data
from websockets.frames import Opcode

from api.live.pairing import Pairing
from api.live.presence import Presence
from api.live.seek_requests import TYPES
from api.live.websocket import SIGNATURE_RATE
from indexer.model import Json
from tests.api.live.test_slow_client import non_reading_socket, send_frame
from tests.api.playground import CHAIN, ApiServer, Playground, SocketClient, created, ended, joined, served
from tests.support.waiting import PATIENCE_SECONDS

ANNA, BERT, CLEO = (Account.from_key(f"0x{n:064x}") for n in (1, 2, 3))


def signed(account: Any = ANNA, *, by: Any = None, chain_id: int = CHAIN.chain_id, **more: Any) -> Json:
    """Return a player's request for an opponent. `by` is the account that signs the request. By
    default, the player's own account signs."""
    message = {"account": account.address, "game": "marks", "clock": 0, "until": int(time.time()) + 600}
    message |= {name: more.pop(name) for name in list(more) if name in message}
    domain = {"name": "Chainboard", "version": "1", "chainId": chain_id}
    signature = (by or account).sign_message(encode_typed_data(domain, TYPES, message)).signature
    return {"t": "seek", **message, "signature": f"0x{signature.hex()}", **more}


async def sought(client: SocketClient, state: str) -> Json:
    """Wait for the message with this state. Skip earlier messages, which may report that the client
    is waiting."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        while (message := await client.receive("seek", "error"))["t"] == "seek":
            if message["state"] == state:
                return message
            assert message["state"] in ("waiting", "asked", "opening"), message
    raise AssertionError(message)


async def test_two_who_wait_meet_and_play(play: Playground, server: ApiServer) -> None:
    play.block(created(3, creator=ANNA.address))
    play.block(created(4, creator=ANNA.address), joined(4, CLEO.address, 1))
    async with server.socket() as one, server.socket() as other:
        await one.send(**signed(ANNA))
        assert await sought(one, "waiting") == {"t": "seek", "state": "waiting", "game": "marks", "clock": 0}
        await other.send(**signed(BERT))
        assert (await sought(one, "opening"))["opens"] is True
        found = await sought(other, "opening")
        assert (found["opens"], found["rival"]) == (False, ANNA.address)
        for match in ("marks/2", "marks/9", "marks/4"):
            await one.send(t="opened", match=match)
            assert (await one.receive("error"))["key"] == "seek.match", (
                "somebody else's match, no match, or a match with a third player"
            )
        await one.send(t="opened", match="marks/3")
        assert (await sought(other, "opened"))["match"] == "marks/3"
        assert (await sought(one, "opened"))["rival"] == BERT.address
        await other.send(t="unseek", joined=True)
        assert (await sought(one, "ended"))["why"] == "joined"
        await one.expect_none("seek")


async def test_a_host_who_leaves_between_the_offer_and_the_joining_frees_the_guest(
    play: Playground, server: ApiServer
) -> None:
    play.block(created(3, creator=ANNA.address))
    async with server.socket() as guest:
        async with server.socket() as host:
            await host.send(**signed(ANNA))
            await sought(host, "waiting")
            await guest.send(**signed(BERT))
            await sought(host, "opening")
            await host.send(t="opened", match="marks/3")
            await sought(guest, "opened")
        assert (await sought(guest, "waiting"))["why"] == "left"
        async with server.socket() as next_one:
            await next_one.send(**signed(CLEO))
            assert (await sought(next_one, "opening"))["rival"] == BERT.address
            assert (await sought(guest, "opening"))["opens"] is True, "the player who waited longer opens the match"


async def test_who_comes_back_after_a_lost_connection_finds_the_rival_again(server: ApiServer) -> None:
    async with server.socket() as guest:
        seek = signed(ANNA)
        async with server.socket() as host:
            await host.send(**seek)
            await sought(host, "waiting")
            await guest.send(**signed(BERT))
            await sought(host, "opening")
        async with server.socket() as host:
            await host.send(**seek)
            found = await host.receive("seek")
            assert (found["state"], found["opens"], found["rival"]) == ("opening", True, BERT.address)
            await sought(guest, "opening")
            await guest.expect_none("seek")


async def test_an_address_searches_so_often_and_no_oftener(server: ApiServer) -> None:
    async with server.socket() as one, server.socket() as other:
        for client, n in ((one, SIGNATURE_RATE.amount), (other, 1)):
            for _ in range(n):
                await client.send(**signed(ANNA, by=BERT))
        for _ in range(SIGNATURE_RATE.amount):
            assert (await one.receive("error"))["key"] in ("seek.signature", "seek.too-often")
        assert (await other.receive("error"))["key"] in ("seek.signature", "seek.too-often")
        await other.send(**signed(ANNA))
        assert (await other.receive("error", "seek"))["key"] == "seek.too-often"


async def test_a_player_whose_line_is_dead_frees_the_rival(play: Playground, page: Path) -> None:
    async with served(play, page) as server, server.socket() as guest, non_reading_socket(server) as host:
        await send_frame(host, Opcode.TEXT, json.dumps(signed(ANNA)).encode())
        await guest.send(**signed(BERT))
        await sought(guest, "opening")
        assert (await sought(guest, "waiting"))["why"] == "left"


async def test_a_second_search_of_an_account_ends_the_first(server: ApiServer) -> None:
    async with server.socket() as tab, server.socket() as other_tab, server.socket() as rival:
        await tab.send(**signed(ANNA))
        await sought(tab, "waiting")
        await other_tab.send(**signed(ANNA))
        assert (await sought(tab, "ended"))["why"] == "elsewhere"
        await sought(other_tab, "waiting")
        await rival.send(**signed(BERT))
        assert (await sought(other_tab, "opening"))["rival"] == BERT.address
        await tab.expect_none("seek")


async def test_who_plays_a_computer_is_asked_first(server: ApiServer) -> None:
    async with server.socket() as asked, server.socket() as other:
        await asked.send(**signed(ANNA, asks=True))
        await sought(asked, "waiting")
        await other.send(**signed(BERT))
        assert (await sought(asked, "asked"))["rival"] == BERT.address
        assert (await other.receive("seek"))["state"] == "waiting"
        await asked.send(t="accept")
        assert (await sought(asked, "opening"))["opens"] is False
        assert (await sought(other, "opening"))["opens"] is True


async def test_the_lobby_tells_how_many_wait(server: ApiServer) -> None:
    async with server.socket() as visitor, server.socket() as player:
        await visitor.watch("lobby")
        assert "seeking" not in (await visitor.receive("reset"))["board"]["games"]["marks"]
        await player.send(**signed(ANNA))
        assert await change(visitor) == {"0": 1}
        await player.send(t="unseek")
        assert await change(visitor) is None


async def change(visitor: SocketClient) -> Json | None:
    """Return the number of waiting players, from the next patch to the lobby. Skip patches without
    this number."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        while True:
            for item in (await visitor.receive("deltas"))["items"]:
                game = item["patch"].get("games", {}).get("marks", {})
                if "seeking" in game:
                    found: Json | None = game["seeking"]
                    return found


async def test_the_rating_is_that_of_the_index(play: Playground) -> None:
    """Tests that the pairing uses the ratings in the index. Anna has a rating because she has
    beaten Bert. Cleo has none."""
    play.block(created(3), joined(3, ANNA.address, 0), joined(3, BERT.address, 1), ended(3, ANNA.address))
    pairing = Pairing(play.store, Presence(lambda _match: frozenset()))
    (_, winner), (_, loser), (chain_id, nothing) = [
        await pairing.look_up(one.address, "marks") for one in (ANNA, BERT, CLEO)
    ]
    assert (winner or 0) > 1500 > (loser or 1500)
    assert (chain_id, nothing) == (CHAIN.chain_id, None)


@pytest.mark.parametrize(
    ("signing", "override", "key"),
    [
        ({"by": BERT}, {}, "seek.signature"),
        ({"chain_id": 1}, {}, "seek.signature"),
        ({}, {"account": BERT.address}, "seek.signature"),
        ({}, {"signature": "0x" + 65 * "00"}, "seek.signature"),
        ({}, {"signature": "0x" + 65 * "ff"}, "seek.signature"),
        ({}, {"signature": "0x12"}, "seek.signature"),
        ({}, {"signature": "0x" + 1000 * "00"}, "seek.signature"),
        ({}, {"signature": "0x123"}, "bad-message"),
        ({}, {"signature": "12"}, "bad-message"),
        ({"until": 1}, {}, "seek.until"),
        ({"until": 2**48 - 1}, {}, "seek.until"),
        ({}, {"until": 2**48}, "bad-message"),
        ({"clock": 600}, {}, "seek.clock"),
        ({}, {"clock": -1}, "bad-message"),
        ({"game": "poker"}, {}, "unknown-game"),
    ],
)
async def test_a_search_that_its_account_did_not_sign_or_that_no_queue_has_is_refused(
    server: ApiServer, signing: Json, override: Json, key: str
) -> None:
    async with server.socket() as client:
        await client.send(**signed(ANNA, **signing) | override)
        assert (await client.receive("error", "seek")).get("key") == key
        await client.expect_none("seek")


async def test_what_only_the_paired_may_say_does_nothing_for_others(server: ApiServer) -> None:
    async with server.socket() as client:
        for message in ({"t": "accept"}, {"t": "unseek"}, {"t": "opened", "match": "marks/2"}):
            await client.send(**message)
            await client.expect_none("seek", "error")
        await client.send(t="opened", match="poker/2")
        assert (await client.receive("error"))["code"] == "unknown-match"
