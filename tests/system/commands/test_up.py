"""Tests that run `chainboard up` as a separate process. It starts, stops in an orderly way, and
recovers after it and its child processes are killed."""

from __future__ import annotations

import contextlib
import itertools
import os
import signal
import subprocess
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from operator import not_
from pathlib import Path
from typing import Any

import pytest

from chainboard.chain.deployment import known_deployments
from chainboard.settings import Settings
from indexer.games import GAMES
from indexer.node.client import Node
from indexer.store.store import Store
from tests.support.chain import fresh_store, rows
from tests.support.http import local
from tests.support.players import play, rpc_call, wait_for_json
from tests.support.server import Server, node_url, run, started, up
from tests.support.waiting import wait_for, wait_for_async

MATCH = "touche-coule/1"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with up(tmp_path_factory.mktemp("up")) as it:
        yield it


def anvils_of(pid: int) -> list[int]:
    """Return the process IDs of the Anvil processes that a process has started, directly or
    indirectly."""
    listed = subprocess.run(["ps", "-eo", "pid,ppid,comm"], capture_output=True, text=True, check=True).stdout
    lines = [line.split() for line in listed.splitlines()[1:]]
    parents = {pid}
    for _ in range(4):
        parents |= {int(one[0]) for one in lines if int(one[1]) in parents}
    return [int(one[0]) for one in lines if int(one[0]) in parents and one[2].startswith("anvil")]


def test_a_first_visitor_finds_match_1_open(server: Server) -> None:
    found = server.get(f"/api/matches/{MATCH}")
    assert (found["board"]["status"], found["board"]["width"], found["board"]["height"]) == ("open", 12, 12)
    assert server.get("/api/health")["state"] == "ok"


def test_the_metrics_tell_of_the_embedded_chain(server: Server) -> None:
    def figures() -> dict[str, float]:
        lines = local.get(f"{server.url}/api/metrics").text.splitlines()
        pairs = [line.split() for line in lines if line.startswith("chainboard_chain_")]
        return {name.removeprefix("chainboard_chain_"): float(value) for name, value in pairs}

    head = server.get("/api/health")["nodeHead"]
    found = wait_for(figures, lambda found: found["height"] >= head, "figures of the head")
    assert found["saved_height"] > 0
    assert found["state_bytes"] > found["saved_bytes"] > 0
    assert found["save_seconds"] > 0
    assert found["past_state_bytes"] == 0


def test_the_block_that_a_turn_needs_is_mined_at_once(tmp_path: Path) -> None:
    with up(tmp_path) as server:
        url = node_url(tmp_path)
        for player in (1, 2):
            play(server, url, player, "register", 1)
        play(server, url, 1, "turn", 1, 0)
        wait_for_json(server, f"/api/matches/{MATCH}", lambda found: found["board"]["ply"] == 1)
        wait_for_json(server, "/api/health", lambda health: health["indexedHead"] > health_anchor(server))
        play(server, url, 2, "turn", 1, 1)
        board = wait_for_json(server, f"/api/matches/{MATCH}", lambda found: found["board"]["ply"] == 2)["board"]
        assert len(board["volley"]["shots"]) == 2


def health_anchor(server: Server) -> int:
    return int(server.get(f"/api/matches/{MATCH}")["board"]["anchor"])


def test_ctrl_c_ends_everything_in_order(tmp_path: Path) -> None:
    with up(tmp_path) as server:
        (anvil,) = anvils_of(server.process.pid)
        server.stop()
        assert server.process.returncode == 0
        assert not _alive(anvil)
    assert (tmp_path / "chain" / "state.json.gz").exists()
    assert not (tmp_path / "chain" / "cache").exists()
    assert not (tmp_path / "running.json").exists()


def test_anvil_ends_when_we_are_killed(tmp_path: Path) -> None:
    with up(tmp_path) as server:
        (anvil,) = anvils_of(server.process.pid)
        server.kill()
        wait_for(lambda: _alive(anvil), not_, "Anvil's end")


def _alive(pid: int) -> bool:
    with contextlib.suppress(FileNotFoundError):
        return "State:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    return False


@pytest.mark.parametrize("saved", [False, True])
async def test_after_a_kill_of_everything_the_index_is_right_again(tmp_path: Path, saved: bool) -> None:
    """Tests the index after all processes were killed, with or without a preceding save of the
    chain. After the restart, the chain has lost its newest blocks, and the index must have lost
    them too."""
    with up(tmp_path) as server:
        url = node_url(tmp_path)
        (anvil,) = anvils_of(server.process.pid)
        for player in (1, 2):
            play(server, url, player, "register", 1)
        if saved:
            _wait_for_save(tmp_path)
        play(server, url, 1, "turn", 1, 0)
        wait_for_json(server, f"/api/matches/{MATCH}", lambda found: found["board"]["ply"] == 1)
        os.kill(anvil, signal.SIGKILL)
        server.kill()
    with up(tmp_path) as server:
        found = wait_for_json(server, "/api/health", lambda health: health["state"] == "ok")
        assert found["indexedHead"] == found["nodeHead"]
        url = node_url(tmp_path)
        owners = len(server.get(f"/api/matches/{MATCH}")["board"]["players"])
        assert owners == 2 or not saved
        for player in range(1 + owners, 3):
            play(server, url, player, "register", 1)
        # If the chain was saved after the first turn, the chain still has that turn.
        ply = server.get(f"/api/matches/{MATCH}")["board"]["ply"]
        play(server, url, 2, "turn", 1, ply)
        wait_for_json(server, f"/api/matches/{MATCH}", lambda found: found["board"]["ply"] == ply + 1)
        await _equals_a_fresh_index(tmp_path, url)


