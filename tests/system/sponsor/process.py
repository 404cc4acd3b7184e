"""Runs `chainboard sponsor` next to a gateway, in the same way as an operator. The chain doesn't
count as a development chain."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from eth_account import Account

from chaos.process.forkserver import ForkedProcess
from tests.contracts.support.anvil import AnvilNode
from tests.support.http import local
from tests.support.server import Server
from tests.support.waiting import wait_for

DEPLOYER = "0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80"
"""The private key of Anvil's first account, which deploys the contracts."""
KEY = "0x" + "44" * 32
SENDER = str(Account.from_key(KEY).address)
ETHER = 10**18


@contextmanager
def run_sponsor(data: Path, *arguments: str, per_day: str = "1", log: Path | None = None) -> Iterator[ForkedProcess]:
    """Run a sponsor that gets its key from a keystore. When the `with` block starts, the sponsor is
    ready."""
    keystore, log = data / "keystore.json", log or data / f"sponsor-{time.monotonic_ns()}.log"
    if not keystore.exists():
        keystore.write_text(json.dumps(Account.encrypt(KEY, "secret", kdf="pbkdf2", iterations=2)))
    log.touch()
    secrets = {"CHAINBOARD_SPONSOR_KEYSTORE": str(keystore), "CHAINBOARD_SPONSOR_PASSWORD": "secret"}
    process = ForkedProcess(["sponsor", "--data", str(data), "--per-day", per_day, *arguments], log, log, secrets)
    try:
        wait_for(
            lambda: (process.poll(), log.read_text()),
            lambda now: now[0] is not None or "Sponsoring from" in now[1],
            "the sponsor",
        )
        assert process.poll() is None, log.read_text()
        yield process
    finally:
        process.kill()
        process.wait()


def until_sponsored(server: Server, is_there: bool = True) -> None:
    """Wait until the gateway reports that it has a sponsor. If `is_there` is False, wait until it
    reports that it has none."""
    wait_for(lambda: server.get("/api/health")["sponsor"], lambda found: found == is_there, "the sponsor's state")


def request_grant(server: Server, address: str, game: str = "tic-tac-toe", **headers: str) -> Any:
    return local.post(f"{server.url}/api/sponsor", json={"address": address, "game": game}, headers=headers)


def metric(server: Server, name: str) -> float:
    """Return the value of one of the gateway's metrics. Return 0 if the gateway doesn't report the
    metric."""
    lines = local.get(f"{server.url}/api/metrics").text.splitlines()
    return next((float(line.split()[-1]) for line in lines if line.split(" ")[0] == name), 0.0)


def balance(anvil: AnvilNode, address: str) -> int:
    return int(anvil.rpc("eth_getBalance", address, "latest"), 16)


def wait_for_payment(anvil: AnvilNode, visitor: str) -> int:
    """Wait until the visitor has received ether, and return the amount in wei. Without the wait,
    the ether might be missing, because Anvil answers a request before it mines the block."""
    return wait_for(lambda: balance(anvil, visitor), bool, f"the ether of {visitor}")


@pytest.fixture(scope="module")
def anvil() -> Iterator[AnvilNode]:
    """Yield a node whose chain doesn't count as a development chain, and on which the sponsor's
    account has ether."""
    node = AnvilNode(2, genesis=int(time.time()))
    node.rpc("anvil_setBalance", SENDER, hex(1_000 * ETHER))
    yield node
    node.close()


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("s")


@pytest.fixture(scope="module")
def rpc(anvil: AnvilNode) -> tuple[str, str]:
    return "--rpc", f"http://127.0.0.1:{anvil.port}"
