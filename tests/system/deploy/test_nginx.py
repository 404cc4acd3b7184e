"""Tests of two gateways on one database, behind a real nginx with the configuration in deploy/. The
tests check host names and limits per client. They also restart the gateways one by one, which no
client may notice."""

from __future__ import annotations

import contextlib
import json
import signal
import socket
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from chaos.process.ports import reserved_port
from tests.support.http import local
from tests.support.merge_patch import merged
from tests.support.players import play, wait_for_json, wait_until_indexed
from tests.support.server import Server, node_url, started, up
from tests.support.services.nginx import NAME, Nginx, nginx
from tests.support.waiting import PATIENCE_SECONDS, wait_for

MATCH = "touche-coule/1"
CALL = {"jsonrpc": "2.0", "id": 1, "method": "eth_blockNumber", "params": []}
SHIPS = [player for _ in range(2) for player in range(1, 10)][1:]
"""The players who register ships, in order. Each player is listed once per ship."""
CONNECTIONS = 4
"""The maximum number of connections from one address that each gateway accepts."""


class Site:
    """An nginx, the gateways behind it, and the `up` process that writes to the gateways'
    database."""

    def __init__(self, data: Path, writer: Server, front: Nginx, ports: list[int]) -> None:
        self.data, self.writer, self.front = data, writer, front
        self._ports = ports
        self._gateways = [contextlib.ExitStack() for _ in ports]
        self.servers = [self._start(number) for number in range(len(ports))]

    def _start(self, number: int) -> Server:
        arguments = ("--port", str(self._ports[number]), "--public-url", self.front.url, "--proxy", "127.0.0.1")
        limit = ("--connections", str(CONNECTIONS))
        return self._gateways[number].enter_context(started("serve", "--data", str(self.data), *arguments, *limit))

    def restart(self, number: int) -> None:
        self.servers[number].process.send_signal(signal.SIGTERM)
        assert self.servers[number].process.wait(PATIENCE_SECONDS) == 0
        self._gateways[number].close()
        self.servers[number] = self._start(number)
        wait_for_json(self.servers[number], "/api/ready", lambda found: found["ready"])

    def stop(self) -> None:
        for gateway in self._gateways:
            gateway.close()

    def client(self, address: str) -> httpx.Client:
        """Return an HTTP client that connects from this local address. It sends the site's name in
        the `Host` header."""
        transport = httpx.HTTPTransport(verify=self.front.trust, local_address=address)
        headers = {"host": self.front.url.removeprefix("https://")}
        return httpx.Client(transport=transport, headers=headers, timeout=PATIENCE_SECONDS)

    def ask(self, client: httpx.Client, method: str, path: str, **options: Any) -> httpx.Response:
        host, port = self.front.address
        name = {"sni_hostname": NAME}
        return client.request(method, f"https://{host}:{port}{path}", extensions=name, **options)

    @contextlib.contextmanager
    def socket(self, address: str, **options: Any) -> Iterator[ClientConnection]:
        line = socket.create_connection(self.front.address, source_address=(address, 0))
        url = self.front.url.replace("https", "wss") + "/ws"
        with connect(url, sock=line, ssl=self.front.trust, proxy=None, **options) as client:
            yield client


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    data = tmp_path_factory.mktemp("site")
    with contextlib.ExitStack() as stack:
        port, *ports = [stack.enter_context(reserved_port()) for _ in range(3)]
        front = stack.enter_context(nginx(port, ports))
        it = Site(data, stack.enter_context(up(data)), front, ports)
        stack.callback(it.stop)
        play(it.writer, node_url(data), 1, "register", 1)
        yield it


def test_the_page_and_its_socket_are_there_under_their_own_name(site: Site) -> None:
    with site.client("127.0.0.1") as client:
        page = site.ask(client, "GET", "/")
        assert (page.status_code, "Chainboard" in page.text) == (200, True)
        sockets = site.front.url.replace("https", "wss")
        assert f"connect-src 'self' {sockets} " in page.headers["content-security-policy"]
        assert "max-age" in page.headers["strict-transport-security"]
        assert f'content="{site.front.url}/m/{MATCH}"' in site.ask(client, "GET", f"/m/{MATCH}").text
        assert site.ask(client, "POST", "/api/rpc", json=CALL).json()["result"].startswith("0x")
        for origin, status in ((site.front.url, 200), ("https://evil.example", 403)):
            answer = site.ask(client, "POST", "/api/rpc", json=CALL, headers={"origin": origin})
            assert answer.status_code == status
        assert site.ask(client, "GET", "/api/metrics").status_code == 404
        assert site.ask(client, "GET", "/api/ready").json()["ready"] is True
    with site.socket("127.0.0.1", origin=site.front.url) as it:
        assert json.loads(it.recv(PATIENCE_SECONDS))["t"] == "hello"
    with pytest.raises(InvalidStatus) as refused, site.socket("127.0.0.1", origin="https://evil.example"):
        pass
    assert refused.value.response.status_code == 403
    insecure = httpx.get(
        "http://{}:{}/x?y".format(*site.front.http_address), headers={"host": NAME}, trust_env=False, verify=False
    )
    assert (insecure.status_code, insecure.headers["location"]) == (308, f"https://{NAME}/x?y")


