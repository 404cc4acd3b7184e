"""Tests that the examples in docs/how-to/test.md run without changes, and that the page names every
kind of fault, every option and every defence."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from chaos.faults.counts import KINDS, OPPONENTS
from chaos.process.ablations import DEFENCES

TOP = Path(__file__).parents[3]
PAGE = (TOP / "docs" / "how-to" / "test.md").read_text("utf-8")


@pytest.mark.parametrize("kind", [*KINDS, *OPPONENTS])
def test_every_kind_is_named(kind: str) -> None:
    assert f"`{kind}`" in PAGE


@pytest.mark.parametrize("defence", sorted(DEFENCES))
def test_every_defence_is_named(defence: str) -> None:
    assert f"| `{defence}` |" in PAGE


def test_every_option_is_named() -> None:
    source = (TOP / "chaos" / "pytest_plugin.py").read_text("utf-8")
    options = re.findall(r'"(--chaos-[\w-]+)"', source)
    assert len(set(options)) == 4
    for option in options:
        assert f"| `{option} " in PAGE


@pytest.mark.soak
def test_the_example_runs_as_it_stands(tmp_path: Path) -> None:
    [example] = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    (tmp_path / "test_my_game.py").write_text(example)
    plugins = ["-p", "no:cacheprovider", "-p", "chaos.pytest_plugin"]
    command = [sys.executable, "-m", "pytest", *plugins, "-q", "--chaos-seed", "3", "--chaos-seed", "5"]
    done = subprocess.run(
        command, cwd=tmp_path, env={"PYTHONPATH": str(TOP), "PATH": "/usr/bin:/bin"}, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "2 passed" in done.stdout
    assert "2 scenarios" in done.stdout
    assert re.search(r"^reorg-nowhere +[1-9]", done.stdout, re.MULTILINE)
