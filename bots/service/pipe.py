"""Passes requests for computer players through a pipe. The gateway's process writes each request as
a JSON object on one line. The service answers each request with a line, too."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Sequence
from dataclasses import asdict
from typing import BinaryIO

import orjson

from bots.service.messages import ComputerPlayer, RequestRejected, ServiceStatus
from bots.service.service import OpponentsRunner
from indexer.model import Json

log = logging.getLogger("chainboard.bots")

STATUS_SECONDS = 1.0


def greeting(opponents: Sequence[ComputerPlayer]) -> Json:
    return {"t": "opponents", "opponents": [asdict(one) for one in opponents]}


def parse_greeting(message: Json) -> list[ComputerPlayer]:
    return [ComputerPlayer(**{**one, "accounts": tuple(one["accounts"])}) for one in message["opponents"]]


def parse_status(message: Json) -> ServiceStatus:
    why = message["status"]["why"]
    return ServiceStatus(**{**message["status"], "why": tuple(why) if why else None})


async def serve(runner: OpponentsRunner, requests: BinaryIO, answers: BinaryIO) -> None:
    """Answer the requests from a pipe until the pipe closes. It closes when the gateway's process
    exits, even if that process is killed."""

    def write(message: Json) -> None:
        with contextlib.suppress(BrokenPipeError):  # the gateway has exited, so there are no more requests
            answers.write(orjson.dumps(message) + b"\n")
            answers.flush()

    async def take_seat(request: Json) -> None:
        try:
            account = await runner.request(request["match"], request["name"])
            write({"t": "answer", "id": request["id"], "account": account})
        except RequestRejected as refusal:
            write({"t": "answer", "id": request["id"], "refusal": refusal.reason})
        except Exception as error:  # other requests are unaffected
            log.error("a request failed: %r", error)
            write({"t": "answer", "id": request["id"], "refusal": ("opponents-away.fault", {})})

    async def send_status() -> None:
        last: ServiceStatus | None = None
        while True:
            status = await runner.status()
            if status != last:
                write({"t": "status", "status": asdict(status)})
            last = status
            await asyncio.sleep(STATUS_SECONDS)

    reader = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), requests)
    write(greeting(runner.opponents()))
    async with asyncio.TaskGroup() as group:
        status_task = group.create_task(send_status())
        seats: set[asyncio.Task[None]] = set()
        while line := await reader.readline():
            task = group.create_task(take_seat(orjson.loads(line)))
            seats.add(task)
            task.add_done_callback(seats.discard)
        for task in (status_task, *seats):
            task.cancel()
