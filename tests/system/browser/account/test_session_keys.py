"""Tests of session keys in the page. A session key is stored in the browser and may play for an
account. The player signs once to permit this. The page then no longer asks for a signature before
each move. The tests also cover a key's limits and the end of its permission."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import NamedTuple

import pytest
from eth_account import Account
from eth_utils.address import to_checksum_address
from playwright.sync_api import Page, expect

from contracts.abi import encode_call
from contracts.artifacts import load
from tests.contracts.support.session_keys import LINK
from tests.support.page.browser import SCHEMES, barriers
from tests.support.players import rpc_call
from tests.support.server import Server, node_url, started, up, up_deployed
from tests.system.browser.app.test_page import transactions
from tests.system.browser.conftest import Visit
from tests.system.browser.games.test_tic_tac_toe import HOST_WINS, open_match, tap
from tests.system.browser.injected_wallet import (
    FIRST,
    MINED_STATES,
    SECOND,
    announce_wallet,
    connect_wallet,
    open_new_match,
    wait_for_match,
)
from tests.system.browser.page_scripts import BOARD, SMALL_TEXT
from tests.system.browser.rpc_player import RpcPlayer

HOUR = 3600
SESSIONS, GAME = load("Sessions").abi, load("TicTacToe").abi
LIVE = "[data-session][data-state=live]"


class SessionSite(NamedTuple):
    server: Server
    node: str

    @property
    def game(self) -> str:
        """Return the address of the Tic-tac-toe contract."""
        games = self.server.get("/api/games")["games"]
        return next(str(game["address"]) for game in games if game["slug"] == "tic-tac-toe")

    @property
    def registry(self) -> str:
        call = {"to": self.game, "data": encode_call(GAME, "SESSIONS", [])}
        return to_checksum_address("0x" + str(rpc_call(self.node, "eth_call", call, "latest"))[-40:])

    def account_of(self, key: str) -> str | None:
        """Return the account for which a session key may act. Return None if the contract reports
        that the key has no permission."""
        call = {"to": self.registry, "data": encode_call(SESSIONS, "accountOf", [key, self.game])}
        answer = self.server.rpc("eth_call", call, "latest").get("result")
        return None if answer is None else "0x" + answer[-40:]

    def count(self, account: str) -> int:
        return int(rpc_call(self.node, "eth_getTransactionCount", account, "latest"), 16)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SessionSite]:
    data = tmp_path_factory.mktemp("sessions")
    with up_deployed(data) as server:
        yield SessionSite(server, node_url(data))


def begin(page: Page, seconds: int = 86_400, without: str = "") -> str:
    """In the account drawer, create a session key for the current account. Close the drawer and
    return the session key's address."""
    page.click("#account-button")
    page.wait_for_selector("#no-allowances, #allowances")
    before = listed(page)
    page.click("#session-open")
    page.select_option("#session-for", str(seconds))
    if without:
        page.uncheck(f"[data-session-game={without}]")
    page.click("#session-begin")
    expect(page.locator("#session-form")).to_have_count(0)
    [key] = set(listed(page)) - set(before)
    expect(page.locator(f"[data-session='{key}']")).to_have_attribute("data-state", "live")
    page.click("#account-close")
    return key


def listed(page: Page) -> list[str]:
    """Return the session keys in the current account's list, including keys that have expired or
    been revoked."""
    found: list[str] = page.eval_on_selector_all("[data-session]", "rows => rows.map(row => row.dataset.session)")
    return found


