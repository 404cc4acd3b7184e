"""Tests emotes that clients with real signatures send over real sockets to one server."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from typing import Any, get_args

import pytest
from eth_account import Account
from eth_account.messages import encode_typed_data

from api.live.emotes import BURST, REFILL_SECONDS, TYPES, Emote, EmoteRateLimiter
from api.live.websocket import SIGNATURE_RATE
from indexer.model import Json
from tests.api.playground import CHAIN, ApiServer, Playground, SocketClient, created, joined
from tests.support.waiting import PATIENCE_SECONDS

ANNA, BERT, CLEO = (Account.from_key(f"0x{n:064x}") for n in (1, 2, 3))
FLOOD = 1000


def signed(account: Any = ANNA, *, by: Any = None, chain_id: int = CHAIN.chain_id, **more: Any) -> Json:
    """Return an emote from the account. `by` is the account that signs the emote. By default, the
    same account sends and signs the emote."""
    message = {"account": account.address, "until": more.pop("until", int(time.time()) + 600)}
    domain = {"name": "Chainboard", "version": "1", "chainId": chain_id}
    signature = (by or account).sign_message(encode_typed_data(domain, TYPES, message)).signature
    return {"t": "emote", "match": "marks/3", "emote": "hello", **message, "signature": f"0x{signature.hex()}", **more}


@pytest.fixture
async def clients(play: Playground, server: ApiServer) -> AsyncIterator[list[SocketClient]]:
    """Yield three sockets that watch the match between Anna and Bert: Anna's, Bert's and an
    onlooker's."""
    play.block(created(3), joined(3, ANNA.address, 0), joined(3, BERT.address, 1))
    async with AsyncExitStack() as stack:
        yield [await stack.enter_async_context(server.watching("marks/3")) for _ in range(3)]


async def test_each_emote_reaches_all_who_watch_the_match_and_nobody_else(
    server: ApiServer, clients: list[SocketClient]
) -> None:
    async with server.watching("marks/1") as elsewhere:
        for n, emote in enumerate(get_args(Emote)):
            player, sender = ((ANNA, clients[0]), (BERT, clients[1]))[n % 2]
            await sender.send(**signed(player, emote=emote))
            for client in clients:
                heard = await client.receive("emote", "error")
                assert heard == {"t": "emote", "match": "marks/3", "account": player.address, "emote": emote}
        await elsewhere.expect_none("emote")


async def test_a_socket_has_its_signature_checked_once(clients: list[SocketClient]) -> None:
    """Tests that the server checks a valid signature only once per socket. The signature still
    works after the address has used up its limit of signature checks."""
    anna, _bert, onlooker = clients
    emote = signed(ANNA)
    await anna.send(**emote)
    await onlooker.receive("emote")
    for _ in range(SIGNATURE_RATE.amount):
        await anna.send(**signed(ANNA, by=BERT))
        assert (await anna.receive("error"))["key"] in ("emote.signature", "emote.signatures")
    await anna.send(**signed(ANNA, by=BERT))
    assert (await anna.receive("error"))["key"] == "emote.signatures"
    await anna.send(**emote)
    await onlooker.receive("emote")


@pytest.mark.parametrize(
    ("signing", "override", "key"),
    [
        ({"by": BERT}, {}, "emote.signature"),
        ({"chain_id": 1}, {}, "emote.signature"),
        ({}, {"account": BERT.address}, "emote.signature"),
        ({}, {"signature": "0x" + 65 * "00"}, "emote.signature"),
        ({}, {"signature": "0x12"}, "emote.signature"),
        ({}, {"signature": "0x123"}, "bad-message"),
        ({"account": CLEO}, {}, "emote.player"),
        ({"until": 1}, {}, "emote.until"),
        ({"until": 2**48 - 1}, {}, "emote.until"),
        ({}, {"until": 2**48}, "bad-message"),
        ({}, {"until": "soon"}, "bad-message"),
        ({}, {"emote": "You are slow."}, "bad-message"),
        ({}, {"emote": 3}, "bad-message"),
        ({}, {"match": 3}, "bad-message"),
        ({}, {"match": "marks/1"}, "emote.watch"),
        ({}, {"match": "marks/99"}, "emote.watch"),
        ({}, {"match": "lobby"}, "unknown-match.name"),
        ({}, {"match": "poker/1"}, "unknown-match.name"),
    ],
)
async def test_an_emote_that_its_player_did_not_sign_or_that_there_is_not_is_refused(
    clients: list[SocketClient], signing: Json, override: Json, key: str
) -> None:
    anna, _bert, onlooker = clients
    await anna.send(**signed(**signing) | override)
    assert (await anna.receive("error", "emote")).get("key") == key
    for client in (anna, onlooker):
        await client.expect_none("emote")


async def test_of_a_thousand_a_second_watchers_get_a_burst_and_others_are_served(clients: list[SocketClient]) -> None:
    anna, bert, onlooker = clients
    emote = signed(ANNA)
    await anna.send(**emote)
    await onlooker.receive("emote")
    begun = time.monotonic()
    flood = asyncio.create_task(flooded(anna, emote))
    await bert.receive("emote")
    async with asyncio.timeout(PATIENCE_SECONDS):
        pings = 0
        while not flood.done():
            await bert.expect_none()
            pings += 1
    await flood
    await anna.send(t="ping")
    errors = [message async for message in until_pong(anna) if message["t"] == "error"]
    most = BURST + (time.monotonic() - begun) / REFILL_SECONDS
    seen = 1 + len([message async for message in said_before(onlooker) if message["t"] == "emote"])
    assert BURST <= seen <= most
    assert 1 <= len(errors) <= seen - BURST + 1
    assert {error["key"] for error in errors} == {"emote.too-often"}
    assert pings > 1, "the other player's client"


async def flooded(client: SocketClient, emote: Json) -> None:
    for n in range(FLOOD):
        await client.send(**emote)
        if n % 100 == 0:
            await asyncio.sleep(0)


async def said_before(client: SocketClient) -> AsyncIterator[Json]:
    """Yield the messages that wait to be sent to the client."""
    await client.send(t="ping")
    async for message in until_pong(client):
        yield message


async def until_pong(client: SocketClient) -> AsyncIterator[Json]:
    while (message := await client.receive())["t"] != "pong":
        yield message


def test_the_pace_is_a_burst_then_one_each_time_it_refills() -> None:
    limiter = EmoteRateLimiter(3)
    found = [(at, limiter.hit(("marks/3", "anna"), at)) for at in (0, 0, 0, 0, 0, 2.9, 3, 3.1, 6, 100, 100, 100, 100)]
    assert [outcome for _at, outcome in found[:5]] == ["sent", "sent", "sent", "refused", "dropped"]
    assert [outcome for _at, outcome in found[5:9]] == ["dropped", "sent", "refused", "sent"]
    assert [outcome for _at, outcome in found[9:]] == ["sent", "sent", "sent", "refused"]
    assert limiter.hit(("marks/4", "anna"), 100) == limiter.hit(("marks/3", "bert"), 100) == "sent"
    for n in range(1000):
        limiter.hit((f"marks/{n}", "anna"), 200 + n)
    assert len(limiter._senders) <= 3 * 3 + 1, "quiet senders are removed"
