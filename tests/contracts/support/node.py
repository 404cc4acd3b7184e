"""What the tests of contracts ask of a chain: a real Anvil answers it, or the EVM in this process."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

GAS = 16_000_000
"""Of a call or a transaction, unless a test says otherwise."""


class Node(Protocol):
    """A chain with unlocked accounts, of which each transaction has a block of its own, a second after the last."""

    accounts: list[str]

    def rpc(self, method: str, *params: Any) -> Any:
        """Return the result of a JSON-RPC request. Raises `AnvilError` if it fails."""

    def batch(self, requests: Sequence[tuple[Any, ...]]) -> list[Any]:
        """Return the results of many requests, each a method and its parameters. The first error is raised."""

    def raw_batch(self, requests: Sequence[tuple[Any, ...]]) -> list[Any]:
        """Return an object with a `result` or an `error` for each request."""

    def send(self, sender: str, to: str | None, data: str, gas: int = GAS, value: int = 0) -> dict[str, Any]:
        """Return the receipt of a transaction, whether it succeeded or not. Raises `AnvilError` if it isn't taken."""

    def mine(self, blocks: int = 1) -> None:
        """Add empty blocks."""

    @property
    def height(self) -> int:
        """The number of the newest block."""

    def close(self) -> None: ...
