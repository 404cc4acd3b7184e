"""A test wallet that behaves like a browser extension. It uses the node's own accounts, so the node
signs."""

from __future__ import annotations

from typing import Any, NamedTuple

from playwright.sync_api import Page, expect

from tests.support.http import local
from tests.system.browser.page_scripts import WALLET_OF_NODE

FIRST = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"
SECOND = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"
MINED_STATES = ":is([data-state=mined], [data-state=final])"
"""A selector for transactions in blocks. If blocks become final quickly, the state of these
transactions can already be `final`."""


class Wallet(NamedTuple):
    """A page with the test wallet. The methods are actions of the wallet's user."""

    page: Page

    @property
    def consent_requests(self) -> list[str]:
        """Return the wallet methods that needed the user's consent, in the order in which the page
        called them."""
        consent_requests: list[str] = self.page.evaluate("() => window.wallet.asked")
        return [method for method in consent_requests if "Transaction" in method or "sign" in method]

    def configure(self, **fields: Any) -> None:
        """Set some of the wallet's fields:

        - `accounts`: the accounts that the page may use
        - `chain` and `nonce`: hexadecimal numbers with 0x
        - `signs`: the account that signs, even if the page names a different account
        - `refusing`: the errors with which methods fail, as {method: {code, message}}"""
        self.page.evaluate("fields => { Object.assign(window.wallet, fields); }", fields)

    def emit(self, event: str, value: Any = None) -> None:
        """Make the wallet emit this EIP-1193 event."""
        self.page.evaluate("([event, value]) => window.wallet.emit(event, value)", [event, value])


def connect_wallet(page: Page, node: str, *accounts: str) -> Wallet:
    """Add a wallet with the node's accounts to the page, and select this wallet in the account
    drawer."""

    def ask(method: str, params: list[Any]) -> Any:
        body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        answer = local.post(node, json=body).json()
        return {"refusal": answer["error"]} if "error" in answer else answer["result"]

    expect(page.locator("#play-tic-tac-toe")).to_be_enabled()
    page.expose_function("node", ask)
    announce_wallet(page, *accounts)
    return Wallet(page)


def announce_wallet(page: Page, *accounts: str) -> None:
    """Announce the wallet to the page, and select it. After a reload, tests must do this again."""
    page.evaluate(WALLET_OF_NODE, list(accounts))
    page.click("#account-button")
    page.click("[data-injected='Test wallet']")
    expect(page.locator("#my-address")).to_have_text(accounts[0])
    page.click("#account-close")


def open_new_match(page: Page, slug: str = "tic-tac-toe") -> None:
    """Open the form for a new match, and submit it."""
    page.evaluate("slug => { location.hash = `#/new/${slug}`; }", slug)
    page.click(f"#new-match-{slug}:not([disabled])")


def wait_for_match(page: Page, slug: str = "tic-tac-toe") -> None:
    """Wait until the page shows the match that `open_new_match` has opened."""
    page.wait_for_selector(f"main[data-match^='{slug}/']")