@pytest.mark.parametrize(
    "cells", [HOST_WINS[:1], pytest.param(HOST_WINS, marks=pytest.mark.soak)], ids=["begun", "whole"]
)
def test_match_is_played_with_one_signature(
    site: SessionSite, visit: Visit, page_errors: list[str], cells: list[int]
) -> None:
    wallet = connect_wallet(visit(site.server.url + "/"), site.node, FIRST)
    page, before = wallet.page, site.count(FIRST)
    key = begin(page)
    other = visit(site.server.url + "/")
    match = open_match(page, site.server.url)
    other.goto(f"{site.server.url}/#/match/{match}")
    other.click("#action-accept:not([disabled])")
    for ply, cell in enumerate(cells):
        mover = other if ply % 2 else page
        expect(mover.locator("#whose")).to_contain_text("Your turn")
        tap(mover, cell)
        mover.wait_for_selector(f"#board [data-piece=cell-{cell}]:not([data-pending])")
    assert wallet.consent_requests == ["eth_signTypedData_v4"]
    assert site.count(FIRST) == before, "the account itself sent nothing"
    sent = [one for one in transactions(page) if one["match"] == match]
    assert [(one["account"], one["seat"]) for one in sent] == [(key, FIRST)] * len(cells[::2])
    board = page.evaluate(BOARD, match)["board"]
    assert FIRST in board["players"]
    if cells == HOST_WINS:
        expect(page.locator("#banner")).to_contain_text("You won")
        assert board["winner"] == FIRST
    events = site.server.get(f"/api/matches/{match}/events")["events"]
    assert key.lower() not in str(events).lower()
    expect(page.locator(f".players [data-player='{FIRST}'] .tag")).to_have_text("you")
    page.click("#account-button")
    expect(page.locator("#transactions .life")).to_have_count(2 + len(cells[::2]))
    assert page_errors == []


@SCHEMES
def test_limits_of_a_session_key_are_shown_before_it_is_created(site: SessionSite, visit: Visit, scheme: str) -> None:
    visited = visit(site.server.url + "/", width=390, height=844, color_scheme=scheme)
    page = connect_wallet(visited, site.node, FIRST).page
    page.click("#account-button")
    page.click("#session-open")
    expect(page.locator("#session-limits")).to_contain_text("The key can’t pay stakes, take money out")
    expect(page.locator("#session-gas")).to_contain_text("faucet")
    expect(page.locator("#session-questions")).to_have_text(
        "Your wallet asks once: for a signature, which costs nothing."
    )
    assert barriers(page) == []
    assert page.evaluate(SMALL_TEXT) == []
    assert page.evaluate("() => document.querySelector('#account').scrollWidth <= innerWidth")
    for box in page.locator("[data-session-game]").all():
        box.uncheck()
    expect(page.locator("#why-session")).to_have_text("Choose at least one game.")
    expect(page.locator("#session-begin")).to_be_disabled()


@pytest.mark.soak
def test_payments_and_other_games_use_the_account(site: SessionSite, visit: Visit) -> None:
    wallet = connect_wallet(visit(site.server.url + "/"), site.node, SECOND)
    page = wallet.page
    key = begin(page, without="touche-coule")
    open_new_match(page, "touche-coule")
    wait_for_match(page, "touche-coule")
    page.goto(f"{site.server.url}/#/new/battleship")
    page.fill("main [data-input=stake]", "0.01")
    page.select_option("main [data-input=clock]", "86400")
    page.click("#new-match-battleship:not([disabled])")
    page.wait_for_selector("main[data-match^='battleship/']")
    assert wallet.consent_requests == ["eth_signTypedData_v4", "eth_sendTransaction", "eth_sendTransaction"]
    page.goto(f"{site.server.url}/#/new/battleship")
    page.fill("main [data-input=stake]", "0")
    page.click("#new-match-battleship:not([disabled])")
    page.wait_for_selector("main[data-match='battleship/2']")
    assert len(wallet.consent_requests) == 3
    assert transactions(page)[-1]["account"] == key
    assert list(page.evaluate(BOARD, "battleship/2")["board"]["players"]) == [SECOND]


