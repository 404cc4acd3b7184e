"""The transport to a node: web3.py's provider with kept connections, orjson, and answers matched to their questions."""

from __future__ import annotations

from contextvars import ContextVar
from typing import Any

import orjson
from aiohttp import ClientSession, ClientTimeout, ServerDisconnectedError, TCPConnector
from web3 import AsyncHTTPProvider
from web3.types import RPCEndpoint

CONNECTIONS = 16
KEEPALIVE_SECONDS = 15
READ_BYTES = 2**20
"""Bytes read from a connection at once: responses to range requests have megabytes."""
SEND_ONCE = ("eth_sendRawTransaction", "eth_sendTransaction")
"""Methods that are not retried when a kept-alive connection turns out to be closed: the node may have executed them."""

_request_ids: ContextVar[list[Any]] = ContextVar("request_ids")


class MismatchedResponse(ValueError):
    """The response belongs to another request, or to none."""


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
                response.raise_for_status()
                return await response.read()
        except ServerDisconnectedError:
            if not again:
                raise
        return await self._post(body, False)

    async def disconnect(self) -> None:
        if self._session is not None:
            await self._session.close()


def _new_request_ids() -> list[Any]:
    """Collects the ids that this task's next requests get."""
    request_ids: list[Any] = []
    _request_ids.set(request_ids)
    return request_ids


def _matched(answers: Any, request_ids: list[Any]) -> list[Any]:
    if not isinstance(answers, list) or not all(isinstance(answer, dict) for answer in answers):
        raise MismatchedResponse("the answer is no JSON-RPC")
    by_id = {answer.get("id"): answer for answer in answers}
    if len(answers) != len(request_ids) or by_id.keys() != set(request_ids):
        raise MismatchedResponse("the answer is not to what was asked")
    return [by_id[number] for number in request_ids]
