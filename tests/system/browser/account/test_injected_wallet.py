"""Tests of the page with an injected wallet, such as a browser extension. The wallet holds the key
and chooses the nonce. The tests check the page's reaction when the user approves, rejects or
changes something in the wallet.

`frontend/unit/chain/wallet.test.mjs` tests the same modules under Node, as part of `make test`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from playwright.sync_api import expect

from tests.support.players import rpc_call
from tests.support.server import Server, node_url, up_deployed
from tests.system.browser.app.test_page import transactions
from tests.system.browser.conftest import Visit
from tests.system.browser.injected_wallet import FIRST, SECOND, Wallet, connect_wallet, open_new_match, wait_for_match

pytestmark = pytest.mark.soak
FORM_BUTTON = "#new-match-tic-tac-toe"
TROUBLE = "main [data-trouble=create] p"


class WalletSite(NamedTuple):
    server: Server
    node: str


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WalletSite]:
    data = tmp_path_factory.mktemp("injected")
    with up_deployed(data) as server:
        yield WalletSite(server, node_url(data))


@pytest.fixture
def wallet(site: WalletSite, visit: Visit) -> Wallet:
    return connect_wallet(visit(site.server.url + "/"), site.node, FIRST, SECOND)


def count(site: WalletSite, account: str) -> int:
    return int(rpc_call(site.node, "eth_getTransactionCount", account, "pending"), 16)


def test_wallet_user_rejects_a_transaction(site: WalletSite, wallet: Wallet) -> None:
    before = count(site, FIRST)
    wallet.configure(refusing={"eth_sendTransaction": {"code": 4001, "message": "User rejected the request."}})
    open_new_match(wallet.page)
    expect(wallet.page.locator(TROUBLE)).to_have_text("You declined the request in your wallet.")
    wallet.configure(refusing={})
    open_new_match(wallet.page)
    wait_for_match(wallet.page)
    assert transactions(wallet.page)[0]["state"] == "refused"
    assert count(site, FIRST) == before + 1


def test_wallet_error_is_explained_in_a_helpful_sentence(wallet: Wallet) -> None:
    """Tests one of the messages about wallet errors. frontend/unit/chain/eip1193.test.mjs tests the
    others."""
    message = "The requested account has not been authorized"
    wallet.configure(refusing={"eth_sendTransaction": {"code": 4100, "message": message}})
    open_new_match(wallet.page)
    expect(wallet.page.locator(TROUBLE)).to_contain_text("Unlock the wallet, then let it connect to this page.")
    expect(wallet.page.locator("main [data-trouble=create] small")).to_have_text(message)


def test_wallet_switches_the_account_with_an_event(wallet: Wallet) -> None:
    page = wallet.page
    wallet.configure(accounts=[SECOND, FIRST])
    wallet.emit("accountsChanged", [SECOND, FIRST])
    page.wait_for_function("me => window.chainboard.state.me === me", arg=SECOND)
    page.click("#account-button")
    expect(page.locator("#account .current .trouble")).to_contain_text("Test wallet switched to 0x7099…79C8")
    page.click("#account-close")
    open_new_match(page)
    wait_for_match(page)
    assert transactions(page)[0]["account"] == SECOND


def test_wallet_switches_the_account_without_an_event(site: WalletSite, wallet: Wallet) -> None:
    before = count(site, FIRST), count(site, SECOND)
    wallet.configure(accounts=[SECOND])
    open_new_match(wallet.page)
    expect(wallet.page.locator(TROUBLE)).to_contain_text(
        "Test wallet now uses account 0x7099…79C8, but this action needs account 0xf39F…2266."
    )
    assert wallet.consent_requests == [], "the page must not request a signature for another account"
    assert (count(site, FIRST), count(site, SECOND)) == before


def test_wallet_switches_the_chain(wallet: Wallet) -> None:
    page = wallet.page
    page.evaluate("() => { location.hash = '#/new/tic-tac-toe'; }")
    wallet.configure(chain="0x1")
    wallet.emit("chainChanged", "0x1")
    why = page.locator("#why-new-match-tic-tac-toe")
    expect(why).to_have_text("Test wallet is now on network 1, but this page uses 31337. Switch back in the wallet.")
    expect(page.locator(FORM_BUTTON)).to_be_disabled()
    page.click("main [data-remedy=reconnect]")
    expect(page.locator(FORM_BUTTON)).to_be_enabled()
    open_new_match(page)
    wait_for_match(page)


def test_chain_is_checked_before_each_send(wallet: Wallet) -> None:
    wallet.configure(chain="0x1")
    open_new_match(wallet.page)
    expect(wallet.page.locator(TROUBLE)).to_contain_text("Test wallet is now on network 1")
    assert wallet.consent_requests == []
    wallet.emit("chainChanged", "0x1")
    expect(wallet.page.locator(FORM_BUTTON)).to_be_disabled()
    wallet.configure(chain=None)
    wallet.emit("chainChanged", "0x7a69")
    expect(wallet.page.locator(FORM_BUTTON)).to_be_enabled()


@pytest.mark.parametrize("event", ["disconnect", "accountsChanged"])
def test_wallet_disconnects_and_reconnects(wallet: Wallet, event: str) -> None:
    page = wallet.page
    page.evaluate("() => { location.hash = '#/new/tic-tac-toe'; }")
    wallet.configure(accounts=[])
    wallet.emit(event, [])
    expect(page.locator("#why-new-match-tic-tac-toe")).to_have_text("Test wallet is no longer connected to this page.")
    page.click("main [data-remedy=reconnect]")
    page.click("#account-button")
    expect(page.locator("#account .current")).to_contain_text("Your wallet didn’t give this page an account.")
    wallet.configure(accounts=[FIRST])
    page.click("#account [data-remedy=reconnect]")
    expect(page.locator(FORM_BUTTON)).to_be_enabled()
    assert page.locator("#wallet-trouble").count() == 0


def test_wallet_nonce_above_a_restarted_chain_is_reported(visit: Visit, tmp_path: Path) -> None:
    """Tests the page's report about a wallet whose nonce is too high. The node accepts the
    transaction but can't mine it, because transactions with lower nonces are missing."""
    with up_deployed(tmp_path) as server:
        wallet = connect_wallet(visit(server.url + "/"), node_url(tmp_path), FIRST)
        page = wallet.page
        wallet.configure(nonce=hex(300))
        open_new_match(page)
        notice = page.locator(TROUBLE)
        expect(notice).to_contain_text("Your wallet gave this transaction number 300, but this chain expects number")
        expect(notice).to_contain_text("Clear activity tab data")
        assert transactions(page)[0]["state"] == "sent"
        wallet.configure(nonce=None)
        open_new_match(page)
        wait_for_match(page)
