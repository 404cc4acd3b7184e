"""Players outside the browser: the unlocked accounts of a development node."""

from __future__ import annotations

import time
from typing import Any

from contracts.abi import encode_call
from tests.support.http import local
from tests.support.server import Server


def direct(url: str, method: str, *params: Any) -> Any:
    body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": list(params)}
    return local.post(url, json=body).json()["result"]


def mined(url: str, call: dict[str, str]) -> Any:
    """A transaction of a development account, in a block of its own: its receipt. Anvil answers before it mines."""
    hash = direct(url, "eth_sendTransaction", call)
    deadline = time.monotonic() + 10
    while (receipt := direct(url, "eth_getTransactionReceipt", hash)) is None:
        assert time.monotonic() < deadline, hash
        time.sleep(0.005)
    return receipt


def play(server: Server, url: str, player: int, name: str, *arguments: Any) -> None:
    """A transaction of a development account, and its receipt."""
    game = server.get("/api/games")["games"][0]
    sender = direct(url, "eth_accounts")[player]
    call = {"from": sender, "to": game["address"], "data": encode_call(game["abi"], name, arguments), "gas": hex(10**6)}
    receipt = mined(url, call)
    assert receipt["status"] == "0x1", (name, arguments)


def until(server: Server, path: str, wanted: Any, seconds: float = 10) -> Any:
    """The JSON at a path once `wanted` is true of it."""
    deadline = time.monotonic() + seconds
    while not wanted(found := server.get(path)):
        assert time.monotonic() < deadline, found
        time.sleep(0.02)
    return found
