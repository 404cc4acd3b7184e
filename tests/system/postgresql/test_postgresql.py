"""Tests of PostgreSQL's own features: snapshots for reading, upgrades of tables, the comparison of
texts, and error messages."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import closing, contextmanager
from itertools import combinations
from operator import not_
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from eth_utils.address import to_checksum_address
from sqlalchemy import StaticPool, text

from indexer.games import GAMES
from indexer.model import Event
from indexer.sql.query import open_database
from indexer.store.db import postgresql, revisions
from indexer.store.db.engine import StoreError, open_engine
from indexer.store.leaderboard import PageKey, RankedResult
from indexer.store.store import Store
from tests.indexer.store.test_database import BLOCKS, small_disk
from tests.indexer.store.test_results import opening
from tests.indexer.store.test_store import CHAIN, NOBODY, SLUG, append, block, block_events, contract, ended, fresh
from tests.support.chain import rows
from tests.support.databases import Databases
from tests.support.services.missing import skip_or_fail
from tests.support.services.postgres import PASSWORD, PostgresServer
from tests.support.waiting import wait_for

LETTERS = tuple("0x" + 40 * letter for letter in "BaDcFe")
"""Addresses that different collations sort in different orders."""
COLLATED = text("SELECT collation_name FROM information_schema.columns WHERE table_schema = 'public'")


@pytest.fixture
def url(postgres: PostgresServer, tmp_path: Path) -> str:
    """Return the URL of a new database with tables of the newest revision."""
    return Databases(tmp_path, postgres).url()


@contextmanager
def opened(url: str) -> Iterator[Store]:
    with closing(Store(url, GAMES)) as store:
        store.set_chain(CHAIN, [contract()])
        yield store


# ---- tests of snapshots for reading


def test_a_block_stored_between_two_reads_of_a_view_is_not_in_it(url: str) -> None:
    with opened(url) as store:
        append(store, block_events()[:5])
        with store.read() as view:
            assert view.tip() == block(5)
            append(store, block_events()[5:7])
            assert (view.tip(), len(view.events(SLUG, 1)), view.block_at(6)) == (block(5), 6, None)
            store.delete_blocks_from(3)
            assert (view.tip(), len(view.events(SLUG, 1))) == (block(5), 6)
        with store.read() as later:
            assert (later.tip(), len(later.events(SLUG, 1))) == (block(2), 3)


def test_a_view_can_write_nothing(url: str) -> None:
    with opened(url) as store, pytest.raises(StoreError, match="read-only"), store.read() as view:
        view._connection.execute(text("DELETE FROM chain"))


# ---- tests with other collations


def test_the_rows_and_their_order_are_those_of_sqlite_in_a_linguistic_database(
    postgres: PostgresServer, tmp_path: Path
) -> None:
    if not postgres.has_icu:
        skip_or_fail("This PostgreSQL has no ICU (Debian's has), so no linguistic collation is tested.")
    url = postgres.new_database("TEMPLATE template0 LOCALE_PROVIDER icu ICU_LOCALE 'en-US'")
    at, events = block(1), list[Event]()
    for match, two in enumerate(combinations(LETTERS, 2), 1):
        events += [*opening(at, match, 3 * match, *two), ended(at, 300 + match, match, 4, NOBODY)]
    with closing(Store(url, GAMES)) as made, made.exclusive_writer():
        pass
    with opened(url) as store:
        store.append([at], events)
        expected = fresh(tmp_path, [(at, events)])
        # The server stores the addresses of mentions as bytes. Reading an address adds its
        # checksum.
        expected["mention"] = sorted((*row[:2], to_checksum_address(row[2]), *row[3:]) for row in expected["mention"])
        assert rows(store) == expected
        with store.read() as view:
            assert set(view._connection.execute(COLLATED).scalars()) == {"C", None}
            found, after = list[RankedResult](), None
            while page := view.leaderboard(SLUG, 1, 2, after):
                found += page
                last = page[-1].result
                after = PageKey(len(found), page[-1].rank, last.rating, last.address, last.game)
        assert [one.result.address for one in found] == sorted(LETTERS)


# ---- tests of creating and upgrading tables


def test_a_reader_makes_no_tables_and_reads_when_the_writer_has(postgres: PostgresServer) -> None:
    url = postgres.new_database()
    with closing(Store(url, GAMES)) as reader:
        with pytest.raises(StoreError, match="is empty: run `chainboard up`"), reader.read():
            pass
        assert postgres.execute("SELECT * FROM pg_tables WHERE schemaname = 'public'", url.rpartition("/")[2]) == []
        with closing(Store(url, GAMES)) as writer, writer.exclusive_writer():
            writer.set_chain(CHAIN, [])
        with reader.read() as view:
            assert view.chain() == CHAIN


def test_older_tables_are_left_to_the_writer(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with opened(url) as store:
        monkeypatch.setattr(revisions, "OLDEST_READABLE", "9999")
        refused = pytest.raises(
            StoreError, match=r"have revision \d+, but this version reads revisions 9999 to .*upgrades"
        )
        with closing(Store(url, GAMES)) as reader, refused, reader.read():
            pass
        # This store has already checked the revision of the tables.
        with store.read() as view:
            assert view.chain() == CHAIN


def test_newer_tables_are_read_as_far_as_they_allow(url: str, postgres: PostgresServer) -> None:
    name = url.rpartition("/")[2]
    postgres.execute("UPDATE alembic_version SET version_num = '9998'", name)
    with closing(Store(url, GAMES)) as reader, reader.read() as view:
        assert view.tip() is None
    refused = pytest.raises(StoreError, match="made by another version")
    with closing(Store(url, GAMES)) as writer, refused, writer.exclusive_writer():
        pass
    told = '{"program": "9.8.7", "oldestReader": "9998"}'
    postgres.execute(f"COMMENT ON TABLE alembic_version IS '{told}'", name)
    refused = pytest.raises(StoreError, match=r"have revision 9998, .*: install Chainboard 9\.8\.7 or newer")
    with closing(Store(url, GAMES)) as reader, refused, reader.read():
        pass


@pytest.mark.parametrize("comment", ["NULL", "'by hand'", "'{}'"])
def test_newer_tables_without_our_comment_are_told(postgres: PostgresServer, url: str, comment: str) -> None:
    name = url.rpartition("/")[2]
    postgres.execute("UPDATE alembic_version SET version_num = '9998'", name)
    postgres.execute(f"COMMENT ON TABLE alembic_version IS {comment}", name)
    refused = pytest.raises(StoreError, match=r"have revision 9998, .*: install the newest version of Chainboard")
    with closing(Store(url, GAMES)) as reader, refused, reader.read():
        pass


# ---- tests of databases that can't be used


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://u:se@cret@h/d",
        "postgresql://u:se@cr:et@h:1/d",
        "postgresql://u:secret@h:port/d",
        "postgresql://@[::1/d",
    ],
)
def test_invalid_url_is_reported_without_its_password(url: str) -> None:
    for opened in (open_engine, lambda url: open_database(url, 1)):
        with pytest.raises(StoreError, match=r"the database URL can't be used: .*%40") as refused:
            opened(url)
        assert not any(part in str(refused.value) for part in ("se@", "cret", "cr:et"))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (("127.0.0.1", "127.0.0.2"), "refused.* Check that the server runs and that its address"),
        ((PASSWORD, "wrong"), "password authentication failed.* Check the user and the password"),
        (("chainboard:", "nobody:"), "password authentication failed.* Check the user and the password"),
        (("/test", "/nosuch"), "does not exist.* Create the database with `createdb`"),
    ],
)
def test_a_url_that_leads_nowhere_is_told(url: str, change: tuple[str, str], words: str) -> None:
    with pytest.raises(StoreError, match=words) as refused:
        Store(url.replace(*change), GAMES)
    assert PASSWORD not in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_driver_that_is_missing_is_told(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "psycopg", None)
    with pytest.raises(StoreError, match=r"pip install 'chainboard\[postgresql\]'"):
        open_engine(url)


def test_the_names_of_the_kind_are_one(url: str) -> None:
    for name in ("postgres", "postgresql+psycopg"):
        with closing(Store(url.replace("postgresql", name), GAMES)) as store, store.read() as view:
            assert view.tip() is None


def test_an_old_server_is_told(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(postgresql, "MIN_SERVER_VERSION", 99)
    with pytest.raises(
        StoreError, match=r"the server runs PostgreSQL \d+, but version 99 or newer is needed: upgrade the server"
    ):
        Store(url, GAMES)


def test_an_encoding_without_all_letters_is_told(postgres: PostgresServer) -> None:
    url = postgres.new_database("TEMPLATE template0 ENCODING 'LATIN1'")
    refused = pytest.raises(StoreError, match="encoding is LATIN1, but it must be UTF8")
    with closing(Store(url, GAMES)) as store, refused, store.exclusive_writer():
        pass


def test_a_database_of_another_program_is_left_alone(postgres: PostgresServer) -> None:
    url = postgres.new_database()
    postgres.execute("CREATE TABLE note (text text)", url.rpartition("/")[2])
    with pytest.raises(StoreError, match="belongs to another program: choose a different --database"):
        Store(url, GAMES)


def test_read_only_database_reports_writes(url: str, postgres: PostgresServer) -> None:
    """Tests the error of a command that needs to write to a read-only database. The databases of a
    standby server are read-only, too."""
    name = url.rpartition("/")[2]
    postgres.execute(f"ALTER DATABASE {name} SET default_transaction_read_only = on")
    with pytest.raises(StoreError, match=r"read-only.* set --database to the URL of the primary server"), opened(url):
        pass


def test_a_connection_that_is_cut_loses_nothing(url: str, postgres: PostgresServer, tmp_path: Path) -> None:
    ours = f"FROM pg_stat_activity WHERE datname = '{url.rpartition('/')[2]}'"

    def cut() -> None:
        postgres.execute(f"SELECT pg_terminate_backend(pid) {ours}")
        wait_for(lambda: postgres.execute(f"SELECT pid {ours}"), not_, "the end of our sessions")

    with opened(url) as store:
        append(store, block_events()[:5])
        with pytest.raises(StoreError, match="nothing was lost, and Chainboard retries"):
            store.append([block(6)], block_events()[5][1], before_commit=cut)
        with store.read() as view:
            assert view.tip() == block(5)
        append(store, block_events()[5:])
        assert rows(store) == fresh(tmp_path, block_events())
        cut()
        with store.read() as view:
            assert view.tip() == block(8)


def test_a_pooler_by_transactions_is_told_to_who_writes(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests the error of a writer behind a pooler in transaction mode. Two sessions can then share
    one server process. The test imitates the pooler with one connection for all sessions."""
    monkeypatch.setattr("indexer.store.db.postgresql.POOL", {"poolclass": StaticPool})
    refused = pytest.raises(StoreError, match="the pooler is in transaction mode: set --database to the server")
    with closing(Store(url, GAMES)) as store, refused, store.exclusive_writer():
        pass


