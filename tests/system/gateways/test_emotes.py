"""Tests that every client that watches a match receives each emote exactly once, whichever gateway
the client uses. If a client sends 1,000 emotes per second, every gateway must limit them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import psycopg
import pytest
from psycopg.types.json import Json as SqlJson
from websockets.asyncio.client import connect

from api.live.emotes import BURST, SentEmote
from indexer.model import Json
from tests.api.live.test_emotes import FLOOD, flooded, said_before, signed
from tests.api.playground import SocketClient
from tests.support.players import play, wait_until_indexed
from tests.support.server import Server
from tests.support.waiting import wait_for_async
from tests.system.gateways.cluster import Cluster, open_match
from tests.system.gateways.test_pairing import development_account

PLAYER = 4


@pytest.fixture(scope="module")
def match(cluster: Cluster) -> str:
    """Return the name of a match in which the tests' player, a development account, has a ship."""
    number = open_match(cluster, PLAYER)
    play(cluster.writer, cluster.node, PLAYER, "register", number)
    wait_until_indexed(cluster.writer, cluster.node)
    return f"touche-coule/{number}"


@pytest.fixture
def emote(cluster: Cluster, match: str) -> Json:
    chain_id = cluster.writer.get("/api/health")["chainId"]
    return signed(development_account(PLAYER), chain_id=chain_id, match=match)


@asynccontextmanager
async def watching(server: Server, match: str) -> AsyncIterator[SocketClient]:
    async with connect(server.socket_url, proxy=None) as connection:
        client = SocketClient(connection)
        await client.watch(match)
        await client.receive("reset")
        yield client


async def test_an_emote_reaches_each_watcher_once_at_whichever_gateway(
    cluster: Cluster, match: str, emote: Json
) -> None:
    with cluster.gateway() as first, cluster.gateway() as second:
        async with watching(first, match) as player, watching(second, match) as other, watching(first, match) as third:
            for name in ("hello", "nice-shot"):
                await player.send(**{**emote, "emote": name})
                for client in (player, third, other):
                    heard = await client.receive("emote", "error")
                    assert heard == {"t": "emote", "match": match, "account": emote["account"], "emote": name}
            async with watching(second, match) as late:
                await wait_until_deleted(cluster)
                for client in (player, third, other, late):
                    assert [one async for one in said_before(client) if one["t"] == "emote"] == []


async def wait_until_deleted(cluster: Cluster) -> None:
    """Wait until the gateways have deleted all emotes that they had written to the database for
    other gateways."""

    def kept() -> list[Any]:
        with psycopg.connect(cluster.database, autocommit=True) as connection:
            return connection.execute("SELECT 1 FROM gateway WHERE presence::jsonb -> 'emotes' <> '[]'").fetchall()

    await wait_for_async(lambda: asyncio.to_thread(kept), lambda rows: rows == [], "forgotten emotes")


async def test_a_flood_reaches_other_gateways_only_as_a_burst(cluster: Cluster, match: str, emote: Json) -> None:
    """Tests that both gateways limit a flood. The other gateway may get fewer emotes: emotes are
    deleted after 3 s, and a busy gateway may take longer to read them."""
    with cluster.gateway() as first, cluster.gateway() as second:
        async with watching(first, match) as player, watching(second, match) as other:
            await flooded(player, emote)
            heard = [await other.receive("emote") for _ in range(BURST)]
            await wait_until_deleted(cluster)
            heard += [one async for one in said_before(other) if one["t"] == "emote"]
            mine = [one async for one in said_before(player) if one["t"] == "emote"]
            assert BURST <= len(heard) <= len(mine) < FLOOD / 10


async def test_an_emote_of_a_newer_version_is_sent_on_and_one_that_can_not_be_read_ends_nothing(
    cluster: Cluster, match: str, emote: Json
) -> None:
    """Tests a database with rows from gateways of other versions. One row contains an emote that
    this version doesn't know, which the gateway must send on. One row can't be read, which must not
    stop the gateway."""
    news = [SentEmote(1, match, emote["account"], "wave")]
    insert = (
        "INSERT INTO gateway VALUES (%s, 1, %s, extract(epoch FROM clock_timestamp()) + 3600)"
        " ON CONFLICT (id) DO UPDATE SET presence = excluded.presence"
    )
    with psycopg.connect(cluster.database, autocommit=True) as connection, cluster.gateway() as gateway:
        rows = {"newer": {"watchers": {}, "claims": [], "emotes": news}, "odd": {"emotes": [["one"]]}}
        for name, presence in rows.items():
            connection.execute(insert, (name, SqlJson(presence)))
        try:
            async with watching(gateway, match) as client:
                assert (await client.receive("emote"))["emote"] == "wave"
        finally:
            connection.execute("DELETE FROM gateway WHERE id IN ('newer', 'odd')")
