"""Tests that each database server has at most one sponsor, even if two sponsors start on two
machines within the same second."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import ExitStack, closing
from operator import not_
from pathlib import Path

import pytest

from chainboard.commands.sponsor import _sponsor_locks
from chainboard.errors import UserError
from chainboard.settings import Settings
from chainboard.sharing import sponsor
from chainboard.sharing.sponsor import SponsorAlreadyRunning, hold_sponsor_lock
from indexer.games import GAMES
from indexer.store.db import advisory_lock
from indexer.store.store import NotWriter, Store
from sponsor.channel import encode_status
from tests.support.services.postgres import PostgresServer
from tests.support.waiting import PATIENCE_SECONDS, wait_for_async

END = (
    "SELECT pg_terminate_backend(pid, 5000) FROM pg_locks JOIN pg_database d ON d.oid = database"
    " WHERE locktype = 'advisory' AND datname = current_database()"
)


@pytest.fixture
def two_stores(postgres: PostgresServer, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Store, Store]]:
    """Yield two stores for the same database, which stand for two machines. One of them is the
    database's writer."""
    monkeypatch.setattr(advisory_lock, "HEARTBEAT_SECONDS", 0.05)
    monkeypatch.setattr(sponsor, "LOCK_SECONDS", 0.3)
    monkeypatch.setattr(sponsor, "ANNOUNCE_SECONDS", 0.1)
    url = postgres.new_database()
    with closing(Store(url, GAMES)) as one, closing(Store(url, GAMES)) as other, one.exclusive_writer():
        yield one, other


def test_of_two_that_start_at_once_the_second_is_refused(two_stores: tuple[Store, Store], tmp_path: Path) -> None:
    settings = [Settings(tmp_path / name, database=str(two_stores[0]._engine.url)) for name in ("one", "other")]
    with _sponsor_locks(settings[0], two_stores[0]):
        with pytest.raises(UserError, match="another sponsor is serving this database's gateways"):
            ExitStack().enter_context(_sponsor_locks(settings[1], two_stores[1]))
        two_stores[0].sponsor_lock.check()
    with _sponsor_locks(settings[1], two_stores[1]):
        pass


async def test_sponsor_without_the_lock_reserves_nothing(
    postgres: PostgresServer, two_stores: tuple[Store, Store]
) -> None:
    one, other = two_stores
    one.sponsor_lock.acquire()
    one.requests.add(sponsor.SPONSOR, {})
    # Announce a status that reports no sponsor.
    one.announcements.announce(sponsor.SPONSOR, encode_status(None))
    keeping = asyncio.create_task(hold_sponsor_lock(one))
    postgres.execute(END, str(one._engine.url.database))
    await wait_for_async(lambda: _is_lost(one), bool, "the loss of the lock")
    with pytest.raises(NotWriter):
        sponsor._take_requests(one)
    with pytest.raises(NotWriter):
        sponsor._announce(one, encode_status(None))
    await wait_for_async(lambda: _is_lost(one), not_, "the lock")
    assert len(sponsor._take_requests(one)) == 1
    keeping.cancel()
    postgres.execute(END, str(one._engine.url.database))
    other.sponsor_lock.acquire()
    with pytest.raises(SponsorAlreadyRunning):
        await asyncio.wait_for(hold_sponsor_lock(one), PATIENCE_SECONDS)
    one.sponsor_lock.release()
    other.sponsor_lock.release()


def _is_lost(store: Store) -> bool:
    try:
        store.sponsor_lock.check()
    except NotWriter:
        return True
    return False


async def test_its_own_session_that_the_server_still_has_is_ended(
    two_stores: tuple[Store, Store], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Tests that a sponsor ends its own old session. After a network failure, the database server
    might still have this session, which no longer sends anything."""
    monkeypatch.setattr(advisory_lock, "HEARTBEAT_TIMEOUT", 0.3)
    monkeypatch.setattr(sponsor, "LOCK_SECONDS", 10.0)
    one, other = two_stores
    monkeypatch.setattr(advisory_lock, "HEARTBEAT_SECONDS", 3600.0)
    other.sponsor_lock.acquire()
    one.announcements.announce(sponsor.SPONSOR, encode_status(None))
    await asyncio.to_thread(sponsor.acquire_sponsor_lock, one)
    one.sponsor_lock.check()
    one.sponsor_lock.release()
    other.sponsor_lock.release()
