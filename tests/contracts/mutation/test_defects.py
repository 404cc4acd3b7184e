"""Tests that the defects in `mutation/defects/` can still be planted in the contracts, and that
each defect has a test that is named after it."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

import pytest

from tests.contracts.mutation import mutants

TESTS = Path(__file__).parents[1]


@pytest.mark.parametrize("game", mutants.ALL)
def test_every_defect_can_be_planted_and_has_its_test(game: str) -> None:
    files = (TESTS / game).glob("test_defects*.py")
    named = re.findall(r"^def (test_defect_\w+)", "".join(file.read_text("utf-8") for file in files), re.MULTILINE)
    for name, (_what, replacements) in import_module(f"tests.contracts.mutation.defects.{game}").DEFECTS.items():
        assert mutants.planted(game, replacements)
        assert any(test.startswith(f"test_defect_{name.replace(' ', '_')}") for test in named), name
