"""Plays several scenarios at the same time. They share a recorded chain and a fork server."""

from __future__ import annotations

import asyncio
import shutil
import threading
from collections.abc import Callable, Coroutine, Iterable, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import Any, TypeVar

from chaos.chain.recorded_chain import RecordedChain
from chaos.game import Play
from chaos.process.forkserver import warm_up
from chaos.runner import SETTLED_SECONDS, ScenarioReport, ScenarioRunner

T = TypeVar("T")

START_SECONDS = 120


class ScenarioPool:
    """Plays scenarios in an event loop, which runs in its own thread, so that any test can use the
    pool. `shared` is a folder for all processes of a test session. `own` is a folder for this
    process only."""

    def __init__(self, plays: Sequence[Play], shared: Path, own: Path, concurrency: int) -> None:
        self._plays, self._own, self._concurrency = plays, own, concurrency
        self._recorded = RecordedChain(shared)
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._submit(self._open()).result(START_SECONDS)

    def _submit(self, job: Coroutine[Any, Any, T]) -> Future[T]:
        return asyncio.run_coroutine_threadsafe(job, self._loop)

    async def _open(self) -> None:
        self._slots = asyncio.Semaphore(self._concurrency)
        await asyncio.gather(
            self._recorded.record([play for play in self._plays if play.is_in_all]),
            asyncio.to_thread(warm_up),
        )

    def close(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def play(
        self,
        seeds: Iterable[int],
        without: Sequence[str] = (),
        patience: float = SETTLED_SECONDS,
        opponents: bool = False,
        new_database: Callable[[], str] | None = None,
    ) -> dict[int, Future[ScenarioReport]]:
        """Start the scenarios with these seeds in this order. Return a future for each scenario's
        report.

        - `patience`: the number of seconds after the last fault within which everything must become
          consistent.
        - `opponents`: True if computer players take part.
        - `new_database`: a function that creates a database and returns its URL. By default, each
          scenario uses a SQLite file."""
        return {seed: self._submit(self._run(seed, without, patience, opponents, new_database)) for seed in seeds}

    async def _run(
        self,
        seed: int,
        without: Sequence[str],
        patience: float,
        opponents: bool,
        new_database: Callable[[], str] | None,
    ) -> ScenarioReport:
        plays = [play for play in self._plays if play.is_in(seed, opponents)]
        async with self._slots:
            kind = [*(["opponents"] if opponents else []), *(["server"] if new_database else [])]
            folder = self._own / "-".join([str(seed), *kind, *without])
            shutil.rmtree(folder, ignore_errors=True)
            url = await asyncio.to_thread(new_database) if new_database else None
            runner = ScenarioRunner(seed, plays, self._recorded, folder, without, patience, opponents, url)
            return await runner.play()
