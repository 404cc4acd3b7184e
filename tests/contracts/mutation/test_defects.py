"""Tests that the defects in `mutation/defects/` can still be planted in the contracts."""

from __future__ import annotations

import pytest

from tests.contracts.mutation import mutants


@pytest.mark.parametrize("game", mutants.ALL)
def test_every_defect_can_be_planted(game: str) -> None:
    for _what, replacements in mutants.defects(game).values():
        assert mutants.planted(game, replacements)
