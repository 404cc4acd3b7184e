"""Tests that the programs in docs/how-to/write-a-client.md run against a real server and print what
the page promises."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from tests.support.server import up

PAGE = (Path(__file__).parents[3] / "docs" / "how-to" / "write-a-client.md").read_text("utf-8")
PROGRAMS = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
KEY = "0x" + "2a" * 32


def printed_lines(program: str, folder: Path) -> list[str]:
    environment = {**os.environ, "PLAYER_KEY": KEY, "PYTHONPATH": str(Path(__file__).parents[3])}
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        cwd=folder,
        env=environment,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_the_programs_print_what_their_comments_say(tmp_path: Path) -> None:
    """Tests that each program prints what its comments promise. The second program must print the
    same output when it runs a second time."""
    with up(tmp_path) as server:
        for number, program in enumerate(PROGRAMS):
            promised = re.findall(r"^ *print\(.*  # (.*)$", program, re.MULTILINE)
            assert len(promised) >= 2
            for _ in range(1 + number):
                assert printed_lines(program.replace("http://127.0.0.1:8000", server.url), tmp_path) == promised, number
    assert len(PROGRAMS) == 2
