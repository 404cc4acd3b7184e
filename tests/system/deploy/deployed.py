"""A chain with contracts, and functions that create databases for the chain on the tests'
PostgreSQL server. The tests of backups and upgrades use this module."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from chaos.process.forkserver import ForkedProcess
from contracts.abi import encode_call
from tests.support.http import local
from tests.support.players import mine_transaction, play, rpc_call
from tests.support.server import Server, run, started
from tests.support.services.postgres import PostgresServer, binaries
from tests.support.waiting import PATIENCE_SECONDS, wait_for

MATCH = "touche-coule/1"


def run_bash(folder: Path, lines: list[str], **environment: str) -> str:
    """Run these commands with bash in this folder. Return the commands' output. Fail if one of the
    commands fails."""
    path = f"{binaries()}:{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-e", "-c", "\n".join(lines)],
        cwd=folder,
        env={**os.environ, "PATH": path, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, (lines, done.stdout, done.stderr)
    return done.stdout


def run_successfully(*arguments: str) -> str:
    done = run(*arguments)
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr


def run_rejected(*arguments: str) -> str:
    """Run a command that must fail. Return the sentence that it prints."""
    done = run(*arguments)
    assert (done.returncode, "Traceback" in done.stderr) == (1, False), done
    return " ".join(done.stderr.split())


def player_count(gateway: Server) -> int:
    """Return how many players the match has. Return -1 if the gateway doesn't know the match
    yet."""
    answer = local.get(f"{gateway.url}/api/matches/{MATCH}")
    return len(answer.json()["board"]["players"]) if answer.status_code == 200 else -1


class DeployedSite:
    """A chain with contracts, the data folder for the chain, and databases on the tests' PostgreSQL
    server."""

    def __init__(self, node: str, data: Path, server: PostgresServer) -> None:
        self.node, self.data, self.server = node, data, server
        self.players = 0
        self.options = ("--data", str(data), "--rpc", node)
        run_successfully("deploy", "--dev", *self.options)
        games = json.loads((data / "deployment.json").read_text())["games"]
        game = next(one for one in games if one["game"] == "touche-coule")
        call = {"to": game["address"], "data": encode_call(game["abi"], "create", (12, 12, False))}
        mine_transaction(node, {"from": rpc_call(node, "eth_accounts")[0], **call})

    @contextmanager
    def index(self, database: str) -> Iterator[ForkedProcess]:
        """Run an indexer that writes the chain's data to the database. When the `with` block
        starts, the indexer has reached the chain's head."""
        log = self.data / "index.log"
        log.write_text("")
        process = ForkedProcess(["index", *self.options, "--database", database], log, log)
        try:
            wait_for(
                lambda: (process.poll(), log.read_text()),
                lambda now: now[0] is not None or "Indexed to block" in now[1],
                "the index",
            )
            yield process
            process.send_signal(signal.SIGINT)
            assert process.wait(PATIENCE_SECONDS) in (0, 130), log.read_text()
        finally:
            process.kill()

    def play(self, gateway: Server) -> None:
        """Let one more player join the match, through this gateway."""
        self.players += 1
        play(gateway, self.node, self.players, "register", 1)

    def wait_until_shown(self, gateway: Server) -> None:
        """Wait until the gateway shows all players who have joined the match."""
        wait_for(lambda: player_count(gateway), lambda players: players == self.players, "all players")

    @contextmanager
    def gateway(self, database: str) -> Iterator[Server]:
        options = ("--database", database, *self.options, "--port", "0", "--drain", "0")
        with started("serve", *options) as server:
            yield server
