"""Tests that the calls that a game reports as overdue are exactly the calls that its rules allow to
a stranger."""

from __future__ import annotations

from itertools import groupby
from pathlib import Path

import orjson
import pytest

from indexer.gamekit.game import fold
from indexer.games import GAMES
from indexer.model import Event
from tests.indexer.rules.overdue import check_overdue

FILES = sorted((Path(__file__).parents[2] / "fixtures/transcripts").glob("*/*.json"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_overdue_is_what_a_stranger_may_do_on_every_recorded_board(file: Path) -> None:
    """Tests the board after each transaction. The boards between two events of the same transaction
    don't matter, because no block shows them."""
    kept = orjson.loads(file.read_bytes())
    game = GAMES[kept["game"]]
    told = (
        Event(game.slug, kept["match"], e["seq"], e["name"], e["args"], e["height"], "", e["time"], "", 0)
        for e in kept["events"]
    )
    board = game.start
    for _, events in groupby(told, lambda event: event.height):
        board = fold(game, board, events)
        for now in (board["deadline"] - 1, board["deadline"], 2**40 - 1):
            check_overdue(game, board, max(now, 1))
