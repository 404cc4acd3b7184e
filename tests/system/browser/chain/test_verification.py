"""Tests that the page compares its board with the contract's board. If the boards are equal, the
page shows a small mark. If the server lies, the page shows an alarm."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, Route, expect

from chaos.process.ports import reserved_port
from indexer.model import Json
from tests.contracts.support.anvil import AnvilNode
from tests.support.page.browser import barriers
from tests.support.players import rpc_call
from tests.system.browser.chain.test_transactions import wait_while_progressing
from tests.system.browser.conftest import Visit
from tests.system.browser.games.test_tic_tac_toe import both_sides, tap
from tests.system.browser.injected_wallet import FIRST, connect_wallet
from tests.system.browser.lying_gateway import LyingSite, honest, site_with_lying_gateway

MARK = "#checked"
MARKS_SEEN = """() => {
  window.marks = new Set();
  setInterval(() => window.marks.add(document.querySelector('#checked')?.dataset.checked), 10);
}"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LyingSite]:
    with site_with_lying_gateway(tmp_path_factory.mktemp("checked")) as it:
        yield it


def ask_own_node(page: Page, url: str) -> None:
    """In the account drawer, enter the address of a node that the player trusts. Close the drawer
    when the page has accepted the node."""
    type_node(page, url)
    page.wait_for_selector("#own-node-used")
    page.click("#account-close")


def type_node(page: Page, url: str) -> None:
    if not page.locator("#account").count():
        page.click("#account-button")
    page.fill("#own-node", url)
    page.click("#own-node-use:not([disabled])")


def expect_mark(page: Page, state: str, asked: str) -> None:
    expect(page.locator(f"{MARK}[data-checked={state}][data-asked={asked}]")).to_be_visible()


def altered(**changes: object) -> object:
    """Return a function that changes these fields of every Tic-tac-toe board in the server's
    messages."""

    def alter(message: Json) -> Json:
        if not str(message.get("match", "")).startswith("tic-tac-toe/"):
            return message
        if message["t"] == "reset":
            return {**message, "board": {**message["board"], **changes}}
        if message["t"] == "deltas":
            *items, last = message["items"]
            return {**message, "items": [*items, {**last, "patch": {**last["patch"], **changes}}]}
        return message

    return alter


def test_every_game_is_the_same_as_the_chain(site: LyingSite, visit: Visit, page_errors: list[str]) -> None:
    page = visit(site.server.url + "/")
    both_sides(page, site.server.url)
    expect_mark(page, "same", "server")
    ask_own_node(page, site.node)
    page.goto(f"{site.server.url}/#/match/touche-coule/1")
    page.click("#action-register:not([disabled])")
    page.wait_for_selector(".players .unit")
    expect_mark(page, "same", "typed")
    page.goto(f"{site.server.url}/#/new/battleship")
    page.click("#new-match-battleship:not([disabled])")
    page.wait_for_selector("main[data-match^='battleship/']")
    page.click("#both-sides")
    page.click("#uncover")
    page.click("#action-accept:not([disabled])")
    page.wait_for_selector("main[data-status=playing]")
    height = page.evaluate("() => Object.values(window.chainboard.boards).find(one => one.board.fleets).block.height")
    expect_mark(page, "same", "typed")
    expect(page.locator(f"{MARK} summary")).to_have_text("✓Checked")
    page.click(f"{MARK} summary")
    expect(page.locator(f"{MARK} .about-check")).to_contain_text(f"Same as the chain at block {height}")
    contract = page.locator(f"{MARK} [data-contract]").get_attribute("data-contract")
    assert contract in [game["address"] for game in site.server.get("/api/games")["games"]]
    assert barriers(page) == []
    assert page_errors == []


@pytest.mark.soak
def test_the_wallet_in_use_is_asked_and_the_typed_node_before_it(site: LyingSite, visit: Visit) -> None:
    page = visit(site.server.url + "/")
    both_sides(page, site.server.url)
    match = page.url
    page.goto(site.server.url + "/#/")
    wallet = connect_wallet(page, site.node, FIRST)
    page.goto(match)
    expect_mark(page, "same", "wallet")
    wallet.configure(chain="0x1")
    page.goto(f"{site.server.url}/#/match/touche-coule/1")
    expect_mark(page, "unanswered", "wallet")
    expect(page.locator(f"{MARK} .about-check")).to_contain_text("Test wallet is on chain 1; this is chain 31337.")
    ask_own_node(page, site.node)
    expect_mark(page, "same", "typed")
    page.reload()
    expect_mark(page, "same", "typed")
    page.click("#account-button")
    page.click("#own-node-forget")
    page.click("#account-close")
    expect_mark(page, "same", "server")


def test_a_lying_gateway_is_seen(site: LyingSite, visit: Visit, page_errors: list[str]) -> None:
    page, gateway = visit(site.gateway.url + "/"), site.gateway
    match = both_sides(page, gateway.url)
    ask_own_node(page, site.node)
    expect_mark(page, "same", "typed")
    gateway.alter = altered(cells={"8": 2}, mover=FIRST)  # type: ignore[assignment]
    page.reload()
    alarm = page.locator(f"{MARK}[role=alert]")
    expect(alarm).to_contain_text("This board doesn’t match the chain")
    expect(alarm.locator("[data-place]")).to_have_count(2)
    expect(alarm.locator("[data-place='cells.8']")).to_contain_text("is 2 here but nothing on the chain")
    expect(alarm.locator("[data-place=mover]")).to_contain_text(f"is {FIRST} here")
    assert barriers(page) == []
    gateway.alter = honest
    page.reload()
    page.wait_for_selector(f"main[data-match='{match}']")
    expect_mark(page, "same", "typed")
    gateway.alter = lambda message: None if message["t"] == "deltas" and message["match"] == match else message
    # the page enables the buttons only after it has read the balance
    page.wait_for_selector(".actions button[data-action]:not([disabled])")
    tap(page, 4)
    expect(page.locator("#checked [data-place=seq]")).to_contain_text("on the chain")
    expect(alarm).to_contain_text("The chain has 5 steps of this game; this server shows 4.")
    gateway.alter = honest
    page.reload()
    expect_mark(page, "same", "typed")
    assert page_errors == []


