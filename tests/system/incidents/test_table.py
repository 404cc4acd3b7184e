"""Tests that the table of incidents in README.md names every test in this folder, and that each
named test exists."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

HERE = Path(__file__).parent
ROW = re.compile(r"^\| (\d+)\. .*\| (.*) \|$", re.MULTILINE)
TEST = re.compile(r"^(?:async )?def (test_\w+)", re.MULTILINE)
INCIDENTS = 14


def listed_tests() -> dict[int, list[tuple[Path, str]]]:
    """Map the number of each incident to its tests in the table, each as a file and a name."""
    found: dict[int, list[tuple[Path, str]]] = {}
    for number, cell in ROW.findall((HERE / "README.md").read_text("utf-8")):
        file = HERE
        for name in re.findall(r"`([^`]+)`", cell):
            if name.endswith(".py"):
                file = (HERE.parents[1] if "/" in name else HERE) / name
            else:
                found.setdefault(int(number), []).append((file, name))
    return found


@pytest.mark.parametrize("number", range(1, INCIDENTS + 1))
def test_every_incident_has_existing_tests(number: int) -> None:
    for file, name in listed_tests()[number]:
        assert name in TEST.findall(file.read_text("utf-8")), f"{file.name} has no {name}"


def test_every_test_here_is_in_the_table() -> None:
    listed = {test for tests in listed_tests().values() for test in tests}
    others = [file for file in HERE.glob("test_*.py") if file != Path(__file__)]
    existing = {(file, name) for file in others for name in TEST.findall(file.read_text("utf-8"))}
    assert existing - listed == set()
