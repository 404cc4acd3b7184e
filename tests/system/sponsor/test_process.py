"""Tests of the sponsor as a separate process. Visitors reach it over HTTP and through proxies. The
tests also kill the sponsor, and run it with a database server."""

from __future__ import annotations

import signal
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from eth_account import Account

from tests.contracts.support.anvil import AnvilNode
from tests.support.http import local
from tests.support.server import Server, run, started
from tests.support.services.postgres import PostgresServer
from tests.support.waiting import wait_for
from tests.system.sponsor.process import (
    DEPLOYER,
    ETHER,
    KEY,
    SENDER,
    balance,
    metric,
    request_grant,
    run_sponsor,
    until_sponsored,
    wait_for_payment,
)
from tests.system.sponsor.process import anvil as anvil
from tests.system.sponsor.process import data as data
from tests.system.sponsor.process import rpc as rpc


@pytest.fixture(scope="module")
def server(rpc: tuple[str, str], data: Path) -> Iterator[Server]:
    """Yield a server that trusts proxies on this machine to report clients' addresses."""
    run("deploy", "--yes", "--data", str(data), *rpc, CHAINBOARD_DEPLOYER_KEY=DEPLOYER)
    proxies = ("--proxy", "127.0.0.1")
    with started("up", "--data", str(data), *rpc, "--port", "0", "--opponents", "0", *proxies, "--coin", "POL") as it:
        yield it


def refusal(answer: object) -> tuple[int, str]:
    return answer.status_code, answer.json()["key"]  # type: ignore[attr-defined]


def test_without_a_sponsor_the_page_is_told_how_to_get_ether(server: Server) -> None:
    assert server.get("/api/health")["sponsor"] is False
    answer = request_grant(server, Account.create().address)
    assert refusal(answer) == (404, "no-sponsor")
    assert "Get some POL on this chain" in answer.json()["detail"]


def test_a_visitor_gets_ether_once_and_the_figures_tell(
    server: Server, data: Path, rpc: tuple[str, str], anvil: AnvilNode
) -> None:
    visitor = Account.create().address
    log = data / "quiet.log"
    with run_sponsor(data, *rpc, log=log) as process:
        until_sponsored(server)
        found = request_grant(server, visitor.lower()).json()
        assert found["address"] == visitor
        assert int(found["sent"]) == wait_for_payment(anvil, visitor)
        assert found["moves"] >= 6
        assert request_grant(server, visitor).json()["sent"] == "0"
        assert refusal(request_grant(server, visitor, "poker")) == (404, "unknown-game")
        assert refusal(request_grant(server, "0x12")) == (422, "bad-parameter")
        body = local.post(f"{server.url}/api/sponsor", json={"address": visitor})
        assert refusal(body) == (422, "bad-parameter.sponsor")

        def figures() -> tuple[float, float]:
            return metric(server, "chainboard_sponsor_paid_wei"), metric(server, "chainboard_sponsor_left_wei")

        paid, left = wait_for(figures, lambda now: now[0] >= float(found["sent"]), "the payment in the figures")
        assert paid >= float(found["sent"])
        assert paid + left == pytest.approx(ETHER)
        assert metric(server, "chainboard_sponsor_balance_wei") > 0
        assert metric(server, "chainboard_sponsor_granted_total") == 1
        second = run("sponsor", "--data", str(data), "--per-day", "1", *rpc, CHAINBOARD_SPONSOR_KEY=KEY)
        assert second.returncode == 1
        assert "another sponsor is running" in second.stderr
        process.send_signal(signal.SIGINT)
        process.wait()
        assert log.read_text().strip().splitlines()[-1].startswith("Sponsoring from")
    until_sponsored(server, False)


def test_clients_behind_a_proxy_have_budgets_of_their_own_and_a_network_of_ipv6_one(
    server: Server, data: Path, rpc: tuple[str, str]
) -> None:
    with run_sponsor(data, *rpc, "--per-network", "0.004", per_day="0.9"):
        until_sponsored(server)
        seen = []
        for number in range(1, 9):
            host = {"X-Forwarded-For": f"2001:db8:0:1::{number:x}"}
            answer = request_grant(server, Account.create().address, **host)
            seen.append((answer.status_code, answer.json().get("key"), answer.headers.get("retry-after")))
        assert seen[0][0] == 200
        assert seen[-1][:2] == (429, "sponsor-spent.network")
        assert 0 < int(seen[-1][2]) <= 86_400
        assert "(0.004 POL)" in request_grant(server, Account.create().address, **host).json()["detail"]
        assert request_grant(server, Account.create().address, **{"X-Forwarded-For": "192.0.2.77"}).status_code == 200


