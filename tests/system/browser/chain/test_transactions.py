"""Tests that the page never loses a move, never sends a move twice, and never lets a move get
stuck. The tests use Chromium, a real chain, and an unreliable connection. Most of them run only in
`make soak`.

Other tests check the transaction manager without a browser. `make test` runs the recorded cases in
`frontend/unit/chain/`. `incidents/test_nonce_burned.py` uses a real chain."""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Callable, Iterator
from operator import not_
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect

from contracts.abi import encode_call
from tests.support.page.browser import CHROMIUM, FLAGS, sleeping
from tests.support.players import mine_transaction, rpc_call
from tests.support.server import Server, node_url, up_deployed
from tests.support.waiting import PATIENCE_MS, wait_for
from tests.system.browser.conftest import Visit
from tests.system.browser.games.test_tic_tac_toe import open_match as open_tic_tac_toe
from tests.system.browser.page_scripts import NEW_MATCH, STORED_TX_STATES, TRANSACTIONS

READY = "#play-deblockle:not([disabled]), main[data-new] button[type=submit]:not([disabled])"
GWEI = 10**9


class TransactionSite(NamedTuple):
    """A server and its node's URL, with functions that read the node's transactions."""

    server: Server
    node: str

    def sent_data(self, account: str) -> list[str]:
        """Return the data of an account's transactions in blocks, ordered by nonce. Check that no
        nonce is missing."""
        height = int(rpc_call(self.node, "eth_blockNumber"), 16)
        blocks = [rpc_call(self.node, "eth_getBlockByNumber", hex(number), True) for number in range(height + 1)]
        sent = [one for block in blocks for one in block["transactions"] if one["from"] == account.lower()]
        assert [int(one["nonce"], 16) for one in sent] == list(range(len(sent)))
        return [str(one["input"]) for one in sent]

    def knows(self, hash: str | None) -> bool:
        return bool(hash) and rpc_call(self.node, "eth_getTransactionByHash", hash) is not None

    def pool(self) -> int:
        """Return the number of transactions in the node's pool. Count those that can't be mined
        yet, too."""
        return sum(int(count, 16) for count in rpc_call(self.node, "txpool_status").values())


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TransactionSite]:
    data = tmp_path_factory.mktemp("transactions")
    with up_deployed(data) as server:
        yield TransactionSite(server, node_url(data))


def transactions(page: Page) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = page.evaluate(TRANSACTIONS)
    return found


def me(page: Page) -> str:
    return str(page.evaluate("() => window.chainboard.state.me"))


def wait_until_ready(page: Page) -> Page:
    page.wait_for_selector(READY, timeout=PATIENCE_MS)
    return page


def open_match(page: Page, slug: str = "touche-coule") -> None:
    """Open a match of this game by submitting the form for a new match."""
    page.evaluate(NEW_MATCH, [slug, {}])


GAMES = ("touche-coule", "tic-tac-toe", "deblockle")
"""The games in which the tests open matches. The page opens only one match per game at a time, so a
test with two pending transactions needs two games."""


def wait_while_progressing(page: Page, wanted: Callable[[], bool]) -> None:
    """Wait until `wanted` returns True. Fifty transactions take a while, so the wait times out only
    when the state of every transaction stays the same."""

    def changed() -> bool:
        return bool(wanted()) or [(one["state"], one["hash"]) for one in transactions(page)] != before

    while not wanted():
        before = [(one["state"], one["hash"]) for one in transactions(page)]
        wait_for(changed, bool, f"a change of {json.dumps(transactions(page))}", sleeping(page))


def wait_until_all_are(page: Page, state: str, count: int) -> None:
    wait_while_progressing(page, lambda: [one["state"] for one in transactions(page)] == [state] * count)


def break_sends(context: BrowserContext, is_broken: Callable[[int], str]) -> None:
    """Break some of the requests that send transactions. `is_broken` gets the number of each of
    these requests, counted from 1. It returns one of these words, or an empty string to leave the
    request alone:

    - `before`: the request fails before it reaches the server.
    - `after`: the request reaches the server, but the answer is lost.
    - `late`: the request reaches the server, and the answer is lost after a delay."""
    sends = 0

    def handle(route: Route) -> None:
        nonlocal sends
        if '"eth_sendRawTransaction"' not in (route.request.post_data or ""):
            return route.fallback()
        sends += 1
        how = is_broken(sends)
        if how in ("after", "late"):
            route.fetch()
        if how == "late":
            time.sleep(0.3)
        return route.abort() if how else route.fallback()

    context.route("**/api/rpc", handle)


