"""Tests of computer players on a chain that isn't a development chain. The operator's account pays
for their moves and stakes, up to a daily budget and a maximum stake."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from bots.opponent import Choice
from tests.contracts.support.anvil import AnvilNode
from tests.support.server import Server, run, started
from tests.support.waiting import wait_for_async
from tests.system.opponents.visitor import Visitor, computer_account, run_bots, visitor

ETHER = 10**18
FUNDED = "funded-"
DEPLOYER = "0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80"
OPERATOR = "0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d"
"""The private key of Anvil's second account, from which the operator pays."""


@pytest.fixture(scope="module")
def anvil() -> Iterator[AnvilNode]:
    node = AnvilNode(3, genesis=int(time.time()))
    yield node
    node.close()


@pytest.fixture(scope="module")
def server(anvil: AnvilNode, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    data = str(tmp_path_factory.mktemp("chain") / "data")
    rpc = ("--data", data, "--rpc", f"http://127.0.0.1:{anvil.port}")
    run("deploy", "--yes", *rpc, CHAINBOARD_DEPLOYER_KEY=DEPLOYER)
    with started("up", *rpc, "--port", "0", "--opponents", "5") as it:
        yield it


async def wait_for_line(log: Path, text: str) -> None:
    await wait_for_async(lambda: asyncio.to_thread(log.read_text), lambda output: text in output, text)


def spent(anvil: AnvilNode) -> int:
    """Return how many wei the operator's account has spent since the chain's start."""
    return 10**27 - int(anvil.rpc("eth_getBalance", anvil.accounts[1], "latest"), 16)


def contracts(server: Server, *games: str) -> list[str]:
    """Return the options of `chainboard bots` that name the contracts of these games."""
    found = [game["address"] for game in server.get("/api/games")["games"] if game["slug"] in games]
    return [f"--contract={address}" for address in found]


async def funded(anvil: AnvilNode, guest: Visitor) -> None:
    anvil.rpc("anvil_setBalance", guest.address, hex(100 * ETHER))


def test_without_an_account_of_the_operators_or_a_budget_they_do_not_play(
    server: Server, anvil: AnvilNode, tmp_path: Path
) -> None:
    gateway = ("bots", "--data", str(tmp_path), "--url", server.url)
    assert "set CHAINBOARD_OPPONENTS_KEYSTORE to your account's keystore file" in run(*gateway).stderr
    assert "add a --budget" in run(*gateway, CHAINBOARD_OPPONENTS_KEY=OPERATOR).stderr
    assert "choose a node with --rpc" in run(*gateway, "--budget", "1", CHAINBOARD_OPPONENTS_KEY=OPERATOR).stderr
    node = (*gateway, "--rpc", f"http://127.0.0.1:{anvil.port}", "--budget", "1")
    assert "list them with --contract" in run(*node, CHAINBOARD_OPPONENTS_KEY=OPERATOR).stderr
    assert spent(anvil) == 0


async def test_they_stake_no_more_than_they_may_and_spend_no_more_than_the_budget(
    server: Server, anvil: AnvilNode, tmp_path: Path
) -> None:
    data, log = tmp_path / "data", tmp_path / "bots.log"
    rpc = ("--url", server.url, "--rpc", f"http://127.0.0.1:{anvil.port}")
    node = (*rpc, *contracts(server, "tic-tac-toe", "battleship"))
    account = {"CHAINBOARD_OPPONENTS_KEY": OPERATOR}
    async with visitor(server.url, tmp_path, faucet=False) as guest:
        await funded(anvil, guest)
        with run_bots(data, *node, "--budget", "1.2", "--stake", "0.5", log=log, **account):
            await wait_for_line(log, "Playing at")
            computer = computer_account(data, "battleship", "hunter", FUNDED)
            dear = await guest.invite("battleship", computer, stake=ETHER)
            fair = await guest.invite("battleship", computer, stake=ETHER // 2)
            board = await guest.play(fair)
            assert board["status"] == "finished"
            assert (await guest.board(dear))["status"] == "cancelled"
            friendly = await guest.invite("tic-tac-toe", computer_account(data, "tic-tac-toe", "perfect", FUNDED))
            assert (await guest.play(friendly))["status"] == "finished"
        assert ETHER // 2 <= spent(anvil) <= 12 * ETHER // 10
        with run_bots(
            data, *node, "--budget", "0.5", log=log, **account
        ):  # today's budget is spent, as the journal shows
            poor = await guest.invite("tic-tac-toe", computer_account(data, "tic-tac-toe", "careful", FUNDED))
            await wait_for_line(log, f"{poor} (careful) can't move now: no ether to pay with (opponents-broke.budget)")
            assert (await guest.board(poor))["status"] == "open"
        only = (*rpc, *contracts(server, "battleship"), "--budget", "9")
        with run_bots(data, *only, log=log, **account):  # ether goes to no other contract, whatever a gateway reports
            await wait_for_line(log, "is not one of the contracts that the computer players may call")
            assert (await guest.board(poor))["status"] == "open"
        assert spent(anvil) <= 12 * ETHER // 10


@pytest.mark.soak
async def test_computer_players_withdraw_after_a_restart(server: Server, anvil: AnvilNode, tmp_path: Path) -> None:
    data, log = tmp_path / "data", tmp_path / "bots.log"
    arguments = ("--url", server.url, "--rpc", f"http://127.0.0.1:{anvil.port}", "--budget", "1.2", "--stake", "0.5")
    arguments += tuple(contracts(server, "battleship"))
    async with visitor(server.url, tmp_path, faucet=False) as guest:
        await funded(anvil, guest)
        with run_bots(data, *arguments, log=log, CHAINBOARD_OPPONENTS_KEY=OPERATOR):
            await wait_for_line(log, "Playing at")
            computer = computer_account(data, "battleship", "hunter", FUNDED)
            match = await guest.invite("battleship", computer, stake=ETHER // 2)
            await guest.play(match, moves=1)
        assert (await guest.act(match, "surrender", message="")).state == "mined"
        board = await guest.board(match)
        anvil.rpc("evm_setNextBlockTimestamp", board["deadline"] + 1)
        claim = guest.call(match, board, Choice("claimTimeout"))
        anvil.rpc(
            "eth_sendTransaction", {"from": anvil.accounts[2], "to": claim.to, "data": claim.data, "gas": "0xf4240"}
        )
        await wait_for_async(
            lambda: guest.board(match), lambda board: board["status"] != "playing", "the end of the match"
        )
        with run_bots(data, *arguments, log=log, CHAINBOARD_OPPONENTS_KEY=OPERATOR):
            await wait_for_async(
                lambda: guest.board(match), lambda board: computer in board["withdrawn"], "the computer's withdrawal"
            )
