"""Tests of an upgrade while several processes share a database. Only the writer upgrades the
tables. Gateways continue to read, or report which version they need.

The tests create the older database with migrations. The newer writer is a modified copy of this
checkout."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import psycopg

from indexer.store.db.revisions import OLDEST_READABLE, newest
from tests.indexer.store.test_migrations import at_revision
from tests.support.chain import TABLES
from tests.support.http import local
from tests.support.players import wait_for_json
from tests.support.services.postgres import PostgresServer
from tests.support.waiting import wait_for
from tests.system.checkout import make_checkout, run_in
from tests.system.deploy.deployed import DeployedSite, player_count, run_rejected, run_successfully

NEWEST = newest()
NEXT, AFTER_NEXT = (f"{int(NEWEST) + more:04}" for more in (1, 2))
READS = f"this version reads revisions {OLDEST_READABLE} to {NEWEST}"
MIGRATION = """
import sqlalchemy as sa
from alembic import op

revision, down_revision = "{revision}", "{before}"


def upgrade() -> None:
    op.add_column("match", sa.Column("added_{revision}", sa.String()))
"""


def revision_of(postgres: PostgresServer, url: str) -> str:
    [[found]] = postgres.execute("SELECT version_num FROM alembic_version", url.rpartition("/")[2])
    return str(found)


def indexed(deployed: DeployedSite, database: str) -> None:
    run_successfully("index", "--once", "--database", database, *deployed.options)


def copy_rows(file: Path, url: str) -> None:
    """Copy the rows of a SQLite file to a PostgreSQL server. The rows keep their older, unpacked
    form."""
    with closing(sqlite3.connect(file)) as made, psycopg.connect(url) as server:
        for table in (*TABLES, "confirmed"):
            found = made.execute(f"SELECT * FROM {table}")
            names = ", ".join(f'"{column[0]}"' for column in found.description)
            marks = ", ".join(["%s"] * len(found.description))
            statement = f"INSERT INTO {table} ({names}) VALUES ({marks})".encode()
            server.cursor().executemany(statement, found.fetchall())


def test_older_tables_are_upgraded_by_the_writer_alone(deployed: DeployedSite, postgres: PostgresServer) -> None:
    file, old = deployed.data / "made.db", postgres.new_database()
    made = f"sqlite:///{file}"
    indexed(deployed, made)
    with deployed.gateway(made) as gateway:
        deployed.play(gateway)
    indexed(deployed, made)
    at_revision(old, "0008")
    copy_rows(file, old)
    for command in ("serve", "verify"):
        more = ("--port", "0") if command == "serve" else ()
        sentence = run_rejected(command, "--database", old, *deployed.options, *more)
        assert f"tables have revision 0008, but {READS}: run the `index`" in sentence
    assert revision_of(postgres, old) == "0008"
    indexed(deployed, old)
    assert revision_of(postgres, old) == NEWEST
    assert run_successfully("verify", "--database", old, *deployed.options).startswith("Verified")
    with deployed.gateway(old) as gateway:
        assert player_count(gateway) == deployed.players


def test_gateways_read_on_while_a_newer_writer_allows_it(
    deployed: DeployedSite, postgres: PostgresServer, tmp_path: Path
) -> None:
    """Tests that gateways continue to read after an upgrade, as long as the newer writer allows
    older readers. After that, the gateways must report which version they need."""
    database = postgres.new_database()
    indexed(deployed, database)
    newer = make_checkout(tmp_path)
    with deployed.gateway(database) as gateway:
        deployed.play(gateway)
        upgraded(newer, NEWEST, NEXT, deployed, database)
        deployed.wait_until_shown(gateway)
        assert revision_of(postgres, database) == NEXT
        wait_for_json(gateway, "/api/ready", lambda found: found["ready"] and not found["lag"]["blocks"])
        with deployed.gateway(database) as another:
            assert player_count(another) == deployed.players
        revisions = newer / "indexer" / "store" / "db" / "revisions.py"
        revisions.write_text(
            revisions.read_text().replace(f'OLDEST_READABLE = "{OLDEST_READABLE}"', f'OLDEST_READABLE = "{AFTER_NEXT}"')
        )
        upgraded(newer, NEXT, AFTER_NEXT, deployed, database)
        wait_for(
            lambda: local.get(f"{gateway.url}/api/ready").status_code,
            lambda code: code == 503,
            "a gateway that is not ready",
        )
        words = f"tables have revision {AFTER_NEXT}, but {READS}: install Chainboard"
        wait_for(lambda: "".join(gateway.output), lambda output: words in output, words)
        assert words in run_rejected("serve", "--database", database, *deployed.options, "--port", "0")
    assert "made by another version" in run_rejected("index", "--once", "--database", database, *deployed.options)


def upgraded(newer: Path, before: str, revision: str, deployed: DeployedSite, database: str) -> None:
    """Add a migration to the newer version. Run the newer version's indexer, which upgrades the
    tables."""
    file = newer / "indexer" / "store" / "db" / "migrations" / "versions" / f"{revision}_more.py"
    file.write_text(MIGRATION.format(revision=revision, before=before))
    done = run_in(newer, "chainboard", "index", "--once", "--database", database, *deployed.options)
    assert done.returncode == 0, done.stderr
