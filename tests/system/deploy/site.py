"""A site on which tests run the commands on a page of the documentation. It consists of a checkout,
nginx, keystores and a bash process. The tests replace the page's addresses and folders with the
site's."""

from __future__ import annotations

import json
import os
import re
import sys
import sysconfig
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
from eth_account import Account
from eth_account.signers.local import LocalAccount

from chaos.process.ports import reserved_port
from contracts.abi import encode_call
from tests.support.http import local
from tests.support.services.nginx import NAME, idle_nginx
from tests.support.waiting import PATIENCE_SECONDS, wait_for
from tests.system.deploy.shell import Shell

TOP = Path(__file__).parents[3]
MISSING = "curl is not on this machine (`make test-all` as root installs it), so the page's commands are not tested."
KEYSTORE_PASSWORD = "for a test"
SECTION = r"(?m)^## \w+ commands\n"
"""A pattern for the heading of the section with the page's commands. The settings are above this
heading."""


@dataclass(frozen=True, slots=True)
class PageCommand:
    """A command on the page, and how often the page runs the command. Each item of
    `expected_output` contains the name of a log file, and words that the file must then contain. If
    the name is empty, the command itself must print the words."""

    command: str
    expected_output: tuple[tuple[str, str], ...]
    times: int


def page_commands(page: str) -> list[PageCommand]:
    """Return the commands in the page's numbered list."""
    section = re.split(SECTION, page)[1].partition("\n## ")[0].partition("\nOpen the public address")[0]
    found = []
    for item in re.split(r"^\d+\. ", section, flags=re.MULTILINE)[1:]:
        (command,) = re.findall(r"^ {6,}(\S.*)$", item, re.MULTILINE)
        expected_output = re.findall(r"(?:`([\w.-]+\.log)` shows|It prints) `([^`]+)`", item)
        found.append(PageCommand(command, tuple(expected_output), 3 if "three times" in item else 1))
    return found


def settings(page: str) -> dict[str, str]:
    return dict(re.findall(r"^    export (\w+)=(.*)$", re.split(SECTION, page)[0], re.MULTILINE))


