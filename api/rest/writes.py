"""What can be sent over HTTP: JSON-RPC for the node, and the faucet's address."""

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
    """Routes with a body. It is read by us: first its type and length are looked at."""

    def __init__(self, context: Context) -> None:
        self._context = context

    async def rpc(self, request: Request) -> Response:
        """JSON-RPC 2.0, for wallets and libraries: reads, calls of this server's contracts, and signed transactions to
        them. One request or a batch of at most 20. What is refused is an `error` in an answer with status 200, as
        JSON-RPC has it; -32601 is a method that is not available here."""
        content = await body.read(request)
        found = await until_disconnected(request, self._context.rpc.answer(content, client_of(request)))
        return Response(status_code=204) if found is None else json_response(found)

    async def faucet(self, request: Request) -> Response:
        """Tops an account up to 1 ether when it has less than 0.1, once a minute. Other chains have none."""
        faucet, counts = self._context.faucet, self._context.metrics.faucet
        if faucet is None:
            raise Problem(404, "no-faucet")
        address = requested_address(body.parse(await body.read(request)), "bad-parameter.faucet")
        try:
            found = await faucet.give(address, client_of(request))
        except Problem as refused:
            counts.labels(refused.code).inc()
            raise
        counts.labels("sent" if "tx" in found else "enough").inc()
        return json_response(found)


def client_of(request: Request) -> str:
    """The network address that the limits count by."""
    return client_key(request.client.host) if request.client else ""


async def until_disconnected(request: Request, job: Coroutine[Any, Any, T]) -> T:
    """The job's result. Raises ClientDisconnect as soon as the client has disconnected, with the job cancelled."""
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
    """Checksummed. Raises Problem 422, by this key where the body has none."""
    address = payload.get("address") if isinstance(payload, dict) else None
    if not isinstance(address, str):
        raise Problem(422, key)
    try:
        return names.parse_address(address)
    except names.BadName as error:
        raise Problem(422, "bad-parameter", {"why": f"address: {error}."}) from None