def test_a_crowd_over_http_gets_no_more_than_the_budgets_and_the_figures_say_so(
    server: Server, data: Path, rpc: tuple[str, str], anvil: AnvilNode
) -> None:
    """Tests that a crowd gets no more than the budgets allow, and that the metrics report the same
    numbers. The requests come from many networks. They first use up a game's budget, and then the
    daily budget."""
    before, game, day = balance(anvil, SENDER), 0.004, 0.01
    with run_sponsor(data, *rpc):
        until_sponsored(server)
        budget = f"{metric(server, 'chainboard_sponsor_paid_wei') / ETHER + day:.12f}"
    until_sponsored(server, False)

    def one(numbered: tuple[int, str]) -> str:
        number, slug = numbered
        host = {"X-Forwarded-For": f"203.0.{number // 250}.{number % 250}"}
        return str(request_grant(server, Account.create().address, slug, **host).json().get("key", "sent"))

    with (
        run_sponsor(data, *rpc, "--per-game", str(game), "--per-network", "1", "--per-address", "1", per_day=budget),
        ThreadPoolExecutor(8) as crowd,
    ):
        until_sponsored(server)
        first = Counter(crowd.map(one, enumerate(["deblockle"] * 100)))
        assert first == {"sent": first["sent"], "sponsor-spent.game": 100 - first["sent"]}
        assert 0 < before - balance(anvil, SENDER) <= game * ETHER
        slugs = [("battleship", "conquest", "touche-coule")[number % 3] for number in range(300)]
        then = Counter(crowd.map(one, enumerate(slugs, 100)))
        assert then["sponsor-spent.day"] > 100
        assert game * ETHER < before - balance(anvil, SENDER) <= day * ETHER
        for key, count in (first + then).items():
            name = "granted_total" if key == "sent" else f'refused_total{{reason="{key}"}}'
            # The gateway receives the sponsor's status once per second, so wait for the new
            # numbers.
            wait_for(
                lambda name=f"chainboard_sponsor_{name}": metric(server, name), lambda n, count=count: n >= count, key
            )
            assert metric(server, f"chainboard_sponsor_{name}") == count
        assert metric(server, "chainboard_sponsor_left_wei") < (day - game) * ETHER


def test_killed_and_started_again_it_pays_no_second_budget(
    server: Server, data: Path, rpc: tuple[str, str], anvil: AnvilNode
) -> None:
    before, more = balance(anvil, SENDER), 0.008
    with run_sponsor(data, *rpc):
        until_sponsored(server)
        budget = f"{metric(server, 'chainboard_sponsor_paid_wei') / ETHER + more:.12f}"
    until_sponsored(server, False)
    for life in range(3):
        with run_sponsor(data, *rpc, "--per-network", "1", "--per-address", "1", per_day=budget) as process:
            until_sponsored(server)
            for client in range(4):
                request_grant(server, Account.create().address, **{"X-Forwarded-For": f"198.51.{life}.{client}"})
            process.kill()
            process.wait()
        until_sponsored(server, False)
    assert 0 < before - balance(anvil, SENDER) <= int(more * ETHER)


def test_through_a_database_server(
    postgres: PostgresServer, rpc: tuple[str, str], server: Server, data: Path, anvil: AnvilNode, tmp_path: Path
) -> None:
    """Tests a sponsor and a gateway that share only a database. The sponsor has neither the
    gateway's data folder nor its URL."""
    # Using the server fixture here ensures that the contracts have been deployed.
    assert server.get("/api/health")["state"] == "ok"
    shared = ("--database", postgres.new_database(), *rpc)
    assert run("index", "--data", str(data), *shared, "--once").returncode == 0
    options = ("--data", str(tmp_path / "gateway"), *shared, "--port", "0")
    with started("serve", *options) as gateway, run_sponsor(tmp_path, *shared):
        until_sponsored(gateway)
        visitor = Account.create().address
        assert int(request_grant(gateway, visitor).json()["sent"]) == wait_for_payment(anvil, visitor)
        assert request_grant(gateway, visitor).json()["sent"] == "0"
        another = ("sponsor", "--data", str(tmp_path / "other"), *shared, "--per-day", "1")
        assert "another sponsor is serving" in run(*another, CHAINBOARD_SPONSOR_KEY=KEY).stderr


@pytest.mark.parametrize(
    ("arguments", "environment", "sentence"),
    [
        (("--per-day", "0"), {"CHAINBOARD_SPONSOR_KEY": KEY}, "--per-day must be more than 0 ether"),
        (("--per-day", "1"), {}, "set CHAINBOARD_SPONSOR_KEYSTORE to its keystore file"),
        (("--per-day", "1"), {"CHAINBOARD_SPONSOR_KEY": "0x12"}, "not 32 bytes as hex"),
        (("--per-day", "1"), {"CHAINBOARD_SPONSOR_KEY": KEY}, "there is no database"),
    ],
    ids=["budget", "account", "key", "database"],
)
def test_bad_input_is_refused_in_a_sentence(
    tmp_path: Path, arguments: tuple[str, ...], environment: dict[str, str], sentence: str
) -> None:
    found = run("sponsor", "--data", str(tmp_path), "--rpc", "http://127.0.0.1:1", *arguments, **environment)
    assert found.returncode == 1
    assert sentence in found.stderr
