"""Tests that the page shows the cost of an action before the player presses the button. It shows
the cost in the chain's coin and in money, and the actual fee must be about the same."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from chaos.provider.plan import Plan
from tests.contracts.support.anvil import AnvilNode
from tests.support.server import Server, run, started, up
from tests.support.services.rollup import RunningRollup, running_rollup
from tests.system.browser.conftest import Visit
from tests.system.browser.games.test_tic_tac_toe import another_wallet, both_sides, open_match, tap
from tests.system.browser.page_scripts import TRANSACTIONS
from tests.system.browser.two_browsers.over_providers import deploy, rpc_options
from tests.system.sponsor.process import DEPLOYER
from tests.system.sponsor.process import anvil as anvil
from tests.system.sponsor.process import data as data
from tests.system.sponsor.process import rpc as rpc

PRICE = 2500
ETHER = 10**18
L1_FEE_PER_BYTE = 200 * 10**9
"""The rollup's fee per byte of data, in wei. It makes the data of a move cost about as much as its
gas, so the tests notice if the page leaves out the data fee."""

ME = "() => window.chainboard.state.me"


TOPS = """() => {
  window.tops = new Set();
  const look = () => {
    const below = [...document.querySelectorAll(".side > :is(.head, .actions, .feed-box, .time-line)")];
    tops.add(below.map(e => `${e.className} ${Math.round(e.getBoundingClientRect().top + scrollY)}`).join());
    requestAnimationFrame(look);
  };
  look();
}"""
"""A script that starts to record the positions of the elements below the board, in each animation
frame."""

OUTSIDE = """sheets => {
  const copy = document.querySelector("#page").cloneNode(true);
  for (const sheet of copy.querySelectorAll(sheets)) sheet.remove();
  const titles = [...copy.querySelectorAll("[title], [aria-label]")];
  return [copy.textContent, ...titles.flatMap(e => [e.title, e.ariaLabel])].join(" ");
}"""
"""A script that returns the page's text, titles and labels, except in elements that match a
selector."""
COST_OF_MOVE = re.compile(r"about 0\.0\d+ POL \((below )?€0\.\d\d\) a move")
CHAIN_WORDS = re.compile(r"\b(ETH|block|nonce|gwei|not final)\b", re.IGNORECASE)


@pytest.fixture(scope="module")
def server(rpc: tuple[str, str], data: Path) -> Iterator[Server]:
    """Yield a server on a chain whose coin has a price in euros. The server's options make the page
    show every cost, however small."""
    run("deploy", "--yes", "--data", str(data), *rpc, CHAINBOARD_DEPLOYER_KEY=DEPLOYER)
    priced = ("--coin", "POL", "--rate", f"EUR:{PRICE}", "--tell-costs-above", "0")
    with up(data, *rpc, *priced, is_empty=True) as it:
        yield it


def shown_cost(page: Page, action: str, coin: str = "POL") -> float:
    """Return the cost that the page shows for an action, in the chain's coin. Check that the
    displayed amount in euros is the same cost."""
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


def transaction_cost(server: Server, page: Page) -> tuple[float, float]:
    """Wait until the page's latest transaction is in a block. Return its gas fee and its data fee,
    in the chain's coin."""
    page.wait_for_function("() => window.chainboard.state.transactions.at(-1)?.state === 'mined'")
    [*_, last] = page.evaluate(TRANSACTIONS)
    receipt = server.rpc("eth_getTransactionReceipt", last["hashes"][-1])["result"]
    gas = int(receipt["gasUsed"], 16) * int(receipt["effectiveGasPrice"], 16)
    return gas / ETHER, int(receipt.get("l1Fee", "0x0"), 16) / ETHER


def fund_account(anvil: AnvilNode, page: Page) -> Page:
    """Set the balance of the page's account to one ether."""
    page.wait_for_function("() => window.chainboard?.state.me")
    anvil.rpc("anvil_setBalance", page.evaluate(ME), hex(ETHER))
    expect(page.locator("#account-button")).to_contain_text("1.00 POL")
    return page


