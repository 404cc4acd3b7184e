"""Runs a real Redis server. Tests that need it run only if Debian's package is installed."""

from __future__ import annotations

import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

from chainboard.chain.child_process import end_child, start_child
from chaos.process.ports import reserved_port
from tests.support.services.missing import skip_or_fail
from tests.support.waiting import wait_for

MISSING = (
    "redis-server is not on this machine (`make test-all` as root installs it). Tests of shared limits are skipped."
)


class Redis:
    """A Redis server at 127.0.0.1, separate from any other Redis server on this machine."""

    def __init__(self, program: str, port: int) -> None:
        self._program, self._port = program, port
        self.start()

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self._port}/0"

    def start(self) -> None:
        options = ["--bind", "127.0.0.1", "--port", str(self._port), "--save", ""]
        self._process: subprocess.Popen[bytes] = start_child([self._program, *options])
        wait_for(self._is_listening, bool, "Redis")

    def _is_listening(self) -> bool:
        try:
            socket.create_connection(("127.0.0.1", self._port)).close()
        except OSError:
            return False
        return True

    def stop(self) -> None:
        end_child(self._process)


@contextmanager
def redis_server() -> Iterator[Redis]:
    """Run a Redis server. If Redis is missing, skip the test, or fail if CI=true."""
    found = shutil.which("redis-server")
    if found is None:
        skip_or_fail(MISSING)
    with reserved_port() as port:
        server = Redis(found, port)
        try:
            yield server
        finally:
            server.stop()
