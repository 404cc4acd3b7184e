"""What a press costs is told before it: in the chain's coin and in money, and it is about what is then paid."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from chaos.provider.plan import Plan
from tests.support.server import Server, up, up_deployed
from tests.support.services.rollup import RunningRollup, running_rollup
from tests.system.browser.conftest import Visit
from tests.system.browser.games.test_tic_tac_toe import both_sides, tap
from tests.system.browser.page_scripts import TRANSACTIONS
from tests.system.browser.two_browsers.over_providers import deploy, rpc_options

PRICE = 2500
ETHER = 10**18
L1_FEE_PER_BYTE = 200 * 10**9
"""As much for the data of a move as for its gas, or nobody would notice that it is left out."""

ME = "() => window.chainboard.state.me"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with up_deployed(tmp_path_factory.mktemp("costs"), "--coin", "POL", "--rate", f"EUR:{PRICE}") as it:
        yield it


def told(page: Page, action: str, coin: str = "POL") -> float:
    """The coins that an action is told to cost, in two digits; the euros are exactly what they are worth, in cents."""
    text = page.locator(f"[data-cost={action}]").first.inner_text()
    coins, below, euros = re.search(  # type: ignore[union-attr]
        rf"about ([\d.]+) {coin} \((below )?€([\d.]+)\)", text
    ).groups()
    worth, step = float(coins) * PRICE, 10 ** -len(coins.partition(".")[2]) * PRICE
    if below:
        assert (float(euros), worth < 0.01 + step / 2) == (0.01, True)
    else:
        assert re.fullmatch(r"\d+\.\d\d", euros)
        assert abs(float(euros) - worth) <= step / 2 + 0.005
    return float(coins)


def paid(server: Server, page: Page) -> tuple[float, float]:
    """Coins that the latest transaction has cost: for its gas, and for its data."""
    page.wait_for_function("() => window.chainboard.state.transactions.at(-1)?.state === 'mined'")
    [*_, last] = page.evaluate(TRANSACTIONS)
    receipt = server.rpc("eth_getTransactionReceipt", last["hashes"][-1])["result"]
    gas = int(receipt["gasUsed"], 16) * int(receipt["effectiveGasPrice"], 16)
    return gas / ETHER, int(receipt.get("l1Fee", "0x0"), 16) / ETHER


def test_a_move_is_told_before_it_is_pressed(server: Server, visit: Visit, complaints: list[str]) -> None:
    page = visit(f"{server.url}/#/new/tic-tac-toe")
    assert told(page, "create") > 0
    both_sides(page, server.url)
    expect(page.locator("#caption")).to_contain_text("A move costs about")
    for cell in (0, 3, 1):
        expect(page.locator("#whose")).to_contain_text("Your turn")
        coins = told(page, "move")
        tap(page, cell)
        page.wait_for_selector(f"#board [data-piece=cell-{cell}]:not([data-pending])")
    assert coins == pytest.approx(sum(paid(server, page)), rel=0.5), "the base fee falls from block to block"
    assert complaints == []
    assert server.get("/api/health")["rate"] == {"currency": "EUR", "price": PRICE}


@pytest.mark.parametrize(
    ("slug", "opening", "joining"),
    [
        ("battleship", "invite", "accept"),
        ("deblockle", "create", "join"),
        ("touche-coule", "create", "register"),
        ("conquest", "create", "join"),
    ],
)
def test_what_opening_and_joining_cost_stands_at_their_buttons(
    server: Server, visit: Visit, slug: str, opening: str, joining: str
) -> None:
    page = visit(f"{server.url}/#/new/{slug}")
    told(page, opening)
    page.click(f"#new-match-{slug}:not([disabled])")
    page.wait_for_selector("main[data-match]")
    told(visit(page.url), joining)


@contextmanager
def rollup_site(folder: Path) -> Iterator[tuple[RunningRollup, Server]]:
    with running_rollup(folder / "chain", (Plan(),), 1.0, L1_FEE_PER_BYTE) as rollup:
        rollup.request("evm_setAutomine", True)  # or each of the contracts would wait for its block
        deploy(rollup, folder, folder / "data")
        rollup.request(
            "anvil_mine", hex(100)
        )  # until the base fee, which falls from block to block, is next to nothing
        rollup.request("evm_setAutomine", False)
        with up(folder / "data", *rpc_options(rollup), "--rate", f"EUR:{PRICE}") as server:
            yield rollup, server


@pytest.mark.soak
def test_on_a_rollup_the_fee_for_the_data_is_told_too(tmp_path: Path, visit: Visit) -> None:
    """What was told is what the receipt says that was paid: for gas, and as `l1Fee`."""
    with rollup_site(tmp_path) as (rollup, server):
        guest = with_ether(rollup, visit(server.url))
        host = with_ether(rollup, visit(f"{server.url}/#/new/tic-tac-toe"))
        host.fill("main [data-input=challenger]", guest.evaluate(ME))
        expected = told(host, "create", "ETH")
        host.click("#new-match-tic-tac-toe:not([disabled])")
        host.wait_for_selector("main[data-match]")
        gas, data = paid(server, host)
        assert expected == pytest.approx(gas + data, rel=0.2)
        assert data > 0.2 * gas
        guest.goto(host.url)
        guest.click("#action-accept:not([disabled])")
        expect(host.locator("#whose")).to_contain_text("Your turn")
        expected = told(host, "move", "ETH")
        tap(host, 4)
        host.wait_for_selector("#board [data-piece=cell-4]:not([data-pending])")
        gas, data = paid(server, host)
        assert data > 0.5 * gas
        assert expected == pytest.approx(gas + data, rel=0.3), "the first mark takes more gas than the mean"


def with_ether(rollup: RunningRollup, page: Page) -> Page:
    page.wait_for_function("() => window.chainboard?.state.me")
    rollup.request("anvil_setBalance", page.evaluate(ME), hex(ETHER))
    expect(page.locator("#account-button")).to_contain_text("1.00 ETH")
    return page
