"""A browser wallet of the node's own accounts, as an extension would stand in the page."""

from __future__ import annotations

from typing import Any, NamedTuple

from playwright.sync_api import Page, expect

from tests.support.http import local
from tests.system.browser.page_scripts import WALLET_OF_NODE

FIRST = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"
SECOND = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"
IN_A_BLOCK = ":is([data-state=mined], [data-state=final])"
"""Of a transaction's story: a block that is saved soon makes it final."""


class Wallet(NamedTuple):
    """What its user sees and does in it."""

    page: Page

    @property
    def asked(self) -> list[str]:
        """The methods of which its user was told, or which signed."""
        asked: list[str] = self.page.evaluate("() => window.wallet.asked")
        return [method for method in asked if "Transaction" in method or "sign" in method]

    def become(self, **fields: Any) -> None:
        """Sets what it has: `accounts`, `chain` and `nonce` (0x hex), `signs` (an account that signs for any other),
        `refusing` ({method: {code, message}})."""
        self.page.evaluate("fields => { Object.assign(window.wallet, fields); }", fields)

    def tell(self, event: str, value: Any = None) -> None:
        """An event of EIP-1193."""
        self.page.evaluate("([event, value]) => window.wallet.tell(event, value)", [event, value])


def connected(page: Page, node: str, *accounts: str) -> Wallet:
    """The page with such a wallet in use, through the drawer, which is closed again."""

    def ask(method: str, params: list[Any]) -> Any:
        body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        answer = local.post(node, json=body).json()
        return {"refusal": answer["error"]} if "error" in answer else answer["result"]

    expect(page.locator("#play-tic-tac-toe")).to_be_enabled()
    page.expose_function("node", ask)
    announce(page, *accounts)
    return Wallet(page)


def announce(page: Page, *accounts: str) -> None:
    """The same wallet in a page that was loaded again."""
    page.evaluate(WALLET_OF_NODE, list(accounts))
    page.click("#account-button")
    page.click("[data-injected='Test wallet']")
    expect(page.locator("#my-address")).to_have_text(accounts[0])
    page.click("#account-close")


def press_new(page: Page, slug: str = "tic-tac-toe") -> None:
    """The button on the page of a new match."""
    page.evaluate("slug => { location.hash = `#/new/${slug}`; }", slug)
    page.click(f"#new-match-{slug}:not([disabled])")


def at_match(page: Page, slug: str = "tic-tac-toe") -> None:
    """The page has gone to the match that was opened by that."""
    page.wait_for_selector(f"main[data-match^='{slug}/']")
