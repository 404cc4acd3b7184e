"""Tests of errors on the command line. Each command prints one sentence without a traceback, and
exits with the right code."""

from __future__ import annotations

import socket
import subprocess
import sys
from pathlib import Path

import pytest

from chaos.process.ports import reserved_port
from indexer.games import GAMES
from indexer.store.store import Store
from tests.support.server import node_url, run, up


def test_a_data_folder_in_use_is_refused(tmp_path: Path) -> None:
    with up(tmp_path):
        answer = run("up", "--data", str(tmp_path))
        assert answer.returncode == 1
        assert "in use by another Chainboard process" in answer.stderr
        assert "Traceback" not in answer.stderr


def test_a_port_in_use_is_told(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        answer = run("up", "--data", str(tmp_path), "--port", str(taken.getsockname()[1]))
    assert answer.returncode == 1
    assert "choose a different port with --port" in answer.stderr


def test_a_node_that_is_not_there_is_told(tmp_path: Path) -> None:
    with reserved_port() as port:
        answer = run("up", "--data", str(tmp_path), "--rpc", f"http://127.0.0.1:{port}", "--dev")
    assert answer.returncode == 1
    assert f"the node at http://127.0.0.1:{port} is unavailable" in answer.stderr
    assert "Traceback" not in answer.stderr


@pytest.mark.parametrize("address", ["ftp://x", "127.0.0.1:8545", ""])
def test_invalid_address_is_reported(tmp_path: Path, address: str) -> None:
    answer = run("up", "--data", str(tmp_path), "--rpc", address)
    assert answer.returncode in (1, 2)
    assert "Traceback" not in answer.stderr
    assert "http://127.0.0.1:8545" in answer.stderr


def test_no_anvil_is_told(tmp_path: Path) -> None:
    """Tests `chainboard up` without Anvil. There is no node_modules folder near the package, and
    the PATH contains no programs."""
    code = (
        "import sys; from chainboard import __main__ as console; from contracts import npm; "
        "npm.node_modules_folders = lambda tool: iter(()); "
        "sys.argv = ['chainboard', 'up', '--data', sys.argv[1]]; console.main()"
    )
    answer = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)],
        capture_output=True,
        text=True,
        env={"PATH": "/nowhere"},
        timeout=60,
    )
    assert answer.returncode == 1
    assert "npm install -g @foundry-rs/anvil" in answer.stderr
    assert "Traceback" not in answer.stderr


def test_an_action_that_the_contract_has_not_is_told_at_the_start(tmp_path: Path) -> None:
    code = (
        "import sys; from dataclasses import replace; from chainboard import __main__ as console; "
        "from indexer.games import GAMES; "
        "from indexer.gamekit.game import Action; game = GAMES['tic-tac-toe']; "
        "GAMES['tic-tac-toe'] = replace(game, actions=(Action('moove', 'Move'),)); "
        "sys.argv = ['chainboard', 'up', '--data', sys.argv[1]]; console.main()"
    )
    answer = subprocess.run([sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True, timeout=60)
    assert answer.returncode == 1
    assert "chainboard: Tic-tac-toe: TicTacToe has no function 'moove'; it has accept, " in answer.stderr
    assert "Traceback" not in answer.stderr
    assert not (tmp_path / "deployment.json").exists(), "nothing is deployed"


def test_deploying_without_a_key_is_told(tmp_path: Path) -> None:
    with up(tmp_path / "one"):
        url = node_url(tmp_path / "one")
        answer = run("deploy", "--data", str(tmp_path / "two"), "--rpc", url)
        assert answer.returncode == 1
        assert "CHAINBOARD_DEPLOYER_KEYSTORE" in answer.stderr
        bad = run("deploy", "--data", str(tmp_path / "two"), "--rpc", url, CHAINBOARD_DEPLOYER_KEY="0x12")
        assert bad.returncode == 1
        assert "doesn't contain a usable key" in bad.stderr
        assert "0x12" not in bad.stderr


@pytest.mark.parametrize("query", ["DELETE FROM event", "nonsense", "DROP TABLE block"])
def test_writing_or_invalid_sql_changes_nothing(tmp_path: Path, query: str) -> None:
    Store(f"sqlite:///{tmp_path / 'index.db'}", GAMES).close()
    answer = run("sql", query, "--data", str(tmp_path))
    assert answer.returncode == 1
    assert "One SELECT is allowed" in answer.stderr


def test_serving_without_a_node_is_told(tmp_path: Path) -> None:
    """Tests that `chainboard serve` requires a node. The command mustn't try a node at the default
    port, because that node could be on any chain."""
    Store(f"sqlite:///{tmp_path / 'index.db'}", GAMES).close()
    answer = run("serve", "--data", str(tmp_path))
    assert answer.returncode == 1
    assert "Start it, or set --rpc to a node on the database's chain" in answer.stderr
    assert "Traceback" not in answer.stderr


def test_wrong_usage_exits_with_2() -> None:
    assert run("up", "--no-such-flag").returncode == 2
    assert run("up", "--port", "70000").returncode == 2
    wrong = run("serve", "--proxy", "my.proxy.example")
    assert (wrong.returncode, "is not an IP address or a network" in wrong.stdout + wrong.stderr) == (2, True)
    assert run("up", "--connections", "0").returncode == 2


@pytest.mark.parametrize("url", ["nonsense", "nosuch://host/db"])
def test_a_database_url_that_leads_nowhere_is_told(tmp_path: Path, url: str) -> None:
    for command in (["up"], ["serve"], ["sql", "SELECT 1"]):
        answer = run(*command, "--data", str(tmp_path), "--database", url)
        assert answer.returncode == 1
        assert "the database URL can't be used" in answer.stderr
        assert "Traceback" not in answer.stderr


def test_a_damaged_database_is_put_aside_and_made_anew(tmp_path: Path) -> None:
    with up(tmp_path):
        pass
    damaged = b"no database" * 500
    for name in ("index.db-wal", "index.db-shm"):
        (tmp_path / name).unlink(missing_ok=True)
    (tmp_path / "index.db").write_bytes(damaged)
    assert "not a database" in run("sql", "SELECT 1", "--data", str(tmp_path)).stderr
    with up(tmp_path) as server:
        assert server.get("/api/matches/touche-coule/1")["board"]["status"] == "open"
    (kept,) = (tmp_path / "aside").glob("*/index.db")
    assert kept.read_bytes() == damaged
