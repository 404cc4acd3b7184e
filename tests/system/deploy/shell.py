"""Runs the commands on a page of the documentation with bash, in the order of the page."""

from __future__ import annotations

import os
import re
import signal
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.support.waiting import PATIENCE_SECONDS, wait_for


class Shell:
    """A bash process that runs one command at a time. All programs that the commands start end with
    bash."""

    def __init__(self, folder: Path, environment: Mapping[str, str]) -> None:
        self._folder, self._output = folder, folder / "shell.log"
        with self._output.open("wb") as output:
            self._process = subprocess.Popen(
                ["bash", "--norc", "-s"],
                stdin=subprocess.PIPE,
                stdout=output,
                stderr=subprocess.STDOUT,
                cwd=folder,
                env={**os.environ, **environment},
                start_new_session=True,
            )
        self._send("trap 'kill 0' EXIT\n")

    def run(self, command: str) -> str:
        """Run a command, and return its output. Raises AssertionError if the command fails."""
        before = len(self._read(self._output))
        self._send(f"{command}\nprintf '\\nexit=%s\\n' $?\n")
        found = self._until(self._output, lambda text: re.search(r"(?s)(.*)^exit=(\d+)$", text[before:], re.MULTILINE))
        assert found[2] == "0", f"{command}\n{found[1]}"
        return str(found[1])

    def wait_for(self, log: str, words: str) -> None:
        """Wait until the log file contains these words."""
        self._until(self._folder / log, lambda text: words in text)

    def _send(self, text: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(text.encode())
        self._process.stdin.flush()

    def _until(self, file: Path, found: Any) -> Any:
        return found(wait_for(lambda: self._read(file), found, file.name))

    @staticmethod
    def _read(file: Path) -> str:
        return file.read_text("utf-8", "replace") if file.exists() else ""

    def end(self) -> None:
        """Kill bash and its jobs. They are in one process group."""
        assert self._process.stdin is not None
        os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait(PATIENCE_SECONDS)
        self._process.stdin.close()
