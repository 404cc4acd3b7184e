"""The connection between gateways and a sponsor on the same machine. It is a socket in the data
folder, which only the user who runs the sponsor can open. Each message is a JSON object on one
line."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import asdict
from itertools import count
from pathlib import Path

import orjson
from pydantic import TypeAdapter

from indexer.model import Json
from sponsor.messages import Sponsored, SponsorRejected, SponsorService, SponsorStatus

log = logging.getLogger("chainboard.sponsor")

STATUS_SECONDS = 1.0
RECONNECT_SECONDS = 1.0
ANSWER_SECONDS = 30.0
MAX_PENDING = 64
"""The maximum number of requests from one gateway that wait for an answer at the same time. A
request counts until it is answered, even if the visitor who caused it has left."""
MAX_LINE = 2**16
STATUS = TypeAdapter(SponsorStatus)
MAX_PATH = 100
"""The maximum number of bytes in the socket's path. Operating systems allow 104 to 108."""


def encode_answer(answer: Sponsored | SponsorRejected) -> Json:
    """Return the sponsor's answer to a request as a JSON object."""
    if isinstance(answer, Sponsored):
        return {"found": {**asdict(answer), "sent": str(answer.sent)}}
    return {"refusal": {"key": answer.key, "arguments": answer.arguments, "wait": answer.wait}}


def parse_answer(answer: Json) -> Sponsored:
    """Return the sponsor's answer from a JSON object. If the answer is a rejection, raises
    SponsorRejected."""
    if "refusal" in answer:
        raise SponsorRejected(**answer["refusal"])
    found = answer["found"]
    return Sponsored(**{**found, "sent": int(found["sent"])})


def encode_status(status: SponsorStatus | None) -> Json:
    """Return the sponsor's status as a JSON object. Amounts in wei become strings, because they
    might not fit into 64 bits."""
    found = status or SponsorStatus()
    wei = {"paid": str(found.paid), "budget": str(found.budget)}
    return {**asdict(found), **wei, "balance": None if found.balance is None else str(found.balance)}


def parse_status(content: Json) -> SponsorStatus:
    """Return the status that a JSON object contains. Raises ValueError if it isn't a status."""
    return STATUS.validate_python(content)


async def handle_request(service: SponsorService, request: Json) -> Json:
    """Let the sponsor handle a gateway's request. Return the sponsor's answer as a JSON object."""
    try:
        return encode_answer(await service.grant(request["address"], request["network"], request["game"]))
    except SponsorRejected as rejection:
        return encode_answer(rejection)
    except Exception as error:  # a request that fails must not affect the others
        log.exception("request failed")
        return encode_answer(SponsorRejected("sponsor-unable.refused", {"why": type(error).__name__}))


@asynccontextmanager
async def serving(service: SponsorService, path: Path) -> AsyncIterator[None]:
    """During the `with` block, answer the requests of all gateways that connect to the socket. The
    caller must hold a lock. A file that already exists at `path` must therefore be from a killed
    process, so it is replaced."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        async def answer(request: Json) -> None:
            found = await handle_request(service, request)
            writer.write(orjson.dumps({"id": request["id"], **found}) + b"\n")

        async def announce_status() -> None:
            with contextlib.suppress(OSError):  # the gateway has exited, and its requests end soon, too
                while True:
                    writer.write(orjson.dumps({"status": encode_status(service.status())}) + b"\n")
                    await writer.drain()
                    await asyncio.sleep(STATUS_SECONDS)

        announcing, answers = asyncio.create_task(announce_status()), set[asyncio.Task[None]]()
        try:
            # end the connection after invalid JSON, which a gateway never sends
            with contextlib.suppress(OSError, ValueError):
                while line := await reader.readline():
                    task = asyncio.create_task(answer(orjson.loads(line)))
                    answers.add(task)
                    task.add_done_callback(answers.discard)
        finally:
            announcing.cancel()
            writer.close()

    gateways = set[asyncio.Task[None]]()

    def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Start a task for the new connection. If this function were a coroutine, asyncio would
        report its cancellation as an error."""
        task = asyncio.create_task(serve(reader, writer))
        gateways.add(task)
        task.add_done_callback(gateways.discard)

    _remove(path)
    server = await asyncio.start_unix_server(connected, path, limit=MAX_LINE)
    _make_private(path)
    try:
        yield
    finally:
        server.close()
        _remove(path)
        for task in gateways:
            task.cancel()
        await asyncio.gather(*gateways, return_exceptions=True)


def _remove(path: Path) -> None:
    path.unlink(missing_ok=True)


def _make_private(path: Path) -> None:
    path.chmod(0o600)


class SocketSponsor:
    """A SponsorService for a gateway. It sends requests to the sponsor through the socket at
    `path`. While no sponsor listens there, the status is None and all requests are rejected."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._writer: asyncio.StreamWriter | None = None
        self._status: SponsorStatus | None = None
        self._request_ids = count(1)
        self._waiting: dict[int, asyncio.Future[Json]] = {}

    def status(self) -> SponsorStatus | None:
        return self._status

    async def grant(self, address: str, network: str, game: str) -> Sponsored:
        if self._writer is None:
            raise SponsorRejected("sponsor-away", wait=10)
        if len(self._waiting) >= MAX_PENDING:
            raise SponsorRejected("sponsor-busy.at-once", {"n": MAX_PENDING}, wait=1)
        request_id, answer = next(self._request_ids), asyncio.get_running_loop().create_future()
        self._waiting[request_id] = answer
        request = {"id": request_id, "address": address, "network": network, "game": game}
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                self._writer.write(orjson.dumps(request) + b"\n")
                return parse_answer(await answer)
        except TimeoutError:
            raise SponsorRejected("sponsor-away", wait=10) from None
        finally:
            del self._waiting[request_id]

    async def run(self) -> None:
        """Keep the connection to the sponsor open until cancelled. If it is lost, reconnect."""
        while True:
            with contextlib.suppress(OSError, ValueError):
                await self._run_once()
            await asyncio.sleep(RECONNECT_SECONDS)

    async def _run_once(self) -> None:
        reader, writer = await asyncio.open_unix_connection(self._path, limit=MAX_LINE)
        self._writer = writer
        try:
            while line := await reader.readline():
                self._receive(orjson.loads(line))
        finally:
            self._writer = self._status = None
            writer.close()
            for answer in self._waiting.values():
                if not answer.done():
                    answer.set_result(encode_answer(SponsorRejected("sponsor-away", wait=10)))

    def _receive(self, message: Json) -> None:
        if "status" in message:
            self._status = parse_status(message["status"])
        elif (answer := self._waiting.get(message["id"])) and not answer.done():
            answer.set_result(message)
