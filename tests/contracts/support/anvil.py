"""A real Anvil node for tests, with a raw JSON-RPC client.

The client uses a single connection and can send requests in batches. The node signs for its
accounts.
"""

from __future__ import annotations

import re
import socket
import subprocess
from collections import deque
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from time import monotonic
from typing import Any

import orjson
from eth_utils import to_checksum_address

from chainboard.chain.anvil import binary
from tests.contracts.support.node import GAS

ROOT = Path(__file__).parents[3]
HEAD = b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
TIMEOUT = 0.5
"""The time, in seconds, after which a transaction counts as lost if Anvil doesn't list it."""
OPTIONS = ("--auto-impersonate", "--enable-tx-gas-limit", "--balance", "1000000000")


class AnvilError(Exception):
    """An error that the node returned. If a contract reverted, `data` contains the revert data."""

    def __init__(self, code: int, message: str, data: str) -> None:
        super().__init__(f"{code}: {message} {data}")
        self.code = code
        self.message = message
        self.data = data


class AnvilNode:
    """An Anvil process. It mines a block for each transaction, one second after the previous block.

    `genesis` is the time of the first block. Chains with the same `genesis` have the same block
    hashes and the same random draws."""

    def __init__(self, accounts: int = 10, *options: str, genesis: int = 1_800_000_000) -> None:
        # By default, Anvil stores past states in the home folder, and leaves them there when it is
        # killed.
        self._cache = TemporaryDirectory()
        options = (*options, "--cache-path", self._cache.name)
        self._process = subprocess.Popen(
            [
                str(binary()),
                "--port",
                "0",
                "--accounts",
                str(accounts),
                "--timestamp",
                str(genesis),
                *OPTIONS,
                *options,
            ],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self.port = self._listening()
        self._line = socket.create_connection(("127.0.0.1", self.port), timeout=60)
        self._line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._answers = self._line.makefile("rb")
        self._id = 0
        self.rpc("anvil_setBlockTimestampInterval", 1)
        self.accounts: list[str] = [to_checksum_address(account) for account in self.rpc("eth_accounts")]

    def _listening(self) -> int:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if found := re.search(r"Listening on .*:(\d+)", line):
                # A full pipe would block Anvil, so a thread reads and discards the output.
                self._drain = Thread(target=deque, args=(self._process.stdout, 0))
                self._drain.start()
                return int(found[1])
        raise AssertionError("Anvil ended before it started to listen")

    def close(self) -> None:
        self._answers.close()
        self._line.close()
        self._process.kill()
        self._process.wait()
        self._cache.cleanup()
        self._drain.join()
        if self._process.stdout is not None:
            self._process.stdout.close()

    def rpc(self, method: str, *params: Any) -> Any:
        return _result(self._post(self._request(method, params)))

    def batch(self, requests: Sequence[tuple[Any, ...]]) -> list[Any]:
        """Send the requests in one batch, and return their results. Raises `AnvilError` for the
        first request that failed."""
        return [_result(answer) for answer in self.raw_batch(requests)]

    def raw_batch(self, requests: Sequence[tuple[Any, ...]]) -> list[Any]:
        answers = self._post([self._request(method, params) for method, *params in requests])
        return sorted(answers, key=lambda answer: answer["id"])

    def _request(self, method: str, params: Sequence[Any]) -> dict[str, Any]:
        self._id += 1
        return {"jsonrpc": "2.0", "id": self._id, "method": method, "params": list(params)}

    def _post(self, body: Any) -> Any:
        """Send an HTTP request without an HTTP library.

        In tests with tens of thousands of requests, a library spent a third of the time on headers.
        """
        text = orjson.dumps(body)
        self._line.sendall(HEAD % len(text) + text)
        size = -1
        while (header := self._answers.readline().lower()) != b"\r\n":
            if not header:
                raise ConnectionError("Anvil ended before it answered")
            if header.startswith(b"content-length:"):
                size = int(header.partition(b":")[2])
        return orjson.loads(self._answers.read(size))

    def send(self, sender: str, to: str | None, data: str, gas: int = GAS, value: int = 0) -> dict[str, Any]:
        """Send a transaction and return its receipt, even if the transaction failed.

        Anvil sometimes loses a transaction for a while, so this method sends the transaction again.
        The nonce prevents a second execution."""
        nonce = self.rpc("eth_getTransactionCount", sender, "pending")
        transaction = {"from": sender, "data": data, "gas": hex(gas), "value": hex(value), "nonce": nonce}
        transaction |= {"to": to} if to else {}
        digests: list[str] = []
        while True:
            try:
                digests.append(self.rpc("eth_sendTransaction", transaction))
            except AnvilError:
                if not digests:
                    raise
            for digest in digests:
                if receipt := self._wait_for_receipt(digest):
                    return receipt

    def _wait_for_receipt(self, digest: str) -> dict[str, Any] | None:
        """Wait for the receipt and return it. Return None if Anvil has lost or hidden the
        transaction.

        After `evm_revert`, Anvil loses or hides about one transaction in several thousand. While a
        transaction is in the pool, Anvil reports no block for it, even if its receipt already
        exists. Anvil might also mine an extra empty block, which uses up the time that was set for
        the next block."""
        deadline = monotonic() + TIMEOUT
        while True:
            transaction = self.rpc("eth_getTransactionByHash", digest)
            if transaction and transaction["blockNumber"]:
                receipt: dict[str, Any] | None = self.rpc("eth_getTransactionReceipt", digest)
                return receipt
            if not transaction and monotonic() > deadline:
                return None

    def mine(self, blocks: int = 1) -> None:
        self.rpc("anvil_mine", hex(blocks))

    @property
    def height(self) -> int:
        return int(self.rpc("eth_blockNumber"), 16)


def _result(answer: dict[str, Any]) -> Any:
    if "error" in answer:
        error = answer["error"]
        raise AnvilError(error["code"], error["message"], error.get("data") or "0x")
    return answer["result"]