def _wait_for_save(data: Path) -> None:
    """Wait for two saves of the chain. The second save begins after this call, so it contains all
    blocks that existed at the call."""
    state = data / "chain" / "state.json.gz"
    for _ in range(2):
        before = state.stat().st_mtime_ns
        rpc_call(node_url(data), "evm_mine")
        wait_for(lambda: state.stat().st_mtime_ns, lambda now, before=before: now != before, "a save")


async def _equals_a_fresh_index(data: Path, url: str) -> None:
    """Wait until the running index has the same rows as a new index of the chain. The two can
    differ for a moment, because the chain might still mine a block on demand."""
    numbers = itertools.count()
    async with contextlib.aclosing(Node(url)) as node:

        async def both() -> tuple[Any, Any]:
            file = data / f"fresh-{next(numbers)}.db"
            with (
                contextlib.closing(await fresh_store(file, node, known_deployments(Settings(data)))) as fresh,
                contextlib.closing(Store(f"sqlite:///{data / 'index.db'}", GAMES)) as kept,
            ):
                return rows(kept), rows(fresh)

        await wait_for_async(both, lambda found: found[0] == found[1], "an index that holds what a new one holds")


def test_a_second_start_deploys_nothing(tmp_path: Path) -> None:
    with up(tmp_path):
        first = (tmp_path / "deployment.json").read_text()
    with up(tmp_path):
        assert (tmp_path / "deployment.json").read_text() == first


def test_a_spoilt_save_is_passed_over_for_the_former_one(tmp_path: Path) -> None:
    with up(tmp_path) as server:
        head = server.get("/api/health")["indexedHead"]
    (tmp_path / "chain" / "former.json.gz").write_bytes((tmp_path / "chain" / "state.json.gz").read_bytes())
    (tmp_path / "chain" / "state.json.gz").write_text('{"block": tru')
    with up(tmp_path) as server:
        assert server.get("/api/health")["indexedHead"] == head


def test_readers_work_beside_a_running_up(tmp_path: Path) -> None:
    with up(tmp_path) as server:
        answer = run("sql", "SELECT game, status FROM match", "--data", str(tmp_path))
        assert "touche-coule" in answer.stdout
        with started("serve", "--data", str(tmp_path), "--port", "0") as reader:
            assert reader.get(f"/api/matches/{MATCH}") == server.get(f"/api/matches/{MATCH}")
            wait_for_json(reader, "/api/health", lambda health: health["state"] == "ok")


def test_deploy_index_and_serve_one_after_the_other(tmp_path: Path) -> None:
    with up(tmp_path / "chain"):
        url = node_url(tmp_path / "chain")
        data = ["--data", str(tmp_path / "own")]
        assert run("deploy", *data, "--rpc", url, "--dev").returncode == 0
        assert run("index", *data, "--rpc", url, "--once").returncode == 0
        with started("serve", *data, "--rpc", url, "--port", "0") as reader:
            assert reader.get(f"/api/matches/{MATCH}")["board"]["status"] == "open"
            assert reader.get("/api/health")["development"] is False
            refused = local.post(f"{reader.url}/api/faucet", json={"address": "0x" + "11" * 20})
            assert refused.status_code in (403, 404)
            assert "development" in refused.json()["detail"]


def test_reset_puts_aside_and_the_next_start_is_new(tmp_path: Path) -> None:
    with up(tmp_path) as server:
        begun = int(rpc_call(node_url(tmp_path), "eth_getBlockByNumber", "0x0", False)["timestamp"], 16)
        old = server.get("/api/health")["genesis"]
    answer = run("reset", "--data", str(tmp_path))
    assert answer.returncode == 0
    kept = {path.name for path in (tmp_path / "aside").glob("*/*")}
    assert {"chain", "deployment.json", "index.db"} <= kept
    wait_for(time.time, lambda now: now >= begun + 1, "the next second, so that the genesis differs")
    with up(tmp_path) as server:
        assert server.get("/api/health")["genesis"] != old


def test_two_servers_started_together_have_separate_chains(tmp_path: Path) -> None:
    """Tests that two servers that start at the same time have separate Anvil processes, and
    therefore separate chains."""
    with ThreadPoolExecutor() as pool, contextlib.ExitStack() as stack:
        contexts = [up(tmp_path / name) for name in ("one", "two", "three")]
        servers = [begun.result() for begun in [pool.submit(context.__enter__) for context in contexts]]
        for context in contexts:
            stack.push(context)
        urls = {node_url(tmp_path / name) for name in ("one", "two", "three")}
        assert len(urls) == 3
        play(servers[0], node_url(tmp_path / "one"), 1, "register", 1)
        wait_for_json(servers[0], f"/api/matches/{MATCH}", lambda found: found["board"]["afloat"] == 1)
        assert [one.get(f"/api/matches/{MATCH}")["board"]["afloat"] for one in servers] == [1, 0, 0]
