"""Tests of commands on a machine whose clock differs from the chain's clock by an hour. A message
must report the difference. No data may be lost, and nothing may be paid twice."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest
from eth_account import Account

from chainboard.settings import Settings
from sponsor.budgets import DAY, Budgets
from sponsor.ledger import Claim, Ledger, Recipient
from tests.contracts.support.anvil import AnvilNode
from tests.support.server import run, started
from tests.support.waiting import wait_for
from tests.system.sponsor.process import DEPLOYER, ETHER, SENDER, balance, request_grant, run_sponsor, until_sponsored

HOURS = 1
"""The difference between the clocks, in hours. Such a difference is typical of a wrong time zone.
If the machine's clock is behind, the measured difference is smaller, because the newest block is
some seconds old."""


@pytest.fixture(params=[HOURS, -HOURS], ids=["ahead", "behind"])
def shifted_chain(request: pytest.FixtureRequest) -> Iterator[tuple[AnvilNode, str]]:
    """Yield a node whose chain has shifted times and produces a block every second. Also yield the
    part of the message that says in which direction the times are shifted."""
    node = AnvilNode(2, "--block-time", "1", genesis=int(time.time()) + 3600 * request.param)
    node.rpc("anvil_setBalance", SENDER, hex(1_000 * ETHER))
    yield node, f"hours {'ahead of' if request.param > 0 else 'behind'} this machine's clock"
    node.close()


@pytest.mark.timeout(240)
def test_wrong_clock_is_reported_and_nothing_is_paid_twice(
    shifted_chain: tuple[AnvilNode, str], tmp_path: Path
) -> None:
    node, words = shifted_chain
    options = ("--data", str(tmp_path), "--rpc", f"http://127.0.0.1:{node.port}")
    first = run("deploy", "--yes", *options, CHAINBOARD_DEPLOYER_KEY=DEPLOYER)
    assert first.returncode == 0, first.stderr
    assert words in first.stderr
    account = str(Account.from_key(DEPLOYER).address)
    sent, manifest = node.rpc("eth_getTransactionCount", account, "latest"), Settings(tmp_path).manifest.read_text()
    assert run("deploy", "--yes", *options, CHAINBOARD_DEPLOYER_KEY=DEPLOYER).returncode == 0
    assert node.rpc("eth_getTransactionCount", account, "latest") == sent
    assert Settings(tmp_path).manifest.read_text() == manifest
    with started("up", *options, "--port", "0", "--opponents", "0") as server:
        wait_for(lambda: "".join(server.output), lambda output: words in output, f"{words!r} in what the server prints")
        assert server.get("/api/health")["state"] == "ok"
        log, visitor = tmp_path / "sponsor.log", Account.create().address
        with run_sponsor(tmp_path, *options[2:], log=log):
            until_sponsored(server)
            sent_wei = int(request_grant(server, visitor).json()["sent"])
            wait_for(lambda: balance(node, visitor), lambda wei: wei == sent_wei > 0, f"a balance of {sent_wei} wei")
            assert request_grant(server, visitor).json()["sent"] == "0"
            wait_for(log.read_text, lambda text: words in text, f"{words!r} in the log")
        assert balance(node, visitor) == sent_wei
        assert node.rpc("eth_getTransactionCount", account, "latest") == sent


def test_day_paid_in_advance_is_reported(shifted_chain: tuple[AnvilNode, str], tmp_path: Path) -> None:
    """Tests the sponsor's report about payments for a later day. The sponsor made them while the
    machine's clock was two days ahead, and now the clock is right."""
    node, _words = shifted_chain
    options = ("--data", str(tmp_path), "--rpc", f"http://127.0.0.1:{node.port}")
    assert run("deploy", "--yes", *options, CHAINBOARD_DEPLOYER_KEY=DEPLOYER).returncode == 0
    assert run("index", "--once", *options).returncode == 0
    manifest, log = json.loads(Settings(tmp_path).manifest.read_text()), tmp_path / "sponsor.log"
    later, chain = time.time() + 2 * DAY, f"{manifest['chainId']}:{manifest['genesis']}"
    with closing(Ledger(Settings(tmp_path).sponsor_ledger, chain, Budgets.of(ETHER))) as ledger:
        claim = Claim(str(Account.create().address), "192.0.2.1", "tic-tac-toe")
        ledger.reserve(later, SENDER, claim, 1000, 1000, 0, Recipient(0, 0, 0, None))
    with run_sponsor(tmp_path, *options[2:], log=log):
        pass
    assert f"already has payments for {datetime.fromtimestamp(later, UTC).date()}" in " ".join(log.read_text().split())