def begin_match(server: Server, anvil: AnvilNode, page: Page) -> None:
    """Start a match between the page's account and a second account in the same browser. When this
    returns, it is the turn of the account that the page uses."""
    match = open_match(page, server.url)
    another_wallet(page)
    fund_account(anvil, page)
    page.click("#action-accept:not([disabled])")
    page.wait_for_selector(f"main[data-match='{match}'][data-status=playing]")
    expect(page.locator("#whose")).to_contain_text("Your turn")


def test_cost_of_a_move_is_shown_before_the_press(
    server: Server, anvil: AnvilNode, visit: Visit, page_errors: list[str]
) -> None:
    page = fund_account(anvil, visit(f"{server.url}/#/new/tic-tac-toe"))
    assert shown_cost(page, "create") > 0
    begin_match(server, anvil, page)
    expect(page.locator("#caption")).to_contain_text(COST_OF_MOVE)
    coins = shown_cost(page, "move")
    tap(page, 0)
    page.wait_for_selector("#board [data-piece=cell-0]:not([data-pending])")
    assert coins == pytest.approx(sum(transaction_cost(server, page)), rel=0.5), (
        "the base fee falls from block to block"
    )
    assert page_errors == []
    health = server.get("/api/health")
    assert (health["rate"], health["tellCostsAbove"]) == ({"currency": "EUR", "price": PRICE}, 0)


@pytest.mark.parametrize(
    ("slug", "opening", "joining"),
    [
        ("battleship", "invite", "accept"),
        ("deblockle", "create", "join"),
        ("touche-coule", "create", "register"),
        ("conquest", "create", "join"),
    ],
)
def test_cost_of_opening_and_joining_is_shown_at_the_buttons(
    server: Server, anvil: AnvilNode, visit: Visit, slug: str, opening: str, joining: str
) -> None:
    page = fund_account(anvil, visit(f"{server.url}/#/new/{slug}"))
    shown_cost(page, opening)
    page.click(f"#new-match-{slug}:not([disabled])")
    page.wait_for_selector("main[data-match]")
    shown_cost(fund_account(anvil, visit(page.url)), joining)


@pytest.mark.usefixtures("server")
@pytest.mark.parametrize(("threshold", "is_told"), [("0.0000001", True), ("1000", False)])
def test_operator_sets_the_cost_from_which_it_is_shown(
    data: Path, rpc: tuple[str, str], anvil: AnvilNode, visit: Visit, threshold: str, is_told: bool
) -> None:
    options = ("--coin", "POL", "--rate", f"EUR:{PRICE}", "--tell-costs-above", threshold)
    with started("serve", "--data", str(data), *rpc, "--port", "0", *options) as gateway:
        page = fund_account(anvil, visit(f"{gateway.url}/#/new/tic-tac-toe"))
        page.wait_for_selector("#new-match-tic-tac-toe:not([disabled])")
        if is_told:
            shown_cost(page, "create")
        else:
            expect(page.locator("main .cost.unknown")).to_be_hidden()
            expect(page.locator("main [data-cost]")).to_have_count(0)


