"""Runs a Hardhat node with its default configuration."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import httpx

from chaos.process.ports import reserved_port
from tests.support.http import local
from tests.support.waiting import PATIENCE_SECONDS, wait_for

HERE = Path(__file__).parents[3]
HARDHAT = HERE / "node_modules/.bin/hardhat"
CONFIG = HERE / "tests/support/services/hardhat.config.cjs"


@contextmanager
def hardhat() -> Iterator[str]:
    with reserved_port() as port:
        yield from _running(port)


def _running(port: int) -> Iterator[str]:
    command = [str(HARDHAT), "--config", str(CONFIG), "node", "--hostname", "127.0.0.1", "--port", str(port)]
    environment = {**os.environ, "HARDHAT_DISABLE_TELEMETRY_PROMPT": "true"}
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment)
    url = f"http://127.0.0.1:{port}"
    try:
        wait_for(lambda: _answers(url), bool, "Hardhat")
        yield url
    finally:
        process.terminate()
        process.wait(PATIENCE_SECONDS)


def _answers(url: str) -> bool:
    with suppress(httpx.TransportError):
        local.post(url, json={"jsonrpc": "2.0", "id": 1, "method": "eth_chainId", "params": []})
        return True
    return False
