"""The zygote: has imported all that `chainboard` needs, and forks a real process of it in milliseconds.

Orders come as lines of JSON on its standard input, what it did goes as lines to its standard output. It ends, and all
that it has forked with it, when its input closes."""

from __future__ import annotations

import gc
import importlib
import json
import os
import select
import signal
import sys
import tempfile
import threading
from pathlib import Path
from typing import Any

from chaos.process.patches import prepare

IMPORTED = (
    "chainboard.cli",
    "chainboard.commands.services",
    "pydantic.v1",
    "uvicorn.lifespan.on",
    "uvicorn.protocols.http.auto",
    "uvicorn.protocols.websockets.websockets_sansio_impl",
)
"""Here, and not in each child; what the libraries import only when they run, too."""


def main() -> None:
    """Until the input closes."""
    for name in IMPORTED:
        importlib.import_module(name)
    gc.collect()
    gc.freeze()
    leash, hold = os.pipe()
    woken, wake = os.pipe()
    for end in (woken, wake):
        os.set_blocking(end, False)
    signal.set_wakeup_fd(wake)
    signal.signal(signal.SIGCHLD, lambda _number, _frame: None)
    _say({"ready": os.getpid()})
    waiting = b""
    while True:
        ready, _, _ = select.select([0, woken], [], [])
        if woken in ready:
            os.read(woken, 4096)
            _reap()
        if 0 in ready:
            read = os.read(0, 65536)
            if not read:
                os._exit(0)
            *lines, waiting = (waiting + read).split(b"\n")
            for line in lines:
                _fork(json.loads(line), leash, (hold, woken, wake))


def _say(what: dict[str, Any]) -> None:
    os.write(1, json.dumps(what).encode() + b"\n")


def _reap() -> None:
    while True:
        try:
            pid, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return
        if pid == 0:
            return
        _say({"ended": pid, "code": os.waitstatus_to_exitcode(status)})


def _fork(order: dict[str, Any], leash: int, ours: tuple[int, ...]) -> None:
    pid = os.fork()
    if pid:
        _say({"started": pid, "order": order["order"]})
        return
    try:
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        for end in ours:
            os.close(end)
        _become(order, leash)
    finally:
        os._exit(70)  # a child never goes on as a zygote


def _become(order: dict[str, Any], leash: int) -> None:
    os.setsid()
    log = os.open(order["log"], os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    nothing = os.open(os.devnull, os.O_RDONLY)
    for end, standard in ((nothing, 0), (log, 1), (log, 2)):
        os.dup2(end, standard)
    threading.Thread(target=_end_with, args=(leash,), daemon=True).start()
    os.environ.update(order["environment"])
    tempfile.tempdir = None
    sys.argv = ["chainboard", *order["arguments"]]
    os._exit(_run(order))


def _end_with(leash: int) -> None:
    """Nobody writes to this pipe: reading ends when the zygote has gone."""
    os.read(leash, 1)
    os.kill(os.getpid(), signal.SIGKILL)


def _run(order: dict[str, Any]) -> int:
    from chainboard.cli import main as command

    prepare(Path(order["phases"]), order["without"])
    try:
        command()
    except SystemExit as ended:
        return ended.code if isinstance(ended.code, int) else 1
    finally:
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
    return 0


if __name__ == "__main__":
    main()
