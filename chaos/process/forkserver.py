"""The fork server. It imports everything that `chainboard` needs, once. After that, it forks each
new process in milliseconds. A forked process ends when its parent ends."""

from __future__ import annotations

import contextlib
import multiprocessing
import multiprocessing.connection
import os
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TextIO

PRELOADED_MODULES = (
    "chainboard.__main__",
    "chainboard.commands.deploy",
    "chainboard.commands.services",
    "chaos.process.patches",
    "eth_account",
    "pydantic.v1",
    "uvicorn.lifespan.on",
    "uvicorn.protocols.http.auto",
    "uvicorn.protocols.websockets.websockets_sansio_impl",
)
"""The modules that the fork server imports so that its children don't have to. Libraries import
some of them only when they first need them."""
CONTEXT = multiprocessing.get_context("forkserver")
CONTEXT.set_forkserver_preload([__name__, *PRELOADED_MODULES])
WRITE_FLAGS = os.O_WRONLY | os.O_CREAT | os.O_APPEND
START_LOCK = threading.Lock()
"""A lock that must be held while a process is started. Whenever multiprocessing starts a child, it
checks all other children, and each child's exit code can be read only once."""


class ForkedProcess:
    """A forked process that has some of the methods of subprocess.Popen.

    Its output goes to the files `stdout_path` and `stderr_path`. Before it runs the command, it
    calls `prepare`."""

    stdout: TextIO | None = None

    def __init__(
        self,
        arguments: Sequence[str],
        stdout_path: Path,
        stderr_path: Path,
        environment: Mapping[str, str] | None = None,
        prepare: Callable[[], None] | None = None,
    ) -> None:
        environ = {**os.environ, **(environment or {})}, str(Path.cwd())
        process_args = (tuple(arguments), str(stdout_path), str(stderr_path), *environ, prepare)
        # The process is a daemon, because multiprocessing would otherwise wait for it at exit.
        self._process = CONTEXT.Process(target=_run_command_line, args=process_args, daemon=True)
        with START_LOCK:
            self._process.start()

    @property
    def pid(self) -> int:
        assert self._process.pid is not None
        return self._process.pid

    @property
    def returncode(self) -> int | None:
        return self.poll()

    def poll(self) -> int | None:
        with START_LOCK:
            return self._process.exitcode

    def wait(self, timeout: float | None = None) -> int:
        multiprocessing.connection.wait([self._process.sentinel], timeout)
        code = self.poll()
        if code is None:
            raise subprocess.TimeoutExpired("chainboard", timeout or 0)
        return code

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            with contextlib.suppress(ProcessLookupError):  # the process has ended in the meantime
                os.kill(self.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


def warm_up() -> None:
    """Start the fork server, and wait until it has imported the modules."""
    process = CONTEXT.Process(target=_nothing)
    with START_LOCK:
        process.start()
        process.join()


def start_piped(arguments: Sequence[str]) -> ForkedProcess:
    """Start a process whose output and errors can both be read, as text, from `stdout`."""
    with tempfile.TemporaryDirectory() as folder:
        pipe = Path(folder) / "pipe"
        os.mkfifo(pipe)
        process = ForkedProcess(arguments, pipe, pipe)
        process.stdout = pipe.open(encoding="utf-8", errors="replace")
    return process


def run_to_exit(arguments: Sequence[str], seconds: float, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a process and wait at most `seconds` until it has ended. Raises TimeoutExpired if it
    doesn't end in time."""
    with tempfile.TemporaryDirectory() as folder:
        stdout_path, stderr_path = Path(folder) / "out", Path(folder) / "err"
        process = ForkedProcess(arguments, stdout_path, stderr_path, environment)
        try:
            code = process.wait(seconds)
        finally:
            process.kill()
        return subprocess.CompletedProcess(
            arguments, code, stdout_path.read_text("utf-8"), stderr_path.read_text("utf-8")
        )


# ---- in the child


def _nothing() -> None: ...


def _run_command_line(
    arguments: Sequence[str],
    stdout_path: str,
    stderr_path: str,
    environ: Mapping[str, str],
    folder: str,
    prepare: Callable[[], None] | None,
) -> None:
    """Run the command line in this forked process."""
    from chainboard.__main__ import main

    os.setsid()
    # Clear the daemon flag, because a daemon can't have children.
    multiprocessing.current_process()._config["daemon"] = False  # type: ignore[attr-defined]
    threading.Thread(target=_end_with_parent, daemon=True).start()
    nothing, output = os.open(os.devnull, os.O_RDONLY), os.open(stdout_path, WRITE_FLAGS, 0o600)
    # A pipe must be opened only once, so both outputs share the descriptor.
    problems = output if stdout_path == stderr_path else os.open(stderr_path, WRITE_FLAGS, 0o600)
    for file, standard in ((nothing, 0), (output, 1), (problems, 2)):
        os.dup2(file, standard)
    os.environ.clear()
    os.environ.update(environ)
    os.chdir(folder)
    tempfile.tempdir = None
    sys.argv = ["chainboard", *arguments]
    if prepare:
        prepare()
    main()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os.kill(os.getpid(), signal.SIGKILL)
