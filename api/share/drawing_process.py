"""A process that draws: the rasteriser keeps Python's lock for seconds, in which no thread of the gateway could run."""

from __future__ import annotations

import os
import signal
import threading
from concurrent.futures import Executor, ProcessPoolExecutor
from multiprocessing import get_context, parent_process

NICENESS = 10
"""The gateway and the chain's node go first."""


def drawing_process() -> Executor:
    """One worker, started at its first job. Spawned: a fork of a process with threads may hang."""
    return ProcessPoolExecutor(1, get_context("spawn"), _begin)


def _begin() -> None:
    os.nice(NICENESS)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches it, too; the gateway ends it
    threading.Thread(target=_end_with_gateway, daemon=True).start()


def _end_with_gateway() -> None:
    """Also when that is killed: the worker would wait for its next job for ever."""
    gateway = parent_process()
    assert gateway is not None
    gateway.join()
    os._exit(1)
