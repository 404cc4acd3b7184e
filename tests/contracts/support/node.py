"""The interface through which the contract tests use a chain. The chain is an Anvil node or the EVM
inside the test process."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

GAS = 16_000_000
"""The gas limit of calls and transactions that don't name a different limit."""


class Node(Protocol):
    """A chain that signs for its accounts. It mines a block for each transaction, one second after
    the previous block."""

    accounts: list[str]

    def rpc(self, method: str, *params: Any) -> Any:
        """Return the result of a JSON-RPC request. Raises `AnvilError` if the request fails."""

    def batch(self, requests: Sequence[tuple[Any, ...]]) -> list[Any]:
        """Send requests in one batch and return their results. Each request is (method,
        *parameters). Raises `AnvilError` for the first request that failed."""

    def raw_batch(self, requests: Sequence[tuple[Any, ...]]) -> list[Any]:
        """Send requests in one batch. For each request, return an object with a `result` or an
        `error`."""

    def send(self, sender: str, to: str | None, data: str, gas: int = GAS, value: int = 0) -> dict[str, Any]:
        """Send a transaction and return its receipt, even if the transaction failed.

        Raises `AnvilError` if the node rejects the transaction."""

    def mine(self, blocks: int = 1) -> None:
        """Mine empty blocks."""

    @property
    def height(self) -> int:
        """The number of the newest block."""

    def close(self) -> None: ...
