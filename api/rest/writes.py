"""The POST routes for JSON-RPC to the node and for the faucet."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

from fastapi import Request, Response
from starlette.requests import ClientDisconnect

from api.chain import body
from api.net.client_address import client_key
from api.problems import Problem
from api.rest.answers import json_response
from api.rest.context import Context
from indexer.gamekit import names

T = TypeVar("T")


class WriteRoutes:
    """The routes that read a body. They read it themselves, because FastAPI would read the whole
    body before they could check its type and length."""

    def __init__(self, context: Context) -> None:
        self._context = context

    async def rpc(self, request: Request) -> Response:
        """Answers JSON-RPC 2.0 requests from wallets and libraries: reads, calls to this server's
        contracts, and signed transactions to these contracts. Send one request or a batch of at
        most 20. As usual in JSON-RPC, the answer to a rejected request has status 200 and contains
        an `error`. The code -32601 means that the method is not available here."""
        content = await body.read(request)
        found = await until_disconnected(request, self._context.rpc.answer(content, client_of(request)))
        return Response(status_code=204) if found is None else json_response(found)

    async def faucet(self, request: Request) -> Response:
        """Tops an account up to 1 ether if it has less than 0.1 ether. Each account can use the
        faucet once per minute. Only development chains have a faucet."""
        faucet, counts = self._context.faucet, self._context.metrics.faucet
        if faucet is None:
            raise Problem(404, "no-faucet")
        address = requested_address(body.parse(await body.read(request)), "bad-parameter.faucet")
        try:
            found = await faucet.top_up(address, client_of(request))
        except Problem as rejection:
            counts.labels(rejection.code).inc()
            raise
        counts.labels("sent" if "tx" in found else "enough").inc()
        return json_response(found)


def client_of(request: Request) -> str:
    """Return the key under which the rate limiters count this client."""
    return client_key(request.client.host) if request.client else ""


async def until_disconnected(request: Request, job: Coroutine[Any, Any, T]) -> T:
    """Run the job and return its result. If the client disconnects first, cancel the job and raise
    ClientDisconnect."""
    working, leaving = asyncio.create_task(job), asyncio.create_task(_disconnected(request))
    try:
        await asyncio.wait({working, leaving}, return_when=asyncio.FIRST_COMPLETED)
        if not working.done():
            raise ClientDisconnect
        return working.result()
    finally:
        for task in (working, leaving):
            task.cancel()
        await asyncio.gather(working, leaving, return_exceptions=True)


async def _disconnected(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


def requested_address(payload: Any, key: str) -> str:
    """Return the checksummed address from the body. Raises Problem 422 with the text `key` if the
    body has no address, or if the address is invalid."""
    address = payload.get("address") if isinstance(payload, dict) else None
    if not isinstance(address, str):
        raise Problem(422, key)
    try:
        return names.parse_address(address)
    except names.BadName as error:
        raise Problem(422, "bad-parameter", {"why": f"address: {error}."}) from None
