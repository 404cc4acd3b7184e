"""JSON-RPC errors that all who ask a chain share, and the type of a request."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any, TypeAlias

Request: TypeAlias = Callable[[str, Sequence[Any]], Awaitable[Any]]
"""A JSON-RPC request: method, parameters -> result. Raises RpcError and NoResponse."""


BAD_ANSWER = -32000
"""The code of errors that the node gave without one, or in an answer that can't be read."""


class RpcError(Exception):
    """The node answered with a JSON-RPC error object."""

    def __init__(self, code: int, message: str, data: Any = None) -> None:
        super().__init__(message)
        self.code, self.message, self.data = code, message, data


class NoResponse(Exception):
    """No response, or none that can be parsed. The request may have been carried out or not."""
