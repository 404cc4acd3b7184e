"""Story 6 (web3.js #3491, viem #2563, aztec #25176, dipdup #883): a lost connection loses the
events that come meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from chaos.faults.fault import Fault
from tests.support.waiting import wait_for_async
from tests.system.incidents.support.harness import NAME, IncidentStage, has_heard, served_live, watching
from tests.system.incidents.support.spectator import spectating

MOVES = 5
FOR_EVER = 10**9


def cut(stage: IncidentStage) -> None:
    """Make the node unreachable, by HTTP and by websocket."""
    stage.proxy.point_at(None)
    stage.proxy.drop_sockets()


def half_open(stage: IncidentStage) -> None:
    """Make the websocket accept data and send nothing more, not even its end."""
    stage.proxy.arm(Fault("half-open-websocket", "live", 1, Random(1)))


def forgotten(stage: IncidentStage) -> None:
    """Make the node lose the subscription behind its balancer: the connection lives, but no more
    heads arrive."""
    stage.proxy.arm(Fault("drop", "head", FOR_EVER, Random(1)))


@pytest.mark.parametrize("trouble", [cut, half_open, forgotten])
async def test_moves_while_the_nodes_connection_is_lost_are_told_once_and_in_order(
    stage: IncidentStage, page: Path, trouble: Callable[[IncidentStage], None]
) -> None:
    """web3.js #3491: events 5 and 6 fell into the three seconds of a reconnect. aztec #25176:
    filters die silently."""
    async with served_live(stage, page) as server, watching(server) as client:
        await stage.play()
        await stage.until_fitting()
        trouble(stage)
        await stage.play(MOVES)
        stage.proxy.point_at(stage.chain.node.url)
        await stage.until_fitting()
        await has_heard(client, stage)
        assert client.matches[NAME].resets == ["watch"], "nothing was taken back"
        await stage.play()
        await has_heard(client, stage)


async def test_the_heads_come_again_by_themselves_after_a_cut(
    stage: IncidentStage, page: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """dipdup #883: a subscription that isn't renewed on a new connection never notifies again.
    Polling is off here."""
    async with served_live(stage, page) as server, watching(server) as client:
        await stage.until_fitting()
        stage.proxy.drop_sockets()
        await wait_for_async(lambda: stage.proxy._sockets, bool, "another connection")
        monkeypatch.setattr("indexer.follow.follower.POLL_SECONDS", 3600)
        await stage.play(2)  # the last poll may still find the first turn
        await stage.play(2)
        await stage.until_fitting()
        await has_heard(client, stage)


async def test_a_client_that_comes_back_gets_what_it_missed_and_nothing_twice(stage: IncidentStage, page: Path) -> None:
    """web3.js #3491, second half: a naive catch-up repeats events that had already come."""
    async with served_live(stage, page) as server, watching(server) as client:
        await stage.play()
        await stage.until_fitting()
        await has_heard(client, stage)
        await client.stop()
        await stage.play(MOVES)
        await stage.until_fitting()
        client.start()
        await has_heard(client, stage)
        assert client.matches[NAME].resets == ["watch"]
        assert client.connections == 2


async def test_a_page_that_comes_back_gets_what_it_missed_and_nothing_twice(stage: IncidentStage, page: Path) -> None:
    """web3.js #3491 in the browser: the page's own line is cut, five moves pass, and the line
    returns."""
    async with spectating(stage, page) as spectator:
        await spectator.play()
        await spectator.check_boards()
        spectator.socket.is_blocked = True
        await spectator.socket.close_gateway_side()
        await stage.play(MOVES)
        await stage.until_followed()
        spectator.socket.is_blocked = False
        await spectator.check_boards()
        told = await spectator.tab.do("shown")
        seqs = [seq for _match, _kind, seq in told["boards"]]
        assert seqs == sorted(set(seqs))
        assert [kind for _match, kind, _seq in told["boards"]].count("reset") == 1
