"""The keeper of the clocks over a real gateway: it claims expired matches once, and spends nothing
on anything else."""

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
from tests.support.players import direct, until
from tests.support.server import node_url, up_deployed
from tests.support.waiting import wait_for_async
from tests.system.opponents.keeper_accounts import ETHER, KeeperAccount, PlayedServer, Relay

DAY = 86_400
SHORTEST, LONGEST = 30, 30 * DAY


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PlayedServer]:
    """A server without a keeper."""
    data = tmp_path_factory.mktemp("keeper")
    with mock.patch.dict(os.environ, CHAINBOARD_OPPONENTS="0"), up_deployed(data) as server:
        yield PlayedServer(server, node_url(data))


@pytest.fixture
async def accounts(place: PlayedServer, tmp_path: Path) -> AsyncIterator[tuple[KeeperAccount, KeeperAccount]]:
    async with AsyncExitStack() as stack:
        yield KeeperAccount(place, tmp_path, stack), KeeperAccount(place, tmp_path, stack)


@pytest.fixture
def account(accounts: tuple[KeeperAccount, KeeperAccount]) -> KeeperAccount:
    return accounts[0]


async def test_what_has_run_out_is_claimed_once_and_nothing_else(place: PlayedServer, account: KeeperAccount) -> None:
    keeper = await account.keeper()
    await keeper.step()
    due = [place.tic_tac_toe(SHORTEST), place.revealing(), place.sea()]
    others = [place.tic_tac_toe(LONGEST), place.tic_tac_toe(0)]
    place.indexed()
    await keeper.step()
    assert account.sent == 0, "nothing has run out yet"
    place.pass_seconds(DAY)
    await keeper.step()
    assert [place.board(name)["reason"] for name in due] == ["timeout", "timeout", "cancelled"]
    assert [place.board(name)["status"] for name in others] == ["playing", "playing"]
    assert account.sent == len(due)
    await keeper.step()
    await (await account.keeper()).step()
    assert account.sent == len(due)


async def test_a_claim_that_a_reorg_takes_back_is_offered_again(place: PlayedServer, account: KeeperAccount) -> None:
    name = place.tic_tac_toe(SHORTEST)
    place.pass_seconds(SHORTEST)
    await (await account.keeper()).step()
    assert place.board(name)["status"] == "finished"
    direct(place.node, "anvil_reorg", 1, [])
    until(place.server, f"/api/matches/{name}", lambda found: found["board"]["status"] == "playing")
    await (await account.keeper()).step()
    assert place.board(name)["status"] == "finished"
    assert account.sent == 1


async def test_a_match_that_moves_on_has_a_new_deadline(place: PlayedServer, account: KeeperAccount) -> None:
    keeper, name = await account.keeper(), place.tic_tac_toe(600)
    place.indexed()
    await keeper.step()
    place.pass_seconds(500)
    place.send(place.board(name)["mover"], "tic-tac-toe", "move", int(name.partition("/")[2]), 0, 1, 1)
    place.pass_seconds(200)
    await keeper.step()
    assert (account.sent, place.board(name)["status"]) == (0, "playing")
    place.pass_seconds(400)
    await keeper.step()
    assert (account.sent, place.board(name)["reason"]) == (1, "timeout")


async def test_what_another_has_claimed_costs_nothing(
    place: PlayedServer, accounts: tuple[KeeperAccount, KeeperAccount]
) -> None:
    one, other = [await account.keeper() for account in accounts]
    name = place.tic_tac_toe(SHORTEST)
    place.indexed()
    await one.step()
    place.pass_seconds(SHORTEST)
    await other.step()
    assert place.board(name)["reason"] == "timeout"
    await one.step()
    assert [account.sent for account in accounts] == [0, 1]


async def test_a_refused_claim_spends_nothing_and_is_tried_again_later(
    place: PlayedServer, account: KeeperAccount
) -> None:
    """The wall clock is ahead of the chain's. Later the newest block is still older than the
    deadline, but the next block isn't."""
    name = place.tic_tac_toe(SHORTEST)
    place.indexed()
    chain = int(direct(place.node, "eth_getBlockByNumber", "latest", False)["timestamp"], 16)
    keeper = await account.keeper(now=lambda: chain + SHORTEST)
    for _ in range(3):
        await keeper.step()
    assert (account.states, account.sent, place.board(name)["status"]) == (["refused"], 0, "playing")
    direct(place.node, "evm_increaseTime", SHORTEST)
    await (await account.keeper(now=lambda: chain + SHORTEST)).step()
    assert (account.sent, place.board(name)["reason"]) == (1, "timeout")


async def test_a_claim_that_waits_for_its_block_is_not_sent_again_after_a_restart(
    place: PlayedServer, account: KeeperAccount
) -> None:
    name = place.tic_tac_toe(SHORTEST)
    place.pass_seconds(SHORTEST)
    direct(place.node, "anvil_setBalance", account.address, hex(ETHER))
    direct(place.node, "evm_setAutomine", False)
    try:
        for _ in range(2):
            await (await account.keeper()).step()
            assert (account.states, account.sent, place.board(name)["status"]) == (["sent"], 1, "playing")
    finally:
        direct(place.node, "evm_setAutomine", True)
        direct(place.node, "evm_mine")
    assert (account.sent, place.board(name)["reason"]) == (1, "timeout")


