"""`chainboard` in a process of its own, forked from one that has imported everything: starting Python and its libraries
takes a second of processor time, which a hundred commands of the tests need not all spend."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import TextIO

from chaos.process.forkserver import IMPORTED

CONTEXT = multiprocessing.get_context("forkserver")
CONTEXT.set_forkserver_preload([__name__, *IMPORTED])
WRITTEN = os.O_WRONLY | os.O_CREAT | os.O_APPEND


class Forked:
    """The process, with what the tests use of subprocess.Popen. `said` and `complained` are where its standard output
    and its standard error go."""

    stdout: TextIO | None = None

    def __init__(self, arguments: tuple[str, ...], said: Path, complained: Path, **environment: str) -> None:
        around = {**os.environ, **environment}, str(Path.cwd())
        self._process = CONTEXT.Process(target=become, args=(arguments, str(said), str(complained), *around))
        self._process.start()

    @property
    def pid(self) -> int:
        assert self._process.pid is not None
        return self._process.pid

    @property
    def returncode(self) -> int | None:
        return self._process.exitcode

    def poll(self) -> int | None:
        return self._process.exitcode

    def wait(self, timeout: float | None = None) -> int:
        self._process.join(timeout)
        if self._process.exitcode is None:
            raise subprocess.TimeoutExpired("chainboard", timeout or 0)
        return self._process.exitcode

    def send_signal(self, number: int) -> None:
        if self._process.exitcode is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


def piped(arguments: tuple[str, ...]) -> Forked:
    """One whose both outputs are its `stdout`, as text."""
    with tempfile.TemporaryDirectory() as folder:
        pipe = Path(folder) / "pipe"
        os.mkfifo(pipe)
        process = Forked(arguments, pipe, pipe)
        process.stdout = pipe.open(encoding="utf-8", errors="replace")
    return process


def ended(arguments: tuple[str, ...], seconds: float, **environment: str) -> subprocess.CompletedProcess[str]:
    """One that ends by itself, in that time."""
    with tempfile.TemporaryDirectory() as folder:
        said, complained = Path(folder) / "out", Path(folder) / "err"
        process = Forked(arguments, said, complained, **environment)
        try:
            code = process.wait(seconds)
        finally:
            process.kill()
        return subprocess.CompletedProcess(arguments, code, said.read_text("utf-8"), complained.read_text("utf-8"))


def become(arguments: tuple[str, ...], said: str, complained: str, around: Mapping[str, str], folder: str) -> None:
    """The command line, from here to the process's end."""
    from chainboard.cli import main

    nothing, output = os.open(os.devnull, os.O_RDONLY), os.open(said, WRITTEN)
    problems = output if said == complained else os.open(complained, WRITTEN)  # a pipe is opened once
    for file, standard in ((nothing, 0), (output, 1), (problems, 2)):
        os.dup2(file, standard)
    os.environ.clear()
    os.environ.update(around)
    os.chdir(folder)
    tempfile.tempdir = None
    sys.argv = ["chainboard", *arguments]
    main()
