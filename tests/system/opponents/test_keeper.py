"""Tests of the keeper, a process that claims expired timeouts, with a real gateway. The keeper must
claim each expired match once, and spend nothing on anything else."""

from __future__ import annotations

import asyncio
import logging
import os
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, suppress
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from unittest import mock

import pytest

from indexer.games import GAMES
from indexer.model import Json
from indexer.wakeup import Wakeup
from tests.support.players import rpc_call, wait_for_json
from tests.support.server import node_url, up_deployed
from tests.support.waiting import wait_for_async
from tests.system.opponents.keeper_accounts import ETHER, KeeperAccount, PlayedServer, Relay

DAY = 86_400
SHORTEST, LONGEST = 30, 30 * DAY


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PlayedServer]:
    """Yield a server without a keeper of its own, so that only the tests' keepers claim
    timeouts."""
    data = tmp_path_factory.mktemp("keeper")
    with mock.patch.dict(os.environ, CHAINBOARD_OPPONENTS="0"), up_deployed(data) as server:
        yield PlayedServer(server, node_url(data))


@pytest.fixture
async def accounts(played: PlayedServer, tmp_path: Path) -> AsyncIterator[tuple[KeeperAccount, KeeperAccount]]:
    async with AsyncExitStack() as stack:
        yield KeeperAccount(played, tmp_path, stack), KeeperAccount(played, tmp_path, stack)


@pytest.fixture
def account(accounts: tuple[KeeperAccount, KeeperAccount]) -> KeeperAccount:
    return accounts[0]


async def test_expired_clocks_are_claimed_once(played: PlayedServer, account: KeeperAccount) -> None:
    keeper = await account.keeper()
    await keeper.step()
    due = [played.tic_tac_toe(SHORTEST), played.revealing(), played.sea()]
    others = [played.tic_tac_toe(LONGEST), played.tic_tac_toe(0)]
    played.wait_until_indexed()
    await keeper.step()
    assert account.sent == 0, "no clock has run out yet"
    played.pass_seconds(DAY)
    await keeper.step()
    assert [played.board(name)["reason"] for name in due] == ["timeout", "timeout", "cancelled"]
    assert [played.board(name)["status"] for name in others] == ["playing", "playing"]
    assert account.sent == len(due)
    await keeper.step()
    await (await account.keeper()).step()
    assert account.sent == len(due)


async def test_a_claim_that_a_reorg_takes_back_is_offered_again(played: PlayedServer, account: KeeperAccount) -> None:
    name = played.tic_tac_toe(SHORTEST)
    played.pass_seconds(SHORTEST)
    await (await account.keeper()).step()
    assert played.board(name)["status"] == "finished"
    rpc_call(played.node, "anvil_reorg", 1, [])
    wait_for_json(played.server, f"/api/matches/{name}", lambda found: found["board"]["status"] == "playing")
    await (await account.keeper()).step()
    assert played.board(name)["status"] == "finished"
    assert account.sent == 1


async def test_a_match_that_moves_on_has_a_new_deadline(played: PlayedServer, account: KeeperAccount) -> None:
    keeper, name = await account.keeper(), played.tic_tac_toe(600)
    played.wait_until_indexed()
    await keeper.step()
    played.pass_seconds(500)
    played.send(played.board(name)["mover"], "tic-tac-toe", "move", int(name.partition("/")[2]), 0, 1, 1)
    played.pass_seconds(200)
    await keeper.step()
    assert (account.sent, played.board(name)["status"]) == (0, "playing")
    played.pass_seconds(400)
    await keeper.step()
    assert (account.sent, played.board(name)["reason"]) == (1, "timeout")


async def test_claim_made_by_another_costs_nothing(
    played: PlayedServer, accounts: tuple[KeeperAccount, KeeperAccount]
) -> None:
    one, other = [await account.keeper() for account in accounts]
    name = played.tic_tac_toe(SHORTEST)
    played.wait_until_indexed()
    await one.step()
    played.pass_seconds(SHORTEST)
    await other.step()
    assert played.board(name)["reason"] == "timeout"
    await one.step()
    assert [account.sent for account in accounts] == [0, 1]


async def test_a_refused_claim_spends_nothing_and_is_tried_again_later(
    played: PlayedServer, account: KeeperAccount
) -> None:
    """Tests a claim that the node rejects because the keeper's clock is ahead of the chain's clock.
    The keeper must spend nothing, and claim again when the next block will be after the
    deadline."""
    name = played.tic_tac_toe(SHORTEST)
    played.wait_until_indexed()
    chain = int(rpc_call(played.node, "eth_getBlockByNumber", "latest", False)["timestamp"], 16)
    keeper = await account.keeper(now=lambda: chain + SHORTEST)
    for _ in range(3):
        await keeper.step()
    assert (account.states, account.sent, played.board(name)["status"]) == (["refused"], 0, "playing")
    rpc_call(played.node, "evm_increaseTime", SHORTEST)
    await (await account.keeper(now=lambda: chain + SHORTEST)).step()
    assert (account.sent, played.board(name)["reason"]) == (1, "timeout")


async def test_a_claim_that_waits_for_its_block_is_not_sent_again_after_a_restart(
    played: PlayedServer, account: KeeperAccount
) -> None:
    name = played.tic_tac_toe(SHORTEST)
    played.pass_seconds(SHORTEST)
    rpc_call(played.node, "anvil_setBalance", account.address, hex(ETHER))
    rpc_call(played.node, "evm_setAutomine", False)
    try:
        for _ in range(2):
            await (await account.keeper()).step()
            assert (account.states, account.sent, played.board(name)["status"]) == (["sent"], 1, "playing")
    finally:
        rpc_call(played.node, "evm_setAutomine", True)
        rpc_call(played.node, "evm_mine")
    assert (account.sent, played.board(name)["reason"]) == (1, "timeout")


