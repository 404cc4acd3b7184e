"""Tests that the recorded games still match the events of the contracts and the boards of the
indexer."""

from __future__ import annotations

import pytest

from indexer.games import GAMES
from tests.fixtures.transcripts.record import HERE, recordable_matches, recorded

pytestmark = pytest.mark.anvil  # the games are recorded on Anvil


@pytest.mark.parametrize("slug", [slug for slug in GAMES if recordable_matches(slug)])
def test_playing_a_game_anew_gives_the_same_transcripts(slug: str) -> None:
    files = dict(recorded(slug))
    assert {file: file.read_bytes() for file in (HERE / slug).glob("*.json")} == files
