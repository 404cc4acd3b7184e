"""How the chain is asked: one JSON-RPC request, and the two ways in which it can come to nothing."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any, TypeAlias

Request: TypeAlias = Callable[[str, Sequence[Any]], Awaitable[Any]]
"""A JSON-RPC request: method, parameters -> result. Raises RpcError and NoResponse."""


class RpcError(Exception):
    """The node answered with a JSON-RPC error."""

    def __init__(self, code: int, message: str, data: Any = None) -> None:
        super().__init__(message)
        self.code, self.message, self.data = code, message, data


class NoResponse(Exception):
    """There is no answer, or none that can be read. What was asked for may have been done or not."""
