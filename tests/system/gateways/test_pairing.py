"""Tests that players who wait at different gateways are paired. If a gateway is killed, its players
must no longer count as waiting."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from eth_account import Account
from websockets.asyncio.client import connect

from tests.api.live.test_pairing import ANNA, BERT, signed, sought
from tests.api.playground import SocketClient
from tests.support.server import Server
from tests.system.gateways.cluster import Cluster

TRIALS = 5
MATCH = "touche-coule/1"
PHRASE = "test test test test test test test test test test test junk"


@asynccontextmanager
async def search_socket(server: Server, account: Any) -> AsyncIterator[SocketClient]:
    chain_id = server.get("/api/health")["chainId"]
    async with connect(server.socket_url, proxy=None) as connection:
        client = SocketClient(connection)
        await client.send(**signed(account, game="touche-coule", chain_id=chain_id))
        yield client


def match_opener(cluster: Cluster) -> Any:
    """Return the development account, with its key, that opened MATCH."""
    address = cluster.writer.get(f"/api/matches/{MATCH}/events?limit=1")["events"][0]["args"]["creator"]
    return next(one for one in map(development_account, range(10)) if one.address == address)


def development_account(n: int) -> Any:
    Account.enable_unaudited_hdwallet_features()
    return Account.from_mnemonic(PHRASE, account_path=f"m/44'/60'/0'/0/{n}")


async def test_two_at_two_gateways_meet_each_time(cluster: Cluster) -> None:
    one = match_opener(cluster)
    with cluster.gateway() as first, cluster.gateway() as second:
        for _ in range(TRIALS):
            other = Account.create()
            async with search_socket(first, one) as host:
                await sought(host, "waiting")
                async with search_socket(second, other) as guest:
                    assert (await sought(host, "opening"))["rival"] == other.address
                    assert (await sought(guest, "opening"))["rival"] == one.address
                    await host.send(t="opened", match=MATCH)
                    for player in (host, guest):
                        assert (await sought(player, "opened"))["match"] == MATCH
                    await guest.send(t="unseek", joined=True)
                    assert (await sought(host, "ended"))["why"] == "joined"


async def test_the_players_of_a_killed_gateway_are_waited_for_no_more(cluster: Cluster) -> None:
    with cluster.gateway() as first, cluster.gateway() as second:
        async with search_socket(first, ANNA) as one:
            await sought(one, "waiting")
            async with search_socket(second, BERT):
                await sought(one, "opening")
                second.kill()
                assert (await sought(one, "waiting"))["why"] == "left"