def test_session_key_is_revoked(site: SessionSite, visit: Visit) -> None:
    wallet = connect_wallet(visit(site.server.url + "/"), site.node, FIRST)
    page = wallet.page
    key = begin(page)
    page.click("#account-button")
    row = page.locator(f"[data-session='{key}']")
    page.click(f"[data-revoke='{key}']")
    expect(row).to_have_attribute("data-state", "revoked")
    assert site.account_of(key) is None
    before = int(rpc_call(site.node, "eth_getBalance", FIRST, "latest"), 16)
    page.click(f"[data-take-back='{key}']")
    page.wait_for_selector(f"#transactions [data-action=return]{MINED_STATES}")
    assert int(rpc_call(site.node, "eth_getBalance", FIRST, "latest"), 16) > before + 9 * 10**17
    page.click("#account-close")
    open_new_match(page)
    wait_for_match(page)
    assert wallet.consent_requests == ["eth_signTypedData_v4", "eth_sendTransaction", "eth_sendTransaction"]


@pytest.mark.soak
def test_session_key_survives_a_reload_and_is_listed_in_other_browsers(site: SessionSite, visit: Visit) -> None:
    wallet = connect_wallet(visit(site.server.url + "/"), site.node, FIRST)
    page = wallet.page
    key = begin(page)
    page.reload()
    expect(page.locator("#play-tic-tac-toe")).to_be_enabled()
    announce_wallet(page, FIRST)
    open_new_match(page)
    wait_for_match(page)
    assert wallet.consent_requests == []
    assert transactions(page)[-1]["account"] == key
    elsewhere = connect_wallet(visit(site.server.url + "/"), site.node, FIRST).page
    elsewhere.click("#account-button")
    row = elsewhere.locator(f"[data-session='{key}'][data-state=live]")
    expect(row).to_contain_text("This key is in another browser.")
    elsewhere.click(f"[data-revoke='{key}']")
    expect(elsewhere.locator(f"[data-session='{key}']")).to_have_attribute("data-state", "revoked")
    open_new_match(page)
    trouble = page.locator("main [data-trouble=create] p")
    expect(trouble).to_have_text("The session key is not allowed to play this game.")
    # the page first tries the revoked session key, and then uses the account itself
    while transactions(page)[-1]["account"] == key:
        open_new_match(page)
        page.wait_for_timeout(200)
    wait_for_match(page)
    assert wallet.consent_requests == ["eth_sendTransaction"]


@pytest.mark.soak
def test_another_tab_plays_by_the_same_key(site: SessionSite, visit: Visit) -> None:
    """Tests that a tab uses a session key that another tab creates later. The key of the account is
    stored in this browser."""
    page = visit(site.server.url + "/")
    expect(page.locator("#play-tic-tac-toe")).to_be_enabled()
    with page.context.expect_page() as opened:
        page.evaluate("url => { window.open(url); }", site.server.url + "/")
    other = opened.value
    expect(other.locator("#play-tic-tac-toe")).to_be_enabled()
    page.bring_to_front()
    key = begin(page)
    other.bring_to_front()
    open_new_match(other)
    wait_for_match(other)
    assert transactions(other)[-1]["account"] == key


@pytest.mark.soak
def test_session_key_without_ether_is_refilled(site: SessionSite, visit: Visit) -> None:
    wallet = connect_wallet(visit(site.server.url + "/"), site.node, SECOND)
    page = wallet.page
    key = begin(page)
    rpc_call(site.node, "anvil_setBalance", key, hex(10**12))
    page.reload()
    expect(page.locator("#play-tic-tac-toe")).to_be_enabled()
    announce_wallet(page, SECOND)
    open_new_match(page)
    wait_for_match(page)
    assert wallet.consent_requests == ["eth_sendTransaction"], "the account itself pays because the key can't"
    page.click("#account-button")
    row = page.locator(f"[data-session='{key}']")
    expect(row).to_contain_text("too little money left")
    expect(row.locator("[data-top-up]")).to_be_enabled()


