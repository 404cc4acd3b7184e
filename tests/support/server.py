"""A real `chainboard` process, which tests start in the same way as users do."""

from __future__ import annotations

import atexit
import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeAlias

from chaos.process.forkserver import ForkedProcess, run_to_exit, start_piped
from tests.support.http import local
from tests.support.players import play
from tests.support.waiting import PATIENCE_SECONDS, wait_for

Child: TypeAlias = "subprocess.Popen[str] | ForkedProcess"
COMMAND = [sys.executable, "-m", "chainboard"]
FIRST_MATCH = "/api/matches/touche-coule/1"


class Server:
    """A running `chainboard up` or `chainboard serve`. `url` ends without a slash. `output`
    contains the lines that the process has printed so far."""

    def __init__(self, process: Child, url: str, output: list[str]) -> None:
        self.process, self.url, self.output = process, url, output

    @property
    def socket_url(self) -> str:
        return "ws" + self.url.removeprefix("http") + "/ws"

    def get(self, path: str) -> Any:
        """Return the JSON at a path. Raises `httpx.HTTPStatusError` if the response's status isn't
        2xx."""
        answer = local.get(self.url + path)
        answer.raise_for_status()
        return answer.json()

    def rpc(self, method: str, *params: Any) -> Any:
        body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": list(params)}
        return local.post(f"{self.url}/api/rpc", json=body).json()

    def kill(self) -> None:
        """Kill the process without warning, as a power cut would."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(PATIENCE_SECONDS)

    def stop(self) -> float:
        """Stop the process as Ctrl-C does. Return how many seconds the process takes to stop."""
        begin = time.monotonic()
        self.process.send_signal(signal.SIGINT)
        self.process.wait(PATIENCE_SECONDS)
        return time.monotonic() - begin


def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a command, and wait until it exits by itself. Return its exit code and output."""
    return run_to_exit(arguments, 120, **environment)


@contextmanager
def started(*arguments: str, top: Path | None = None) -> Iterator[Server]:
    """Start a command that runs a server. Yield the server after it has printed its URL. If `top`
    is given, run the command in the checkout in that folder."""
    process = _of_checkout(top, arguments) if top else start_piped(arguments)
    try:
        output: list[str] = []
        yield Server(process, _url(process, output), output)
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGINT)
        try:
            process.wait(PATIENCE_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        if process.stdout is not None:
            process.stdout.close()


def _of_checkout(top: Path, arguments: tuple[str, ...]) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [*COMMAND, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        cwd=top,
        env={**os.environ, "PYTHONPATH": str(top)},
    )


@contextmanager
def up(data: Path, *arguments: str, top: Path | None = None, is_empty: bool = False) -> Iterator[Server]:
    """Run `chainboard up` with this data folder on a free port. By default, there are no computer
    players, because they need a second process.

    If the chain is new, open a match of Touché Coulé, FIRST_MATCH, unless `is_empty` is True."""
    with started("up", "--data", str(data), "--port", "0", "--opponents", "0", *arguments, top=top) as server:
        if not is_empty and local.get(server.url + FIRST_MATCH).status_code == 404:
            open_first_match(server, node_url(data))
        yield server


def open_first_match(server: Server, node: str) -> None:
    """Open FIRST_MATCH, and wait until the server shows it. `node` is the URL of the development
    node."""
    play(server, node, 0, "create", 12, 12, False)
    wait_for(lambda: local.get(server.url + FIRST_MATCH).status_code, lambda status: status == 200, "the first match")


@contextmanager
def up_deployed(data: Path, *arguments: str) -> Iterator[Server]:
    """Run `up` on a chain that already has all contracts. This takes a third of the time that
    deploying them takes.

    If the folder is empty, first copy a chain with contracts to it. All copies have the same
    genesis block. They lack the states at the blocks before the copy."""
    if not (data.exists() and any(data.iterdir())):
        shutil.copytree(_deployed(), data, dirs_exist_ok=True)
    with up(data, *arguments) as server:
        yield server


@cache
def _deployed() -> Path:
    """Return the data folder of an `up` process that has exited. Delete the file with the chain's
    address, because all copies of the folder would use the same address."""
    folder = TemporaryDirectory(prefix="deployed-")
    atexit.register(folder.cleanup)
    data = Path(folder.name) / "data"
    with up(data):
        pass
    (data / "chain" / "address.json").unlink()
    return data


def node_url(data: Path) -> str:
    """Return the URL of the node that a running `up` uses."""
    return str(json.loads((data / "running.json").read_text())["node"])


def _url(process: Child, output: list[str]) -> str:
    """Wait until the process prints its URL, and return the URL. A separate thread reads all
    output, because a full pipe would block the process."""
    threading.Thread(target=_read, args=(process, output), daemon=True).start()

    def urls() -> list[str]:
        return [line.split()[-1].rstrip("/") for line in output if " at http" in line]

    wait_for(
        lambda: (process.poll(), "".join(output)),
        lambda now: now[0] is not None or urls(),
        "a line with the server's URL",
    )
    assert urls(), "no URL was printed:\n" + "".join(output)
    return urls()[0]


def _read(process: Child, output: list[str]) -> None:
    assert process.stdout is not None
    try:
        for line in process.stdout:
            output.append(line)
    except ValueError:
        pass  # the test has ended and closed the pipe
