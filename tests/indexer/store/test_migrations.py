"""Tests that upgrading an older database gives the newest tables and loses no data."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import text
from sqlmodel import SQLModel, create_engine

from indexer.games import GAMES
from indexer.model import Block, Event
from indexer.store.db.engine import StoreError, open_engine
from indexer.store.db.revisions import MIGRATIONS, OLDEST_READABLE, migrate, newest
from indexer.store.db.sqlite_lock import sqlite_lock
from indexer.store.store import Store
from tests.indexer.store.test_store import (
    ALICE,
    CHAIN,
    NOBODY,
    append,
    block,
    block_events,
    contract,
    ended,
    fresh,
    opening,
)
from tests.support.chain import TABLES, rows

REVISIONS = sorted(file.name.partition("_")[0] for file in (MIGRATIONS / "versions").glob("[0-9]*.py"))


def at_revision(url: str, revision: str) -> None:
    """Create an empty database with the tables of the given migration."""
    engine = open_engine(url)
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    with engine.execution_options(writing=True).begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, revision)
    engine.dispose()


def filled(file: Path, made: Path) -> None:
    """Copy all rows of the database `made` into the database `file`. If `file` lacks a column, the
    values of this column are not copied."""
    with closing(sqlite3.connect(file)) as old, old:
        old.execute("ATTACH ? AS made", (str(made),))
        for table in TABLES:
            columns = ", ".join(row[1] for row in old.execute(f"PRAGMA main.table_info({table})"))
            if not columns:  # an older database might not have this table
                continue
            old.execute(f"INSERT INTO main.{table} ({columns}) SELECT {columns} FROM made.{table}")


def test_the_newest_revision_is_alembics_head() -> None:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    assert newest() == ScriptDirectory.from_config(config).get_current_head()


@pytest.mark.parametrize("revision", ["0001", "0003"])
def test_an_upgraded_database_equals_a_fresh_one_row_for_row_and_goes_on(
    tmp_path: Path, revision: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Tests that the upgrade itself makes no checkpoints. `maintain` makes them afterwards."""
    monkeypatch.setattr("indexer.store.match_state.CHECKPOINT_EVERY", 4)
    expected = fresh(tmp_path, finished())
    old = tmp_path / "old.db"
    at_revision(f"sqlite:///{old}", revision)
    filled(old, tmp_path / "fresh.db")
    with closing(Store(f"sqlite:///{old}", GAMES)) as store:
        assert rows(store) == {**expected, "checkpoint": []}
        while store.maintain():
            pass
        assert rows(store) == expected
        assert all(expected.values())
        store.set_chain(CHAIN, [contract()])
        store.delete_blocks_from(5)
        assert rows(store) == fresh_rows(tmp_path / "four", 4)
        append(store, finished()[4:])
        assert rows(store) == expected
    assert schema(old) == schema(tmp_path / "fresh.db")
    with closing(sqlite3.connect(old)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []


def fresh_rows(folder: Path, blocks: int) -> dict[str, Any]:
    folder.mkdir()
    return fresh(folder, finished()[:blocks])


def finished() -> list[tuple[Block, list[Event]]]:
    """Return the blocks and events of two matches, from the first block to the end of both
    matches."""
    at = block(9)
    return [*block_events(), (at, [ended(at, 0, 1, 10, ALICE), ended(at, 1, 2, 10, NOBODY)])]


def schema(file: Path) -> dict[str, Any]:
    """Return a description of each table: the columns, the keys, the indexes, and whether the table
    stores its rows in the order of the key."""
    with closing(sqlite3.connect(file)) as connection:
        tables = [row for row in connection.execute("PRAGMA table_list") if not row[1].startswith("sqlite_")]
        found: dict[str, Any] = {name: [kind, columns, unordered] for _, name, kind, columns, unordered, _ in tables}
        for name in found:
            found[name] += [connection.execute(f"PRAGMA {what}('{name}')").fetchall() for what in ("table_info",)]
            found[name] += [sorted(row[2:] for row in connection.execute(f"PRAGMA foreign_key_list('{name}')"))]
            indexes = [row[1:] for row in connection.execute(f"PRAGMA index_list('{name}')")]
            found[name] += [
                sorted(
                    (*index, *connection.execute(f"PRAGMA index_xinfo('{index[0]}')").fetchall()) for index in indexes
                )
            ]
        return found


def test_the_revisions_make_what_the_code_names_to_the_last_detail(tmp_path: Path) -> None:
    """Tests every detail of the tables. Alembic itself compares only columns and indexes."""
    engine = open_engine(f"sqlite:///{tmp_path / 'migrated.db'}")
    migrate(engine)
    engine.dispose()
    made = create_engine(f"sqlite:///{tmp_path / 'made.db'}")
    names = [*(name.strip('"') for name in TABLES), "confirmed", "sparse", "announcement", "request", "gateway", "seek"]
    names += ["nickname", "nickname_block"]
    SQLModel.metadata.create_all(made, tables=[SQLModel.metadata.tables[name] for name in names])
    with made.begin() as connection:
        connection.execute(text("CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL PRIMARY KEY)"))
    made.dispose()
    migrated, expected = schema(tmp_path / "migrated.db"), schema(tmp_path / "made.db")
    del migrated["alembic_version"], expected["alembic_version"]
    assert migrated == expected


def columns(file: Path) -> dict[str, set[tuple[str, str]]]:
    with closing(sqlite3.connect(file)) as connection:
        tables = [row[0] for row in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
        return {name: {row[1:3] for row in connection.execute(f"PRAGMA table_info('{name}')")} for name in tables}


@pytest.mark.parametrize("revision", [one for one in REVISIONS if one >= OLDEST_READABLE])
def test_readable_revisions_have_the_columns_of_the_newest(tmp_path: Path, revision: str) -> None:
    """From the migration OLDEST_READABLE on, programs can read each other's tables. Tests that no
    later migration adds or drops a table or a column. Such a migration must become the new
    OLDEST_READABLE."""
    found = []
    for one in (revision, newest()):
        at_revision(f"sqlite:///{tmp_path / one}.db", one)
        found.append(columns(tmp_path / f"{one}.db"))
    assert found[0] == found[1]


def test_an_upgrade_that_is_broken_off_leaves_the_old_database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fresh(tmp_path, block_events())
    old = tmp_path / "old.db"
    at_revision(f"sqlite:///{old}", "0001")
    filled(old, tmp_path / "fresh.db")
    before = schema(old)

    def broken(*_anything: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("alembic.operations.Operations.drop_table", broken)
    with pytest.raises(KeyboardInterrupt):
        Store(f"sqlite:///{old}", GAMES)
    monkeypatch.undo()
    assert schema(old) == before
    with closing(Store(f"sqlite:///{old}", GAMES)) as store:
        store.append([block(9)], opening(block(9), 3))


def test_a_reader_upgrades_nothing_beside_a_writer(tmp_path: Path) -> None:
    file = tmp_path / "old.db"
    at_revision(f"sqlite:///{file}", "0003")
    with sqlite_lock(file), pytest.raises(StoreError, match="another Chainboard process is writing to the database"):
        Store(f"sqlite:///{file}", GAMES)
    with closing(sqlite3.connect(file)) as connection:
        assert connection.execute("SELECT version_num FROM alembic_version").fetchall() == [("0003",)]
    Store(f"sqlite:///{file}", GAMES).close()
