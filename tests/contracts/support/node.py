"""The contract tests' interface to a chain, which is an Anvil node or the EVM in this process."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

GAS = 16_000_000
"""The default gas limit of a call or a transaction."""


class Node(Protocol):
    """A chain with unlocked accounts that mines one block per transaction, one second apart."""

    accounts: list[str]

    def rpc(self, method: str, *params: Any) -> Any:
        """Return the result of a JSON-RPC request. Raises `AnvilError` if it fails."""

    def batch(self, requests: Sequence[tuple[Any, ...]]) -> list[Any]:
        """Return the results of requests (method, *parameters). Raises the first `AnvilError`."""

    def raw_batch(self, requests: Sequence[tuple[Any, ...]]) -> list[Any]:
        """Return an object with a `result` or an `error` for each request."""

    def send(self, sender: str, to: str | None, data: str, gas: int = GAS, value: int = 0) -> dict[str, Any]:
        """Send a transaction and return its receipt, whether it succeeded or not.

        Raises `AnvilError` if the node rejects the transaction."""

    def mine(self, blocks: int = 1) -> None:
        """Add empty blocks."""

    @property
    def height(self) -> int:
        """The number of the newest block."""

    def close(self) -> None: ...
