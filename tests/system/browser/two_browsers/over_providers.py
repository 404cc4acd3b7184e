"""A site with two browsers on a rollup that adds a block every two seconds. The site reaches the
rollup through two unreliable providers."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from eth_account import Account
from playwright.sync_api import Browser, Page, expect

from indexer.model import Json
from tests.support.page.browser import launch, playwright, sleeping
from tests.support.page.same_boards import PageErrors
from tests.support.players import wait_for_json
from tests.support.server import Server, run, up
from tests.support.services.rollup import FREE_PLANS, RunningRollup, running_rollup
from tests.support.waiting import PATIENCE_MS, wait_for

ETHER = 10**18
PASSWORD = "for a test"
SLOW_MS = 2 * PATIENCE_MS
"""The time limit, in milliseconds, for a click that sends a transaction. The click waits for a
block, and a failing provider can cause further delays."""
OUTAGE_SECONDS = 30
REORG_DEPTH = 3
NO_NODE = "The network isn’t answering"


SENT = "count => window.chainboard.state.transactions.length > count"
IS_IN = "([at, states]) => states.includes(window.chainboard.state.transactions[at].state)"
TOLD = """([hash, state, blockHash]) => window.chainboard.state.transactions.some(
  tx => tx.hash === hash && tx.state === state && tx.blockHash === blockHash)"""
HELD = """match => {
  const { hash, block } = window.chainboard.boards[match] ?? {};
  return [hash, block?.hash];
}"""


@dataclass(frozen=True, slots=True)
class Disturbances:
    """The numbers of the clicks after which the test disturbs the chain. Only clicks that send a
    transaction count, and the first has the number 0.

    - `failover`: after this click, the first provider fails.
    - `failover_ends`: after this click, the first provider recovers.
    - `outage`: after this click, both providers fail for a while.
    - `reorg`: a reorg replaces the block with this click's transaction."""

    failover: int = 1
    failover_ends: int = 3
    outage: int = 3
    reorg: int = 5


