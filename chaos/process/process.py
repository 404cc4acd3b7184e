"""Our process: the real command line in a process of its own, started again as often as it is killed."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

START_SECONDS = 60


class Zygote:
    """The process that forks ours; one for as many stories as one likes. Use it in one event loop."""

    def __init__(self) -> None:
        self._orders = itertools.count(1)
        self._started: dict[int, asyncio.Future[int]] = {}
        self._ends: dict[int, asyncio.Future[int]] = {}

    async def start(self) -> None:
        self._process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "chaos.process.forkserver",
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
        )
        assert self._process.stdout is not None
        async with asyncio.timeout(START_SECONDS):
            json.loads(await self._process.stdout.readline())
        self._reader = asyncio.create_task(self._read(self._process.stdout))

    async def stop(self) -> None:
        if self._process.stdin is not None:
            self._process.stdin.close()
        await self._process.wait()
        await self._reader

    async def _read(self, stream: asyncio.StreamReader) -> None:
        while line := await stream.readline():
            said = json.loads(line)
            if "started" in said:
                self._ends[said["started"]] = asyncio.get_running_loop().create_future()
                self._started.pop(said["order"]).set_result(said["started"])
            elif "ended" in said:
                self._ends.pop(said["ended"]).set_result(said["code"])

    async def fork(self, order: dict[str, Any]) -> tuple[int, asyncio.Future[int]]:
        """The new process's id, and its exit code to come."""
        number = next(self._orders)
        started = self._started[number] = asyncio.get_running_loop().create_future()
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps({**order, "order": number}).encode() + b"\n")
        pid = await started
        return pid, self._ends[pid]


class Process:
    """One command over one data folder, one run after the other; their output is in one log."""

    def __init__(self, zygote: Zygote, folder: Path, arguments: Sequence[str], without: Sequence[str] = ()) -> None:
        self._zygote, self._folder, self._arguments, self._without = zygote, folder, list(arguments), list(without)
        self._pid: int | None = None
        self._end: asyncio.Future[int] | None = None
        self.log = folder / "process.log"
        self.log.touch()

    @property
    def phases_file(self) -> Path:
        return self._folder / "phases"

    @property
    def alive(self) -> bool:
        return self._end is not None and not self._end.done()

    @property
    def code(self) -> int | None:
        """The exit code of the last run; negative: the signal that ended it."""
        return self._end.result() if self._end is not None and self._end.done() else None

    async def start(self) -> None:
        order = {
            "arguments": self._arguments,
            "log": str(self.log),
            "phases": str(self.phases_file),
            "without": self._without,
            "environment": {"TMPDIR": str(self._folder)},
        }
        self._pid, self._end = await self._zygote.fork(order)

    async def kill(self) -> None:
        """SIGKILL, now."""
        if self.alive and self._pid is not None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self._pid, signal.SIGKILL)
        await self.ended(20)

    async def ended(self, seconds: float) -> bool:
        """Waits for its end, at most so long; whether it has ended."""
        if self._end is None:
            return True
        done, _ = await asyncio.wait({self._end}, timeout=seconds)
        return bool(done)

    def said(self) -> str:
        """All that its runs have printed."""
        return self.log.read_text("utf-8", "replace")
