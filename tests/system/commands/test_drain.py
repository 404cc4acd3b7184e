"""Tests of a server that drains after SIGTERM. Load balancers and pages move to a different server,
while the draining server still answers pending requests."""

from __future__ import annotations

import contextlib
import json
import signal
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosedError, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from tests.support.http import local
from tests.support.server import Server, started, up
from tests.support.waiting import PATIENCE_SECONDS, wait_for
from tests.system.commands.test_server_limits import REQUEST

MATCH = "touche-coule/1"


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("drain")
    with up(folder):
        yield folder


@contextlib.contextmanager
def gateway(data: Path, *arguments: str) -> Iterator[Server]:
    with started("serve", "--data", str(data), "--port", "0", *arguments) as server:
        yield server


def request_watch(client: ClientConnection, **more: object) -> dict[str, Any]:
    """Watch the first match, and send a ping. Return the answer to `watch`. A draining server
    doesn't answer `watch`, so return its answer to the ping instead."""
    client.send(json.dumps({"t": "watch", "match": MATCH, **more}))
    client.send(json.dumps({"t": "ping"}))
    return next(found for found in map(json.loads, client) if found["t"] in ("reset", "deltas", "pong"))


def test_draining_is_told_at_once_and_sockets_end_cleanly(data: Path) -> None:
    """Tests that a draining server reports the drain immediately and closes the client's socket.
    The client then resumes at another gateway."""
    with gateway(data, "--drain", "3600") as server, gateway(data) as other:
        with connect(server.socket_url, proxy=None) as client:
            board = request_watch(client)
            assert local.get(server.url + "/api/ready").status_code == 200
            server.process.send_signal(signal.SIGTERM)
            told = wait_for(
                lambda: local.get(server.url + "/api/ready"), lambda told: told.status_code != 200, "the drain"
            )
            assert (told.status_code, told.json()["key"]) == (503, "not-ready.draining")
            assert told.headers["retry-after"] == "1"
            assert local.get(server.url + "/api/games").status_code == 200
            with pytest.raises(InvalidStatus) as refused, connect(server.socket_url, proxy=None):
                pass
            assert refused.value.response.status_code == 503
            with pytest.raises(ConnectionClosedError) as closed:
                list(client)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1012
        with connect(other.socket_url, proxy=None) as again:
            assert request_watch(again, since={"seq": board["seq"], "hash": board["block"]["hash"]})["t"] == "pong"
        server.process.send_signal(signal.SIGTERM)
        assert server.process.wait(PATIENCE_SECONDS) == 0
        assert server.output[1:] == []


def test_a_request_under_way_is_answered(data: Path) -> None:
    """Tests that a draining server still answers a request that is incomplete at first. The rest of
    the request arrives after the server has stopped accepting connections."""
    with gateway(data, "--drain", "0.1") as server, socket.socket() as slow:
        slow.connect(("127.0.0.1", int(server.url.rpartition(":")[2])))
        slow.sendall(REQUEST[:-5])
        assert local.get(server.url + "/api/ready").status_code == 200
        server.process.send_signal(signal.SIGTERM)
        with contextlib.suppress(httpx.TransportError):
            while True:
                local.get(server.url + "/api/ready")
        slow.sendall(REQUEST[-5:])
        assert slow.recv(1024).startswith(b"HTTP/1.1 200 ")
        assert server.process.wait(PATIENCE_SECONDS) == 0


def test_a_second_signal_ends_at_once(data: Path) -> None:
    for second in (signal.SIGTERM, signal.SIGINT):
        with gateway(data, "--drain", "3600") as server:
            server.process.send_signal(signal.SIGTERM)
            wait_for(lambda: local.get(server.url + "/api/ready").status_code, lambda code: code != 200, "the drain")
            server.process.send_signal(second)
            assert server.process.wait(PATIENCE_SECONDS) == 0
