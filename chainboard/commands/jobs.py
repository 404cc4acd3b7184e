"""Runs a command's coroutines at the same time until they end or the user stops them."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import signal
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from typing import Any, TypeAlias

Jobs: TypeAlias = list[Coroutine[Any, Any, None]]


@asynccontextmanager
async def running(jobs: Jobs) -> AsyncIterator[None]:
    """Run jobs during the `with` block. If a job fails, cancel the block and the other jobs."""
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(job) for job in jobs]
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()


def run(service: Coroutine[Any, Any, None]) -> None:
    """Run a command until it ends. The first Ctrl-C or SIGTERM cancels the command, and later
    signals are ignored. The web server installs its own SIGTERM handler, so that it can drain."""

    async def run_to_end() -> None:
        task = asyncio.current_task()
        assert task is not None
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, lambda: task.cancelling() or task.cancel())
        await service

    gc.freeze()  # imported modules stay in memory, so the garbage collector needn't scan them
    with contextlib.suppress(asyncio.CancelledError):
        asyncio.run(run_to_end())
