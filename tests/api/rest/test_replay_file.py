"""Tests that the server sends a replay file piece by piece, and that a slow client doesn't delay
other clients."""

from __future__ import annotations

import orjson
import pytest

from api.rest import replay_file
from api.rest.replay_file import StreamInterrupted, stream
from indexer.store.db.engine import CONNECTIONS
from tests.api.playground import GAMES, Playground, added, created


def played(play: Playground, moves: int) -> None:
    play.block(created(9))
    for move in range(moves):
        play.block(added(9, f"{move}"))


def test_slow_readers_hold_no_connection_to_the_database(play: Playground) -> None:
    played(play, 2)
    slow = [stream(play.store.read, GAMES["marks"], 9) for _ in range(CONNECTIONS + 20)]
    for one in slow:
        next(one)
        next(one)  # the server still has more pieces to read
    with play.store.read() as snapshot:
        assert snapshot.tip() is not None


def test_a_reorg_between_two_pieces_ends_the_file(play: Playground, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replay_file, "BATCH", 2)
    played(play, 5)
    assert orjson.loads(b"".join(stream(play.store.read, GAMES["marks"], 9)))["events"][-1]["seq"] == 6
    text = stream(play.store.read, GAMES["marks"], 9)
    for _ in range(3):
        next(text)
    with play.store.read() as snapshot:
        last = snapshot.last_event("marks", 9)
    assert last is not None
    play.store.delete_blocks_from(last.height - 2)
    with pytest.raises(StreamInterrupted, match="a reorg removed event 4 while the server was reading marks/9"):
        list(text)
