"""Tests that a page from a different origin can't send commands to the embedded chain, either
directly or through the gateway. The page is open in Chromium."""

from __future__ import annotations

import secrets
import stat
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page

from tests.support.http import local
from tests.support.page.other_site import other_site
from tests.support.players import rpc_call
from tests.support.server import Server, node_url, up_deployed
from tests.system.browser.conftest import Visit

USUAL_PORT = 8545
"""The default port of development nodes, which a malicious page would try first."""
POST = """async ([url, body, mode, type]) => {
  try {
    const answer = await fetch(url, { method: "POST", mode, headers: { "Content-Type": type }, body });
    return mode === "no-cors" ? "sent" : await answer.text();
  } catch (error) { return `refused: ${error}`; }
}"""
SOCKET = """([url, body]) => new Promise(done => {
  const socket = new WebSocket(url);
  socket.onopen = () => socket.send(body);
  socket.onmessage = ({ data }) => done(data);
  socket.onerror = () => done("refused");
  socket.onclose = () => done("refused");
})"""
WAYS = (("cors", "application/json"), ("cors", "text/plain"), ("no-cors", "text/plain"))


@pytest.fixture(scope="module")
def foreign() -> Iterator[str]:
    """Yield the URL of a page on another site."""
    with other_site("evil.localhost") as url:
        yield url


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("foreign")


@pytest.fixture(scope="module")
def server(data: Path) -> Iterator[Server]:
    with up_deployed(data) as it:
        yield it


class Attack:
    """An attack by a page from another site. The page tries to give ether to a new account, so the
    account's balance shows whether the attack has worked. The attack mines no block, so it doesn't
    disturb other tests on the same chain."""

    def __init__(self, page: Page, url: str) -> None:
        self._page, self._url, self._account = page, url, "0x" + secrets.token_hex(20)
        method = f'"method":"anvil_setBalance","params":["{self._account}","0xde0b6b3a7640000"]'
        self._body = f'{{"jsonrpc":"2.0","id":1,{method}}}'

    def by_fetch(self, url: str) -> list[str]:
        return [self._page.evaluate(POST, [url, self._body, mode, kind]) for mode, kind in WAYS]

    def by_socket(self, url: str) -> str:
        return str(self._page.evaluate(SOCKET, [url, self._body]))

    @property
    def worked(self) -> bool:
        return int(rpc_call(self._url, "eth_getBalance", self._account, "latest"), 16) > 0


@pytest.fixture
def attack(foreign: str, data: Path, server: Server, visit: Visit) -> Attack:
    assert server
    return Attack(visit(foreign), node_url(data))


def test_a_foreign_page_finds_no_way_to_the_node(attack: Attack, data: Path) -> None:
    """Tests that a foreign page can't reach the node. The page tries the node's usual and actual
    port, each with several names and addresses of this machine."""
    port = urlsplit(node_url(data)).port
    for host in ("127.0.0.1", "localhost", "node.localhost"):
        for at in (USUAL_PORT, port):
            attack.by_fetch(f"http://{host}:{at}/")
            attack.by_socket(f"ws://{host}:{at}/")
    assert not attack.worked


def test_a_foreign_page_has_nothing_from_the_gateway(attack: Attack, server: Server) -> None:
    for path in ("/api/rpc", "/ws"):
        cors, _plain, _sent = attack.by_fetch(server.url + path)
        assert cors.startswith("refused")
    for url in (server.socket_url, "ws" + server.url.removeprefix("http") + "/api/rpc"):
        assert attack.by_socket(url) == "refused"
    assert not attack.worked


def test_who_knows_the_nodes_address_gets_in_by_websocket_alone(attack: Attack, data: Path) -> None:
    """Tests that a foreign page can reach the node if it knows the node's address, but only by
    websocket. Anvil rejects HTTP requests from other origins but accepts their websockets, so the
    address must stay secret."""
    assert all(result in ("sent", "") or result.startswith("refused") for result in attack.by_fetch(node_url(data)))
    assert not attack.worked
    attack.by_socket("ws" + node_url(data).removeprefix("http"))
    assert attack.worked


def test_the_nodes_address_is_in_one_file_for_this_user_alone(server: Server, data: Path) -> None:
    """Tests that the node's address is in a single file, which only this user may read. No other
    file, response or printed line may contain the address."""
    running, address = data / "running.json", node_url(data)
    assert stat.S_IMODE(running.stat().st_mode) == 0o600
    host = str(urlsplit(address).hostname)
    assert host.startswith("127.")
    own = data / "chain" / "address.json"  # after a restart, the node reuses the address in this file
    assert stat.S_IMODE(own.stat().st_mode) == 0o600
    others = [file for file in data.rglob("*") if file.is_file() and file not in (running, own)]
    assert [file for file in others if host.encode() in file.read_bytes()] == []
    for path in ("health", "metrics", "games", "openapi.json"):
        assert host not in local.get(f"{server.url}/api/{path}").text
    assert host not in "".join(server.output)
