"""Tests that each test is in a folder that allows what the test uses. Only the tests in
tests/system may use a browser or child processes. `make test` runs the tests in all other
folders."""

from __future__ import annotations

import ast
import tomllib
from functools import cache
from pathlib import Path

import pytest

TOP = Path(__file__).parents[2]
TESTS = TOP / "tests"
SETTINGS = tomllib.loads((TOP / "pyproject.toml").read_text("utf-8"))["tool"]["pytest"]["ini_options"]
TIER = SETTINGS["testpaths"]
"""The folders of the tests that `make test` runs."""
NO_TESTS = {"fixtures", "support", "__pycache__"}
SYSTEM_ONLY = {
    "playwright": "a browser",
    "tests.support.server": "processes of ours",
    "tests.support.services": "other servers",
    "tests.system": "what tests/system shares",
    "chaos.process": "processes of ours",
    "multiprocessing": "processes of ours",
}
ALLOWED = ("tests.support.services.missing", "chaos.process.ports")
"""The modules that all tests may import. The first skips tests if a service is missing, and the
second reserves a port."""


@cache
def imported(file: Path) -> frozenset[str]:
    """Return the modules that a file imports, directly or through other modules in tests/. Ignore
    imports under TYPE_CHECKING."""
    found: set[str] = set()
    for node in _running(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {one.name for one in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{one.name}" for one in node.names)}
    for name in sorted(found):
        module = TOP / (name.replace(".", "/") + ".py")
        if name.startswith("tests.") and module.exists() and module != file:
            found |= imported(module)
    return frozenset(found)


def _running(node: ast.AST) -> list[ast.AST]:
    if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
        return []
    return [node, *(inner for child in ast.iter_child_nodes(node) for inner in _running(child))]


def test_every_folder_belongs_to_one_tier() -> None:
    folders = {path.name for path in TESTS.iterdir() if path.is_dir()} - NO_TESTS
    assert folders == {*(path.removeprefix("tests/") for path in TIER), "system"}
    assert list(TESTS.glob("test_*.py")) == []


@pytest.mark.parametrize("folder", TIER)
def test_what_make_test_runs_starts_no_browser_and_no_process_of_ours(folder: str) -> None:
    found = {
        f"{file.relative_to(TOP)} imports {name}: {what}"
        for file in (TOP / folder).rglob("*.py")
        for name in imported(file)
        for module, what in SYSTEM_ONLY.items()
        if (name == module or name.startswith(f"{module}.")) and not name.startswith(ALLOWED)
    }
    assert found == set()


def test_a_browser_is_found_through_the_imports_of_a_test() -> None:
    assert "playwright.sync_api" in imported(TESTS / "system/browser/games/test_tic_tac_toe.py")