@pytest.mark.parametrize("clicks", [6, pytest.param(50, marks=pytest.mark.soak)])
def test_three_tabs_and_many_quick_clicks(
    site: TransactionSite, visit: Visit, page_errors: list[str], clicks: int
) -> None:
    first = wait_until_ready(visit(site.server.url + "/"))
    tabs = [first, *(first.context.new_page() for _ in range(2))]
    for tab in tabs[1:]:
        tab.goto(site.server.url + "/")
    clicked: list[list[int]] = [[], [], []]
    for tab in tabs:
        wait_until_ready(tab)
    for click in range(clicks):
        tab = tabs[click % 3]
        width = 2 + click
        tab.evaluate(NEW_MATCH, ["touche-coule", {"width": str(width), "height": str(10 + click % 3)}])
        clicked[click % 3].append(width)
    wait_until_all_are(first, "mined", clicks)
    sent = [[int(data[10 + 64 * word : 74 + 64 * word], 16) for word in (0, 1)] for data in site.sent_data(me(first))]
    assert len(sent) == clicks
    for number in range(3):
        assert [width for width, height in sent if height == 10 + number] == clicked[number], "in the clicks' order"
    for tab in tabs:
        assert len(transactions(tab)) == clicks
    assert page_errors == []


@pytest.mark.soak
@pytest.mark.parametrize("how", ["before", "after", "late"])
def test_failing_sends_lose_and_double_nothing(site: TransactionSite, visit: Visit, how: str) -> None:
    page = wait_until_ready(visit(site.server.url + "/"))
    break_sends(page.context, lambda send: how if send % 2 else "")
    widths = list(range(2, 12))
    for width in widths:
        page.evaluate(NEW_MATCH, ["touche-coule", {"width": str(width)}])
    wait_until_all_are(page, "mined", len(widths))
    assert [int(data[10:74], 16) for data in site.sent_data(me(page))] == widths
    assert site.pool() == 0


def hold_sends(context: BrowserContext) -> list[Route]:
    """Hold back all requests that send transactions. Return a list that grows with each request
    held back."""
    held: list[Route] = []

    def handle(route: Route) -> None:
        if '"eth_sendRawTransaction"' in (route.request.post_data or ""):
            return held.append(route)
        return route.fallback()

    context.route("**/api/rpc", handle)
    return held


@pytest.mark.soak
@pytest.mark.parametrize("end", ["reload", "close"])
def test_pending_transactions_are_found_after_a_reload(site: TransactionSite, visit: Visit, end: str) -> None:
    page = wait_until_ready(visit(site.server.url + "/"))
    held = hold_sends(page.context)
    for slug in GAMES:
        open_match(page, slug)
    wait_while_progressing(
        page, lambda: bool(held) and page.evaluate(STORED_TX_STATES) == ["signed", "waiting", "waiting"]
    )
    account, context = me(page), page.context
    context.unroute("**/api/rpc")
    if end == "reload":
        page.reload()
    else:
        page.close()
        page = context.new_page()
        page.goto(site.server.url + "/")
    wait_until_ready(page)
    wait_until_all_are(page, "mined", 3)
    assert len(site.sent_data(account)) == 3


@pytest.mark.soak
def test_killed_browser_continues_its_pending_transactions(
    site: TransactionSite, chromium: Browser, tmp_path: Path
) -> None:
    """Tests that the page finishes its pending transactions after the browser was killed. The test
    kills the browser's processes while a request is being sent, which has the same effect as a
    power cut."""
    kind = chromium.browser_type

    def opened() -> tuple[BrowserContext, Page]:
        context = kind.launch_persistent_context(str(tmp_path / "profile"), executable_path=str(CHROMIUM), args=FLAGS)
        page = context.pages[0]
        page.goto(site.server.url + "/")
        return context, wait_until_ready(page)

    context, page = opened()
    held = hold_sends(context)
    for slug in GAMES:
        open_match(page, slug)
    wait_while_progressing(
        page, lambda: bool(held) and page.evaluate(STORED_TX_STATES) == ["signed", "waiting", "waiting"]
    )
    account = me(page)
    _kill(tmp_path / "profile")
    context, page = opened()
    assert me(page) == account, "the key must also be on the disk"
    wait_until_all_are(page, "mined", 3)
    assert len(site.sent_data(account)) == 3
    context.close()


