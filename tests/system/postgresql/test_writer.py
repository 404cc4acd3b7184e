"""Tests that only one process at a time writes to a server's database. They cover the lock,
rejected writers, takeovers, and the notifications that wake readers."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import replace
from operator import not_
from pathlib import Path
from time import sleep
from typing import Any

import psycopg
import pytest
from sqlalchemy import text

from indexer.games import GAMES
from indexer.store.db import advisory_lock
from indexer.store.store import NotWriter, Store, StoreError
from tests.indexer.store.test_store import CHAIN, append, block, block_events, contract
from tests.support.chain import rows
from tests.support.databases import Databases
from tests.support.services.pgbouncer import pgbouncer
from tests.support.services.postgres import PostgresServer
from tests.support.waiting import PATIENCE_SECONDS, wait_for


@pytest.fixture
def server_databases(postgres: PostgresServer, tmp_path: Path) -> Databases:
    return Databases(tmp_path, postgres)


@pytest.fixture
def two_writers(server_databases: Databases) -> Iterator[tuple[Store, Store]]:
    """Yield two stores for one database with three blocks. The stores stand for two processes that
    both want to write."""
    url = server_databases.url()
    with closing(Store(url, GAMES)) as one, closing(Store(url, GAMES)) as other:
        one.set_chain(CHAIN, [contract()])
        append(one, block_events()[:3])
        yield one, other


def end_session(postgres: PostgresServer, store: Store) -> None:
    """End the database session that holds the lock, in the same way as an administrator can."""
    ended = (
        "SELECT pg_terminate_backend(pid, 5000) FROM pg_locks JOIN pg_database d ON d.oid = database"
        " WHERE locktype = 'advisory' AND datname = current_database()"
    )
    assert postgres.execute(ended, str(store._engine.url.database)) == [(True,)]


def raises(call: Callable[[], Any], expected: type[StoreError]) -> bool:
    try:
        call()
    except StoreError as error:
        return isinstance(error, expected)
    return False


# ---- tests of the writer's lock


def test_only_one_of_two_writes(two_writers: tuple[Store, Store]) -> None:
    one, other = two_writers
    with one.exclusive_writer():
        for refused in (other.acquire, lambda: other.append([block(4)], []), lambda: other.delete_blocks_from(1)):
            with pytest.raises(NotWriter, match="another Chainboard process is writing"):
                refused()
        with other.read() as snapshot:
            assert snapshot.tip() == block(3)
        append(one, block_events()[3:5])
    with other.exclusive_writer():
        append(other, block_events()[5:])


@pytest.mark.parametrize("lock", ["pg_advisory_lock_shared", "pg_advisory_lock"])
def test_a_strangers_session_with_the_lock_is_named(
    postgres: PostgresServer, two_writers: tuple[Store, Store], lock: str
) -> None:
    one, other = two_writers
    postgres.execute("DROP ROLE IF EXISTS stranger; CREATE ROLE stranger LOGIN PASSWORD 'secret'")
    database = str(one._engine.url.database)
    with ExitStack() as sessions:
        for _ in range(2 if lock.endswith("shared") else 1):
            session = sessions.enter_context(psycopg.connect(postgres.dsn(database, "stranger"), autocommit=True))
            session.execute(f"SELECT {lock}({advisory_lock.WRITER_KEY})".encode())
        with pytest.raises(NotWriter, match=r"the session \d+ of the role stranger holds the writer's lock"):
            one.acquire()
    wait_for(lambda: raises(other.acquire, NotWriter), not_, "the other store's turn to write")


def test_disconnected_writer_writes_only_after_it_is_the_writer_again(
    postgres: PostgresServer, two_writers: tuple[Store, Store]
) -> None:
    one, other = two_writers
    one.acquire()
    append(one, block_events()[3:4])
    end_session(postgres, one)
    other.acquire()
    append(other, block_events()[4:6])
    before = rows(other)
    with pytest.raises(StoreError):
        one.append([replace(block(7), parent=block(6).hash)], [])
    for refused in (one.maintain, lambda: append(one, block_events()[6:7]), one.acquire, one.check_writer):
        with pytest.raises(NotWriter):
            refused()
    assert rows(other) == before
    other.close()
    one.acquire()
    append(one, block_events()[6:])


def test_a_session_that_ends_during_the_append_stores_nothing_of_it(
    postgres: PostgresServer, two_writers: tuple[Store, Store]
) -> None:
    one, other = two_writers
    one.acquire()

    def take_over() -> None:
        end_session(postgres, one)
        other.acquire()
        append(other, block_events()[3:4])

    with pytest.raises(StoreError):
        one.append([block(4)], [], before_commit=take_over)
    append(other, block_events()[4:])


def test_a_restarted_server_is_written_to_again(
    two_writers: tuple[Store, Store], postgres: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(advisory_lock, "HEARTBEAT_SECONDS", 0.05)
    one, _other = two_writers
    one.acquire()
    postgres.kill()
    # A store must notice that it has lost the lock even if it writes nothing.
    wait_for(lambda: raises(one.maintain, NotWriter), bool, "the writer that notices that it is none")
    assert raises(one.acquire, StoreError)
    postgres.start()
    one.acquire()
    append(one, block_events()[3:])


# ---- tests of writers that stop sending


@contextmanager
def stay_idle(_store: Store) -> Iterator[None]:
    yield


@contextmanager
def hang_in_transaction(store: Store) -> Iterator[None]:
    with store.transaction() as connection:
        connection.execute(text("UPDATE block SET time = time"))
        yield


@contextmanager
def hang_while_copying(store: Store) -> Iterator[None]:
    with store.transaction() as connection:
        driver: Any = connection.connection.driver_connection
        with driver.cursor().copy("COPY block (height, hash, parent, time) FROM STDIN") as copy:
            copy.write_row((4, "0x4", "0x3", 4))
            yield


@pytest.mark.parametrize("when", [stay_idle, hang_in_transaction, hang_while_copying])
def test_a_writer_that_is_silent_is_replaced(
    two_writers: tuple[Store, Store], monkeypatch: pytest.MonkeyPatch, when: Callable[[Store], Any]
) -> None:
    """Tests that another store replaces a writer that sends nothing, although the writer's
    connection stays open. A stopped process behaves like this."""
    monkeypatch.setattr(advisory_lock, "HEARTBEAT_SECONDS", 3600.0)
    monkeypatch.setattr(advisory_lock, "HEARTBEAT_TIMEOUT", 0.3)
    one, other = two_writers
    one.acquire()
    lost = pytest.raises(Exception, match=r"(?i)connection|terminat") if when is not stay_idle else stay_idle(one)
    with lost, when(one):
        wait_for(lambda: raises(other.acquire, NotWriter), not_, "the other store's turn to write")
        append(other, block_events()[3:5])
    before = rows(other)
    with pytest.raises(StoreError):
        one.append([replace(block(6), parent=block(5).hash)], [])
    assert rows(other) == before


@pytest.mark.parametrize("when", [stay_idle, hang_in_transaction])
def test_the_writer_speaks_while_it_has_nothing_to_write(
    two_writers: tuple[Store, Store], monkeypatch: pytest.MonkeyPatch, when: Callable[[Store], Any]
) -> None:
    monkeypatch.setattr(advisory_lock, "HEARTBEAT_SECONDS", 0.05)
    one, other = two_writers
    one.acquire()
    lock = other._writer._lock
    assert lock is not None

    def last_spoken() -> Any:
        connection = lock.open()
        with connection.begin():
            return connection.execute(advisory_lock.HOLDER).one_or_none()

    with when(one):
        spoken = set[Any]()
        wait_for(
            lambda: spoken.add(last_spoken()) or spoken - {None}, lambda found: len(found) > 3, "more signs of life"
        )
    append(one, block_events()[3:])


def test_speaking_ends_no_copy(two_writers: tuple[Store, Store], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(advisory_lock, "HEARTBEAT_SECONDS", 0.001)
    one, _other = two_writers
    one.acquire()
    with one.transaction() as connection:
        driver: Any = connection.connection.driver_connection
        with driver.cursor().copy("COPY block (height, hash, parent, time) FROM STDIN") as copy:
            for height in range(4, 204):
                hashes = (bytes.fromhex(block(one).hash[2:]) for one in (height, height - 1))
                copy.write_row((height, *hashes, height))
                sleep(0.001)
    with one.read() as snapshot:
        assert snapshot.tip() == replace(block(203), time=203)


# ---- tests of notifications for readers


async def test_listener_is_woken_by_each_write_even_after_a_reconnect(
    two_writers: tuple[Store, Store], postgres: PostgresServer
) -> None:
    one, other = two_writers
    woken = asyncio.Semaphore(0)
    listening = asyncio.create_task(other.listen(woken.release))

    async def is_woken() -> None:
        async with asyncio.timeout(PATIENCE_SECONDS):
            await woken.acquire()

    await is_woken()  # the first wake-up means that the listener has subscribed
    for height in (4, 5):
        await asyncio.to_thread(append, one, block_events()[height - 1 : height])
        await is_woken()
    cut = "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE query LIKE 'LISTEN%'"
    assert postgres.execute(cut, str(other._engine.url.database)) == [(True,)]
    # After a reconnect, the listener wakes the reader, because notifications might have been lost.
    await is_woken()
    await asyncio.to_thread(one.delete_blocks_from, 4)
    await is_woken()
    listening.cancel()


# ---- tests of connection poolers


async def test_a_pooler_in_transaction_mode_is_refused(postgres: PostgresServer, server_databases: Databases) -> None:
    with pgbouncer(postgres, server_databases.url(), "transaction") as url, closing(Store(url, GAMES)) as store:
        for refused in (store.acquire, lambda: store.delete_blocks_from(1), lambda: asyncio.run(store.listen(print))):
            with pytest.raises(StoreError, match="pooler is in transaction mode"):
                await asyncio.to_thread(refused)


def test_a_pooler_by_session_is_as_good_as_the_server(
    two_writers: tuple[Store, Store], postgres: PostgresServer
) -> None:
    direct, _other = two_writers
    url = direct._engine.url.render_as_string(hide_password=False).replace("+psycopg", "")
    with pgbouncer(postgres, url, "session") as pooled, closing(Store(pooled, GAMES)) as store:
        with store.exclusive_writer():
            append(store, block_events()[3:])
            with pytest.raises(NotWriter):
                direct.acquire()
        direct.acquire()