async def test_without_funds_or_before_its_lot_nothing_is_sent(place: PlayedServer, account: KeeperAccount) -> None:
    async def broke() -> bool:
        return False

    name = place.tic_tac_toe(SHORTEST)
    place.pass_seconds(SHORTEST)
    for keeper in (await account.keeper(has_funds=broke), await account.keeper(jitter=1e9)):
        await keeper.step()
        assert (account.states, account.sent, place.board(name)["status"]) == ([], 0, "playing")
    await (await account.keeper()).step()
    assert (account.sent, place.board(name)["status"]) == (1, "finished")


async def test_what_is_due_without_a_clock_waits_for_its_block_and_for_who_plays(
    place: PlayedServer, accounts: tuple[KeeperAccount, KeeperAccount]
) -> None:
    """Draws of Conquest are settled once each, and events in a match reveal them."""
    patient = await accounts[0].keeper(patience=1e9)
    keeper = await accounts[1].keeper(patience=0.0)
    name = place.conquest()
    for drawn in (1, 2):
        place.wait_for_chance(name)
        for _ in range(2):
            await patient.step()
            await keeper.step()
        assert "draw" not in place.board(name)
        assert [account.states for account in accounts] == [[], ["mined"] * drawn]
        for land in (0, 7) if drawn == 1 else ():
            place.command(name, "chooseCapital", land)
    board = place.board(name)
    place.command(name, "reinforce", board["seats"][str(board["players"][board["mover"]]["seat"])]["capital"])
    await keeper.step()
    assert accounts[1].sent == 2, "nothing is to be drawn in this phase"


async def test_a_draw_and_a_clock_are_one_claim(place: PlayedServer, account: KeeperAccount) -> None:
    name = place.conquest(clock=60)
    place.wait_for_chance(name)
    place.pass_seconds(61)
    await (await account.keeper()).step()
    board = place.board(name)
    assert (account.sent, board["ply"], board["reason"]) == (1, 1, "timeout")


async def test_more_than_fits_into_a_step_is_claimed_in_the_next(
    place: PlayedServer, account: KeeperAccount, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bots.service.keeper.MAX_REFRESHES", 1)
    names = [place.tic_tac_toe(SHORTEST) for _ in range(3)]
    place.pass_seconds(SHORTEST)
    keeper = await account.keeper()
    counts = [0]
    while any(place.board(name)["status"] != "finished" for name in names):
        await keeper.step()  # it may check a match again whose end is not indexed yet
        counts.append(account.sent)
    assert max(after - before for before, after in pairwise(counts)) == 1
    assert account.sent == 3


async def test_a_match_that_can_not_be_read_keeps_no_other_from_its_claim(
    place: PlayedServer, account: KeeperAccount, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(board: Json, _now: int) -> str | None:
        return str(board["no such field"])

    strange, sound = place.tic_tac_toe(SHORTEST), place.sea()
    place.pass_seconds(DAY)
    games = {**GAMES, "tic-tac-toe": replace(GAMES["tic-tac-toe"], overdue=broken)}
    keeper = await account.keeper(games=games)
    await keeper.step()
    await keeper.step()
    assert [place.board(name)["status"] for name in (strange, sound)] == ["playing", "cancelled"]
    (told,) = [record for record in caplog.records if strange in record.message]
    assert (told.levelname, told.exc_info) == ("WARNING", None)
    assert told.message == f"skipping {strange}: KeyError: 'no such field'"
    await (await account.keeper()).step()
    assert place.board(strange)["reason"] == "timeout"


async def test_a_gateway_that_was_away_is_waited_for(
    place: PlayedServer, account: KeeperAccount, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "chainboard.bots")
    relay = Relay(int(place.server.url.rpartition(":")[2]))
    await relay.open()
    heads = Wakeup()
    keeping = asyncio.create_task((await account.keeper(f"http://127.0.0.1:{relay.port}")).run(heads))
    name = place.tic_tac_toe(SHORTEST)
    await relay.cut()
    place.pass_seconds(SHORTEST)
    heads.notify()
    await _told(caplog, "the keeper is paused: no gateway answers")
    await relay.open()
    await _told(caplog, f"{name}: keeper sent claimTimeout")
    keeping.cancel()
    with suppress(asyncio.CancelledError):
        await keeping
    await relay.cut()
    assert (account.sent, place.board(name)["reason"]) == (1, "timeout")


async def test_a_clock_that_runs_out_without_a_new_block_is_claimed(
    place: PlayedServer, account: KeeperAccount, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "chainboard.bots")
    name = place.tic_tac_toe(SHORTEST)
    deadline, begin = int(place.board(name)["deadline"]), time.monotonic()
    keeper = await account.keeper(now=lambda: deadline - 2 + time.monotonic() - begin)
    await keeper.step()
    assert account.sent == 0
    keeping = asyncio.create_task(keeper.run(Wakeup()))
    # the node rejects the claim because the node's clock has not run out
    await _told(caplog, f"{name}: claimTimeout was rejected")
    keeping.cancel()
    with suppress(asyncio.CancelledError):
        await keeping


async def _told(caplog: pytest.LogCaptureFixture, beginning: str) -> None:
    await wait_for_async(
        lambda: caplog.messages, lambda said: any(one.startswith(beginning) for one in said), beginning
    )