def _kill(profile: Path) -> None:
    """Kill all processes of the browser that uses this profile folder."""
    mark = f"--user-data-dir={profile}"
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdecimal():
            try:
                command = (folder / "cmdline").read_bytes().decode(errors="replace").split("\0")
            except OSError:
                continue
            if mark in command:
                found.append(int(folder.name))
    assert found
    for pid in sorted(found):
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            continue
    wait_for(lambda: [pid for pid in found if Path(f"/proc/{pid}").exists()], not_, "the end of the browser")


@pytest.mark.soak
def test_another_program_uses_the_same_key(site: TransactionSite, visit: Visit) -> None:
    page = wait_until_ready(visit(site.server.url + "/"))
    page.click("#account-button")
    page.click("#development-accounts")
    account = rpc_call(site.node, "eth_accounts")[7]
    page.locator("[data-use]").nth(8).click()
    page.keyboard.press("Escape")
    before = int(rpc_call(site.node, "eth_getTransactionCount", account, "latest"), 16)
    for _ in range(3):
        mine_transaction(site.node, {"from": account, "to": account})
        open_match(page)
        wait_while_progressing(page, lambda: all(one["state"] == "mined" for one in transactions(page)))
    assert me(page).lower() == account
    assert [one["nonce"] - before for one in transactions(page)] == [1, 3, 5]
    assert site.pool() == 0


class ManualMining:
    """Switches off automatic mining in a `with` block, so that the chain mines a block only when
    the test requests it."""

    def __init__(self, site: TransactionSite) -> None:
        self._node = site.node

    def __enter__(self) -> ManualMining:
        rpc_call(self._node, "evm_setAutomine", False)
        return self

    def mine(self, blocks: int = 1) -> None:
        for _ in range(blocks):
            rpc_call(self._node, "evm_mine")

    def __exit__(self, *_error: object) -> None:
        rpc_call(self._node, "evm_setAutomine", True)
        rpc_call(self._node, "evm_mine")


@pytest.mark.soak
def test_move_made_too_late_fails_and_the_next_ones_continue(site: TransactionSite, visit: Visit) -> None:
    page = visit(site.server.url + "/")
    match = open_tic_tac_toe(page, site.server.url)
    number = int(match.split("/")[1])
    page.click("#account-button")
    page.click("#make-wallet")
    page.keyboard.press("Escape")
    game = next(one for one in site.server.get("/api/games")["games"] if one["slug"] == "tic-tac-toe")
    other_player = rpc_call(site.node, "eth_accounts")[3]
    # The page enables the button when the new account has received its ether.
    page.wait_for_selector("#action-accept:not([disabled])")
    with ManualMining(site) as chain:
        page.click("#action-accept:not([disabled])")
        page.wait_for_selector("[data-action=accept][data-state=sent]")
        data = encode_call(game["abi"], "accept", (number,))
        call = {"from": other_player, "to": game["address"], "data": data, "gas": hex(10**6)}
        tip = {"maxFeePerGas": hex(100 * GWEI), "maxPriorityFeePerGas": hex(50 * GWEI)}
        rpc_call(site.node, "eth_sendTransaction", {**call, **tip})
        page.goto(f"{site.server.url}/#/")
        open_match(wait_until_ready(page))
        wait_while_progressing(page, lambda: [one["state"] for one in transactions(page)][-2:] == ["sent", "sent"])
        chain.mine()
        wait_while_progressing(page, lambda: [one["state"] for one in transactions(page)][-2:] == ["failed", "mined"])
    page.goto(f"{site.server.url}/#/match/{match}")
    page.click("#account-button")
    failed = page.locator("#transactions li", has=page.locator("[data-state=failed]"))
    expect(failed.locator("[data-trouble=accept] small")).to_contain_text("WrongStatus")
    expect(failed.locator(".state")).to_contain_text("failed in block")


@pytest.mark.soak
def test_move_reverted_by_a_reorg_is_offered_again(site: TransactionSite, visit: Visit) -> None:
    page = wait_until_ready(visit(site.server.url + "/"))
    page.click("#account-button")
    # Wait for the faucet's payment before taking the snapshot. Otherwise, reverting to the snapshot
    # would undo the payment.
    expect(page.locator("#my-balance")).to_have_text("1.0000 ETH")
    page.click("#account-close")
    snapshot = rpc_call(site.node, "evm_snapshot")
    open_match(page)
    wait_until_all_are(page, "mined", 1)
    assert rpc_call(site.node, "evm_revert", snapshot)
    wait_until_all_are(page, "retracted", 1)
    page.evaluate("() => { location.hash = '#/new/touche-coule'; }")
    expect(page.locator("#lives-touche-coule [data-trouble] p")).to_contain_text("undid this move")
    page.click("[data-way=again]")
    wait_until_all_are(page, "mined", 1)
    expect(page.locator("[data-way=again]")).to_have_count(0)
    assert len(site.sent_data(me(page))) == 1


