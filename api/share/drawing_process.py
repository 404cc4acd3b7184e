"""The process that draws pictures. Drawing holds Python's global lock for seconds, so it would
block all threads of the gateway."""

from __future__ import annotations

import os
import signal
import threading
from concurrent.futures import Executor, ProcessPoolExecutor
from multiprocessing import get_context, parent_process

NICENESS = 10
"""The niceness of the process. It gives the gateway and the chain's node a higher priority."""


def drawing_process() -> Executor:
    """Return an executor with one worker process, which starts with its first job. The worker is a
    new process (spawned), because a forked process can hang if its parent has threads."""
    return ProcessPoolExecutor(1, get_context("spawn"), _begin)


def _begin() -> None:
    os.nice(NICENESS)
    # Ctrl-C also reaches the worker, but only the gateway should end it
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_gateway, daemon=True).start()


def _end_with_gateway() -> None:
    """End the worker when the gateway exits, even if it is killed. Otherwise the worker would wait
    for its next job forever."""
    gateway = parent_process()
    assert gateway is not None
    gateway.join()
    os._exit(1)