@pytest.mark.soak
def test_rejected_signature_costs_nothing_and_play_continues(site: SessionSite, visit: Visit) -> None:
    wallet = connect_wallet(visit(site.server.url + "/"), site.node, SECOND)
    page, before = wallet.page, site.count(SECOND)
    wallet.configure(refusing={"eth_signTypedData_v4": {"code": 4001, "message": "User rejected the request."}})
    page.click("#account-button")
    page.click("#session-open")
    page.click("#session-begin")
    expect(page.locator("#session-trouble p")).to_have_text("You declined the request in your wallet.")
    row = page.locator("[data-session][data-state=begun]")
    expect(row).to_have_count(1)
    assert transactions(page) == []
    page.reload()
    expect(page.locator("#play-tic-tac-toe")).to_be_enabled()
    announce_wallet(page, SECOND)
    page.click("#account-button")
    key = row.get_attribute("data-session")
    page.click("[data-carry-on]")
    expect(page.locator(f"[data-session='{key}']")).to_have_attribute("data-state", "live")
    assert site.count(SECOND) == before


@pytest.mark.soak
def test_unfinished_session_key_can_be_discarded(site: SessionSite, visit: Visit) -> None:
    wallet = connect_wallet(visit(site.server.url + "/"), site.node, SECOND)
    page = wallet.page
    wallet.configure(refusing={"eth_signTypedData_v4": {"code": 4001, "message": "User rejected the request."}})
    page.click("#account-button")
    page.click("#session-open")
    page.click("#session-begin")
    row = page.locator("[data-session][data-state=begun]")
    expect(row).to_have_count(1)
    page.click("[data-give-up]")
    expect(row).to_have_count(0)
    page.reload()
    expect(page.locator("#play-tic-tac-toe")).to_be_enabled()
    announce_wallet(page, SECOND)
    page.click("#account-button")
    page.wait_for_selector("#no-allowances, #allowances")
    expect(row).to_have_count(0)


@pytest.mark.soak
def test_signature_of_another_account_is_reported_before_payment(site: SessionSite, visit: Visit) -> None:
    wallet = connect_wallet(visit(site.server.url + "/"), site.node, FIRST)
    page = wallet.page
    wallet.configure(signs=SECOND)
    page.click("#account-button")
    page.click("#session-open")
    page.click("#session-begin")
    expect(page.locator("#session-trouble p")).to_contain_text("This is not 0xf39F")
    key = page.locator("[data-session][data-state=begun]").get_attribute("data-session")
    assert int(rpc_call(site.node, "eth_getBalance", key, "latest"), 16) == 0


@pytest.mark.soak
def test_account_signs_again_after_the_session_key_expires(visit: Visit, tmp_path: Path) -> None:
    with up_deployed(tmp_path) as server:
        node = node_url(tmp_path)
        wallet = connect_wallet(visit(server.url + "/"), node, FIRST)
        page = wallet.page
        key = begin(page, HOUR)
        rpc_call(node, "evm_increaseTime", HOUR)
        rpc_call(node, "anvil_mine", "0x1")
        height = int(rpc_call(node, "eth_blockNumber"), 16)
        page.wait_for_function("height => window.chainboard.state.head.height >= height", arg=height)
        open_new_match(page)
        wait_for_match(page)
        assert wallet.consent_requests == ["eth_signTypedData_v4", "eth_sendTransaction"]
        page.click("#account-button")
        expect(page.locator(f"[data-session='{key}']")).to_have_attribute("data-state", "expired")


@pytest.mark.soak
def test_off_a_development_chain_the_account_pays_its_gas_by_one_transfer(visit: Visit, tmp_path: Path) -> None:
    with up_deployed(tmp_path), serving(tmp_path) as server:
        node = node_url(tmp_path)
        wallet = connect_wallet(visit_with_ether(visit, server, node), node, FIRST)
        page = wallet.page
        page.click("#account-button")
        page.click("#session-open")
        expect(page.locator("#session-questions")).to_contain_text("asks twice")
        page.fill("#session-gas", "a lot")
        expect(page.locator("#why-session")).to_contain_text("enter a number such as 0.01")
        page.fill("#session-gas", "1000000")
        expect(page.locator("#why-session")).to_contain_text("The deposit is 1,000,000 ETH")
        page.fill("#session-gas", "0.125")
        page.click("#session-begin")
        key = page.locator(LIVE).get_attribute("data-session")
        assert wallet.consent_requests == ["eth_signTypedData_v4", "eth_sendTransaction"]
        left = int(rpc_call(node, "eth_getBalance", key, "latest"), 16)
        assert 12 * 10**16 < left < 125 * 10**15, "the given ether, minus the gas for the link"