class ProviderSite:
    """A site with two browsers.

    - `server`: an `up` process that uses both providers of the `rollup`.
    - `first`, `second`: the pages in the two browsers. Each page has an account with one ether.
    - `replaced`: for each transaction in a block that the reorg replaced, the hash of this
      block."""

    def __init__(
        self, rollup: RunningRollup, server: Server, browsers: tuple[Browser, Browser], disturbances: Disturbances
    ) -> None:
        self.rollup, self.server, self._at = rollup, server, disturbances
        self.page_errors: PageErrors = []
        self.replaced: dict[str, str] = {}
        self._failover = ExitStack()
        self._presses = self._posts = 0
        self.first, self.second = (self._opened(browser) for browser in browsers)

    @property
    def pages(self) -> tuple[Page, Page]:
        return self.first, self.second

    def _opened(self, browser: Browser) -> Page:
        page = browser.new_context(viewport={"width": 1440, "height": 900}).new_page()
        page.set_default_timeout(SLOW_MS)
        page.add_init_script("localStorage.setItem('chainboard.hints', 'off')")
        page.on("pageerror", lambda error: self.page_errors.append(str(error)))
        page.goto(self.server.url)
        page.wait_for_function("() => window.chainboard?.state.me")
        self.rollup.request("anvil_setBalance", page.evaluate("() => window.chainboard.state.me"), hex(ETHER))
        expect(page.locator("#account-button")).to_contain_text("1.00 ETH")
        return page

    def press(self, page: Page, match: str, press: Callable[[], None]) -> int:
        """Press a button that sends a transaction. If the test plans a disturbance after this
        click, cause the disturbance. Return the transaction's index in the page's list of
        transactions."""
        count: int = page.evaluate("() => window.chainboard.state.transactions.length")
        press()
        page.wait_for_function(SENT, arg=count)
        self._disturb(self._presses, page, match, count)
        self._presses += 1
        return count

    def _disturb(self, press: int, page: Page, match: str, at: int) -> None:
        if press == self._at.failover:
            self._failover.enter_context(self.rollup.providers[0].outage())
            self._posts = self.rollup.providers[1].posts
        if press == self._at.failover_ends:
            assert self.rollup.providers[1].posts > self._posts
            self._failover.close()
        if press == self._at.outage:
            page.wait_for_function(IS_IN, arg=[at, ["sent", "mined"]])
            self._lose_all_providers()
        if press == self._at.reorg:
            # Cause the reorg only when the transaction is in a block. If the reorg came earlier, a
            # later random draw could be settled without a click.
            page.wait_for_function(IS_IN, arg=[at, ["mined"]])
            self._reorganize(page, match, at)

    def _lose_all_providers(self) -> None:
        """Stop both providers for half a minute. During this time, both pages must report that the
        network doesn't answer. Afterwards, they must remove the report."""
        with ExitStack() as stack:
            for one in self.rollup.providers:
                stack.enter_context(one.outage())
            end = time.monotonic() + OUTAGE_SECONDS
            for page in self.pages:
                expect(page.locator("#line .state")).to_have_text(NO_NODE)
            self.first.wait_for_timeout(max(0.0, end - time.monotonic()) * 1000)
            for page in self.pages:
                expect(page.locator("#line .state")).to_have_text(NO_NODE)
        for page in self.pages:
            expect(page.locator("#line .state")).not_to_have_text(NO_NODE)

    def _reorganize(self, page: Page, match: str, place: int) -> None:
        """Cause a reorg that replaces at least three blocks, including the block with this
        transaction. The reorg is deeper if the chain has grown while the test waited."""
        pressed = page.evaluate("at => window.chainboard.state.transactions[at].hash", place)
        wait_for_json(
            self.server,
            f"/api/matches/{match}/events?limit=1000",
            lambda it: pressed in _blocks(it["events"]),
        )
        before = _blocks(self.events(match))
        at = int(self.receipt(pressed)["blockNumber"], 16)
        height = int(self.rollup.request("eth_blockNumber"), 16)
        self.rollup.call(self.rollup.rollup.reorg, max(REORG_DEPTH, height - at + 1))
        self.replaced = {tx: block for tx, block in before.items() if self.receipt(tx)["blockHash"] != block}
        assert pressed in self.replaced
        self.until_same(match)

    def receipt(self, tx: str) -> Json:
        found: Json = self.rollup.request("eth_getTransactionReceipt", tx)
        return found

    def until_same(self, match: str) -> None:
        """Wait until both pages show the server's board, and until the block of each page's board
        is on the chain."""

        def state() -> tuple[Json, list[Any]]:
            return self.server.get(f"/api/matches/{match}"), [page.evaluate(HELD, match) for page in self.pages]

        def is_same(found: tuple[Json, list[Any]]) -> bool:
            truth, held = found
            return all(hash == truth["hash"] and self._is_there(block) for hash, block in held)

        wait_for(state, is_same, "the server's board on both pages", sleeping(self.first))

    def _is_there(self, block: str) -> bool:
        """Return True if the block with this hash is on the chain. The node also knows the blocks
        that a reorg has removed, so compare this block with the chain's block at the same
        height."""
        found = self.rollup.request("eth_getBlockByHash", block, False)
        at = found and self.rollup.request("eth_getBlockByNumber", found["number"], False)
        return bool(at and at["hash"] == block)

    def events(self, match: str) -> list[Json]:
        found: list[Json] = self.server.get(f"/api/matches/{match}/events?limit=1000")["events"]
        return found

    def require_truth(self, match: str) -> None:
        """Check that the reorg moved transactions to different blocks. Also check that both pages
        show the server's board and the result of each of their transactions.

        A transaction may fail only if the reorg moved it, because it can then run too early in its
        new block."""
        assert self._presses > self._at.reorg
        blocks = _blocks(self.events(match))
        assert self.replaced
        assert all(blocks.get(tx) != block for tx, block in self.replaced.items())
        self.until_same(match)
        for page in self.pages:
            for tx in page.evaluate("() => window.chainboard.state.transactions.map(({ hash }) => hash)"):
                receipt = self.receipt(tx)
                state = "mined" if receipt["status"] == "0x1" else "failed"
                page.wait_for_function(TOLD, arg=[tx, state, receipt["blockHash"]])
                assert state == "mined" or tx in self.replaced, receipt
        assert self.page_errors == []


def _blocks(events: list[Json]) -> dict[str, str]:
    """Map the hash of each event's transaction to the hash of the transaction's block."""
    return {one["tx"]: one["hash"] for one in events}


@contextmanager
def provider_site(folder: Path, disturbances: Disturbances = Disturbances()) -> Iterator[ProviderSite]:
    data, chain = folder / "data", folder / "chain"
    with ExitStack() as stack:
        rollup = stack.enter_context(running_rollup(chain, FREE_PLANS))
        rollup.request("evm_setAutomine", True)  # mine each transaction at once, so that deploying takes no wait
        deploy(rollup, folder, data)
        rollup.request("evm_setAutomine", False)
        server = stack.enter_context(up(data, *rpc_options(rollup)))
        it = stack.enter_context(playwright())
        browsers = stack.enter_context(launch(it)), stack.enter_context(launch(it))
        yield ProviderSite(rollup, server, browsers, disturbances)


def deploy(rollup: RunningRollup, folder: Path, data: Path) -> None:
    """Deploy the contracts in the same way as an operator, with a key from a keystore and through
    both providers."""
    account, keystore = Account.create(), folder / "deployer.json"
    keystore.write_text(json.dumps(Account.encrypt(account.key, PASSWORD, kdf="pbkdf2", iterations=1)))
    rollup.request("anvil_setBalance", account.address, hex(ETHER))
    done = run(
        *("deploy", "--yes", "--data", str(data), *rpc_options(rollup)),
        CHAINBOARD_DEPLOYER_KEYSTORE=str(keystore),
        CHAINBOARD_DEPLOYER_PASSWORD=PASSWORD,
    )
    assert done.returncode == 0, done.stderr


def rpc_options(rollup: RunningRollup) -> list[str]:
    return [word for url in rollup.urls for word in ("--rpc", url)]
