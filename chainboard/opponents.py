"""Runs the computer players of `up` in a separate `chainboard bots` process. Otherwise, their
thinking and signing would slow down everything else in the process."""

from __future__ import annotations

import asyncio
import logging
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import count

import orjson

from bots.service import pipe
from bots.service.messages import AWAY, ComputerPlayer, RequestRejected, ServiceStatus
from chainboard.settings import Settings
from indexer.model import Json

log = logging.getLogger("chainboard")

PROGRAM: tuple[str, ...] = (sys.executable, "-m", "chainboard")
RESTART_SECONDS = (0.1, 1.0, 5.0, 15.0)
START_SECONDS, END_SECONDS = 0.1, 3.0
STEADY_SECONDS = 60.0
ARRIVAL_SECONDS = 60.0
"""The number of seconds that `up` waits for the computer players to be ready. It stops waiting
earlier if their process exits."""
MAX_LINE = 2**20


class OpponentsProcess:
    """Passes requests to the computer players' process.

    When this process exits, the standard input of the computer players' process closes. Their
    process then exits, too. If it exits for any other reason, it is restarted."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._process: Process | None = None
        self._opponents: list[ComputerPlayer] = []
        self._status = ServiceStatus(limit=settings.opponents, why=AWAY)
        self._request_ids = count(1)
        self._waiting: dict[int, asyncio.Future[Json]] = {}
        self._ready = asyncio.Event()
        """An event, set when the computer players are ready or their first process has exited."""
        self._deadline = asyncio.get_running_loop().time() + ARRIVAL_SECONDS

    def opponents(self) -> Sequence[ComputerPlayer]:
        return self._opponents

    def status(self) -> ServiceStatus:
        return self._status

    async def wait_until_ready(self) -> bool:
        with suppress(TimeoutError):
            async with asyncio.timeout_at(self._deadline):
                await self._ready.wait()
        return bool(self._opponents)

    async def request(self, match: str, name: str) -> str:
        await self.wait_until_ready()
        if self._process is None or self._process.stdin is None or not self._opponents:
            raise RequestRejected(AWAY[0])
        request_id, response = next(self._request_ids), asyncio.get_running_loop().create_future()
        self._waiting[request_id] = response
        try:
            self._process.stdin.write(orjson.dumps({"id": request_id, "match": match, "name": name}) + b"\n")
            answer = await response
        finally:
            del self._waiting[request_id]
        if "account" in answer:
            return str(answer["account"])
        key, arguments = answer["refusal"]
        raise RequestRejected(key, **arguments)

    async def run(self) -> None:
        """Keep the computer players' process running until cancelled."""
        while not self._settings.running.exists():
            await asyncio.sleep(START_SECONDS)
        failures = 0
        while True:
            begin = asyncio.get_running_loop().time()
            code = await self._run_once()
            self._ready.set()
            failures = 0 if asyncio.get_running_loop().time() - begin > STEADY_SECONDS else failures + 1
            log.warning("the computer players' process has ended (exit code %s); restarting it", code)
            await asyncio.sleep(RESTART_SECONDS[min(failures, len(RESTART_SECONDS)) - 1])

    async def _run_once(self) -> int | None:
        process = await asyncio.create_subprocess_exec(
            *(*PROGRAM, "bots", "--data", str(self._settings.data), "--piped"),
            *("--opponents", str(self._settings.opponents)),
            stdin=PIPE,
            stdout=PIPE,
            limit=MAX_LINE,
            start_new_session=True,  # the child doesn't receive Ctrl-C
        )
        self._process = process
        try:
            assert process.stdout is not None
            async for line in process.stdout:
                self._receive(orjson.loads(line))
            return await process.wait()
        finally:
            self._process, self._status = None, replace(self._status, why=AWAY)
            for response in self._waiting.values():
                if not response.done():
                    response.set_result({"refusal": AWAY})
            await _stop_process(process)

    def _receive(self, message: Json) -> None:
        if message["t"] == "opponents":
            self._opponents = pipe.parse_greeting(message)
        elif message["t"] == "status":
            self._status = pipe.parse_status(message)
            self._ready.set()
        elif (response := self._waiting.get(message["id"])) and not response.done():
            response.set_result(message)


async def _stop_process(process: Process) -> None:
    """Close the standard input of the computer players' process. If it doesn't exit, kill it."""
    assert process.stdin is not None
    process.stdin.close()
    try:
        await asyncio.wait_for(process.wait(), END_SECONDS)
    except TimeoutError:
        process.kill()
        await process.wait()
