"""Tests that the follower trusts an honest node, even if the node is busy. While Anvil mines a
block, it can already answer calls with the state after this block."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from indexer.follow.follower import Follower
from indexer.follow.sync_result import SyncResult
from indexer.games import GAMES
from indexer.node.client import Node
from indexer.store.store import Store
from indexer.verify.audit import Audit
from indexer.verify.raw_tables import RawDatabase
from tests.support.chain import DeployedChain, rows
from tests.support.databases import Databases
from tests.support.waiting import PATIENCE_SECONDS

STARTED_MATCH, MATCH, SHIPS_PER_PLAYER = 2, 3, 2
ETHER = hex(10**18)
PLAYERS = [f"0x{number:040x}" for number in range(0xBEE_000, 0xBEE_000 + 128)]
PARALLEL_PLAYERS = 2


async def fund_players(it: DeployedChain) -> None:
    """Give ether to enough players to fill the board. The node's unlocked accounts sign for these
    players."""
    await it.node.request("anvil_autoImpersonateAccount", (True,))
    await it.node.requests([("anvil_setBalance", (player, ETHER)) for player in PLAYERS])
    it.accounts = PLAYERS


async def sync_until_idle(follower: Follower) -> None:
    async with asyncio.timeout(PATIENCE_SECONDS):
        while (await follower.sync()) != SyncResult():
            pass


async def test_what_comes_while_the_contracts_are_asked_is_no_mismatch(played: DeployedChain, store: Store) -> None:
    await played.play(0, "create", 64, 64, False)
    await fund_players(played)

    async def register(first: int) -> None:
        for player in range(first, len(PLAYERS), PARALLEL_PLAYERS):
            for _ in range(SHIPS_PER_PLAYER):
                await played.play(player, "register", MATCH)

    store.set_chain(await played.node.chain(), played.deployments)
    follower = Follower(played.node, store, played.deployments)
    async with asyncio.TaskGroup() as group:
        playing = [group.create_task(register(first)) for first in range(PARALLEL_PLAYERS)]
        while not all(task.done() for task in playing):
            await follower.sync()
    await sync_until_idle(follower)
    assert (follower.counters.refused, follower.counters.healed, follower.health.state) == (0, 0, "ok")
    assert rows(store) == await played.fresh_rows()


class BusyNode(Node):
    """A node that mines its next block during a call at its head. The block contains a turn of the
    match. The node answers the call with the state after this block."""

    def __init__(self, it: DeployedChain, turns: int) -> None:
        super().__init__(it.node.url)
        self._world, self._turns = it, list(range(4, 4 + turns))

    async def requests(self, calls: Sequence[tuple[str, Sequence[Any]]]) -> list[Any]:
        requested = {params[1]["blockHash"] for method, params in calls if method == "eth_call"}
        if self._turns and (head := (await self.head()).hash) in requested:
            await self._world.play(1, "turn", STARTED_MATCH, self._turns.pop(0))
            calls = [
                (method, (params[0], "latest") if params[1:] == ({"blockHash": head},) else params)
                for method, params in calls
            ]
        return await super().requests(calls)


async def test_a_count_from_the_next_block_is_requested_again(
    played: DeployedChain, store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    store.set_chain(await played.node.chain(), played.deployments)
    await played.mine()
    node = BusyNode(played, turns=1)
    follower = Follower(node, store, played.deployments)
    await sync_until_idle(follower)
    assert not node._turns
    assert (follower.counters.refused, caplog.messages) == (0, [])
    assert rows(store) == await played.fresh_rows()
    await node.aclose()


async def test_a_view_from_the_next_block_is_requested_again(
    played: DeployedChain, store: Store, databases: Databases, tmp_path: Path
) -> None:
    store.set_chain(await played.node.chain(), played.deployments)
    follower = Follower(played.node, store, played.deployments)
    await played.mine()
    await sync_until_idle(follower)
    node, url = BusyNode(played, turns=1), f"sqlite:///{tmp_path / 'anew.db'}"
    with closing(Store(url, GAMES)) as fresh:
        fresh.set_chain(await played.node.chain(), played.deployments)
        raw = RawDatabase(databases.url()), RawDatabase(url)
        with closing(Audit(node, *raw, fresh, GAMES, played.deployments)) as audit:
            view_report = await audit.check_contract_views()
    assert not node._turns
    assert (view_report.count, view_report.checked > 0) == (0, True)
    await node.aclose()
