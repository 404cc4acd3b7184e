"""Tests of `serve` without a data folder. The gateway must find all that it needs in the database,
and query the node only for its clients."""

from __future__ import annotations

import shutil
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
from eth_account import Account

from chainboard.sharing.requests import MAX_PENDING
from tests.support.http import local
from tests.support.players import play, rpc_call, wait_for_json
from tests.support.server import run, started
from tests.support.services.postgres import PostgresServer
from tests.support.waiting import wait_for
from tests.system.gateways.cluster import Cluster, counted_node, open_match

MATCH = "touche-coule/1"
SAME = ("chainId", "genesis", "nodeHead", "indexedHead", "state", "development", "blockTime")


def test_an_idle_gateway_sends_no_request_to_the_node(cluster: Cluster) -> None:
    with counted_node(cluster.node) as (url, received), cluster.gateway(node=url) as gateway:
        wait_for_json(gateway, "/api/health", lambda found: found["state"] == "ok")
        play(cluster.writer, cluster.node, 1, "register", 1)
        wait_for_json(gateway, f"/api/matches/{MATCH}", lambda found: found["board"]["afloat"] == 1)
        # While the writer is too busy to announce blocks, the gateway queries the node itself. Wait
        # until these queries have ended.
        assert any(is_quiet(received) for _ in range(5)), received
        received.clear()
        assert gateway.rpc("eth_chainId")["result"] == "0x7a69"
        assert any("eth_chainId" in one for one in received)


def is_quiet(received: list[str]) -> bool:
    """Return True if the proxy receives no request within two seconds."""
    received.clear()
    time.sleep(2)
    return not received


def test_gateway_reports_the_writers_status(cluster: Cluster) -> None:
    with cluster.gateway() as gateway:
        assert gateway.get("/api/games") == cluster.writer.get("/api/games")
        assert gateway.get(f"/api/matches/{MATCH}") == cluster.writer.get(f"/api/matches/{MATCH}")
        expected = cluster.writer.get("/api/health")
        assert expected["development"] is True
        wait_for_json(
            gateway, "/api/health", lambda found: [found[name] for name in SAME] == [expected[name] for name in SAME]
        )
        metrics = local.get(f"{gateway.url}/api/metrics").text
        assert f"chainboard_blocks_total {cluster_figure(cluster, 'chainboard_blocks_total')}" in metrics
        assert "chainboard_chain_height" in metrics
        address = gateway.get("/api/games")["games"][0]["address"]
        assert gateway.rpc("eth_getCode", address, "latest")["result"] != "0x"


def cluster_figure(cluster: Cluster, name: str) -> str:
    lines = local.get(f"{cluster.writer.url}/api/metrics").text.splitlines()
    return next(line.split()[1] for line in lines if line.startswith(f"{name} "))


def test_gateway_uses_the_writers_faucet(cluster: Cluster) -> None:
    body = {"address": Account.create().address}
    with cluster.gateway() as gateway, cluster.gateway() as another:
        for one in (gateway, another):
            wait_for_json(one, "/api/health", lambda found: found["state"] == "ok")
        first = local.post(f"{gateway.url}/api/faucet", json=body)
        assert (first.status_code, first.json()["sent"]) == (200, str(10**18))
        wait_for(
            lambda: int(gateway.rpc("eth_getBalance", body["address"], "latest")["result"], 16),
            lambda balance: balance == 10**18,
            "the faucet's payment",
        )
        second = local.post(f"{another.url}/api/faucet", json=body)
        assert (second.status_code, second.json()["sent"]) == (200, "0")


def test_many_at_once_do_not_fill_the_writers_queue(cluster: Cluster) -> None:
    def ask(address: str) -> str:
        answer = local.post(f"{gateway.url}/api/faucet", json={"address": address})
        return str(answer.json().get("key", answer.status_code))

    with cluster.gateway() as gateway, ThreadPoolExecutor(4 * MAX_PENDING) as threads:
        wait_for_json(gateway, "/api/health", lambda found: found["state"] == "ok")
        found = Counter(threads.map(ask, [Account.create().address for _ in range(4 * MAX_PENDING)]))
        assert found["200"] >= 1, found
        assert found["faucet-busy.at-once"] >= 1, found


def test_a_database_that_does_not_answer_makes_it_not_ready(cluster: Cluster) -> None:
    with cluster.gateway() as gateway:
        wait_for_json(gateway, "/api/ready", lambda found: found["ready"])
        with psycopg.connect(cluster.database) as locking:
            locking.execute("LOCK TABLE block")
            answer = local.get(f"{gateway.url}/api/ready")
            assert (answer.status_code, answer.json()["code"]) in ((503, "not-ready"), (503, "unreadable"))
            assert str(urlsplit(cluster.database).port) not in local.get(f"{gateway.url}/api/health").text
        wait_for_json(gateway, "/api/ready", lambda found: found["ready"])


def test_gateway_shows_the_writers_opponents(cluster: Cluster) -> None:
    with cluster.gateway() as gateway:
        found = wait_for_json(gateway, "/api/opponents", lambda found: found["opponents"] and not found["why"])
        assert found["opponents"] == cluster.writer.get("/api/opponents")["opponents"]
        opponent = next(one for one in found["opponents"] if one["game"] == "touche-coule")
        # The separate process of the computer players also watches the writer's matches.
        match = f"touche-coule/{open_match(cluster, 2)}"
        request = {"match": match, "name": opponent["name"]}
        taken = local.post(f"{gateway.url}/api/opponents", json=request)
        assert taken.status_code == 200, taken.text
        assert taken.json()["account"] in {one["address"] for one in opponent["accounts"]}
        wait_for_json(gateway, f"/api/matches/{match}", lambda found: taken.json()["account"] in str(found))


def test_a_database_without_a_chain_is_refused(cluster: Cluster, postgres: PostgresServer) -> None:
    answer = run("serve", "--database", postgres.new_database(), "--rpc", cluster.node, "--port", "0")
    assert answer.returncode == 1
    assert "is empty" in answer.stderr


def test_without_a_writer_it_compares_the_index_with_the_node(
    cluster: Cluster, postgres: PostgresServer, tmp_path: Path
) -> None:
    database = ("--database", postgres.new_database())
    shutil.copy(cluster.folder / "writer" / "deployment.json", tmp_path)
    indexed = run("index", "--once", "--data", str(tmp_path), "--rpc", cluster.node, *database)
    assert indexed.returncode == 0, indexed.stderr
    options = ("--data", str(tmp_path / "none"), "--rpc", cluster.node, "--port", "0")
    with started("serve", *database, *options) as gateway:
        assert gateway.get("/api/health")["development"] is False
        before = wait_for_json(gateway, "/api/health", lambda found: found["nodeHead"] is not None)
        rpc_call(cluster.node, "evm_mine")
        found = wait_for_json(gateway, "/api/health", lambda found: found["state"] == "degraded")
        assert found["indexedHead"] == before["indexedHead"] < found["nodeHead"]
        assert "is writing to the database" in found["detail"]
        assert local.post(f"{gateway.url}/api/faucet", json={"address": "0x" + "11" * 20}).status_code == 404
