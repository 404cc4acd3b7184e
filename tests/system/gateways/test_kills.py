"""Tests that gateways hold no state. If a gateway is killed, its clients resume at another
gateway."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from contextlib import AsyncExitStack, ExitStack
from operator import not_
from random import Random

import pytest
from aiohttp import ClientSession, TCPConnector

from chaos.clients.websocket_client import WatchingClient
from tests.support.players import play, wait_for_json
from tests.support.server import Server
from tests.support.waiting import wait_for_async
from tests.system.gateways.cluster import Cluster

GATEWAYS, MATCHES, PLAYERS = 4, 3, 5


class RoamingClient(WatchingClient):
    """A client that connects to a random gateway each time, as if a load balancer had chosen the
    gateway."""

    def __init__(self, session: ClientSession, gateways: list[Server], matches: Iterable[str], seed: int) -> None:
        super().__init__(session, "", matches, f"client {seed}")
        self._gateways, self._random = gateways, Random(seed)

    @property
    def _url(self) -> str:
        return self._random.choice(self._gateways).socket_url

    @_url.setter
    def _url(self, _url: str) -> None: ...


@pytest.mark.parametrize(
    ("seed", "clients", "kills"),
    [(1, 20, 3), *(pytest.param(seed, 200, 12, marks=pytest.mark.soak) for seed in (2, 3))],
)
async def test_clients_go_on_elsewhere_when_gateways_are_killed(
    cluster: Cluster, seed: int, clients: int, kills: int
) -> None:
    random, writer = Random(seed), cluster.writer
    first = len(writer.get("/api/matches?game=touche-coule&limit=100")["matches"]) + 1
    for _ in range(MATCHES):
        await asyncio.to_thread(play, writer, cluster.node, 0, "create", 12, 12, False)
    numbers = range(first, first + MATCHES)
    with ExitStack() as stack:
        gateways = [stack.enter_context(cluster.gateway()) for _ in range(GATEWAYS)]
        async with ClientSession(connector=TCPConnector(limit=0)) as session, AsyncExitStack() as leaving:
            roaming = []
            for number in range(clients):
                watched = random.sample([f"touche-coule/{match}" for match in numbers], 2)
                roaming.append(RoamingClient(session, gateways, watched, seed * 1000 + number))
                roaming[-1].start()
                leaving.push_async_callback(roaming[-1].stop)
            moves = [(match, player) for match in numbers for player in range(1, PLAYERS + 1) for _ in range(2)]
            random.shuffle(moves)
            for round_ in range(kills):
                victim = random.randrange(GATEWAYS)
                for match, player in moves[round_::kills]:
                    await asyncio.to_thread(play, writer, cluster.node, player, "register", match)
                    if random.random() < 0.3:
                        gateways[victim].kill()
                gateways[victim].kill()
                gateways[victim] = await asyncio.to_thread(stack.enter_context, cluster.gateway())
            for match in numbers:
                wait_for_json(writer, f"/api/matches/touche-coule/{match}", lambda found: found["seq"] > 2 * PLAYERS)
            events = {f"touche-coule/{match}": _events(writer, match) for match in numbers}
            await _until_all_have(roaming, events)
    assert [violation for client in roaming for violation in client.violations] == []
    assert sum(client.connections for client in roaming) > clients
    for client in roaming:
        for name, found in client.matches.items():
            assert found.board == writer.get(f"/api/matches/{name}")["board"], (client.name, name)
            assert found.events == events[name][-len(found.events) :], (client.name, name)
            assert found.resets == ["watch"], (client.name, name)


def _events(writer: Server, match: int) -> list[tuple[int, str]]:
    found = writer.get(f"/api/matches/touche-coule/{match}/events?limit=100")["events"]
    return [(event["seq"], event["hash"]) for event in found]


async def _until_all_have(clients: list[RoamingClient], events: dict[str, list[tuple[int, str]]]) -> None:
    def behind() -> list[str]:
        return [
            name for one in clients for name, found in one.matches.items() if found.events[-1:] != events[name][-1:]
        ]

    await wait_for_async(behind, not_, "the newest event of each match")
