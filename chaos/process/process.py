"""The tested process: the real command line. The kit restarts it whenever it was killed."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from chaos.process.forkserver import ForkedProcess
from chaos.process.patches import prepare

POLL_SECONDS = 0.01


class ChainboardProcess:
    """Runs one command again and again with the same data folder. All runs write to one log."""

    def __init__(self, folder: Path, arguments: Sequence[str], without: Sequence[str] = ()) -> None:
        self._folder, self._arguments, self._without = folder, list(arguments), list(without)
        self._run: ForkedProcess | None = None
        self.log = folder / "process.log"
        self.log.touch()

    @property
    def phases_file(self) -> Path:
        return self._folder / "phases"

    @property
    def alive(self) -> bool:
        return self._run is not None and self._run.poll() is None

    @property
    def code(self) -> int | None:
        """The exit code of the last run. A negative code is the signal that ended the run."""
        return None if self._run is None else self._run.poll()

    def start(self) -> None:
        prepared = partial(prepare, self.phases_file, self._without)
        self._run = ForkedProcess(self._arguments, self.log, self.log, {"TMPDIR": str(self._folder)}, prepared)

    async def kill(self) -> None:
        """Kill the process with SIGKILL, and wait until it has ended."""
        if self._run is not None:
            self._run.kill()
        await self.exited_within(20)

    async def exited_within(self, seconds: float) -> bool:
        """Wait at most `seconds` for the process to end. Return True if it has ended."""
        for _ in range(round(seconds / POLL_SECONDS)):
            if not self.alive:
                break
            await asyncio.sleep(POLL_SECONDS)
        return not self.alive

    def output(self) -> str:
        """Return everything that the runs have printed so far."""
        return self.log.read_text("utf-8", "replace")
