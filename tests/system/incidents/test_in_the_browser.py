"""Replays incidents 7 and 8 from README.md with the page in Chromium. In incident 7, the page is
reloaded while a move is pending. In incident 8, the chain restarts from genesis."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Error, Page, Route, WebSocketRoute, expect

from chainboard.chain import child_process
from chainboard.chain.anvil import CHAIN_ID, binary
from chaos.process.ports import reserved_port
from tests.support.page.browser import sleeping
from tests.support.players import rpc_call
from tests.support.server import Server, up, up_deployed
from tests.support.waiting import PATIENCE_SECONDS, wait_for
from tests.system.browser.app.test_page import board, open_match, transactions
from tests.system.browser.conftest import Visit

SLUG = "touche-coule"
SHIP = ".piece.mine"


@contextmanager
def anvil(folder: Path) -> Iterator[str]:
    """Yield the URL of a chain that belongs to a separate process, not to the server under test."""
    with reserved_port() as port:
        yield from _running(folder, port)


def _running(folder: Path, port: int) -> Iterator[str]:
    command = [str(binary()), "--silent", "--host", "127.0.0.1", "--port", str(port), "--chain-id", str(CHAIN_ID)]
    process = child_process.start_child([*command, "--cache-path", str(folder / "cache")])
    url = f"http://127.0.0.1:{port}"
    try:
        wait_for(lambda: _answers(url), bool, "Anvil")
        yield url
    finally:
        assert process.stdin is not None
        process.stdin.close()
        process.wait(PATIENCE_SECONDS)


def _answers(url: str) -> bool:
    with contextlib.suppress(httpx.TransportError):
        return bool(rpc_call(url, "eth_chainId"))
    return False


def check_board(server: Server, page: Page, match: str) -> None:
    """Wait until the page has the server's newest event, and check that the boards are equal."""
    told = server.get(f"/api/matches/{match}")
    page.wait_for_function("([match, seq]) => window.chainboard.boards[match]?.seq === seq", arg=[match, told["seq"]])
    assert board(page, match)["hash"] == told["hash"]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with up_deployed(tmp_path_factory.mktemp("browser")) as it:
        yield it


BEFORE, AFTER = "before-the-node-took-it", "after-the-node-took-it"


@pytest.mark.parametrize(
    "accepted", [pytest.param(False, id=BEFORE), pytest.param(True, id=AFTER, marks=pytest.mark.soak)]
)
def test_pending_move_is_followed_after_a_reload(server: Server, visit: Visit, accepted: bool) -> None:
    """Replays pychess #468 and #2344, in which a pending move survived a reload, but the page no
    longer showed the move as pending."""
    page = visit(server.url + "/")
    match = open_match(page, 20, 20)
    held: list[Route] = []
    is_over = threading.Event()

    def hold(route: Route) -> None:
        if is_over.is_set() or '"eth_sendRawTransaction"' not in (route.request.post_data or ""):
            return route.continue_()
        if accepted:
            route.fetch()
        return held.append(route)

    page.route("**/api/rpc", hold)
    page.click("#action-register:not([disabled])")
    page.wait_for_selector("[data-action=register]:is([data-state=signed], [data-state=mined])")
    wait_for(lambda: len(held), bool, "the request", sleeping(page))
    page.reload()
    # Don't remove the route with `unroute`, which can lose requests while the page loads.
    is_over.set()
    for route in held:
        with contextlib.suppress(Error):  # the page that sent this request no longer exists
            route.abort()
    page.wait_for_selector("#action-register:not([disabled])")
    expect(page.locator(SHIP)).to_have_count(1)
    check_board(server, page, match)
    page.click("#action-register")
    expect(page.locator(SHIP)).to_have_count(2)
    assert [(one["state"], one["nonce"]) for one in transactions(page)] == [("mined", 0), ("mined", 1), ("mined", 2)]
    check_board(server, page, match)


class DelayedSocket:
    """A websocket that can hold back the server's messages, except for answers to pings.

    On connections that open during the delay, it holds back nothing. Otherwise, a page that loses
    its connection couldn't reconnect."""

    def __init__(self) -> None:
        self.is_delaying = False
        self._delayed: list[tuple[WebSocketRoute, str | bytes]] = []

    def __call__(self, page_side: WebSocketRoute) -> None:
        on_time = self.is_delaying

        def forward(message: str | bytes) -> None:
            if self.is_delaying and not on_time and '"t":"pong"' not in str(message):
                self._delayed.append((page_side, message))
            else:
                page_side.send(message)

        page_side.connect_to_server().on_message(forward)

    def release(self) -> None:
        self.is_delaying = False
        for page_side, message in self._delayed:
            with contextlib.suppress(Error):  # the page has closed the socket during the delay
                page_side.send(message)
        self._delayed.clear()


def listed_matches(page: Page) -> Any:
    page.goto(page.url.split("#")[0] + "#/")
    page.wait_for_function("() => window.chainboard.boards.lobby")
    return page.evaluate("() => Object.keys(window.chainboard.boards.lobby.board.matches).sort()")


def test_page_continues_on_a_restarted_chain_without_a_reload(tmp_path: Path, visit: Visit) -> None:
    """Replays graph-node #2305 and MetaMask #21932, in which the chain restarts from genesis. The
    page must discard everything from the old chain, including its nonces, without a reload."""
    with anvil(tmp_path) as url, up(tmp_path / "data", "--rpc", url, "--dev", is_empty=True) as server:
        line = DelayedSocket()
        page = visit(server.url + "/", line=line)
        match = open_match(page, 21, 21)
        page.click("#action-register:not([disabled])")
        expect(page.locator(SHIP)).to_have_count(1)
        before = page.evaluate("() => { window.stayed = true; return window.chainboard.state.health.genesis; }")
        old = server.get("/api/games")["games"][0]["address"]
        assert len(transactions(page)) == 2

        line.is_delaying = True
        rpc_call(url, "anvil_reset")
        wait_for(
            lambda: page.request.get(f"{server.url}/api/health").json()["genesis"],
            lambda genesis: genesis != before,
            "the new chain",
            # While the test waits, this process must forward the websocket's messages.
            sleeping(page),
        )
        with page.expect_response("**/api/health"):
            # The page learns of the new chain from /api/health, before the websocket reports it.
            pass
        line.release()
        page.wait_for_function("was => (window.chainboard.state.health?.genesis ?? was) !== was", arg=before)
        expect(page.locator("#whose")).to_have_text("This game doesn’t exist yet.")
        assert server.get("/api/games")["games"][0]["address"] == old, "CREATE2 gives the same address on each chain"
        assert transactions(page) == []
        assert listed_matches(page) == sorted(one["match"] for one in server.get("/api/matches")["matches"])

        again = open_match(page, 22, 22)
        assert again == match, "the new match must have the old match's number"
        page.click("#action-register:not([disabled])")
        expect(page.locator(SHIP)).to_have_count(1)
        assert [(one["state"], one["nonce"]) for one in transactions(page)] == [("mined", 0), ("mined", 1)]
        check_board(server, page, again)
        assert page.evaluate("() => window.stayed")
