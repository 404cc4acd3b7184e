"""Tests that each example board in the rules on the page occurs in a recorded match."""

from __future__ import annotations

from pathlib import Path

import orjson
import pytest

from indexer.gamekit.game import fold
from indexer.games import GAMES
from indexer.model import Json
from tests.indexer.games.test_transcripts import FILES, FOLDER, events, read

PAGE = FOLDER.parents[2] / "frontend-static/games"
RULES = [file for file in sorted(PAGE.glob("*/rules.json")) if (FOLDER / file.parent.name).is_dir()]


def recorded_boards(slug: str) -> list[Json]:
    game, found = GAMES[slug], []
    for file in FILES:
        if file.parent.name == slug:
            board = game.start
            for event in events(read(file)):
                board = fold(game, board, [event])
                found.append(board)
    return found


@pytest.mark.parametrize("file", RULES, ids=lambda file: file.parent.name)
def test_example_boards_were_played(file: Path) -> None:
    recorded = recorded_boards(file.parent.name)
    assert all(board in recorded for board in orjson.loads(file.read_bytes()))
