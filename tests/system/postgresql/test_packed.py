"""Tests of packed events. In a PostgreSQL database, events store hashes and addresses as bytes, and
names as codes. Code that reads events from the store must not notice the difference."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import psycopg
import pytest

from indexer.games import GAMES
from indexer.store.db import codes
from indexer.store.db.engine import StoreError
from indexer.store.store import Store
from tests.indexer.store import test_store
from tests.indexer.store.test_migrations import at_revision
from tests.indexer.store.test_store import ALICE, CHAIN, SLUG, append, block, block_events, contract, fresh, opening
from tests.support.chain import TABLES, rows
from tests.support.databases import Databases
from tests.support.services.postgres import PostgresServer

HUGE = 2**40
NAMES = sorted({one.name for _block, events in block_events() for one in events})
CONTRACT = replace(contract(), abi=[{"type": "event", "name": name, "inputs": []} for name in NAMES])


@pytest.fixture
def store(postgres: PostgresServer, tmp_path: Path) -> Iterator[Store]:
    with closing(Store(Databases(tmp_path, postgres).url(), GAMES)) as store:
        store.set_chain(CHAIN, [CONTRACT])
        append(store, block_events())
        yield store


def test_what_an_older_version_stored_is_packed(
    postgres: PostgresServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(test_store, "contract", lambda: CONTRACT)
    expected = fresh(tmp_path, block_events())
    url = postgres.new_database()
    at_revision(url, "0009")
    with psycopg.connect(postgres.dsn(url.rpartition("/")[2])) as connection:
        for table in TABLES:
            for row in expected[table]:
                marks = ", ".join(["%s"] * len(row))
                connection.execute(f"INSERT INTO {table} VALUES ({marks})".encode(), row)
    with closing(Store(url, GAMES)) as store, store.exclusive_writer():
        assert rows(store) == expected
        store.delete_blocks_from(5)
        append(store, block_events()[4:])
        assert rows(store) == expected


def test_open_store_learns_the_names_of_an_added_contract(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    with store.read() as snapshot:
        assert snapshot.events(SLUG, 1)
    # Forget the names, as if another version of the program had added the contract.
    monkeypatch.setattr(codes, "_names", {})
    with pytest.raises(StoreError, match="contract that was added after"), store.read() as snapshot:
        snapshot.events(SLUG, 1)
    with store.read() as snapshot:
        assert snapshot.events(SLUG, 1)[0].name == "MatchCreated"


def test_any_number_can_be_looked_for(store: Store) -> None:
    with store.read() as snapshot:
        assert snapshot.events(SLUG, HUGE, after=HUGE) == []
        assert snapshot.event_at(SLUG, 1, HUGE) is None
        assert snapshot.last_event(SLUG, HUGE) is None
        assert snapshot.latest_named(SLUG, HUGE, ["Moved"], before=HUGE) == []
        assert snapshot.events_between(HUGE, HUGE) == []
        assert snapshot.block_at(HUGE) is None
        for player in (None, ALICE):
            found = snapshot.search_events(SLUG, player=player, from_block=0, to_block=HUGE, after=(HUGE, 0))
            assert found == []
        assert snapshot.search_events(name="Never") == []


def test_a_chain_that_is_too_long_is_refused(store: Store) -> None:
    before = rows(store)
    far: Any = replace(block(9), height=2**31)
    with pytest.raises(StoreError, match=r"number above 2,147,483,647, the maximum that a server's tables store"):
        store.append([far], opening(far, 3), contiguous=False)
    assert rows(store) == before
