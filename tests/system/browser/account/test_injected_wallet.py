"""Injected wallets, which own the key and the nonce. The page explains what their users do during a
game. `make test` tests the same modules under Node: `frontend/unit/chain/wallet.test.mjs`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from playwright.sync_api import expect

from tests.support.players import direct
from tests.support.server import Server, node_url, up_deployed
from tests.system.browser.app.test_page import transactions
from tests.system.browser.conftest import Visit
from tests.system.browser.injected_wallet import FIRST, SECOND, Wallet, at_match, connected, press_new

pytestmark = pytest.mark.soak
NEW = "#new-match-tic-tac-toe"
TOLD = "main [data-trouble=create] p"


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
    return connected(visit(site.server.url + "/"), site.node, FIRST, SECOND)


def count(site: WalletSite, account: str) -> int:
    return int(direct(site.node, "eth_getTransactionCount", account, "pending"), 16)


def test_its_user_says_no(site: WalletSite, wallet: Wallet) -> None:
    before = count(site, FIRST)
    wallet.become(refusing={"eth_sendTransaction": {"code": 4001, "message": "User rejected the request."}})
    press_new(wallet.page)
    expect(wallet.page.locator(TOLD)).to_have_text("You declined it in your wallet.")
    wallet.become(refusing={})
    press_new(wallet.page)
    at_match(wallet.page)
    assert transactions(wallet.page)[0]["state"] == "refused"
    assert count(site, FIRST) == before + 1


def test_what_it_says_is_told_in_a_sentence_that_helps(wallet: Wallet) -> None:
    """frontend/unit/chain/eip1193.test.mjs checks the other sentences."""
    said = "The requested account has not been authorized"
    wallet.become(refusing={"eth_sendTransaction": {"code": 4100, "message": said}})
    press_new(wallet.page)
    expect(wallet.page.locator(TOLD)).to_contain_text("Unlock the wallet, then allow this page in it.")
    expect(wallet.page.locator("main [data-trouble=create] small")).to_have_text(said)


def test_its_user_switches_the_account_and_says_so(wallet: Wallet) -> None:
    page = wallet.page
    wallet.become(accounts=[SECOND, FIRST])
    wallet.tell("accountsChanged", [SECOND, FIRST])
    page.wait_for_function("me => window.chainboard.state.me === me", arg=SECOND)
    page.click("#account-button")
    expect(page.locator("#account .current .trouble")).to_contain_text("Test wallet switched to 0x7099…79C8")
    page.click("#account-close")
    press_new(page)
    at_match(page)
    assert transactions(page)[0]["account"] == SECOND


def test_its_user_switches_the_account_and_the_wallet_says_nothing(site: WalletSite, wallet: Wallet) -> None:
    before = count(site, FIRST), count(site, SECOND)
    wallet.become(accounts=[SECOND])
    press_new(wallet.page)
    expect(wallet.page.locator(TOLD)).to_contain_text("Test wallet now uses 0x7099…79C8; this is for 0xf39F…2266.")
    assert wallet.asked == [], "nobody was asked to sign for another account"
    assert (count(site, FIRST), count(site, SECOND)) == before


def test_its_user_switches_the_chain(wallet: Wallet) -> None:
    page = wallet.page
    page.evaluate("() => { location.hash = '#/new/tic-tac-toe'; }")
    wallet.become(chain="0x1")
    wallet.tell("chainChanged", "0x1")
    why = page.locator("#why-new-match-tic-tac-toe")
    expect(why).to_have_text("Test wallet is now on network 1, but this page uses 31337. Switch back in the wallet.")
    expect(page.locator(NEW)).to_be_disabled()
    page.click("main [data-remedy=reconnect]")
    expect(page.locator(NEW)).to_be_enabled()
    press_new(page)
    at_match(page)


def test_the_chain_is_looked_at_before_each_send(wallet: Wallet) -> None:
    wallet.become(chain="0x1")
    press_new(wallet.page)
    expect(wallet.page.locator(TOLD)).to_contain_text("Test wallet is now on network 1")
    assert wallet.asked == []
    wallet.tell("chainChanged", "0x1")
    expect(wallet.page.locator(NEW)).to_be_disabled()
    wallet.become(chain=None)
    wallet.tell("chainChanged", "0x7a69")
    expect(wallet.page.locator(NEW)).to_be_enabled()


@pytest.mark.parametrize("event", ["disconnect", "accountsChanged"])
def test_it_leaves_and_comes_back(wallet: Wallet, event: str) -> None:
    page = wallet.page
    page.evaluate("() => { location.hash = '#/new/tic-tac-toe'; }")
    wallet.become(accounts=[])
    wallet.tell(event, [])
    expect(page.locator("#why-new-match-tic-tac-toe")).to_have_text("Test wallet is no longer connected to this page.")
    page.click("main [data-remedy=reconnect]")
    page.click("#account-button")
    expect(page.locator("#account .current")).to_contain_text("Your wallet didn’t give this page an account.")
    wallet.become(accounts=[FIRST])
    page.click("#account [data-remedy=reconnect]")
    expect(page.locator(NEW)).to_be_enabled()
    assert page.locator("#wallet-trouble").count() == 0


def test_a_nonce_ahead_of_a_chain_that_began_anew_is_told(visit: Visit, tmp_path: Path) -> None:
    """The node accepts the transaction. It then waits for lower nonces, which nobody will send."""
    with up_deployed(tmp_path) as server:
        wallet = connected(visit(server.url + "/"), node_url(tmp_path), FIRST)
        page = wallet.page
        wallet.become(nonce=hex(300))
        press_new(page)
        told = page.locator(TOLD)
        expect(told).to_contain_text("Your wallet is at transaction 300, but this chain is at")
        expect(told).to_contain_text("Clear activity tab data")
        assert transactions(page)[0]["state"] == "sent"
        wallet.become(nonce=None)
        press_new(page)
        at_match(page)
