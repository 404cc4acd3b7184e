"""Players without a browser. They send transactions from the unlocked accounts of a development
node."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from contracts.abi import encode_call
from tests.support.http import local
from tests.support.waiting import wait_for

if TYPE_CHECKING:
    from tests.support.server import Server


def rpc_call(url: str, method: str, *params: Any) -> Any:
    body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": list(params)}
    return local.post(url, json=body).json()["result"]


def mine_transaction(url: str, call: dict[str, str]) -> Any:
    """Send a transaction from a development account. Wait until the transaction is mined, because
    Anvil answers before it mines. Return the receipt."""
    hash = rpc_call(url, "eth_sendTransaction", call)
    return wait_for(lambda: rpc_call(url, "eth_getTransactionReceipt", hash), bool, f"the block of {hash}")


def play(server: Server, url: str, player: int, name: str, *arguments: Any) -> None:
    """Send a transaction to the Touché Coulé contract from a development account. The transaction
    must succeed."""
    game = next(one for one in server.get("/api/games")["games"] if one["slug"] == "touche-coule")
    sender = rpc_call(url, "eth_accounts")[player]
    call = {"from": sender, "to": game["address"], "data": encode_call(game["abi"], name, arguments), "gas": hex(10**6)}
    receipt = mine_transaction(url, call)
    assert receipt["status"] == "0x1", (name, arguments)


def wait_until_indexed(server: Server, url: str) -> None:
    """Wait until the server's index has reached the node's head."""
    head = int(rpc_call(url, "eth_blockNumber"), 16)
    wait_for_json(server, "/api/health", lambda health: health["indexedHead"] >= head)


def wait_for_json(server: Server, path: str, wanted: Any) -> Any:
    """Fetch the JSON at a path repeatedly until `wanted` is true for it. Return this JSON."""
    return wait_for(lambda: server.get(path), wanted, path)
