"""Tests that the files and folders tracked by Git follow the rules about their contents and
sizes."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest

TOP = Path(__file__).parents[2]


def tracked() -> list[str]:
    listed = subprocess.run(["git", "ls-files"], cwd=TOP, capture_output=True, text=True, check=False).stdout.split(
        "\n"
    )
    return [name for name in listed if name and (TOP / name).is_file()]


def test_the_lock_holds_versions_and_hashes_but_no_addresses() -> None:
    packages = json.loads((TOP / "package-lock.json").read_text())["packages"]
    for name, entry in packages.items():
        if name:
            assert "resolved" not in entry, name
            assert entry["integrity"].startswith("sha512-"), name


@pytest.mark.parametrize("name", ["__init__.py"])
def test_package_files_are_one_line(name: str) -> None:
    for path in tracked():
        if path.endswith(name) and not path.startswith(("tests/", "indexer/games")):
            assert len((TOP / path).read_text("utf-8").splitlines()) <= 1, path


def test_no_text_of_others_becomes_html() -> None:
    for path in (TOP / "frontend-static").rglob("*.js"):
        assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(", path.read_text()), path


def test_files_are_short() -> None:
    """Tests that source files have at most 300 lines, and test files at most 560."""
    for name in tracked():
        if name.endswith((".py", ".js", ".sol")) and "vendor" not in name:
            most = 560 if name.startswith("tests/") else 300
            assert len((TOP / name).read_text("utf-8").splitlines()) <= most, name


MOST_ENTRIES = 14
SOURCE = (".py", ".js", ".mjs", ".sol")


def test_folders_have_few_entries() -> None:
    """Tests that no folder has too many entries. Its entries are source files, and folders that
    contain source files. Styles, icons, tables, `__init__.py` and `vendor` don't count."""
    entries: dict[str, set[str]] = {}
    for name in tracked():
        if name.endswith(SOURCE) and not name.endswith("__init__.py"):
            *folders, _file = parts = name.split("/")
            for depth in range(len(folders) + 1):
                if parts[depth] != "vendor":
                    entries.setdefault("/".join(folders[:depth]), set()).add(parts[depth])
    assert {folder: sorted(found) for folder, found in entries.items() if len(found) > MOST_ENTRIES} == {}
