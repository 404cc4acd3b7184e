"""The first word a newcomer types says in a sentence what is missing."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

TOP = Path(__file__).parents[2]
TOOLS = ("make", "sh", "env", "test", "echo", "touch")


def make_play(folder: Path, **programs: str) -> subprocess.CompletedProcess[str]:
    """`make play` in a copy of the Makefile, where only these programs are to be had."""
    bin = folder / "bin"
    bin.mkdir()
    for name in TOOLS:
        found = shutil.which(name)
        if found is not None:
            (bin / name).symlink_to(found)
    for name, script in programs.items():
        (bin / name).write_text(script)
        (bin / name).chmod(0o755)
    shutil.copy(TOP / "Makefile", folder)
    for name in ("pyproject.toml", "constraints.txt", "package-lock.json"):
        (folder / name).touch()
    make = shutil.which("make")
    assert make is not None
    return subprocess.run(
        [make, "play"], cwd=folder, env={"PATH": str(bin)}, capture_output=True, text=True, timeout=60, check=False
    )


PYTHON = f'#!/bin/sh\nexec {sys.executable} "$@"\n'
OLD = "#!/bin/sh\nexit 1\n"


@pytest.mark.parametrize(
    ("programs", "sentence"),
    [
        ({}, "Chainboard needs Python 3.11 or newer"),
        ({"python3": OLD}, "Chainboard needs Python 3.11 or newer"),
        ({"python3": PYTHON}, "Chainboard needs Node 20 or newer with npm"),
        ({"python3": PYTHON, "node": OLD, "npm": OLD}, "Chainboard needs Node 20 or newer with npm"),
        ({"python3": PYTHON, "node": "#!/bin/sh\nexit 0\n"}, "Chainboard needs Node 20 or newer with npm"),
    ],
)
def test_what_is_missing_is_said(tmp_path: Path, programs: dict[str, str], sentence: str) -> None:
    answer = make_play(tmp_path, **programs)
    assert answer.returncode != 0
    assert sentence in answer.stdout
    assert not (tmp_path / ".venv").exists()