def serving(data: Path) -> AbstractContextManager[Server]:
    """Run a server for the chain in `data`. The server doesn't know that this is a development
    chain, so it has no faucet."""
    return started("serve", "--data", str(data), "--rpc", node_url(data), "--port", "0")


def visit_with_ether(visit: Visit, server: Server, node: str) -> Page:
    """Open the page for a new visitor. Set the balance of the visitor's account to one ether,
    because there is no faucet."""
    page = visit(server.url + "/")
    rpc_call(node, "anvil_setBalance", page.evaluate("() => window.chainboard.state.me"), hex(10**18))
    return page


@pytest.mark.soak
def test_restarted_chain_has_no_session_keys(visit: Visit, tmp_path: Path) -> None:
    with up(tmp_path / "old") as server:
        page = visit(server.url + "/")
        expect(page.locator("#play-tic-tac-toe")).to_be_enabled()
        begin(page)
        port = server.url.rsplit(":", 1)[1]
        server.stop()
    with up(tmp_path / "new", "--port", port):
        expect(page.locator("#play-tic-tac-toe")).to_be_enabled()
        page.click("#account-button")
        expect(page.locator("#no-allowances")).to_have_text(
            "This account has no active session key, so it signs each move itself."
        )
        page.click("#account-close")
        open_new_match(page)
        wait_for_match(page)
        [sent] = transactions(page)
        assert sent["account"] == page.evaluate("() => window.chainboard.state.me")


@pytest.mark.soak
def test_naming_a_player_as_session_key_takes_no_seat(site: SessionSite, visit: Visit) -> None:
    """Tests that a thief can't act for a player by registering the player's address as the thief's
    own session key. The thief tries each call that the gateway could relay."""
    page = visit(site.server.url + "/")
    expect(page.locator("#play-tic-tac-toe")).to_be_enabled()
    player = str(page.evaluate("() => window.chainboard.state.me"))
    thief = RpcPlayer(site.server, "tic-tac-toe")
    until = int(time.time()) + HOUR
    offer = encode_call(SESSIONS, "offer", [player, [site.game], until])
    thief.send(site.registry, offer)
    # the thief can make a valid signature, but only the session key itself may call the contract
    for sender in (thief.address, player):
        link = encode_call(SESSIONS, "link", [sender, [site.game], until, until, signed(site, thief, player, until)])
        refused = site.server.rpc("eth_call", {"from": thief.address, "to": site.registry, "data": link}, "latest")
        assert "error" in refused
    accept = encode_call(SESSIONS, "accept", [thief.address, [site.game], until])
    refused = site.server.rpc("eth_call", {"from": thief.address, "to": site.registry, "data": accept}, "latest")
    assert "error" in refused

    match = open_match(page, site.server.url)
    assert list(page.evaluate(BOARD, match)["board"]["players"]) == [player]
    assert str(site.account_of(player)).lower() == player.lower()
    page.click("#account-button")
    expect(page.locator("#no-allowances")).to_be_visible()


def signed(site: SessionSite, account: RpcPlayer, key: str, until: int) -> bytes:
    terms = {
        "account": account.address,
        "key": key,
        "games": [site.game],
        "until": until,
        "nonce": 0,
        "deadline": until,
    }
    domain = {
        "name": "Chainboard Sessions",
        "version": "1",
        "chainId": site.server.get("/api/health")["chainId"],
        "verifyingContract": site.registry,
    }
    return bytes(Account.sign_typed_data(account.account.key, domain, LINK, terms).signature)
