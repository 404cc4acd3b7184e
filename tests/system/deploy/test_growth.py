"""Tests of the commands in docs/how-to/run-a-site.md. Bash runs the commands with real PostgreSQL,
Anvil, Redis and nginx servers. The tests replace only addresses, ports, names and folders."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from eth_account import Account

from tests.support.http import local
from tests.support.players import play as server_play
from tests.support.players import rpc_call, wait_for_json
from tests.support.server import node_url, started, up
from tests.support.services.anvil import anvil
from tests.support.services.missing import skip_or_fail
from tests.support.services.postgres import PostgresServer, binaries
from tests.support.services.redis import redis_server
from tests.system.deploy.site import MISSING, TOP, Site, page_commands

PAGE = (TOP / "docs" / "how-to" / "run-a-site.md").read_text("utf-8")
ROLE = "growing"
"""The database role that the commands use. The page's own role `chainboard` is already the
superuser of the tests' server."""
ETHER = 10**18
GAME, MATCH, KEPT = "tic-tac-toe", "tic-tac-toe/1", "touche-coule/1"
DATABASE = "postgresql://chainboard:PASSWORD@127.0.0.1:5432/chainboard"


class GrowingSite(Site):
    """A site with PostgreSQL, Redis, two gateways, and a chain in a separate process."""

    def __init__(self, stack: ExitStack, server: PostgresServer, folder: Path) -> None:
        environment = {
            "PATH": f"{folder}/programs:{binaries()}:{os.environ['PATH']}",
            "PGHOST": "127.0.0.1",
            "PGPORT": str(server.port),
            "PGUSER": "chainboard",
            "PGPASSWORD": "secret",
            "PGDATABASE": "postgres",
        }
        super().__init__(stack, folder, "site", 2, environment)
        self.node = stack.enter_context(anvil())
        rpc_call(self.node, "anvil_setBalance", self.create_keystore("deployer.json"), hex(10 * ETHER))
        self.placeholders = {
            "sudo -u postgres ": "",
            **self.placeholders,
            "ROLE chainboard ": f"ROLE {ROLE} ",
            "DATABASE chainboard OWNER chainboard ": f"DATABASE {ROLE} OWNER {ROLE} ",
            DATABASE: f"postgresql://{ROLE}:PASSWORD@127.0.0.1:{server.port}/{ROLE}",
            "https://node.example.org": self.node,
            "redis://127.0.0.1:6379": stack.enter_context(redis_server()).url,
        }

    def check_settings(self) -> None:
        """Check that the gateways share their rate limits through Redis. Also check that they
        accept a client's address in a header only from nginx."""
        for port in self.ports:
            gateway = f"http://127.0.0.1:{port}/api"
            assert "chainboard_limits_shared 1.0" in local.get(f"{gateway}/metrics").text
            assert local.get(f"{gateway}/games", headers={"x-forwarded-for": "192.0.2.1"}).status_code == 403


@pytest.fixture
def site(postgres: PostgresServer, tmp_path: Path) -> Iterator[GrowingSite]:
    if shutil.which("curl") is None:
        skip_or_fail(MISSING)
    with ExitStack() as stack:
        yield GrowingSite(stack, postgres, tmp_path)
    postgres.execute(f"DROP DATABASE IF EXISTS {ROLE} WITH (FORCE)")
    postgres.execute(f"DROP ROLE IF EXISTS {ROLE}")


@pytest.mark.timeout(600)
def test_ten_commands_lead_to_a_site(site: GrowingSite) -> None:
    """Tests the page's ten commands, which lead to a site. Two players play a match through the
    public address while another process takes over the writing. Each gateway must show the
    match."""
    host, guest = Account.create(), Account.create()
    for player in (host, guest):
        rpc_call(site.node, "anvil_setBalance", player.address, hex(ETHER))
    for number in site.follow(PAGE):
        if number == len(page_commands(PAGE)) - 1:
            site.play(host, GAME, "create", guest.address, 0)
            site.wait_until_shown(MATCH, "open", 0)
            site.check_settings()
    assert number == 10
    site.play(guest, GAME, "accept", 1)
    site.wait_until_shown(MATCH, "playing", 0)
    site.play(host, GAME, "move", 1, 0, 1, 1)
    site.wait_until_shown(MATCH, "playing", 1)


def test_the_local_chain_may_be_kept_on_a_server(postgres: PostgresServer, tmp_path: Path) -> None:
    """Tests the page's last command, which moves the local chain's index to a PostgreSQL database.
    The match must still be there, and a gateway must be able to use the same database."""
    data, url = tmp_path / "data", f"/api/matches/{KEPT}"
    with up(data) as laptop:
        server_play(laptop, node_url(data), 1, "register", 1)
        before = wait_for_json(laptop, url, lambda found: len(found["board"]["players"]) == 1)
    [command] = re.findall(r"^    chainboard (up .*)$", PAGE, re.MULTILINE)
    name, *options = command.replace(DATABASE, database := postgres.new_database()).split()
    assert (name, database in options) == ("up", True)
    with up(data, *options) as server:
        assert server.get(url)["board"] == before["board"]
        with started("serve", "--database", database, "--rpc", node_url(data), "--port", "0") as gateway:
            assert gateway.get(url)["board"] == before["board"]
    assert not (data / "aside").exists()


@pytest.mark.parametrize(
    ("right", "wrong"),
    [("LOGIN PASSWORD 'PASSWORD'", "LOGIN PASSWORD PASSWORD"), ("It prints `CREATE DATABASE`", "It prints `CREATED`")],
)
def test_a_wrong_page_is_found(site: GrowingSite, right: str, wrong: str) -> None:
    assert right in PAGE
    with pytest.raises(AssertionError):
        next(site.follow(PAGE.replace(right, wrong)))
