"""Runs computer players in separate processes, with a time limit per move. If a computer player
crashes, only its process ends."""

from __future__ import annotations

import asyncio
import os
import threading
import time
from concurrent.futures import TimeoutError as FutureTimeout
from multiprocessing import get_context
from random import Random

from pebble import ProcessExpired, ProcessPool

from bots.opponent import Choice, excerpt, fault_of
from bots.registry import find
from bots.service.urgency import UrgentFirst, urgency
from indexer.games import GAMES
from indexer.model import Json

SECONDS = 1.0
"""The time limit for choosing a move, in seconds."""
PARENT_SECONDS = 1.0


class ChoiceFailed(Exception):
    """A computer player raised an exception, took too long, crashed its process or returned an
    invalid move. The message explains what happened."""


class ThinkingPool:
    """A pool of at most `workers` processes in which computer players think. The processes are
    started when they are needed. The most urgent matches come first."""

    def __init__(self, workers: int, seconds: float = SECONDS) -> None:
        self._seconds, self._turns = seconds, UrgentFirst(workers)
        # don't fork, because this process has threads
        self._pool = ProcessPool(
            workers, initializer=_end_with_parent, initargs=(os.getpid(),), context=get_context("spawn")
        )

    def close(self) -> None:
        self._pool.stop()  # type: ignore[no-untyped-call]
        self._pool.join()

    async def choose(self, game: str, name: str, board: Json, seat: int, seed: str) -> Choice | None:
        """Return a computer player's move for a board, or None. Raises ChoiceFailed."""
        try:
            async with self._turns.turn(urgency(board)):
                future = self._pool.schedule(_choose, (game, name, board, seat, seed), timeout=self._seconds)
                choice = await asyncio.wrap_future(future)
        except (FutureTimeout, TimeoutError):
            raise ChoiceFailed(f"took longer than {self._seconds:g} s") from None
        except ProcessExpired as died:
            raise ChoiceFailed(f"its process ended with code {died.exitcode}") from None
        except Exception as error:
            raise ChoiceFailed(f"raised {excerpt(f'{type(error).__name__}: {error}')}") from None
        if wrong := fault_of(choice):
            raise ChoiceFailed(wrong)
        return choice


def _choose(game: str, name: str, board: Json, seat: int, seed: str) -> Choice | None:
    try:
        return find(GAMES[game], name).choose(board, seat, Random(seed))
    except SystemExit as ended:
        raise RuntimeError(f"SystemExit: {ended}") from None


def _end_with_parent(parent: int) -> None:
    """Exit soon after the parent process has exited, even if a computer player is still thinking in
    this process."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(PARENT_SECONDS)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