def base_fee(site: TransactionSite, fee: int) -> None:
    rpc_call(site.node, "anvil_setNextBlockBaseFeePerGas", hex(fee))
    rpc_call(site.node, "evm_mine")


@pytest.mark.soak
def test_a_fee_that_is_too_low_is_raised_up_to_a_limit(site: TransactionSite, visit: Visit) -> None:
    """Tests that the page raises a fee that is too low, up to a limit. Anvil drops a transaction
    whose fee is too low for the next block, but other nodes keep the transaction."""
    page = wait_until_ready(visit(site.server.url + "/"))
    before = int(rpc_call(site.node, "eth_getBlockByNumber", "latest", False)["baseFeePerGas"], 16)
    with ManualMining(site) as chain:
        open_match(page)
        wait_until_all_are(page, "sent", 1)
        first = int(transactions(page)[0]["fees"]["maxFeePerGas"])
        base_fee(site, 2 * first)
        wait_while_progressing(page, lambda: transactions(page)[0].get("raises", 0) > 0)
        raised = transactions(page)[0]
        assert first * 9 <= int(raised["fees"]["maxFeePerGas"]) * 8
        assert int(raised["fees"]["maxFeePerGas"]) <= int(raised["limit"]) == 5 * first
        page.click("#account-button")
        expect(page.locator("#transactions .state")).to_contain_text("fee raised to")
        page.click("#account-close")
        expect(page.locator("#lives-touche-coule .state")).to_have_text("pending")
        base_fee(site, 20 * first)
        wait_until_all_are(page, "dropped", 1)
        expect(page.locator("#lives-touche-coule [data-trouble] p")).to_contain_text("above this transaction’s limit")
        base_fee(site, before)
        page.click("[data-way=again]")
        wait_until_all_are(page, "sent", 1)
        chain.mine()
        wait_until_all_are(page, "mined", 1)
    assert len(site.sent_data(me(page))) == 1
    assert site.pool() == 0


@pytest.mark.soak
def test_pending_move_can_be_cancelled(site: TransactionSite, visit: Visit) -> None:
    page = wait_until_ready(visit(site.server.url + "/"))
    with ManualMining(site) as chain:
        open_match(page)
        wait_until_all_are(page, "sent", 1)
        page.wait_for_selector("[data-way=cancel]")
        page.click("[data-way=cancel]")
        wait_while_progressing(page, lambda: site.knows(transactions(page)[0].get("cancel")))
        chain.mine()
        wait_until_all_are(page, "cancelled", 1)
    assert site.sent_data(me(page)) == ["0x"]
    open_match(page)
    wait_while_progressing(page, lambda: transactions(page)[-1]["state"] == "mined")
    assert transactions(page)[-1]["nonce"] == 1
    assert site.pool() == 0


@pytest.mark.soak
def test_a_chain_with_a_block_time_whose_base_fee_jumps_keeps_no_move(tmp_path: Path, visit: Visit) -> None:
    with up_deployed(tmp_path, "--block-time", "1") as server:
        site = TransactionSite(server, node_url(tmp_path))
        page = wait_until_ready(visit(server.url + "/"))
        open_match(page)
        wait_while_progressing(page, lambda: [one["state"] for one in transactions(page)] == ["mined"])
        first = int(transactions(page)[0]["fees"]["maxFeePerGas"])
        rpc_call(site.node, "evm_setIntervalMining", 0)
        for slug in GAMES:
            open_match(page, slug)
        wait_while_progressing(
            page, lambda: [one["state"] for one in transactions(page)] == ["mined", "sent", "sent", "sent"]
        )
        rpc_call(site.node, "anvil_setNextBlockBaseFeePerGas", hex(2 * first))
        rpc_call(site.node, "evm_setIntervalMining", 1)
        wait_until_all_are(page, "mined", 4)
        assert any(one.get("raises") for one in transactions(page))
        assert len(site.sent_data(me(page))) == 4
        assert site.pool() == 0