def test_other_names_are_shown_nothing(site: Site) -> None:
    """Tests that neither nginx nor a gateway answers requests for a different host name. Gateways
    make an exception for programs on their own machine."""
    host, port = site.front.address
    with pytest.raises(httpx.ConnectError), httpx.Client(verify=False, trust_env=False) as client:
        client.get(f"https://{host}:{port}/api/health", extensions={"sni_hostname": "other.example.org"})
    gateway = site.servers[0].url
    for headers, status in (
        ({"host": "other.example.org"}, 403),
        ({"host": "127.0.0.1", "x-forwarded-for": "192.0.2.1"}, 403),
        ({"host": "10.0.0.7", "x-forwarded-for": "192.0.2.1"}, 403),
        ({}, 200),
    ):
        assert local.get(gateway + "/api/games", headers=headers).status_code == status
    assert local.get(gateway + "/api/metrics", headers={"host": "10.0.0.7"}).status_code == 200


def _fill(site: Site, stack: contextlib.ExitStack, address: str, **options: Any) -> None:
    """From this address, open one socket more than all gateways together accept."""
    for _ in range(CONNECTIONS * len(site.servers) + 1):
        stack.enter_context(site.socket(address, **options))


def test_each_client_is_counted_by_its_own_address(site: Site) -> None:
    """Tests that limits count each client by its own address. The site must ignore the addresses
    that clients write into a header."""
    lies = {"X-Forwarded-For": "127.0.0.77"}
    with contextlib.ExitStack() as stack:
        with pytest.raises(InvalidStatus) as refused:
            _fill(site, stack, "127.0.0.2", additional_headers=lies)
        assert refused.value.response.status_code == 429
        with site.client("127.0.0.2") as client:
            assert site.ask(client, "GET", "/api/games", headers=lies).json()["code"] == "too-many-connections"
        with site.client("127.0.0.3") as client, site.socket("127.0.0.3"):
            assert site.ask(client, "GET", "/api/games").status_code == 200


class Watcher:
    """A client that reconnects in the same way as the page: it sends the number of its last event
    as `since`."""

    def __init__(self) -> None:
        self.seq, self.hash, self.board = 0, "", {}
        self.resets, self.connections = 0, 0

    def watch(self, site: Site, address: str, last: Callable[[], int | None]) -> None:
        """Watch the match until its last event has arrived. Reconnect whenever the connection
        closes."""
        while self.seq != last():
            with site.socket(address) as client, contextlib.suppress(ConnectionClosed):
                self.connections += 1
                since = {"since": {"seq": self.seq, "hash": self.hash}} if self.seq else {}
                client.send(json.dumps({"t": "watch", "match": MATCH, **since}))
                while self.seq != last():
                    with contextlib.suppress(TimeoutError):
                        self._take(json.loads(client.recv(0.5)))

    def _take(self, message: Any) -> None:
        if message["t"] == "reset":
            self.resets += 1
            self.seq, self.board = message["seq"], message["board"]
        elif message["t"] == "deltas":
            for item in message["items"]:
                assert item["seq"] == self.seq + 1
                self.seq, self.board = item["seq"], merged(self.board, item["patch"])
        else:
            return
        self.hash = message["block"]["hash"]


class ThreadGroup:
    """A group of threads. It collects the errors that its threads raise."""

    def __init__(self) -> None:
        self.errors: list[object] = []
        self._threads: list[threading.Thread] = []

    def add(self, work: Callable[..., None], *arguments: Any) -> None:
        def run() -> None:
            try:
                work(*arguments)
            except BaseException as error:
                self.errors.append(error)

        self._threads.append(threading.Thread(target=run))
        self._threads[-1].start()

    def join(self) -> None:
        for thread in self._threads:
            thread.join(PATIENCE_SECONDS)
            assert not thread.is_alive()


def test_a_rolling_restart_loses_no_delta_and_fails_no_request(site: Site) -> None:
    workers, audience, watchers = ThreadGroup(), ThreadGroup(), [Watcher() for _ in range(6)]
    ended, last, asked = threading.Event(), [None], [0]

    def ask(address: str) -> None:
        with site.client(address) as client:
            while not ended.is_set():
                for method, path, body in (
                    ("GET", "/", None),
                    ("GET", f"/api/matches/{MATCH}", None),
                    ("POST", "/api/rpc", CALL),
                ):
                    answer = site.ask(client, method, path, json=body)
                    asked[0] += 1
                    if answer.status_code != 200:
                        workers.errors.append((path, answer.status_code, answer.text))
                ended.wait(0.01)

    def move() -> None:
        for player in SHIPS:
            play(site.writer, node_url(site.data), player, "register", 1)
            ended.wait(0.3)

    for number, watcher in enumerate(watchers):
        audience.add(watcher.watch, site, f"127.0.1.{number + 1}", lambda: last[0])
    for number in range(3):
        workers.add(ask, f"127.0.2.{number + 1}")
    workers.add(move)
    for number in range(len(site.servers)):
        site.restart(number)
    restarted = asked[0]  # gateways must still answer after the last restart
    wait_for(lambda: asked[0] > restarted + 50 or workers.errors, bool, "requests after the last restart")
    ended.set()
    workers.join()
    wait_until_indexed(site.writer, node_url(site.data))
    final = site.writer.get(f"/api/matches/{MATCH}")
    last[0] = final["seq"]
    audience.join()
    assert workers.errors + audience.errors == [], site.front.errors[:2000]
    assert asked[0] > 100
    assert final["seq"] > len(SHIPS)
    for watcher in watchers:
        assert (watcher.seq, watcher.board, watcher.resets) == (final["seq"], final["board"], 1)
    assert len(watchers) < sum(watcher.connections for watcher in watchers) <= 3 * len(watchers)
