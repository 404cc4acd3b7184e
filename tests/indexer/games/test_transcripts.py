"""Tests that the reducers turn the events of each recorded match into the recorded boards.

The recordings are in `tests/fixtures/transcripts/<game>/`. To record the matches again on a chain,
run `python -m tests.fixtures.transcripts.record`.
"""

from __future__ import annotations

from pathlib import Path

import orjson
import pytest

from indexer.gamekit.game import board_hash, diff, fold
from indexer.games import GAMES
from indexer.model import Event, Json
from tests.support.merge_patch import merged

FOLDER = Path(__file__).parents[2] / "fixtures/transcripts"
FILES = sorted(FOLDER.glob("*/*.json"))


def read(file: Path) -> Json:
    kept: Json = orjson.loads(file.read_bytes())
    return kept


def events(kept: Json) -> list[Event]:
    """Return the recorded events. Their hashes are empty, because boards don't depend on hashes."""
    return [
        Event(kept["game"], kept["match"], e["seq"], e["name"], e["args"], e["height"], "0x", e["time"], "0x", 0)
        for e in kept["events"]
    ]


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_a_recorded_game_leads_to_its_boards(file: Path) -> None:
    kept = read(file)
    game = GAMES[kept["game"]]
    assert file.parent.name == kept["game"]
    assert [event.seq for event in events(kept)] == [*range(1, len(kept["events"]) + 1)]
    board = shown = game.start
    for event, told in zip(events(kept), kept["events"], strict=True):
        after = fold(game, board, [event])
        assert board_hash(after) == told["board"], f"after {event.seq} {event.name}"
        shown = merged(shown, diff(board, after))
        board = after
    assert board == shown == kept["board"]


@pytest.mark.parametrize("slug", sorted({file.parent.name for file in FILES}))
def test_recorded_games_have_every_event(slug: str) -> None:
    """Tests that the recordings contain each type of event. Otherwise, an error in the reducer for
    a missing type would go unnoticed."""
    names = {event.name for file in FILES if file.parent.name == slug for event in events(read(file))}
    assert names == set(GAMES[slug].reducers)


def test_two_games_at_least_are_recorded() -> None:
    assert {file.parent.name for file in FILES} >= {"tic-tac-toe", "touche-coule"}
