"""Tests of the commands in docs/how-to/back-up.md. The commands run on a real PostgreSQL server and
on real files, while a process writes to the database."""

from __future__ import annotations

import json
import re
import shutil
from contextlib import closing
from pathlib import Path
from typing import Any

from indexer.games import GAMES
from indexer.store.store import Store
from tests.support.chain import rows
from tests.support.command_line import VERIFIED
from tests.support.players import play, rpc_call, wait_for_json
from tests.support.server import node_url, started, up
from tests.support.services.anvil import anvil
from tests.support.services.missing import skip_or_fail
from tests.support.services.postgres import PASSWORD, USER, PostgresServer
from tests.system.deploy.deployed import MATCH, DeployedSite, player_count, run_bash, run_rejected, run_successfully

PAGE = (Path(__file__).parents[3] / "docs" / "how-to" / "back-up.md").read_text("utf-8")
OWNER = "growing_too"
"""The name of the PostgreSQL role that owns the databases. The role isn't a superuser."""
MISSING = "sqlite3 is not on this machine (`make test-all` as root installs it), so no backup of a file is tested."


def commands(begin: str, end: str) -> list[str]:
    """Return the commands between two texts on the page."""
    section = PAGE.partition(begin)[2].partition(end)[0]
    assert section, begin
    return re.findall(r"^    (\S.*)$", section, re.MULTILINE)


def run_on_server(deployed: DeployedSite, lines: list[str], database: str, restored: str) -> str:
    """Run the page's PostgreSQL commands with these databases instead of the page's databases."""
    own = [
        line.replace("sudo -u postgres ", "")
        .replace("DATABASE restored OWNER chainboard", f"DATABASE {restored.rpartition('/')[2]} OWNER {OWNER}")
        .replace("postgresql://chainboard:PASSWORD@127.0.0.1:5432/restored", restored)
        .replace("site/", f"{deployed.data}/")
        for line in lines
    ]
    superuser = {"PGHOST": "127.0.0.1", "PGPORT": str(deployed.server.port), "PGUSER": USER}
    login = {"PGPASSWORD": PASSWORD, "PGDATABASE": "postgres"}
    return run_bash(deployed.data, own, CHAINBOARD_DATABASE=database, **superuser, **login)


def rows_in(url: str) -> dict[str, Any]:
    with closing(Store(url, GAMES)) as store:
        return rows(store)


def test_a_dump_goes_into_a_new_database_and_the_writer_goes_on_from_it(
    deployed: DeployedSite, postgres: PostgresServer
) -> None:
    postgres.execute(f"CREATE ROLE {OWNER} LOGIN PASSWORD '{PASSWORD}'")
    name = postgres.new_database(f"OWNER {OWNER} TEMPLATE template0").rpartition("/")[2]
    database, restored = (postgres.dsn(one, OWNER) for one in (name, f"{name}_restored"))
    backup = commands("## Back up PostgreSQL\n", "\n## ")
    back = commands("## Restore PostgreSQL\n", "\n## ")
    *restore, verify, manifest = back
    assert (verify, len(backup), len(restore)) == ("chainboard verify", 2, 3)
    with deployed.index(database), deployed.gateway(database) as gateway:
        deployed.play(gateway)
        deployed.wait_until_shown(gateway)
        run_on_server(deployed, backup, database, restored)
        deployed.play(gateway)
        deployed.wait_until_shown(gateway)
    assert (deployed.data / "deployment.backup.json").read_text() == (deployed.data / "deployment.json").read_text()
    run_on_server(deployed, restore, database, restored)
    options = ("--database", restored, *deployed.options)
    behind = run_successfully(*verify.split()[1:], *options)
    assert VERIFIED.match(behind), behind
    assert "not indexed yet: " in behind
    with deployed.gateway(restored) as gateway:
        assert player_count(gateway) == deployed.players - 1
        with deployed.index(restored):
            deployed.wait_until_shown(gateway)
            deployed.play(gateway)
            deployed.wait_until_shown(gateway)
            wait_for_json(gateway, "/api/health", lambda found: found["state"] == "ok")
    run_successfully("index", "--once", "--database", database, *deployed.options)
    assert rows_in(restored) == rows_in(database)
    fits = run_successfully("verify", *options)
    assert VERIFIED.fullmatch(fits), fits
    before = json.loads((deployed.data / "deployment.json").read_text())
    run_on_server(deployed, [manifest], restored, restored)
    assert json.loads((deployed.data / "deployment.json").read_text()) == before
    with anvil() as other:
        _another_chain_is_refused(deployed, restored, other)


