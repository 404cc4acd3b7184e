"""Replays incident 6 from README.md (web3.js #3491, viem #2563, aztec #25176, dipdup #883): a
program restores a lost connection, but misses the events from the time in between."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from chaos.faults.fault import Fault
from tests.support.waiting import wait_for_async
from tests.system.incidents.support.harness import (
    MATCH_NAME,
    IncidentTestbed,
    check_received,
    serve_live,
    watching_client,
)
from tests.system.incidents.support.spectator import spectating

MOVES = 5
FOR_EVER = 10**9


def cut(testbed: IncidentTestbed) -> None:
    """Make the node unreachable, over HTTP and by websocket."""
    testbed.proxy.point_at(None)
    testbed.proxy.drop_sockets()


def half_open(testbed: IncidentTestbed) -> None:
    """Leave the websocket half open: the node still accepts data but sends nothing more, not even a
    close frame."""
    testbed.proxy.arm(Fault("half-open-websocket", "live", 1, Random(1)))


def forgotten(testbed: IncidentTestbed) -> None:
    """Make the node forget the subscription to new heads, as a node behind a load balancer can. The
    connection stays open, but no more heads arrive."""
    testbed.proxy.arm(Fault("drop", "head", FOR_EVER, Random(1)))


@pytest.mark.parametrize("trouble", [cut, half_open, forgotten])
async def test_moves_during_a_lost_node_connection_arrive_once_and_in_order(
    testbed: IncidentTestbed, page: Path, trouble: Callable[[IncidentTestbed], None]
) -> None:
    """Replays web3.js #3491, in which a reconnect took three seconds, and events 5 and 6 were lost
    in this time. Also replays aztec #25176, in which filters stopped working without an error."""
    async with serve_live(testbed, page) as server, watching_client(server) as client:
        await testbed.play()
        await testbed.wait_until_consistent()
        trouble(testbed)
        await testbed.play(MOVES)
        testbed.proxy.point_at(testbed.chain.node.url)
        await testbed.wait_until_consistent()
        await check_received(client, testbed)
        assert client.matches[MATCH_NAME].resets == ["watch"], "the server must not take back any event"
        await testbed.play()
        await check_received(client, testbed)


async def test_head_subscription_is_renewed_after_a_lost_connection(
    testbed: IncidentTestbed, page: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Replays dipdup #883, in which the program didn't subscribe to new heads again after a
    reconnect, so no more heads arrived. In this test, the follower doesn't poll, so it depends on
    the subscription."""
    async with serve_live(testbed, page) as server, watching_client(server) as client:
        await testbed.wait_until_consistent()
        testbed.proxy.drop_sockets()
        await wait_for_async(lambda: testbed.proxy._sockets, bool, "another connection")
        monkeypatch.setattr("indexer.follow.follower.POLL_SECONDS", 3600)
        # A poll that has already begun might still find the first of these turns.
        await testbed.play(2)
        await testbed.play(2)
        await testbed.wait_until_consistent()
        await check_received(client, testbed)


async def test_reconnecting_client_gets_each_missed_event_once(testbed: IncidentTestbed, page: Path) -> None:
    """Replays the second half of web3.js #3491. A client that reads everything again after a
    reconnect must not receive events twice."""
    async with serve_live(testbed, page) as server, watching_client(server) as client:
        await testbed.play()
        await testbed.wait_until_consistent()
        await check_received(client, testbed)
        await client.stop()
        await testbed.play(MOVES)
        await testbed.wait_until_consistent()
        client.start()
        await check_received(client, testbed)
        assert client.matches[MATCH_NAME].resets == ["watch"]
        assert client.connections == 2


async def test_reconnecting_page_gets_each_missed_event_once(testbed: IncidentTestbed, page: Path) -> None:
    """Replays web3.js #3491 with the page's modules. The page loses its connection, the players
    make several moves, and the connection returns."""
    async with spectating(testbed, page) as spectator:
        await spectator.play()
        await spectator.check_boards()
        spectator.socket.is_blocked = True
        await spectator.socket.close_gateway_side()
        await testbed.play(MOVES)
        await testbed.wait_until_followed()
        spectator.socket.is_blocked = False
        await spectator.check_boards()
        history = await spectator.tab.run("history")
        seqs = [seq for _match, _kind, seq in history["boards"]]
        assert seqs == sorted(set(seqs))
        assert [kind for _match, kind, _seq in history["boards"]].count("reset") == 1