class Site:
    """A site and its chain. `data` is the name of the data folder of the process that writes.
    `placeholders` maps texts on the page to the site's own texts."""

    def __init__(
        self, stack: ExitStack, folder: Path, data: str, gateways: int, environment: Mapping[str, str]
    ) -> None:
        self.folder, self._data = folder, data
        self.ports = [stack.enter_context(reserved_port()) for _ in range(gateways)]
        self.front = stack.enter_context(idle_nginx(stack.enter_context(reserved_port()), self.ports))
        self._make_checkout()
        self.shell = Shell(folder, {**self._environment(), **environment})
        stack.callback(self.shell.end)
        self.placeholders = {
            "sudo ": "",
            "nginx -": f"{' '.join(self.front.command)} -",
            "/etc/nginx/": f"{self.front.folder}/",
            "https://play.example.org": self.front.url,
            **{str(number): str(own) for number, own in enumerate(self.ports, 8001)},
        }

    def _make_checkout(self) -> None:
        """Make a folder with links to the repository's files. Write an nginx configuration with
        this site's ports into the folder."""
        for path in TOP.iterdir():
            if path.name not in ("deploy", "venv", self._data, "build"):
                (self.folder / path.name).symlink_to(path)
        (self.folder / "deploy" / "nginx").mkdir(parents=True)
        (self.folder / "deploy" / "nginx" / "chainboard.conf").write_text(self.front.configuration)

    def create_keystore(self, name: str) -> str:
        """Create a keystore file with this name in the checkout. Return the address of the
        keystore's account."""
        account = Account.create()
        keystore = Account.encrypt(account.key, KEYSTORE_PASSWORD, kdf="pbkdf2", iterations=1)
        (self.folder / name).write_text(json.dumps(keystore))
        return str(account.address)

    def _environment(self) -> dict[str, str]:
        """Return the environment variables for bash. With them, `curl` connects to this site, and
        pip uses the packages of the running Python."""
        (self.folder / ".curlrc").write_text(
            f'noproxy = "*"\ncacert = "{self.front.certificate}"\n'
            f'resolve = "{NAME}:{self.front.address[1]}:127.0.0.1"\n'
        )
        (self.folder / "programs").mkdir()
        # Through this link, pip uses the running Python and its packages.
        (self.folder / "programs" / "python3").symlink_to(Path(sys.executable).resolve())
        return {
            "PATH": f"{self.folder}/programs:{os.environ['PATH']}",
            "CURL_HOME": str(self.folder),
            "PYTHONPATH": sysconfig.get_path("purelib"),
            "PIP_NO_INDEX": "1",
            "PIP_NO_BUILD_ISOLATION": "0",
            "CHAINBOARD_DEPLOYER_PASSWORD": KEYSTORE_PASSWORD,
            "CHAINBOARD_SPONSOR_PASSWORD": KEYSTORE_PASSWORD,
        }

    def substitute(self, text: str) -> str:
        """Replace the page's placeholders in a text with the site's own texts."""
        values = self.placeholders
        return re.sub("|".join(map(re.escape, values)), lambda found: values[found[0]], text)

    def follow(self, page: str) -> Iterator[int]:
        """Apply the settings on the page, and then run its commands. After each command, check the
        expected output, and then yield the command's number."""
        for name, value in settings(page).items():
            self.shell.run(self.substitute(f"export {name}={value}"))
        for number, step in enumerate(page_commands(page), 1):
            output = self.shell.run(self.substitute(step.command))
            for log, words in step.expected_output:
                assert "does not provide the extra" not in output, output
                if log:
                    self.shell.wait_for(self.substitute(log), self.substitute(words))
                else:
                    assert output.count(words) == step.times, (step.command, output)
            yield number

    def post(self, path: str, body: Any) -> httpx.Response:
        """Send a POST request to the site's public address, in the same way as a browser."""
        host, port = self.front.address
        with httpx.Client(verify=self.front.trust, trust_env=False, timeout=PATIENCE_SECONDS) as client:
            headers, name = {"host": self.front.url.removeprefix("https://")}, {"sni_hostname": NAME}
            return client.post(f"https://{host}:{port}{path}", json=body, headers=headers, extensions=name)

    def ask(self, method: str, *params: Any) -> Any:
        """Send a JSON-RPC request to the site's public address, and return the result. While the
        gateway replaces a lost node, requests can fail, so retry failed requests."""
        body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}

        def answer() -> Any:
            found = self.post("/api/rpc", body).json()
            return found if "result" in found else None

        return wait_for(answer, bool, f"an answer to {method}")["result"]

    def play(self, player: LocalAccount, slug: str, name: str, *arguments: Any) -> None:
        """Sign a transaction to the game's contract with the player's key, and send it to the
        site's public address."""
        manifest = json.loads((self.folder / self._data / "deployment.json").read_text())
        (game,) = [one for one in manifest["games"] if one["game"] == slug]
        call = {"to": game["address"], "data": encode_call(game["abi"], name, arguments)}
        price, gas = self.ask("eth_gasPrice"), self.ask("eth_estimateGas", {**call, "from": player.address})
        fields = {
            **call,
            "chainId": int(self.ask("eth_chainId"), 16),
            "nonce": int(self.ask("eth_getTransactionCount", player.address, "latest"), 16),
            "gas": int(gas, 16) * 6 // 5,
            "maxFeePerGas": int(price, 16) * 3 // 2,
            "maxPriorityFeePerGas": 1,
        }
        hash = self.ask("eth_sendRawTransaction", player.sign_transaction(fields).raw_transaction.to_0x_hex())
        receipt = wait_for(lambda: self.ask("eth_getTransactionReceipt", hash), bool, f"the block of {name}")
        assert receipt["status"] == "0x1", name

    def wait_until_shown(self, match: str, status: str, ply: int) -> None:
        """Wait until every gateway shows the match with this status and at this ply. Check that all
        gateways show the same board."""
        urls = [f"http://127.0.0.1:{port}/api/matches/{match}" for port in self.ports]
        boards = [wait_for(lambda url=url: board_of(local.get(url), status, ply), bool, "the board") for url in urls]
        assert all(board == boards[0] for board in boards)


def board_of(answer: httpx.Response, status: str, ply: int) -> Any:
    """Return the board in a gateway's response. Return None if the board doesn't have this status
    and ply."""
    board = answer.json()["board"] if answer.status_code == 200 else {}
    return board if (board.get("status"), board.get("ply")) == (status, ply) else None
