"""Tests that the `.tree` files in contracts/test/ specify what the Solidity tests check.

A tree lists the functions of a contract and the cases of each function. For each case, a line that
begins with `It should` says what the contract must do. The tests repeat these lines in comments.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[2] / "contracts" / "test"
FOLDERS = sorted({file.parent for file in TESTS.rglob("*.t.sol")} - {TESTS / "gas", TESTS / "invariants"})


def _lines(folder: Path, pattern: str, line: str) -> set[str]:
    text = "\n".join(file.read_text("utf-8") for file in folder.glob(pattern))
    return set(re.findall(rf"^ *{line} (It should .+)$", text, re.MULTILINE))


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: str(folder.relative_to(TESTS)))
def test_a_tree_lists_the_behaviour_that_the_tests_check(folder: Path) -> None:
    specified = _lines(folder, "*.tree", "(?:│ +)*[├└]──")
    assert specified
    assert _lines(folder, "*.t.sol", "//") == specified