def test_on_a_development_chain_the_page_is_about_the_game(
    board_server: Server, visit: Visit, page_errors: list[str]
) -> None:
    page = visit(board_server.url)
    page.wait_for_selector("#play-tic-tac-toe:not([disabled])")
    assert CHAIN_WORDS.findall(page.evaluate(OUTSIDE, "#never")) == []
    both_sides(page, board_server.url)
    opponent = page.get_attribute("[data-hand-over]", "data-hand-over")
    tap(page, 0)
    # After the move, the page uses the opponent's account, and offers to hand over to the host.
    page.click(f"[data-hand-over]:not([data-hand-over='{opponent}'])")
    expect(page.locator("#last-press")).to_have_text("Move: done")
    assert CHAIN_WORDS.findall(page.evaluate(OUTSIDE, "#checked")) == []
    page.locator("#checked > summary").click()
    for fact in ("block", "block-hash", "tx", "nonce", "gas"):
        expect(page.locator(f"#checked [data-fact={fact}]")).to_be_visible()
    expect(page.locator("#checked [data-fact=fees]")).to_contain_text("Resign: about 0.0")
    page.click("#account-button")
    expect(page.locator("#my-balance")).to_contain_text("ETH")
    expect(page.locator("#transactions .state").first).to_contain_text("in block")
    height = page.locator("#head").get_attribute("data-height")
    expect(page.locator("#head")).to_contain_text(f"{height} · ")
    assert page_errors == []


@pytest.mark.parametrize("is_paid", [True, False])
def test_a_move_moves_nothing_below_the_board(
    server: Server, board_server: Server, anvil: AnvilNode, visit: Visit, is_paid: bool
) -> None:
    page = visit((server if is_paid else board_server).url, width=390, height=844)
    if is_paid:
        begin_match(server, anvil, fund_account(anvil, page))
        expect(page.locator("#caption")).to_contain_text(COST_OF_MOVE)
    else:
        both_sides(page, board_server.url)
    page.evaluate(TOPS)
    tap(page, 4)
    page.wait_for_selector("#board [data-piece=cell-4]:not([data-pending])")
    expect(page.locator("#whose")).to_contain_text("Your turn")  # the page now uses the opponent's account
    assert len(page.evaluate("() => [...tops]")) == 1


@contextmanager
def rollup_site(folder: Path) -> Iterator[tuple[RunningRollup, Server]]:
    with running_rollup(folder / "chain", (Plan(),), 1.0, L1_FEE_PER_BYTE) as rollup:
        rollup.request("evm_setAutomine", True)  # mine each transaction at once, so that deploying takes no wait
        deploy(rollup, folder, folder / "data")
        rollup.request("anvil_mine", hex(100))  # empty blocks lower the base fee almost to zero
        rollup.request("evm_setAutomine", False)
        with up(folder / "data", *rpc_options(rollup), "--rate", f"EUR:{PRICE}", "--tell-costs-above", "0") as server:
            yield rollup, server


@pytest.mark.soak
def test_data_fee_of_a_rollup_is_shown_too(tmp_path: Path, visit: Visit) -> None:
    """Tests that the cost on the page includes a rollup's data fee. It must equal the sum of the
    gas fee and the `l1Fee` in the receipt."""
    with rollup_site(tmp_path) as (rollup, server):
        guest = with_ether(rollup, visit(server.url))
        host = with_ether(rollup, visit(f"{server.url}/#/new/tic-tac-toe"))
        host.fill("main [data-input=challenger]", guest.evaluate(ME))
        expected = shown_cost(host, "create", "ETH")
        host.click("#new-match-tic-tac-toe:not([disabled])")
        host.wait_for_selector("main[data-match]")
        gas, data = transaction_cost(server, host)
        assert expected == pytest.approx(gas + data, rel=0.2)
        assert data > 0.2 * gas
        guest.goto(host.url)
        guest.click("#action-accept:not([disabled])")
        expect(host.locator("#whose")).to_contain_text("Your turn")
        expected = shown_cost(host, "move", "ETH")
        tap(host, 4)
        host.wait_for_selector("#board [data-piece=cell-4]:not([data-pending])")
        gas, data = transaction_cost(server, host)
        assert data > 0.5 * gas
        assert expected == pytest.approx(gas + data, rel=0.3), "the first mark needs more gas than the mean"


def with_ether(rollup: RunningRollup, page: Page) -> Page:
    page.wait_for_function("() => window.chainboard?.state.me")
    rollup.request("anvil_setBalance", page.evaluate(ME), hex(ETHER))
    expect(page.locator("#account-button")).to_contain_text("1.00 ETH")
    return page