def test_a_full_disk_stores_nothing_and_goes_on_when_there_is_room(postgres: PostgresServer) -> None:
    with TemporaryDirectory(prefix="disk-") as folder, small_disk(Path(folder) / "disk", 40_000) as disk:
        Path(folder).chmod(0o755)  # the PostgreSQL server's user needs access to this folder
        shutil.chown(disk, "nobody")
        postgres.execute(f"CREATE TABLESPACE small LOCATION '{disk}'")
        url = postgres.new_database("TEMPLATE template0 TABLESPACE small")
        try:
            with closing(Store(url, GAMES)) as store, store.exclusive_writer():
                store.append(BLOCKS[:100], [])
                stuffing = disk / "stuff"
                stuffing.write_bytes(bytes(shutil.disk_usage(disk).free - 1_000_000))
                with pytest.raises(StoreError, match=r"No space left.* Free some space on the server's disk; nothing"):
                    store.append(BLOCKS[100:], [])
                with store.read() as view:
                    assert view.tip() == BLOCKS[99]
                stuffing.unlink()
                store.append(BLOCKS[100:], [])
                with store.read() as view:
                    assert view.tip() == BLOCKS[-1]
        finally:
            postgres.execute(f"DROP DATABASE {url.rpartition('/')[2]} WITH (FORCE)")
            postgres.execute("DROP TABLESPACE small")
