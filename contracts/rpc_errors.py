"""JSON-RPC errors and the type of a request, shared by all chain clients."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any, TypeAlias

Request: TypeAlias = Callable[[str, Sequence[Any]], Awaitable[Any]]
"""A JSON-RPC request: method and parameters -> result. Raises RpcError and NoResponse."""


BAD_ANSWER = -32000
"""The code of errors for which the node gave no code, or an answer that can't be read."""


class RpcError(Exception):
    """The node answered with a JSON-RPC error object."""

    def __init__(self, code: int, message: str, data: Any = None) -> None:
        super().__init__(message)
        self.code, self.message, self.data = code, message, data


class NoResponse(Exception):
    """No response, or an unreadable one. The node may have executed the request or not."""
