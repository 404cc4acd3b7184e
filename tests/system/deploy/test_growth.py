"""The commands of docs/growth.md lead from a laptop to a site, as they stand there: they are read out of the page and
run by bash, on a real PostgreSQL, Anvil, Redis and nginx. Only addresses, ports, names and folders are replaced."""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
import sysconfig
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest
from eth_account import Account
from eth_account.signers.local import LocalAccount

from chaos.process.ports import reserved_port
from contracts.abi import encode_call
from tests.support.http import local
from tests.support.players import direct
from tests.support.players import play as server_play
from tests.support.players import until as until_path
from tests.support.server import node_url, started, up
from tests.support.services.anvil import anvil
from tests.support.services.missing import skip_or_fail
from tests.support.services.nginx import NAME, idle_nginx
from tests.support.services.postgres import PostgresServer, binaries
from tests.support.services.redis import redis_server
from tests.system.deploy.shell import Shell, until

TOP = Path(__file__).parents[3]
PAGE = (TOP / "docs" / "growth.md").read_text("utf-8")
MISSING = "curl is not on this machine (`make test` as root installs it): the way to a site is not tested."
ROLE = "growing"
"""On the tests' server, where `chainboard` is the superuser."""
KEYSTORE_PASSWORD = "for a test"
ETHER = 10**18
MATCH, KEPT = "tic-tac-toe/1", "touche-coule/1"
DATABASE = "postgresql://chainboard:PASSWORD@127.0.0.1:5432/chainboard"


@dataclass(frozen=True, slots=True)
class Step:
    """A command of the page, and what the page says that comes of it: in which log (none: its output), how often."""

    command: str
    says: tuple[tuple[str, str], ...]
    times: int


def steps(page: str) -> list[Step]:
    """The numbered commands of the section."""
    section = page.partition("## Ten commands\n")[2].partition("\n## ")[0].partition("\nOpen the public address")[0]
    found = []
    for item in re.split(r"^\d+\. ", section, flags=re.MULTILINE)[1:]:
        (command,) = re.findall(r"^ {6,}(\S.*)$", item, re.MULTILINE)
        says = re.findall(r"(?:`([\w.-]+\.log)`|It) says `([^`]+)`", item)
        found.append(Step(command, tuple(says), 3 if "three times" in item else 1))
    return found


def settings(page: str) -> dict[str, str]:
    return dict(re.findall(r"^    export (\w+)=(.*)$", page.partition("## Ten commands\n")[0], re.MULTILINE))


