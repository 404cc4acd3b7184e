"""Players who wait at different gateways meet; a gateway that is killed leaves nobody waiting for its players."""

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

TRIALS = 20


@asynccontextmanager
async def seeking(server: Server, account: Any) -> AsyncIterator[SocketClient]:
    chain_id = server.get("/api/health")["chainId"]
    async with connect(server.socket_url, proxy=None) as connection:
        client = SocketClient(connection)
        await client.say(**signed(account, game="tic-tac-toe", clock=600, chain_id=chain_id))
        yield client


async def test_two_at_two_gateways_meet_each_time(cluster: Cluster) -> None:
    with cluster.gateway() as first, cluster.gateway() as second:
        for trial in range(TRIALS):
            one, other = (Account.from_key(f"0x{2 * trial + n:064x}") for n in (1, 2))
            async with seeking(first, one) as host:
                await sought(host, "waiting")
                async with seeking(second, other) as guest:
                    assert (await sought(host, "opening"))["rival"] == other.address
                    assert (await sought(guest, "opening"))["rival"] == one.address
                    await host.say(t="opened", match=f"tic-tac-toe/{trial + 1}")
                    assert (await sought(guest, "opened"))["match"] == f"tic-tac-toe/{trial + 1}"


async def test_the_players_of_a_killed_gateway_are_waited_for_no_more(cluster: Cluster) -> None:
    with cluster.gateway() as first, cluster.gateway() as second:
        async with seeking(first, ANNA) as one:
            await sought(one, "waiting")
            async with seeking(second, BERT):
                await sought(one, "opening")
                second.kill()
                assert (await sought(one, "waiting"))["why"] == "left"
