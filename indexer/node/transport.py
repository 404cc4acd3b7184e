"""The transport to a node: web3.py's provider with kept connections, orjson, answers matched to their questions, and
refusals for the rate told apart from failures."""

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
from indexer.node.refusals import TOO_MANY_REQUESTS, ProviderRefusal, refusal_of

CONNECTIONS = 16
KEEPALIVE_SECONDS = 15
READ_BYTES = 2**20
"""Bytes read from a connection at once: responses to range requests have megabytes."""
MOST_BYTES = 2**26
"""Of an answer, decompressed: 10,000 logs, 200 full headers or the receipts of a full block have 10 to 20 MB."""
SEND_ONCE = ("eth_sendRawTransaction", "eth_sendTransaction")
"""Methods that are not retried when a kept-alive connection turns out to be closed: the node may have executed them."""

_request_ids: ContextVar[list[Any]] = ContextVar("request_ids")


class MismatchedResponse(ValueError):
    """The response belongs to another request, or to none."""


class TooLarge(ValueError):
    """An answer has no end that is worth waiting for."""


class RateLimited(Exception):
    """A whole HTTP request was refused, as too many come."""

    def __init__(self, refusal: ProviderRefusal) -> None:
        super().__init__("too many requests")
        self.refusal = refusal


class Transport(AsyncHTTPProvider):
    """JSON-RPC over HTTP. As it comes, web3.py opens a connection for each request, reads JSON with the standard
    library (together more time than a node near by takes), and believes any answer, also one to an earlier
    request."""

    def __init__(self, url: str, seconds: float) -> None:
        super().__init__(url, exception_retry_configuration=None)
        self._timeout = ClientTimeout(total=seconds)
        self._session: ClientSession | None = None

    async def ask(self, method: str, params: list[Any]) -> Any:
        """The answer object to one request."""
        request_ids = _new_request_ids()
        return _matched([await self.make_request(RPCEndpoint(method), params)], request_ids)[0]

    async def ask_all(self, calls: list[tuple[str, list[Any]]]) -> list[Any]:
        """The answer objects to a batch, in the order of the calls."""
        request_ids = _new_request_ids()
        body = self.encode_batch_rpc_request([(RPCEndpoint(method), params) for method, params in calls])
        answers = self.decode_rpc_response(await self._post(body, True))
        if isinstance(answers, list) and len(answers) == 1 and _is_refusal(answers[0], "batch"):
            answers = answers[0]  # as Geth says so: in the first call's name alone
        if isinstance(answers, dict):  # the whole batch was refused
            return [answers] * len(calls)
        return _matched(answers, request_ids)

    def form_request(self, method: Any, params: Any = None) -> Any:
        request = super().form_request(method, params)
        _request_ids.get().append(request["id"])
        return request

    @staticmethod
    def decode_rpc_response(raw_response: bytes) -> Any:
        return orjson.loads(raw_response)

    async def _make_request(self, method: Any, request_data: bytes) -> bytes:
        return await self._post(request_data, method not in SEND_ONCE)

    async def _post(self, body: bytes, again: bool) -> bytes:
        if self._session is None:
            connector = TCPConnector(limit=CONNECTIONS, keepalive_timeout=KEEPALIVE_SECONDS)
            self._session = ClientSession(connector=connector, timeout=self._timeout, read_bufsize=READ_BYTES)
        headers = {"Content-Type": "application/json"}
        try:
            async with self._session.post(self.endpoint_uri or "", data=body, headers=headers) as response:
                answer = await _read(response)
                if response.status == TOO_MANY_REQUESTS:
                    raise RateLimited(_rate_refusal(response, answer))
                if not _says_why(answer):
                    response.raise_for_status()
                return answer
        except ServerDisconnectedError:
            if not again:
                raise
        return await self._post(body, False)

    async def disconnect(self) -> None:
        if self._session is not None:
            await self._session.close()


async def _read(response: ClientResponse) -> bytes:
    """The whole answer, decompressed: a few kB can inflate to more than there is memory. Raises TooLarge."""
    parts, size = [], 0
    async for part in response.content.iter_any():
        size += len(part)
        if size > MOST_BYTES:
            raise TooLarge(f"its answer has more than {MOST_BYTES >> 20} MiB")
        parts.append(part)
    return b"".join(parts)


def _says_why(answer: bytes) -> bool:
    """Whether a response of any status is JSON-RPC: many give a refusal's text with 400, 403 or 413."""
    return answer.lstrip()[:1] in (b"{", b"[") and b'"jsonrpc"' in answer


def _rate_refusal(response: ClientResponse, answer: bytes) -> ProviderRefusal:
    found = None
    with suppress(ValueError, TypeError, AttributeError, KeyError):
        body = orjson.loads(answer)
        error = body.get("error", body)
        found = refusal_of(RpcError(TOO_MANY_REQUESTS, str(error.get("message", "")), error.get("data")))
    limit, seconds = (found.limit, found.seconds) if found else (None, None)
    return ProviderRefusal("rate", limit, None, _retry_after(response.headers.get("Retry-After")) or seconds)


def _retry_after(value: str | None) -> float | None:
    """Seconds to wait: Retry-After has seconds, or a date (RFC 9110, 10.2.3)."""
    with suppress(ValueError, TypeError):
        return max(0.0, float(value or ""))
    with suppress(ValueError, TypeError, OverflowError):  # of a date or zone that no clock has
        return max(0.0, parsedate_to_datetime(value or "").timestamp() - time.time())
    return None


def _is_refusal(answer: Any, kind: str) -> bool:
    error = answer.get("error") if isinstance(answer, dict) else None
    if not isinstance(error, dict):
        return False
    found = refusal_of(RpcError(error.get("code", 0), str(error.get("message", "")), error.get("data")))
    return found is not None and found.kind == kind


def _new_request_ids() -> list[Any]:
    """Collects the ids that this task's next requests get."""
    request_ids: list[Any] = []
    _request_ids.set(request_ids)
    return request_ids


def _matched(answers: Any, request_ids: list[Any]) -> list[Any]:
    if not isinstance(answers, list) or not all(isinstance(answer, dict) for answer in answers):
        raise MismatchedResponse("the answer is no JSON-RPC")
    by_id = {id: answer for answer in answers if isinstance(id := answer.get("id"), int | str)}
    if len(answers) != len(request_ids) or by_id.keys() != set(request_ids):
        raise MismatchedResponse("the answer is not to what was asked")
    return [by_id[number] for number in request_ids]
