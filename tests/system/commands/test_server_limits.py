"""Tests of a server process that has no file descriptors left, or that is stopped. It may print one
sentence, but never a traceback."""

from __future__ import annotations

import contextlib
import resource
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from websockets.frames import Frame, Opcode

from chainboard.server import raise_file_limit
from tests.support.http import local
from tests.support.waiting import PATIENCE_SECONDS, wait_for

SERVER_PROGRAM = """
import asyncio, resource, sys
from pathlib import Path
from api.app import create_app
from api.static.page import ServedPage
from chainboard import server
from chainboard.commands import jobs
from chainboard.settings import Settings
from tests.api.playground import GAMES, Playground, added, created

class Never:
    async def request(self, method, params=()):
        await asyncio.Event().wait()

folder, files = Path(sys.argv[1]), int(sys.argv[2])
if files:
    resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))
    server.OWN_FILES = int(sys.argv[3])
server.DRAIN_GRACE_SECONDS = 0.5
play = Playground(folder)
play.block(created(1))
play.block(*[(1, "Added", {"text": 2_000_000 * "x"})])
app = create_app(
    store=play.store, games=GAMES, wakeup=play.wakeup, node=Never(), health=lambda: play.health, page=ServedPage(folder)
)
jobs.run(server.serve_app(Settings(folder, port=int(sys.argv[4])), app, None))
"""
HANDSHAKE = (
    b"GET /ws HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
)
WATCH = Frame(Opcode.TEXT, b'{"t":"watch","match":"marks/1"}').serialize(mask=True)
REQUEST = b"POST /api/rpc HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 53\r\n\r\n"
REQUEST += b'{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}      '


@contextlib.contextmanager
def start_server(folder: Path, files: int = 0, own: int = 0) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """Start a server, and yield its process and its port. Kill the process when the `with` block
    ends."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-c", SERVER_PROGRAM, str(folder), str(files), str(own), str(port)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            assert " at http" in process.stdout.readline()
            yield process, port
        finally:
            process.kill()


def connected(stack: contextlib.ExitStack, port: int, sent: bytes = b"") -> socket.socket:
    it = stack.enter_context(socket.socket())
    it.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    it.connect(("127.0.0.1", port))
    it.sendall(sent)
    return it


def output_after_signal(process: subprocess.Popen[str], number: int = signal.SIGINT) -> str:
    """Stop the process with Ctrl-C or another signal. Return all that the process has printed to
    stderr."""
    process.send_signal(number)
    _out, told = process.communicate(timeout=PATIENCE_SECONDS)
    return told


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_end_is_quiet_whatever_is_under_way(tmp_path: Path, number: int) -> None:
    """Tests that the server ends and prints nothing, whatever it was doing. When the signal
    arrives, some clients don't read their messages, one request is incomplete, and one request
    waits for the node."""
    with start_server(tmp_path) as (process, port), contextlib.ExitStack() as stack:
        for _ in range(5):
            deaf = connected(stack, port, HANDSHAKE)
            assert b" 101 " in deaf.recv(1024)
            deaf.sendall(WATCH * 30)
        connected(stack, port, b"GET /api/hea")
        connected(stack, port, REQUEST)
        metrics = f"http://127.0.0.1:{port}/api/metrics"
        wait_for(lambda: local.get(metrics).text, lambda text: "chainboard_sockets 5.0" in text, "five sockets")
        assert output_after_signal(process, number) == ""
        assert process.returncode == 0


@pytest.mark.parametrize("own", [40, 0], ids=["some are kept for ourselves", "none are"])
def test_out_of_files_it_says_so_once_and_comes_back(tmp_path: Path, own: int) -> None:
    with start_server(tmp_path, 80, own) as (process, port):
        with contextlib.ExitStack() as stack:
            for _ in range(300):
                connected(stack, port)
            for _ in range(5):
                with contextlib.suppress(httpx.HTTPError):
                    local.get(f"http://127.0.0.1:{port}/api/games", timeout=0.1)

        def status() -> int | None:
            with contextlib.suppress(httpx.HTTPError):
                return local.get(f"http://127.0.0.1:{port}/api/games").status_code
            return None

        assert wait_for(status, lambda code: code not in (None, 429), "an answer") == 200
        told = output_after_signal(process)
    assert len(told.splitlines()) == 1, told
    assert "this process has reached its connection limit, so it rejects new connections" in told


def test_as_many_files_are_opened_as_the_system_grants() -> None:
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(1024, before[1]), before[1]))
        raise_file_limit()
        assert resource.getrlimit(resource.RLIMIT_NOFILE)[0] == before[1]
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)
