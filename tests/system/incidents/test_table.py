"""The table of stories names tests that exist, and every test in this folder."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

HERE = Path(__file__).parent
ROW = re.compile(r"^\| (\d+)\. .*\| (.*) \|$", re.MULTILINE)
TEST = re.compile(r"^(?:async )?def (test_\w+)", re.MULTILINE)
STORIES = 14


def told() -> dict[int, list[tuple[Path, str]]]:
    """Tests of each story, each with its file."""
    found: dict[int, list[tuple[Path, str]]] = {}
    for number, cell in ROW.findall((HERE / "README.md").read_text("utf-8")):
        file = HERE
        for name in re.findall(r"`([^`]+)`", cell):
            if name.endswith(".py"):
                file = (HERE.parents[1] if "/" in name else HERE) / name
            else:
                found.setdefault(int(number), []).append((file, name))
    return found


@pytest.mark.parametrize("number", range(1, STORIES + 1))
def test_every_story_is_told_by_tests_that_exist(number: int) -> None:
    for file, name in told()[number]:
        assert name in TEST.findall(file.read_text("utf-8")), f"{file.name} has no {name}"


def test_every_test_here_is_in_the_table() -> None:
    named = {test for tests in told().values() for test in tests}
    others = [file for file in HERE.glob("test_*.py") if file != Path(__file__)]
    here = {(file, name) for file in others for name in TEST.findall(file.read_text("utf-8"))}
    assert here - named == set()
