"""Tests that the contracts still emit the recorded events, and that the indexer still computes the
recorded boards."""

from __future__ import annotations

import pytest

from indexer.games import GAMES
from tests.fixtures.transcripts.record import HERE, recordable_matches, recorded

pytestmark = pytest.mark.anvil  # the recordings were made on Anvil


@pytest.mark.parametrize("slug", [slug for slug in GAMES if recordable_matches(slug)])
def test_playing_a_game_anew_gives_the_same_transcripts(slug: str) -> None:
    files = dict(recorded(slug))
    assert {file: file.read_bytes() for file in (HERE / slug).glob("*.json")} == files