async def test_nothing_is_sent_without_funds_or_before_the_keepers_turn(
    played: PlayedServer, account: KeeperAccount
) -> None:
    async def broke() -> bool:
        return False

    name = played.tic_tac_toe(SHORTEST)
    played.pass_seconds(SHORTEST)
    for keeper in (await account.keeper(has_funds=broke), await account.keeper(jitter=1e9)):
        await keeper.step()
        assert (account.states, account.sent, played.board(name)["status"]) == ([], 0, "playing")
    await (await account.keeper()).step()
    assert (account.sent, played.board(name)["status"]) == (1, "finished")


async def test_draw_waits_for_its_block_and_for_the_players(
    played: PlayedServer, accounts: tuple[KeeperAccount, KeeperAccount]
) -> None:
    """Tests that the keeper settles each random draw of a Conquest match once. It must wait for the
    block that decides the draw, and give the players time to settle the draw themselves."""
    patient = await accounts[0].keeper(patience=1e9)
    keeper = await accounts[1].keeper(patience=0.0)
    name = played.conquest()
    for drawn in (1, 2):
        played.wait_for_chance(name)
        for _ in range(2):
            await patient.step()
            await keeper.step()
        assert "draw" not in played.board(name)
        assert [account.states for account in accounts] == [[], ["mined"] * drawn]
        for land in (0, 7) if drawn == 1 else ():
            played.command(name, "chooseCapital", land)
    board = played.board(name)
    played.command(name, "reinforce", board["seats"][str(board["players"][board["mover"]]["seat"])]["capital"])
    await keeper.step()
    assert accounts[1].sent == 2, "this phase needs no draw"


async def test_a_draw_and_a_clock_are_one_claim(played: PlayedServer, account: KeeperAccount) -> None:
    name = played.conquest(clock=60)
    played.wait_for_chance(name)
    played.pass_seconds(61)
    await (await account.keeper()).step()
    board = played.board(name)
    assert (account.sent, board["ply"], board["reason"]) == (1, 1, "timeout")


async def test_more_than_fits_into_a_step_is_claimed_in_the_next(
    played: PlayedServer, account: KeeperAccount, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bots.service.keeper.MAX_REFRESHES", 1)
    names = [played.tic_tac_toe(SHORTEST) for _ in range(3)]
    played.pass_seconds(SHORTEST)
    keeper = await account.keeper()
    counts = [0]
    while any(played.board(name)["status"] != "finished" for name in names):
        # The keeper might check a match again until the index contains the match's end.
        await keeper.step()
        counts.append(account.sent)
    assert max(after - before for before, after in pairwise(counts)) == 1
    assert account.sent == 3


async def test_a_match_that_can_not_be_read_keeps_no_other_from_its_claim(
    played: PlayedServer, account: KeeperAccount, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(board: Json, _now: int) -> str | None:
        return str(board["no such field"])

    strange, sound = played.tic_tac_toe(SHORTEST), played.sea()
    played.pass_seconds(DAY)
    games = {**GAMES, "tic-tac-toe": replace(GAMES["tic-tac-toe"], overdue=broken)}
    keeper = await account.keeper(games=games)
    await keeper.step()
    await keeper.step()
    assert [played.board(name)["status"] for name in (strange, sound)] == ["playing", "cancelled"]
    (record,) = [record for record in caplog.records if strange in record.message]
    assert (record.levelname, record.exc_info) == ("WARNING", None)
    assert record.message == f"skipping {strange}: KeyError: 'no such field'"
    await (await account.keeper()).step()
    assert played.board(strange)["reason"] == "timeout"


async def test_a_gateway_that_was_away_is_waited_for(
    played: PlayedServer, account: KeeperAccount, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "chainboard.bots")
    relay = Relay(int(played.server.url.rpartition(":")[2]))
    await relay.open()
    heads = Wakeup()
    keeping = asyncio.create_task((await account.keeper(f"http://127.0.0.1:{relay.port}")).run(heads))
    name = played.tic_tac_toe(SHORTEST)
    await relay.cut()
    played.pass_seconds(SHORTEST)
    heads.notify()
    await wait_for_message(caplog, "the keeper is paused: no gateway answers")
    await relay.open()
    await wait_for_message(caplog, f"{name}: keeper sent claimTimeout")
    keeping.cancel()
    with suppress(asyncio.CancelledError):
        await keeping
    await relay.cut()
    assert (account.sent, played.board(name)["reason"]) == (1, "timeout")


async def test_a_clock_that_runs_out_without_a_new_block_is_claimed(
    played: PlayedServer, account: KeeperAccount, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "chainboard.bots")
    name = played.tic_tac_toe(SHORTEST)
    deadline, begin = int(played.board(name)["deadline"]), time.monotonic()
    keeper = await account.keeper(now=lambda: deadline - 2 + time.monotonic() - begin)
    await keeper.step()
    assert account.sent == 0
    keeping = asyncio.create_task(keeper.run(Wakeup()))
    # By the node's clock, the player still has time, so the node rejects the claim.
    await wait_for_message(caplog, f"{name}: claimTimeout was rejected")
    keeping.cancel()
    with suppress(asyncio.CancelledError):
        await keeping


async def wait_for_message(caplog: pytest.LogCaptureFixture, beginning: str) -> None:
    await wait_for_async(
        lambda: caplog.messages, lambda messages: any(one.startswith(beginning) for one in messages), beginning
    )
