"""The tables that the revisions make are the tables that the code names."""

from __future__ import annotations

from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlmodel import SQLModel

import indexer.tables  # noqa: F401 - fills the metadata
from indexer.database import StoreError, migrate, open_engine, sqlite_file
from indexer.games import GAMES
from indexer.store import Store


def test_the_revisions_and_the_tables_agree(tmp_path: Path) -> None:
    engine = open_engine(f"sqlite:///{tmp_path / 'index.db'}")
    migrate(engine)
    migrate(engine)  # a second time changes nothing
    with engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), SQLModel.metadata) == []
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"
        assert connection.exec_driver_sql("PRAGMA foreign_keys").scalar() == 1
    engine.dispose()


def test_a_file_that_is_no_database_is_unreadable(tmp_path: Path) -> None:
    file = tmp_path / "index.db"
    file.write_bytes(b"this is no database" * 1000)
    with pytest.raises(StoreError, match="not a database"):
        Store(f"sqlite:///{file}", GAMES)


def test_a_database_of_a_newer_version_is_left_alone(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'index.db'}"
    Store(url, GAMES).close()
    engine = open_engine(url)
    with engine.execution_options(writing=True).begin() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
    engine.dispose()
    with pytest.raises(StoreError, match="another version"):
        Store(url, GAMES)


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