def _another_chain_is_refused(deployed: DeployedSite, restored: str, other: str) -> None:
    """Check that each command rejects the restored database if the node is on another chain, and
    that no command changes the database."""
    before, data = rows_in(restored), str(deployed.data.with_name("other"))
    run_successfully("deploy", "--dev", "--data", data, "--rpc", other)
    for command in ("index", "serve", "verify"):
        more = ("--port", "0") if command == "serve" else ()
        sentence = run_rejected(command, "--database", restored, "--data", data, "--rpc", other, *more)
        assert "the database belongs to chain 31337 (genesis 0x" in sentence, sentence
        assert "but the node is on chain 31337 (genesis 0x" in sentence
    assert rows_in(restored) == before


def test_a_copy_of_a_sqlite_file_takes_its_place(tmp_path: Path) -> None:
    if shutil.which("sqlite3") is None:
        skip_or_fail(MISSING)
    data = tmp_path / ".chainboard"
    backup = commands("## Back up and restore SQLite\n", "Stop `up` before")
    back = commands("Stop `up` before", "\n## ")
    copy = f"sqlite:///{tmp_path / 'index.backup.db'}"
    with up(data) as server:
        play(server, node_url(data), 1, "register", 1)
        wait_for_json(server, f"/api/matches/{MATCH}", lambda found: len(found["board"]["players"]) == 1)
        run_bash(tmp_path, backup)
        play(server, node_url(data), 2, "register", 1)
        wait_for_json(server, f"/api/matches/{MATCH}", lambda found: len(found["board"]["players"]) == 2)
        behind = run_successfully("verify", "--data", str(data), "--database", copy)
        assert VERIFIED.match(behind), behind
        assert "not indexed yet: 1 blocks" in behind
        with started("serve", "--data", str(data), "--database", copy, "--port", "0") as gateway:
            assert player_count(gateway) == 1
    expected = rows_in(f"sqlite:///{data / 'index.db'}")
    run_bash(tmp_path, back)
    with up(data) as server:
        assert len(server.get(f"/api/matches/{MATCH}")["board"]["players"]) == 2
        fits = run_successfully("verify", "--data", str(data))
        assert VERIFIED.fullmatch(fits), fits
    assert rows_in(f"sqlite:///{data / 'index.db'}") == expected


def test_a_data_folder_goes_on_elsewhere(tmp_path: Path) -> None:
    """Tests the backup of a data folder. The backup contains the chain, the keys and the journals.
    It needs no index, because the restored site rebuilds the index from the chain."""
    data = tmp_path / ".chainboard"
    with up(data) as server:
        play(server, node_url(data), 1, "register", 1)
        wait_for_json(server, f"/api/matches/{MATCH}", lambda found: len(found["board"]["players"]) == 1)
        head = rpc_call(node_url(data), "eth_getBlockByNumber", "latest", False)["hash"]
    run_bash(tmp_path, commands("## Back up and restore a data folder\n", "\n## "))
    assert (tmp_path / "data.tar.gz").stat().st_mode & 0o077 == 0
    assert sorted((tmp_path / "restored" / "keys").iterdir())
    assert not list((tmp_path / "restored").glob("index.db*"))
    with up(tmp_path / "restored") as server:
        node = node_url(tmp_path / "restored")
        assert rpc_call(node, "eth_getBlockByNumber", "latest", False)["hash"] == head
        assert len(server.get(f"/api/matches/{MATCH}")["board"]["players"]) == 1
        assert not (tmp_path / "restored" / "aside").exists()
