"""Tests that the migrations create the tables that the code declares. If the database is unusable,
the error must be readable."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import psycopg
import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlmodel import SQLModel

from indexer.games import GAMES
from indexer.model import Block, Chain
from indexer.store.db.engine import PRAGMAS, StoreCorrupt, StoreError, open_engine, sqlite_file
from indexer.store.db.revisions import migrate
from indexer.store.store import Store
from tests.support.databases import Databases
from tests.support.services.missing import skip_or_fail

BLOCKS = [Block(number, f"0x{number + 1:064x}", f"0x{number:064x}", number) for number in range(20_000)]


def test_the_revisions_and_the_tables_agree(databases: Databases) -> None:
    engine = open_engine(databases.url())
    migrate(engine)
    migrate(engine)  # a second migration must change nothing
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"include_object": _comparable})
        changes = {change[0] for change in compare_metadata(context, SQLModel.metadata)}
        # no query uses the foreign keys, so the tables on PostgreSQL have none
        assert changes == ({"add_fk"} if databases.server else set())
        if databases.server is None:
            assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"
            assert connection.exec_driver_sql("PRAGMA page_size").scalar() == 8192
    engine.dispose()


def test_a_read_that_outlasts_its_store_closes_its_connection(databases: Databases) -> None:
    with closing(Store(databases.url(), GAMES)) as store:
        with store.read() as snapshot:
            connection = snapshot._connection.connection.driver_connection
            store.close()
            assert snapshot.tip() is None
        with pytest.raises((sqlite3.ProgrammingError, psycopg.OperationalError), match="closed"):
            connection.execute("SELECT 1")


def _comparable(_object: object, name: str | None, *_more: object) -> bool:
    """Return False for two indexes that Alembic can't compare. One index has a descending column,
    and tests/indexer/store/test_migrations.py compares this index. The other index exists only on
    PostgreSQL."""
    return name not in {"result_by_rating", "mention_by_block"}


@pytest.fixture
def filled(tmp_path: Path) -> Path:
    """A database file with a few thousand blocks. No process has the file open."""
    file = tmp_path / "index.db"
    with closing(Store(f"sqlite:///{file}", GAMES)) as store:
        store.append(BLOCKS[:5_000], [])
    return file


def test_a_file_that_is_no_database_is_reported_and_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "index.db"
    file.write_bytes(b"this is no database" * 1000)
    with pytest.raises(StoreCorrupt, match=r"not a database.* chain.*unless you have a backup"):
        Store(f"sqlite:///{file}", GAMES)
    assert file.read_bytes() == b"this is no database" * 1000


def test_a_damaged_schema_is_reported(filled: Path) -> None:
    """Tests a schema in which a name is damaged and no longer valid UTF-8. For this damage, sqlite3
    raises a different error than for other damage."""
    content = filled.read_bytes()
    place = content.index(b"match_by_status")
    filled.write_bytes(content[:place] + b"\xff\xfe" + content[place + 2 :])
    with pytest.raises(StoreCorrupt, match="damaged"):
        Store(f"sqlite:///{filled}", GAMES)


def test_a_damaged_file_is_reported(filled: Path) -> None:
    size = filled.stat().st_size
    with filled.open("r+b") as file:  # the damage is in the second half of the file
        file.seek(size // 2)
        file.write(os.urandom(size - size // 2))
    store = Store(f"sqlite:///{filled}", GAMES)
    with closing(store), pytest.raises(StoreCorrupt, match="malformed"), store.read() as snapshot:
        snapshot.blocks_after(0, limit=5_000)


def test_a_file_cut_short_is_reported(filled: Path) -> None:
    os.truncate(filled, filled.stat().st_size // 2)
    with pytest.raises(StoreCorrupt, match="malformed"), closing(Store(f"sqlite:///{filled}", GAMES)) as store:
        store.delete_blocks_from(0)


def test_a_database_of_a_newer_version_is_left_alone(filled: Path) -> None:
    with closing(sqlite3.connect(filled)) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    before = filled.read_bytes()
    with pytest.raises(StoreError, match=r"another version.* choose a different --database") as refused:
        Store(f"sqlite:///{filled}", GAMES)
    assert not isinstance(refused.value, StoreCorrupt)
    assert filled.read_bytes() == before


@pytest.mark.parametrize(
    "tables", ["note (text)", "alembic_version (version_num)", "event (at); CREATE TABLE chain (id)"]
)
def test_a_database_of_another_program_is_left_alone(tmp_path: Path, tables: str) -> None:
    file = tmp_path / "notes.db"
    with closing(sqlite3.connect(file)) as connection:
        connection.executescript(f"CREATE TABLE {tables}; CREATE TABLE pad AS SELECT 'kept'")
    before = file.read_bytes()
    with pytest.raises(StoreError, match="belongs to another program: choose a different --database") as refused:
        Store(f"sqlite:///{file}", GAMES)
    assert not isinstance(refused.value, StoreCorrupt)
    assert (file.read_bytes(), sorted(path.name for path in tmp_path.iterdir())) == (before, ["notes.db"])


def test_a_read_only_file_can_be_read_and_says_so_when_it_is_written(filled: Path) -> None:
    with closing(Store(f"sqlite:///file:{filled}?mode=ro&uri=true", GAMES)) as store:
        with store.read() as snapshot:
            assert snapshot.tip() == BLOCKS[4_999]
        with pytest.raises(StoreError, match=r"readonly database.* writable, or choose a different --database"):
            store.append(BLOCKS[5_000:5_001], [])


@contextmanager
def small_disk(folder: Path, kilobytes: int) -> Iterator[Path]:
    """Mount a disk of this size and yield its folder. If the system doesn't allow mounts, skip the
    test."""
    folder.mkdir()
    made = shutil.which("mount") and subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={kilobytes}k", "tmpfs", str(folder)], capture_output=True, check=False
    )
    if not made or made.returncode:
        skip_or_fail("only root can mount a disk")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


def test_a_full_disk_is_reported_stores_nothing_and_goes_on_when_there_is_room(tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", 1000) as disk, closing(Store(f"sqlite:///{disk / 'index.db'}", GAMES)) as store:
        store.append(BLOCKS[:100], [])
        with pytest.raises(StoreError, match=r"disk is full.* space") as refused:
            store.append(BLOCKS[100:], [])
        assert not isinstance(refused.value, StoreCorrupt)
        with store.read() as snapshot:
            assert snapshot.tip() == BLOCKS[99]
        with pytest.raises(StoreError, match=r"can't be backed up to .*full"):
            store.reset_to(Chain(1, "0x0"), [], _fill(disk))
        subprocess.run(["mount", "-o", "remount,size=20000k", str(disk)], check=True)
        store.append(BLOCKS[100:], [])
        with store.read() as snapshot:
            assert snapshot.tip() == BLOCKS[-1]


def _fill(disk: Path) -> Path:
    """Fill the disk completely. Return the path of an archive to write on this disk."""
    with (disk / "stuff").open("wb") as file:
        while True:
            try:
                file.write(bytes(1 << 14))
                file.flush()
            except OSError:
                return disk / "archive.db"


def test_a_read_only_folder_is_reported(tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", 2000) as disk:
        url = f"sqlite:///{disk / 'index.db'}"
        Store(url, GAMES).close()
        subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
        said = r"writable, or choose a different --database|its folder exists and may be"
        with pytest.raises(StoreError, match=said), closing(Store(url, GAMES)) as store:
            store.append(BLOCKS[:1], [])
        with pytest.raises(StoreError, match="is writable, or choose a different --database"):
            Store(f"sqlite:///{disk / 'new.db'}", GAMES)


def test_a_database_that_may_not_grow_is_reported_and_stores_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("indexer.store.db.engine.PRAGMAS", (*PRAGMAS, "max_page_count=60"))
    with closing(Store(f"sqlite:///{tmp_path / 'index.db'}", GAMES)) as store:
        store.append(BLOCKS[:100], [])
        with pytest.raises(StoreError, match=r"disk is full.* space"):
            store.append(BLOCKS[100:], [])
        with store.read() as snapshot:
            assert snapshot.tip() == BLOCKS[99]
        store.append(BLOCKS[100:110], [])


@pytest.mark.parametrize("url", ["nonsense", "nosuch://host/db", "sqlite:////no/such/folder/index.db"])
def test_a_url_that_leads_nowhere_is_unreadable(url: str) -> None:
    with pytest.raises(StoreError):
        Store(url, GAMES)


@pytest.mark.parametrize(
    ("url", "file"),
    [("sqlite:///a/b.db", "a/b.db"), ("sqlite://", None), ("postgresql+psycopg://u@h/d", None), ("nonsense", None)],
)
def test_which_file_a_url_names(url: str, file: str | None) -> None:
    assert sqlite_file(url) == (Path(file) if file else None)
