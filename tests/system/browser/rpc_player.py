"""A player without a browser, for tests. The player signs transactions and sends them through the
gateway's JSON-RPC."""

from __future__ import annotations

from typing import Any

from eth_account import Account

from contracts.abi import encode_call
from tests.support.http import local
from tests.support.server import Server
from tests.support.waiting import wait_for

GAS = 1_200_000
GWEI = 10**9


class RpcPlayer:
    """A player of one game, with a new key and ether from the faucet."""

    def __init__(self, server: Server, game: str) -> None:
        self.server, self.account = server, Account.create()
        [self.game] = [one for one in server.get("/api/games")["games"] if one["slug"] == game]
        local.post(f"{server.url}/api/faucet", json={"address": self.address}).raise_for_status()
        wait_for(lambda: int(self.rpc("eth_getBalance", self.address, "latest"), 16), bool, "the faucet's payment")

    @property
    def address(self) -> str:
        return str(self.account.address)

    def rpc(self, method: str, *params: Any) -> Any:
        body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": list(params)}
        answer = local.post(f"{self.server.url}/api/rpc", json=body).json()
        assert "result" in answer, answer
        return answer["result"]

    def play(self, name: str, *arguments: Any) -> None:
        """Send a transaction that makes a move, and wait until it is in a block. The transaction
        must succeed."""
        self.send(self.game["address"], encode_call(self.game["abi"], name, arguments))

    def send(self, to: str, data: str) -> None:
        """Send a transaction, and wait until it is in a block. The transaction must succeed."""
        transaction = {
            "to": to,
            "data": data,
            "chainId": int(self.rpc("eth_chainId"), 16),
            "nonce": int(self.rpc("eth_getTransactionCount", self.address, "pending"), 16),
            "gas": GAS,
            "maxFeePerGas": 100 * GWEI,
            "maxPriorityFeePerGas": GWEI,
        }
        raw = self.account.sign_transaction(transaction).raw_transaction
        hash = self.rpc("eth_sendRawTransaction", "0x" + raw.hex().removeprefix("0x"))
        receipt = wait_for(lambda: self.rpc("eth_getTransactionReceipt", hash), bool, f"the block of {hash}")
        assert receipt["status"] == "0x1", (to, data)
