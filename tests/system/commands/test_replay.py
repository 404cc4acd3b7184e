"""Tests of `chainboard replay` in a real terminal, and of the program in the documentation that
checks a replay file."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.replay.recorded_replays import RecordedMatches, recorded
from tests.replay.test_command import HEIGHT, WIDTH
from tests.replay.test_format import PAGE, TOP
from tests.support.waiting import PATIENCE_SECONDS


@pytest.fixture(scope="module")
def it(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RecordedMatches]:
    with recorded(tmp_path_factory.mktemp("replay")) as found:
        yield found


def test_it_is_played_in_a_real_terminal(it: RecordedMatches) -> None:
    """Tests the replay in a terminal of 80 by 24 characters. An arrow key shows the next step, Home
    shows the first step, and q exits. Afterwards, the terminal must have its old settings."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", HEIGHT, WIDTH, 0, 0))
    before = termios.tcgetattr(theirs)
    command = [sys.executable, "-m", "chainboard", "replay", "tic-tac-toe/1", "--data", str(it.data), "--at", "9"]
    environment = {**os.environ, "TERM": "xterm-256color"}
    process = subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=environment)
    try:
        assert "Three in a row" not in read_until(ours, "7/8")  # step 7 is in the middle of the last transaction
        os.write(ours, b"\x1b[C")
        assert "Able Dotterel won" in read_until(ours, "8/8")
        os.write(ours, b"\x1b[H")
        read_until(ours, "1/8")
        os.write(ours, b"q")
        assert process.wait(PATIENCE_SECONDS) == 0
    finally:
        if process.poll() is None:
            process.kill()
        process.wait()
    assert termios.tcgetattr(theirs) == before
    for end in (ours, theirs):
        os.close(end)


def read_until(terminal: int, words: str) -> str:
    read = b""
    while words.encode() not in read:
        # If the words never come, the test's time limit ends this loop.
        read += os.read(terminal, 4096)
    return read.decode("utf-8", "replace")


def test_the_program_of_the_page_checks_a_file(it: RecordedMatches, tmp_path: Path) -> None:
    (program,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    it.file("tic-tac-toe/1", tmp_path).rename(tmp_path / "match.json")
    (tmp_path / "contracts").symlink_to(TOP / "contracts")
    program = program.replace("http://127.0.0.1:8545", it.url)
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert (done.stdout, done.returncode) == ("True True\n", 0), done.stderr
