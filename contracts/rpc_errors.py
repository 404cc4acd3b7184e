"""The JSON-RPC errors, and the type of functions that send requests. All chain clients share
them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any, TypeAlias

Request: TypeAlias = Callable[[str, Sequence[Any]], Awaitable[Any]]
"""A function that sends a JSON-RPC request: (method, parameters) -> result.

It raises RpcError or NoResponse."""


BAD_ANSWER = -32000
"""The code that an error gets if the node's error has no code or the answer is unreadable."""


class RpcError(Exception):
    """The node answered with a JSON-RPC error object."""

    def __init__(self, code: int, message: str, data: Any = None) -> None:
        super().__init__(message)
        self.code, self.message, self.data = code, message, data


class NoResponse(Exception):
    """The node gave no readable response. It might have executed the request."""
