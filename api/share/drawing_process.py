"""A process that draws. The rasteriser holds Python's lock for seconds, which would block all
threads of the gateway."""

from __future__ import annotations

import os
import signal
import threading
from concurrent.futures import Executor, ProcessPoolExecutor
from multiprocessing import get_context, parent_process

NICENESS = 10
"""The gateway and the chain's node have priority."""


def drawing_process() -> Executor:
    """Return one worker, which starts at its first job. It is spawned, because a fork of a process
    with threads may hang."""
    return ProcessPoolExecutor(1, get_context("spawn"), _begin)


def _begin() -> None:
    os.nice(NICENESS)
    # Ctrl-C reaches the worker, too, but the gateway must end it
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_gateway, daemon=True).start()


def _end_with_gateway() -> None:
    """End the worker when the gateway exits, even if it is killed. Otherwise the worker would wait
    for its next job forever."""
    gateway = parent_process()
    assert gateway is not None
    gateway.join()
    os._exit(1)
