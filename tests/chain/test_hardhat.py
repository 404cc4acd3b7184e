"""`--rpc` and `--dev` with a Hardhat node: another program's chain, played as our own."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.support.players import play, until
from tests.support.server import free_port, up

HERE = Path(__file__).parents[2]
HARDHAT = HERE / "node_modules/.bin/hardhat"
CONFIG = HERE / "tests/support/hardhat.config.cjs"
START_SECONDS = 60


@pytest.fixture(scope="module")
def hardhat() -> Iterator[str]:
    """The URL of a running Hardhat node."""
    port = free_port()
    command = [str(HARDHAT), "--config", str(CONFIG), "node", "--hostname", "127.0.0.1", "--port", str(port)]
    environment = {**os.environ, "HARDHAT_DISABLE_TELEMETRY_PROMPT": "true"}
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment)
    url = f"http://127.0.0.1:{port}"
    try:
        _wait(url)
        yield url
    finally:
        process.terminate()
        process.wait(20)


def _wait(url: str) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        try:
            httpx.post(url, json={"jsonrpc": "2.0", "id": 1, "method": "eth_chainId", "params": []}, timeout=5)
            return
        except httpx.TransportError:
            time.sleep(0.1)
    raise AssertionError("Hardhat does not start")


def test_a_match_is_played_on_a_hardhat_node(hardhat: str, tmp_path: Path) -> None:
    with up(tmp_path, "--rpc", hardhat, "--dev") as server:
        for player in (1, 2):
            play(server, hardhat, player, "register", 1)
        play(server, hardhat, 1, "turn", 1, 0)
        for number in (1, 2):
            anchor = until(server, "/api/matches/touche-coule/1", lambda f, n=number: f["board"]["ply"] == n)["board"]
            until(server, "/api/health", lambda health, at=anchor["anchor"]: health["indexedHead"] > at)
            play(server, hardhat, 2, "turn", 1, number)
        until(server, "/api/matches/touche-coule/1", lambda found: found["board"]["ply"] == 3)
        paid = httpx.post(f"{server.url}/api/faucet", json={"address": "0x" + "12" * 20}, timeout=20)
        assert paid.json()["sent"] == str(10**18)