class Site:
    """What the commands need and find: PostgreSQL, a chain, Redis, nginx, a checkout; and what they have made."""

    def __init__(self, stack: ExitStack, server: PostgresServer, folder: Path) -> None:
        self.folder = folder
        self.ports = [stack.enter_context(reserved_port()) for _ in range(2)]
        self.front = stack.enter_context(idle_nginx(stack.enter_context(reserved_port()), self.ports))
        self.node = stack.enter_context(anvil())
        self.redis = stack.enter_context(redis_server()).url
        self.server = server
        self.shell = Shell(folder, self._environment())
        stack.callback(self.shell.end)
        self._make_checkout()

    def _make_checkout(self) -> None:
        """With nginx's ports in deploy/, and the deployer's keystore."""
        for path in TOP.iterdir():
            if path.name not in ("deploy", "venv", "site", "build"):
                (self.folder / path.name).symlink_to(path)
        (self.folder / "deploy" / "nginx").mkdir(parents=True)
        (self.folder / "deploy" / "nginx" / "chainboard.conf").write_text(self.front.configuration)
        account = Account.create()
        keystore = Account.encrypt(account.key, KEYSTORE_PASSWORD, kdf="pbkdf2", iterations=1)
        (self.folder / "deployer.json").write_text(json.dumps(keystore))
        direct(self.node, "anvil_setBalance", account.address, hex(10 * ETHER))

    def _environment(self) -> dict[str, str]:
        """Whom `psql` and `curl` meet, and where pip finds packages: those of this environment."""
        (self.folder / ".curlrc").write_text(
            f'noproxy = "*"\ncacert = "{self.front.certificate}"\n'
            f'resolve = "{NAME}:{self.front.address[1]}:127.0.0.1"\n'
        )
        (self.folder / "programs").mkdir()
        (self.folder / "programs" / "python3").symlink_to(Path(sys.executable).resolve())  # whose packages pip finds
        return {
            "PATH": f"{self.folder}/programs:{binaries()}:{os.environ['PATH']}",
            "PGHOST": "127.0.0.1",
            "PGPORT": str(self.server.port),
            "PGUSER": "chainboard",
            "PGPASSWORD": "secret",
            "PGDATABASE": "postgres",
            "CURL_HOME": str(self.folder),
            "PYTHONPATH": sysconfig.get_path("purelib"),
            "PIP_NO_INDEX": "1",
            "PIP_NO_BUILD_ISOLATION": "0",
            "CHAINBOARD_DEPLOYER_PASSWORD": KEYSTORE_PASSWORD,
        }

    def own(self, text: str) -> str:
        """A line of the page with the placeholders replaced."""
        values = {
            "sudo -u postgres ": "",
            "sudo ": "",
            "nginx -": f"{' '.join(self.front.command)} -",
            "/etc/nginx/": f"{self.front.folder}/",
            "ROLE chainboard ": f"ROLE {ROLE} ",
            "DATABASE chainboard OWNER chainboard ": f"DATABASE {ROLE} OWNER {ROLE} ",
            DATABASE: f"postgresql://{ROLE}:PASSWORD@127.0.0.1:{self.server.port}/{ROLE}",
            "https://node.example.org": self.node,
            "redis://127.0.0.1:6379": self.redis,
            "https://play.example.org": self.front.url,
            "8001": str(self.ports[0]),
            "8002": str(self.ports[1]),
        }
        return re.sub("|".join(map(re.escape, values)), lambda found: values[found[0]], text)

    def follow(self, page: str) -> Iterator[int]:
        """The page from its settings to its last command; each time the number of the command that was run."""
        for name, value in settings(page).items():
            self.shell.run(self.own(f"export {name}={value}"))
        for number, step in enumerate(steps(page), 1):
            output = self.shell.run(self.own(step.command))
            for log, words in step.says:
                assert "does not provide the extra" not in output, output
                if log:
                    self.shell.wait_for(self.own(log), self.own(words))
                else:
                    assert output.count(words) == step.times, (step.command, output)
            yield number

    def ask(self, method: str, *params: Any) -> Any:
        """JSON-RPC by the public address, as a browser's."""
        host, port = self.front.address
        with httpx.Client(verify=self.front.trust, trust_env=False, timeout=20) as client:
            body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
            headers, name = {"host": self.front.url.removeprefix("https://")}, {"sni_hostname": NAME}
            answer = client.post(f"https://{host}:{port}/api/rpc", json=body, headers=headers, extensions=name)
        return answer.json()["result"]

    def play(self, player: LocalAccount, name: str, *arguments: Any) -> None:
        """A call of the match's contract, signed by the player, by the public address."""
        manifest = json.loads((self.folder / "site" / "deployment.json").read_text())
        (game,) = [one for one in manifest["games"] if one["game"] == MATCH.split("/")[0]]
        call = {
            "to": game["address"],
            "data": encode_call(game["abi"], name, arguments),
            "chainId": int(self.ask("eth_chainId"), 16),
            "nonce": int(self.ask("eth_getTransactionCount", player.address, "latest"), 16),
            "gas": 10**6,
            "maxFeePerGas": 10**11,
            "maxPriorityFeePerGas": 1,
        }
        hash = self.ask("eth_sendRawTransaction", player.sign_transaction(call).raw_transaction.to_0x_hex())
        assert until(lambda: self.ask("eth_getTransactionReceipt", hash))["status"] == "0x1", name

    def gateways_show(self, status: str, ply: int) -> None:
        """Both, the match so far, with the same board."""
        urls = [f"http://127.0.0.1:{port}/api/matches/{MATCH}" for port in self.ports]
        boards = [until(lambda url=url: board_of(local.get(url), status, ply)) for url in urls]
        assert boards[0] == boards[1]

    def check_settings(self) -> None:
        """The gateways count together in Redis, and believe nginx alone in whom it stands for."""
        for port in self.ports:
            gateway = f"http://127.0.0.1:{port}/api"
            assert "chainboard_limits_shared 1.0" in local.get(f"{gateway}/metrics").text
            assert local.get(f"{gateway}/games", headers={"x-forwarded-for": "192.0.2.1"}).status_code == 403


def board_of(answer: httpx.Response, status: str, ply: int) -> Any:
    """The board, once it is so."""
    board = answer.json()["board"] if answer.status_code == 200 else {}
    return board if (board.get("status"), board.get("ply")) == (status, ply) else None


@pytest.fixture
def site(postgres: PostgresServer, tmp_path: Path) -> Iterator[Site]:
    if shutil.which("curl") is None:
        skip_or_fail(MISSING)
    with ExitStack() as stack:
        yield Site(stack, postgres, tmp_path)
    postgres.execute(f"DROP DATABASE IF EXISTS {ROLE} WITH (FORCE)")
    postgres.execute(f"DROP ROLE IF EXISTS {ROLE}")


@pytest.mark.timeout(600)
def test_ten_commands_lead_to_a_site(site: Site) -> None:
    """A match is played by the public address while the writer hands over, and each gateway shows it."""
    host, guest = Account.create(), Account.create()
    for player in (host, guest):
        direct(site.node, "anvil_setBalance", player.address, hex(ETHER))
    for number in site.follow(PAGE):
        if number == len(steps(PAGE)) - 1:
            site.play(host, "create", guest.address, 0)
            site.gateways_show("open", 0)
            site.check_settings()
    assert number == 10
    site.play(guest, "accept", 1)
    site.gateways_show("playing", 0)
    site.play(host, "move", 1, 0, 1, 1)
    site.gateways_show("playing", 1)


def test_the_local_chain_may_be_kept_on_a_server(postgres: PostgresServer, tmp_path: Path) -> None:
    """With its matches, by the page's last command; a gateway joins."""
    data, url = tmp_path / "data", f"/api/matches/{KEPT}"
    with up(data) as laptop:
        server_play(laptop, node_url(data), 1, "register", 1)
        before = until_path(laptop, url, lambda found: len(found["board"]["players"]) == 1)
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
    [("LOGIN PASSWORD 'PASSWORD'", "LOGIN PASSWORD PASSWORD"), ("It says `CREATE DATABASE`", "It says `CREATED`")],
)
def test_a_wrong_page_is_found(site: Site, right: str, wrong: str) -> None:
    assert right in PAGE
    with pytest.raises(AssertionError):
        next(site.follow(PAGE.replace(right, wrong)))
