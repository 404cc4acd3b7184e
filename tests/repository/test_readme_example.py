"""The README's program does what the README says, against a real server."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from tests.support.server import up

README = (Path(__file__).parents[2] / "README.md").read_text("utf-8")
PROGRAM = re.search(r"```python\n(.*?)```", README, re.DOTALL)


def test_the_program_prints_what_its_comments_say(tmp_path: Path) -> None:
    assert PROGRAM is not None
    promised = re.findall(r"^print\(.*#\s*(.*)$", PROGRAM[1], re.MULTILINE)
    with up(tmp_path) as server:
        program = PROGRAM[1].replace("http://127.0.0.1:8000", server.url)
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == promised
    assert len(promised) >= 3
