"""Tests that the game's rules and reducer produce each board in the page's tutorials."""

from __future__ import annotations

import orjson
import pytest

from indexer.games import GAMES
from tests.support.page.tutorials import FOLDER, LESSONS, written

MOVES = 3


def test_every_game_has_one() -> None:
    assert set(LESSONS) == set(GAMES)


@pytest.mark.parametrize("slug", LESSONS)
def test_its_boards_are_those_of_the_rules(slug: str) -> None:
    kept = orjson.loads((FOLDER / slug / "tutorial.json").read_bytes())
    assert kept == orjson.loads(written(slug)), "run python -m tests.support.page.tutorials, then make fix"


@pytest.mark.parametrize("slug", LESSONS)
def test_it_is_three_moves(slug: str) -> None:
    """Tests that a tutorial has three moves. The player makes each move by clicking on the board or
    pressing a button."""
    steps = LESSONS[slug]().script["steps"]
    assert len(steps) == MOVES
    assert all((step["press"] or step["action"]) and step["boards"] for step in steps)
