"""A Hardhat node, as people run one."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx

from chaos.process.ports import reserved_port
from tests.support.http import local

HERE = Path(__file__).parents[3]
HARDHAT = HERE / "node_modules/.bin/hardhat"
CONFIG = HERE / "tests/support/services/hardhat.config.cjs"
START_SECONDS = 60


@contextmanager
def hardhat() -> Iterator[str]:
    """The URL of a running one."""
    with reserved_port() as port:
        yield from _running(port)


def _running(port: int) -> Iterator[str]:
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
            local.post(url, json={"jsonrpc": "2.0", "id": 1, "method": "eth_chainId", "params": []}, timeout=5)
            return
        except httpx.TransportError:
            time.sleep(0.1)
    raise AssertionError("Hardhat does not start")
