"""What the backfills that are compared share: each is a process of its own, told its work on stdin."""

from __future__ import annotations

import asyncio
import json
import resource
import sys
import time
from collections.abc import Awaitable, Callable
from dataclasses import asdict, dataclass
from pathlib import Path

from indexer.model import Deployment

KIBI = 1024


@dataclass(frozen=True, slots=True)
class Job:
    """`events` that a contract emitted over `blocks`, the first of which follows the deployment's, into a new file."""

    url: str
    deployment: Deployment
    events: int
    blocks: int
    file: str


@dataclass(frozen=True, slots=True)
class Done:
    """Seconds from the connection to the last commit, without imports; the process's peak memory in bytes."""

    events: int
    seconds: float
    peak: int

    @property
    def rate(self) -> float:
        """Events a second."""
        return self.events / self.seconds


async def run(module: str, job: Job) -> Done:
    """The job done by `python -m module`."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", module, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
    )
    answer, _ = await process.communicate(json.dumps(asdict(job)).encode())
    if process.returncode:
        sys.exit(f"{module} failed")
    return Done(**json.loads(answer))


def do(work: Callable[[Job], Awaitable[int]]) -> None:
    """In that process: does the work, which returns how many events it stored, and prints the figures."""
    told = json.load(sys.stdin)
    job = Job(**{**told, "deployment": Deployment(**told["deployment"])})
    Path(job.file).unlink(missing_ok=True)
    begin = time.perf_counter()
    events = asyncio.run(work(job))  # type: ignore[arg-type]
    seconds = time.perf_counter() - begin
    print(json.dumps({"events": events, "seconds": seconds, "peak": peak()}))


def peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * KIBI
