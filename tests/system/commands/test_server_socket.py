"""Tests of the socket on which the server accepts connections."""

from __future__ import annotations

import contextlib
import socket
from pathlib import Path

import pytest

from chainboard.server import _listening_socket
from chainboard.settings import Settings
from chaos.process.ports import reserved_port
from tests.support.server import run, started, up


def test_responses_are_sent_without_nagles_delay(tmp_path: Path) -> None:
    """Tests that the server sets TCP_NODELAY. Without it, each response takes 40 ms, a hundred
    times its usual time, because the body waits until the client acknowledges the header."""
    with _listening_socket(Settings(tmp_path, port=0)) as bound, socket.create_connection(bound.getsockname()):
        connection, _address = bound.accept()
        with connection:
            assert connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


def test_port_0_uses_a_free_port_without_a_message(tmp_path: Path) -> None:
    with up(tmp_path) as server:
        port = int(server.url.rpartition(":")[2])
        assert port > 0
        assert server.get("/api/health")["development"] is True
        assert not any("in use" in line for line in server.output)
        with started("serve", "--data", str(tmp_path), "--port", "0") as reader:
            assert reader.url != server.url
            assert reader.get("/api/health")["chainId"] == server.get("/api/health")["chainId"]


@pytest.mark.parametrize("command", ["up", "serve"])
@pytest.mark.parametrize(
    ("port", "words"), [("-1", "or equal to 0"), ("65536", "or equal to 65535"), ("http", "integer")]
)
def test_invalid_port_is_reported_with_the_valid_range(tmp_path: Path, command: str, port: str, words: str) -> None:
    answer = run(command, "--data", str(tmp_path), f"--port={port}")
    assert answer.returncode == 2
    assert "--port" in answer.stderr
    assert words in " ".join(answer.stderr.replace("│", " ").split())
    assert "Traceback" not in answer.stderr


def test_reserved_port_is_used_only_by_programs_that_name_it(tmp_path: Path) -> None:
    with reserved_port() as port:
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.1", port))
        for _ in range(2):  # the second server must be able to use the port of the first
            with _listening_socket(Settings(tmp_path, port=port)) as bound:
                socket.create_connection(bound.getsockname()).close()
        given = []
        with contextlib.ExitStack() as stack:
            for _ in range(100):
                given.append(stack.enter_context(socket.create_server(("127.0.0.1", 0))).getsockname()[1])
        assert port not in given
