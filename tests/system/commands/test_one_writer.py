"""Tests that only one process at a time can write to a SQLite database."""

from __future__ import annotations

import multiprocessing
import signal
from contextlib import closing
from multiprocessing.connection import Connection
from pathlib import Path

import pytest

from indexer.games import GAMES
from indexer.store.store import Store, StoreError
from tests.indexer.store.test_store import CHAIN, append, block_events, contract


def _hold(url: str, pipe: Connection) -> None:
    with closing(Store(url, GAMES)) as store, store.exclusive_writer():
        pipe.send("held")
        signal.pause()


def test_a_second_writer_is_refused_until_the_first_one_has_ended_however_it_did(tmp_path: Path) -> None:
    file_store = Store(f"sqlite:///{tmp_path / 'index.db'}", GAMES)
    file_store.set_chain(CHAIN, [contract()])
    ours, theirs = multiprocessing.get_context("spawn").Pipe()
    other = multiprocessing.get_context("spawn").Process(
        target=_hold, args=(f"sqlite:///{tmp_path / 'index.db'}", theirs)
    )
    other.start()
    try:
        assert ours.recv() == "held"
        with (
            pytest.raises(StoreError, match="another Chainboard process is writing to the database"),
            file_store.exclusive_writer(),
        ):
            pass
    finally:
        other.kill()
        other.join()
        other.close()
    with file_store.exclusive_writer():
        append(file_store, block_events())
    with file_store.exclusive_writer():
        pass
    file_store.close()