@pytest.mark.soak
def test_changed_contract_is_reported(site: LyingSite, visit: Visit) -> None:
    page, gateway = visit(site.gateway.url + "/"), site.gateway
    both_sides(page, gateway.url)
    ask_own_node(page, site.node)
    expect_mark(page, "same", "typed")
    games = site.server.get("/api/games")
    [game] = [one for one in games["games"] if one["slug"] == "tic-tac-toe"]
    [other] = [one["address"] for one in games["games"] if one["slug"] == "battleship"]
    game["deployments"] = [{**one, "address": other} for one in game["deployments"]]
    gateway.answers["/api/games"] = games
    try:
        page.reload()
        expect_mark(page, "differs", "typed")
        expect(page.locator(MARK)).to_contain_text("This server now names a different contract for this game")
        expect(page.locator(MARK)).to_contain_text(f"{other} instead of {game['address']}.")
    finally:
        gateway.answers.clear()
    page.reload()
    expect_mark(page, "same", "typed")


@pytest.mark.soak
def test_a_node_that_is_not_of_this_chain_is_refused(site: LyingSite, visit: Visit) -> None:
    page = visit(site.server.url + "/")
    trouble = page.locator("#own-node-trouble")
    for text in ("nonsense", "http://node.example.org", "ftp://127.0.0.1", "ws://127.0.0.1:8545", "http://[::1]:8545"):
        type_node(page, text)
        expect(trouble).to_contain_text("The page can’t use this address. It must begin with https://")
    type_node(page, f"{site.server.url}/api/rpc")
    expect(trouble).to_have_text(
        "That’s this server’s own address. Enter your own node, or one that someone else runs."
    )
    with reserved_port() as nobody:
        type_node(page, f"http://127.0.0.1:{nobody}")
        expect(trouble).to_contain_text(f"127.0.0.1:{nobody} doesn’t answer this page.")
    type_node(page, site.gateway.url)
    expect(trouble).to_contain_text("(CORS)")
    for options, message in (
        ((), "is on a different chain with the same ID 31337"),
        (("--chain-id", "7"), "is on chain 7; this is chain 31337."),
    ):
        other = AnvilNode(1, *options)
        try:
            type_node(page, f"http://127.0.0.1:{other.port}")
            expect(trouble).to_contain_text(message)
        finally:
            other.close()
    assert page.locator("#own-node-used").count() == 0
    type_node(page, site.node)
    expect(page.locator("#own-node-used")).to_have_text(site.node + "/")
    assert barriers(page) == []


@pytest.mark.soak
def test_pruned_node_causes_no_alarm(site: LyingSite, visit: Visit) -> None:
    """Tests that the page shows no alarm if the player's node is pruned, which means that it has
    only the latest states. The page reports that it couldn't check earlier boards, and explains
    why."""
    page = visit(site.server.url + "/")
    both_sides(page, site.server.url)
    ask_own_node(page, site.node)
    expect_mark(page, "same", "typed")
    forgotten = []

    def forgetful(route: Route) -> None:
        asked = route.request.post_data_json
        if route.request.method == "OPTIONS" or asked["method"] != "eth_call" or asked["params"][1] == "latest":
            return route.continue_()
        forgotten.append(asked)
        error = {"code": -32000, "message": "missing trie node"}
        headers = {"Access-Control-Allow-Origin": "*"}
        return route.fulfill(json={"jsonrpc": "2.0", "id": asked["id"], "error": error}, headers=headers)

    page.route(site.node + "/", forgetful)
    page.evaluate(MARKS_SEEN)
    tap(page, 4)
    wait_while_progressing(page, lambda: len(forgotten) > 0)
    expect_mark(page, "same", "typed")
    page.click("#time-open")
    page.click("#time-first")
    expect_mark(page, "unanswered", "typed")
    page.click(f"{MARK} summary")
    expect(page.locator(MARK)).to_contain_text("no longer has the board of block")
    assert "differs" not in page.evaluate("() => [...window.marks]")


@pytest.mark.soak
def test_reorg_causes_no_alarm(site: LyingSite, visit: Visit) -> None:
    page = visit(site.server.url + "/")
    match = both_sides(page, site.server.url)
    ask_own_node(page, site.node)
    expect_mark(page, "same", "typed")
    page.evaluate(MARKS_SEEN)
    tap(page, 4)
    expect(page.locator(".piece")).to_have_count(1)
    expect_mark(page, "same", "typed")
    before = page.evaluate("match => window.chainboard.boards[match].block", match)
    head = int(rpc_call(site.node, "eth_blockNumber"), 16)
    rpc_call(site.node, "anvil_reorg", head - before["height"] + 1, [])
    page.wait_for_function(
        "([match, hash]) => window.chainboard.boards[match].block.hash !== hash", arg=[match, before["hash"]]
    )
    expect_mark(page, "same", "typed")
    rpc_call(site.node, "anvil_mine", "0x1")
    expect_mark(page, "same", "typed")
    assert "differs" not in page.evaluate("() => [...window.marks]")
