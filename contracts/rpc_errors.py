"""JSON-RPC errors, and the type of a request function, for all chain clients."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any, TypeAlias

Request: TypeAlias = Callable[[str, Sequence[Any]], Awaitable[Any]]
"""A function that sends a JSON-RPC request: it takes a method and parameters, and returns the
result. Raises RpcError and NoResponse."""


BAD_ANSWER = -32000
"""The code of an RpcError if the node's error has no code, or if the node's answer can't be
read."""


class RpcError(Exception):
    """The node answered with a JSON-RPC error object."""

    def __init__(self, code: int, message: str, data: Any = None) -> None:
        super().__init__(message)
        self.code, self.message, self.data = code, message, data


class NoResponse(Exception):
    """The node sent no response, or an unreadable one. The request may have been executed."""
