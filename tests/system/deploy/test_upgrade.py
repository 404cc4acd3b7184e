"""An upgrade where several processes share a database: the writer alone upgrades the tables, gateways read on or say
which version is needed. The older database is made by the migrations, the newer writer is a copy of this checkout."""

from __future__ import annotations

from pathlib import Path

from tests.indexer.store.test_migrations import at_revision
from tests.support.checkout import make_checkout, run_in
from tests.support.http import local
from tests.support.players import until as until_path
from tests.support.services.postgres import PostgresServer
from tests.system.deploy.deployed import Deployed, ended_well, players_at, refused, typed
from tests.system.deploy.shell import until

NEWEST = "0009"
MIGRATION = """
import sqlalchemy as sa
from alembic import op

revision, down_revision = "{revision}", "{before}"


def upgrade() -> None:
    op.add_column("match", sa.Column("added_{revision}", sa.String()))
"""
OF_ONE_DATABASE = ("alembic_version", "announcement", "gateway", "request")
"""Tables without rows that come from the chain."""


def revision_of(postgres: PostgresServer, url: str) -> str:
    [[found]] = postgres.execute("SELECT version_num FROM alembic_version", url.rpartition("/")[2])
    return str(found)


def indexed(deployed: Deployed, database: str) -> None:
    ended_well("index", "--once", "--database", database, *deployed.options)


def test_older_tables_are_upgraded_by_the_writer_alone(deployed: Deployed, postgres: PostgresServer) -> None:
    made, old = postgres.new_database(), postgres.new_database()
    indexed(deployed, made)
    with deployed.gateway(made) as gateway:
        deployed.play(gateway)
    indexed(deployed, made)
    at_revision(old, "0008")
    without = " ".join(f"--exclude-table={name}" for name in OF_ONE_DATABASE)
    typed(deployed.data, [f"set -o pipefail; pg_dump --data-only {without} {made} | psql --set ON_ERROR_STOP=1 {old}"])
    for command in ("serve", "verify"):
        more = ("--port", "0") if command == "serve" else ()
        sentence = refused(command, "--database", old, *deployed.options, *more)
        assert f"tables are of revision 0008, and this version reads {NEWEST} to {NEWEST}: run the `index`" in sentence
    assert revision_of(postgres, old) == "0008"
    indexed(deployed, old)
    assert revision_of(postgres, old) == NEWEST
    assert ended_well("verify", "--database", old, *deployed.options).startswith("All fits")
    with deployed.gateway(old) as gateway:
        assert players_at(gateway) == deployed.players


def test_gateways_read_on_while_a_newer_writer_allows_it(
    deployed: Deployed, postgres: PostgresServer, tmp_path: Path
) -> None:
    """And say which version is needed from when it does not."""
    database = postgres.new_database()
    indexed(deployed, database)
    newer = make_checkout(tmp_path)
    with deployed.gateway(database) as gateway:
        deployed.play(gateway)
        upgraded(newer, NEWEST, "0010", deployed, database)
        deployed.shown_by(gateway)
        assert revision_of(postgres, database) == "0010"
        until_path(gateway, "/api/ready", lambda found: found["ready"] and not found["lag"]["blocks"])
        with deployed.gateway(database) as another:
            assert players_at(another) == deployed.players
        revisions = newer / "indexer" / "store" / "db" / "revisions.py"
        revisions.write_text(revisions.read_text().replace(f'OLDEST_READABLE = "{NEWEST}"', 'OLDEST_READABLE = "0011"'))
        upgraded(newer, "0010", "0011", deployed, database)
        until(lambda: local.get(f"{gateway.url}/api/ready").status_code == 503)
        words = f"tables are of revision 0011, and this version reads {NEWEST} to {NEWEST}: install Chainboard"
        until(lambda: words in "".join(gateway.said))
        assert words in refused("serve", "--database", database, *deployed.options, "--port", "0")
    assert "made by another version" in refused("index", "--once", "--database", database, *deployed.options)


def upgraded(newer: Path, before: str, revision: str, deployed: Deployed, database: str) -> None:
    """The newer version has one migration more, and has indexed."""
    file = newer / "indexer" / "store" / "db" / "migrations" / "versions" / f"{revision}_more.py"
    file.write_text(MIGRATION.format(revision=revision, before=before))
    done = run_in(newer, "chainboard", "index", "--once", "--database", database, *deployed.options)
    assert done.returncode == 0, done.stderr
