"""Sends JSON-RPC requests to a node over HTTP. It is based on web3.py's HTTP provider.

In addition, it keeps connections open, parses JSON with orjson, matches answers to requests by id,
and distinguishes rate limits from failures."""

from __future__ import annotations

import time
from contextlib import suppress
from contextvars import ContextVar
from email.utils import parsedate_to_datetime
from typing import Any

import orjson
from aiohttp import ClientResponse, ClientSession, ClientTimeout, ServerDisconnectedError, TCPConnector
from web3 import AsyncHTTPProvider
from web3.types import RPCEndpoint

from contracts.rpc_errors import RpcError
from indexer.node.rejections import TOO_MANY_REQUESTS, ProviderRejection, rejection_of

CONNECTIONS = 16
KEEPALIVE_SECONDS = 15
READ_BYTES = 2**20
"""The size of the read buffer, in bytes. The logs of a range of blocks can take several
megabytes."""
MAX_BYTES = 2**26
"""The maximum size of an answer after decompression, in bytes. 10,000 logs, 200 full headers or the
receipts of a full block take 10 to 20 MB."""
NON_IDEMPOTENT_METHODS = ("eth_sendRawTransaction", "eth_sendTransaction")
"""Methods that must not be retried if the node closes a kept-alive connection, because the node may
have executed them."""

_request_ids: ContextVar[list[Any]] = ContextVar("request_ids")


class MismatchedResponse(ValueError):
    """The response belongs to a different request, or to no request at all."""


class TooLarge(ValueError):
    """The answer is larger than MAX_BYTES."""


class RateLimited(Exception):
    """The provider rejected a whole HTTP request, not just single calls, because of its rate
    limit."""

    def __init__(self, rejection: ProviderRejection) -> None:
        super().__init__("too many requests")
        self.rejection = rejection


class Transport(AsyncHTTPProvider):
    """A JSON-RPC connection to a node over HTTP.

    This is faster and stricter than plain web3.py, which opens a connection per request and parses
    JSON with the standard library. With a nearby node, connecting and parsing take longer than the
    node's answer. Plain web3.py also accepts any answer, even one to an earlier request."""

    def __init__(self, url: str, seconds: float) -> None:
        super().__init__(url, exception_retry_configuration=None)
        self._timeout = ClientTimeout(total=seconds)
        self._session: ClientSession | None = None

    async def request(self, method: str, params: list[Any]) -> Any:
        """Send one request and return the node's JSON-RPC answer."""
        request_ids = _new_request_ids()
        return _match_answers([await self.make_request(RPCEndpoint(method), params)], request_ids)[0]

    async def request_batch(self, calls: list[tuple[str, list[Any]]]) -> list[Any]:
        """Send a batch and return the node's JSON-RPC answers, in the order of the calls."""
        request_ids = _new_request_ids()
        body = self.encode_batch_rpc_request([(RPCEndpoint(method), params) for method, params in calls])
        answers = self.decode_rpc_response(await self._post(body, True))
        if isinstance(answers, list) and len(answers) == 1 and _is_rejection(answers[0], "batch"):
            answers = answers[0]  # if Geth rejects a batch, it answers only the first call
        if isinstance(answers, dict):  # the node rejected the whole batch
            return [answers] * len(calls)
        return _match_answers(answers, request_ids)

    def form_request(self, method: Any, params: Any = None) -> Any:
        request = super().form_request(method, params)
        _request_ids.get().append(request["id"])
        return request

    @staticmethod
    def decode_rpc_response(raw_response: bytes) -> Any:
        return orjson.loads(raw_response)

    async def _make_request(self, method: Any, request_data: bytes) -> bytes:
        return await self._post(request_data, method not in NON_IDEMPOTENT_METHODS)

    async def _post(self, body: bytes, retry: bool) -> bytes:
        if self._session is None:
            connector = TCPConnector(limit=CONNECTIONS, keepalive_timeout=KEEPALIVE_SECONDS)
            self._session = ClientSession(connector=connector, timeout=self._timeout, read_bufsize=READ_BYTES)
        headers = {"Content-Type": "application/json"}
        try:
            async with self._session.post(self.endpoint_uri or "", data=body, headers=headers) as response:
                answer = await _read(response)
                if response.status == TOO_MANY_REQUESTS:
                    raise RateLimited(_rate_rejection(response, answer))
                if not _is_json_rpc(answer):
                    response.raise_for_status()
                return answer
        except ServerDisconnectedError:
            if not retry:
                raise
        return await self._post(body, False)

    async def disconnect(self) -> None:
        if self._session is not None:
            await self._session.close()


async def _read(response: ClientResponse) -> bytes:
    """Read and decompress the whole answer. Raises TooLarge if it exceeds MAX_BYTES, because a few
    compressed kB can expand to more than fits into memory."""
    parts, size = [], 0
    async for part in response.content.iter_any():
        size += len(part)
        if size > MAX_BYTES:
            raise TooLarge(f"its answer is larger than {MAX_BYTES >> 20} MiB")
        parts.append(part)
    return b"".join(parts)


def _is_json_rpc(answer: bytes) -> bool:
    """Return True if the answer is JSON-RPC, whatever its HTTP status. Many providers explain a
    rejection in an answer with the status 400, 403 or 413."""
    return answer.lstrip()[:1] in (b"{", b"[") and b'"jsonrpc"' in answer


def _rate_rejection(response: ClientResponse, answer: bytes) -> ProviderRejection:
    found = None
    with suppress(ValueError, TypeError, AttributeError, KeyError):
        body = orjson.loads(answer)
        error = body.get("error", body)
        found = rejection_of(RpcError(TOO_MANY_REQUESTS, str(error.get("message", "")), error.get("data")))
    limit, seconds = (found.limit, found.seconds) if found else (None, None)
    return ProviderRejection("rate", limit, None, _retry_after(response.headers.get("Retry-After")) or seconds)


def _retry_after(value: str | None) -> float | None:
    """Return how many seconds a `Retry-After` header asks to wait, or None if it is invalid. It
    contains seconds or a date (RFC 9110, 10.2.3)."""
    with suppress(ValueError, TypeError):
        return max(0.0, float(value or ""))
    with suppress(ValueError, TypeError, OverflowError):  # not a date, or an impossible date
        return max(0.0, parsedate_to_datetime(value or "").timestamp() - time.time())
    return None


def _is_rejection(answer: Any, kind: str) -> bool:
    error = answer.get("error") if isinstance(answer, dict) else None
    if not isinstance(error, dict):
        return False
    found = rejection_of(RpcError(error.get("code", 0), str(error.get("message", "")), error.get("data")))
    return found is not None and found.kind == kind


def _new_request_ids() -> list[Any]:
    """Return a new list. `form_request` appends to it the ids of the requests that this task sends
    next."""
    request_ids: list[Any] = []
    _request_ids.set(request_ids)
    return request_ids


def _match_answers(answers: Any, request_ids: list[Any]) -> list[Any]:
    if not isinstance(answers, list) or not all(isinstance(answer, dict) for answer in answers):
        raise MismatchedResponse("the answer is not JSON-RPC")
    by_id = {id: answer for answer in answers if isinstance(id := answer.get("id"), int | str)}
    if len(answers) != len(request_ids) or by_id.keys() != set(request_ids):
        raise MismatchedResponse("the answer belongs to another request")
    return [by_id[number] for number in request_ids]
