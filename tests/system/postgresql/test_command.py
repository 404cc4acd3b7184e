"""Tests that the commands behave the same with a PostgreSQL database as with a SQLite file."""

from __future__ import annotations

import contextlib
from pathlib import Path
from random import Random
from typing import Any

import pytest
from sqlalchemy import insert

from indexer.games import GAMES
from indexer.store.db.engine import open_engine
from indexer.store.store import Store
from indexer.verify.raw_tables import BARE_TABLES, INSERT_ORDER, RawDatabase, TableSlice
from tests.chainboard.corruptions import KINDS
from tests.chainboard.test_verify import ONE_A_TABLE, PlayedChain, copy, named, opened, played
from tests.support.chain import rows
from tests.support.command_line import VERIFIED
from tests.support.databases import Databases
from tests.support.players import play, wait_for_json
from tests.support.server import node_url, run, started, up
from tests.support.services.postgres import PostgresServer

__all__ = ["copy", "played"]
MATCH = "touche-coule/1"


def run_command(*arguments: object) -> tuple[int, str]:
    """Run a command, and return its exit code and all that it has printed."""
    ended = run(*map(str, arguments))
    return ended.returncode, ended.stdout + ended.stderr


def test_up_serve_verify_index_and_reset(postgres: PostgresServer, tmp_path: Path) -> None:
    """Tests these commands, one after another, on a database that is empty at first. At the end,
    `reset` must keep the old tables under different names."""
    url = postgres.new_database()
    database = ("--data", tmp_path, "--database", url)
    code, words = run_command("serve", *database, "--rpc", "http://127.0.0.1:1")
    assert (code, words.count("\n")) == (1, 1)
    assert "the database is empty: run `chainboard up`" in words
    with up(tmp_path, "--database", url) as server:
        node = node_url(tmp_path)
        with started("serve", *map(str, database), "--rpc", node, "--port", "0") as gateway:
            for player in (1, 2):
                play(server, node, player, "register", 1)
            for one in (server, gateway):
                wait_for_json(one, f"/api/matches/{MATCH}", lambda found: len(found["board"]["players"]) == 2)
        code, words = run_command("verify", *database)
        assert (code, bool(VERIFIED.fullmatch(words))) == (0, True), words
    code, words = run_command("index", *database, "--once")
    assert (code, words.startswith("Indexed to block")) == (0, True), words
    assert run_command("sql", "SELECT game, players FROM matches", "--format", "csv", *database) == (
        0,
        "game,players\ntouche-coule,2\n",
    )
    assert run_command("reset", "--data", tmp_path)[0] == 0
    with up(tmp_path, "--database", url) as server:
        found = server.get(f"/api/matches/{MATCH}")
        assert (found["board"]["status"], found["board"]["players"]) == ("open", {})
        assert "The old database is in the schema aside-" in " ".join("".join(server.output).split())
    assert not (tmp_path / "index.db").exists()
    [(schema,)] = postgres.execute("SELECT nspname FROM pg_namespace WHERE nspname LIKE 'aside-%'", url.split("/")[-1])
    with contextlib.closing(Store(f"{url}?options=-csearch_path%3D{schema}", GAMES)) as store, store.read() as kept:
        board, _event = kept.board("touche-coule", 1) or ({}, None)
        assert len(board["players"]) == 2


@pytest.fixture
def url(played: PlayedChain, postgres: PostgresServer, tmp_path: Path) -> str:
    """Return the URL of a PostgreSQL database with the same rows as the SQLite file of the `played`
    fixture."""
    return filled(played.data, Databases(tmp_path, postgres).url())


def filled(data: Path, url: str) -> str:
    """Copy the rows of the data folder's SQLite file into an empty database, without checking the
    rows. Return the database's URL."""
    engine = open_engine(url)
    with (
        contextlib.closing(RawDatabase(f"sqlite:///{data / 'index.db'}")) as raw,
        raw.snapshot() as source,
        engine.execution_options(writing=True).begin() as connection,
    ):
        for table in INSERT_ORDER:
            if found := list(source.rows_of(TableSlice(table.name)).values()):
                connection.execute(insert(BARE_TABLES[table.name]), found)
    engine.dispose()
    return url


def rows_in(url: str) -> dict[str, Any]:
    with contextlib.closing(Store(url, GAMES)) as store:
        return rows(store)


def test_an_untouched_database_is_not_accused(played: PlayedChain, url: str) -> None:
    assert played.verify(played.data, "--database", url).verified_counts == played.verify(played.data).verified_counts
    assert played.verify(played.data, "touche-coule/2", "--database", url).verified_counts


@pytest.mark.parametrize("kind", sorted(ONE_A_TABLE))
def test_a_corruption_is_found_named_and_repaired(
    played: PlayedChain, copy: Path, postgres: PostgresServer, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    monkeypatch.setattr("indexer.verify.audit.GRACE_SECONDS", 0.1)
    corrupt = next(one for one in KINDS if one.__name__ == kind)
    with opened(copy) as database:
        wanted = corrupt(Random(1), database)
    url = filled(copy, Databases(copy, postgres).url())
    mended = played.verify(copy, "--repair", "--database", url)
    assert mended.code == 0, mended
    found_first, repaired, line = mended.out.partition("Repaired (rows): ")
    named(wanted, found_first)
    assert VERIFIED.fullmatch(line.partition("\n")[2]), repaired
    assert rows_in(url) == played.right
