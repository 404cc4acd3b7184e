"""Tests of a computer player whose move fails through no fault of its own, because its board is out
of date or its account is empty. The computer player must not give up, and must move as soon as it
can."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from pathlib import Path

import pytest

from bots.registry import find
from bots.service import player
from bots.service.boards import BoardEntry, BoardFeed
from bots.service.calls import GameCalls
from bots.service.funds import FaucetFunds, Funds
from bots.service.player import MAX_FAULTS, Player, SharedState
from bots.service.secret_files import SecretFiles
from bots.service.thinking import ThinkingPool
from indexer.games import GAMES
from indexer.node.client import Node
from tests.support.server import node_url, up_deployed
from tests.support.waiting import wait_for_async
from tests.system.opponents.visitor import Visitor, visitor
from transactions.journal import Journal
from transactions.manager import TransactionManager

ETHER = 10**18


class RejectionScene:
    """A match in which it is the computer's turn. `player` plays with the computer's account, and
    the test controls when it moves."""

    def __init__(self, guest: Visitor, computer: Visitor, match: str, node: Node, playing: Player) -> None:
        self.guest, self.computer, self.match, self.node, self.player = guest, computer, match, node, playing

    async def entry(self) -> BoardEntry:
        row = await self.guest.gateway.get(f"/matches/{self.match}")
        return BoardEntry(self.match, row["seq"], row["board"])


@pytest.fixture
async def scene(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[RejectionScene]:
    monkeypatch.setattr(player, "RETRY_SECONDS", (0.02,))
    with up_deployed(tmp_path / "data") as server:
        async with (
            aclosing(Node(node_url(tmp_path / "data"))) as node,
            visitor(server.url, tmp_path) as guest,
            visitor(server.url, tmp_path / "computer", faucet=False) as computer,
            _thinking() as pool,
        ):
            await node.request("anvil_setBalance", (computer.address, hex(ETHER)))
            answer = (await guest.gateway.get("/games"))["games"]
            games = {game["slug"]: GameCalls(GAMES[game["slug"]], game) for game in answer}
            feed = BoardFeed(guest.gateway.websocket_url, lambda _chain: None, lambda: None, lambda: None)
            secrets = SecretFiles(tmp_path, lambda _path, _content: None)
            funds = Funds(node.request, FaucetFunds(guest.gateway))
            shared = SharedState(feed, pool, secrets, funds, games, lambda: "", lambda _board: [guest.address])
            manager = TransactionManager(node.request, computer.account, Journal(tmp_path / "bots.db"))
            opponent = find(GAMES["tic-tac-toe"], "careful")
            match = await guest.invite("tic-tac-toe", computer.address)
            await computer.play(match, moves=1)
            await guest.play(match, moves=1)
            await funds.ensure(computer.address)
            yield RejectionScene(
                guest, computer, match, node, Player(shared, "tic-tac-toe", opponent, computer.account, manager)
            )


@asynccontextmanager
async def _thinking() -> AsyncIterator[ThinkingPool]:
    pool = ThinkingPool(1, seconds=20.0)
    try:
        yield pool
    finally:
        await asyncio.to_thread(pool.close)


async def test_on_a_board_that_lags_behind_the_chain_nothing_is_given_up(
    scene: RejectionScene, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING, "chainboard.bots")
    stale = await scene.entry()
    await scene.computer.play(scene.match, moves=1)
    playing = asyncio.create_task(scene.player.play(stale))

    async def ended() -> bool:
        return caplog.text.count("was rejected") > 2 * MAX_FAULTS or (await scene.entry()).board["status"] != "playing"

    await wait_for_async(ended, bool, "more refusals than are forgiven")
    assert (await scene.entry()).board["status"] == "playing"
    playing.cancel()


async def test_an_account_that_was_emptied_is_filled_and_moves(scene: RejectionScene) -> None:
    before = await scene.entry()
    await scene.node.request("anvil_setBalance", (scene.computer.address, "0x0"))
    playing = asyncio.create_task(scene.player.play(before))
    await wait_for_async(scene.entry, lambda entry: entry.board["ply"] != before.board["ply"], "the player's move")
    assert (await scene.entry()).board["status"] == "playing"
    playing.cancel()
