"""Tests that the number of spectators includes the spectators at all gateways. A spectator counts
until the spectator leaves, or until the spectator's gateway is killed."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from websockets.asyncio.client import connect

from indexer.model import Json
from tests.api.playground import SocketClient
from tests.support.server import Server
from tests.system.gateways.cluster import Cluster

MATCH = "touche-coule/1"


@asynccontextmanager
async def watching(server: Server, *accounts: str) -> AsyncIterator[SocketClient]:
    async with connect(server.socket_url, proxy=None) as connection:
        client = SocketClient(connection)
        await client.watch(MATCH, **{"as": accounts})
        yield client


async def wait_for_presence(client: SocketClient, watchers: int, here: bool) -> None:
    """Wait for a `presence` message with this number of watchers. The message must also report the
    match's opener as present or, if `here` is False, as absent."""
    wanted: Json = {"t": "presence", "match": MATCH, "watchers": watchers, "openerIsHere": here}
    wanted |= {"playersHere": int(here)}
    while await client.receive("presence") != wanted:
        pass


async def test_watchers_are_summed_over_gateways_and_those_of_a_killed_one_fall_out(cluster: Cluster) -> None:
    match_opener = cluster.writer.get(f"/api/matches/{MATCH}/events?limit=1")["events"][0]["args"]["creator"]
    with cluster.gateway() as first, cluster.gateway() as second:
        async with watching(cluster.writer) as one, watching(first, match_opener.lower()) as two:
            await wait_for_presence(one, 2, True)
            await wait_for_presence(two, 2, True)
            async with watching(second) as three:
                await wait_for_presence(three, 3, True)
                await wait_for_presence(one, 3, True)
            await wait_for_presence(one, 2, True)
            first.kill()
            await wait_for_presence(one, 1, False)
