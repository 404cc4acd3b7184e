"""Tests that *Play a person* brings two waiting players together in one match, whatever they do
while they wait."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from eth_account import Account
from playwright.sync_api import Page, expect
from websockets.sync.client import ClientConnection, connect

from tests.api.live.test_pairing import signed
from tests.support.server import Server, up_deployed
from tests.support.waiting import PATIENCE_SECONDS
from tests.system.browser.conftest import Visit
from tests.system.browser.page_scripts import COVERED_ELEMENTS

GAMES = ("battleship", "tic-tac-toe", "deblockle", "conquest", "touche-coule")
SEATS = "() => Object.keys(window.chainboard.boards[document.querySelector('main').dataset.match]?.board.players ?? {})"
MY_ACCOUNT = "() => window.chainboard.state.me"
SEARCHING = "#pairing[data-state=waiting]"
QUEUED = "([slug, clock]) => window.chainboard.boards.lobby.board.games[slug].seeking?.[clock] === 1"
"""A script that returns true when the gateway counts one player who is searching. The page shows
its own search right after the click, so its display proves nothing about the gateway."""
TRIALS = 20


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with up_deployed(tmp_path_factory.mktemp("pairing"), "--opponents", "40") as server:
        yield server


def seek(page: Page, slug: str, clock: int = 3600) -> None:
    page.click(f"#person-{slug}:not([disabled])")
    if slug != "touche-coule":
        page.click(f"#seek-{slug}-{clock}:not([disabled])")


def wait_until_met(*pages: Page) -> str:
    """Wait until these two pages show the same match. Check that only their players are in the
    match. Return the match's name."""
    for page in pages:
        page.wait_for_selector("main[data-match]")
        page.wait_for_function(f"() => ({SEATS})().length === 2")
        expect(page.locator("#pairing")).to_have_count(0)
    (match,) = {page.get_attribute("main", "data-match") for page in pages}
    assert set(pages[0].evaluate(SEATS)) == {page.evaluate(MY_ACCOUNT) for page in pages}
    return str(match)


@pytest.mark.parametrize("slug", GAMES)
def test_two_who_wait_meet_and_can_move(site: Server, visit: Visit, page_errors: list[str], slug: str) -> None:
    one, other = visit(site.url + "/"), visit(site.url + "/", width=390, height=844)
    seek(one, slug)
    one.wait_for_selector(SEARCHING)
    seek(other, slug)
    match = wait_until_met(one, other)
    board = site.get(f"/api/matches/{match}")["board"]
    assert (board.get("clock", 3600), board.get("stake", "0")) == (3600, "0")
    assert page_errors == []


def test_play_meets_who_waits(site: Server, visit: Visit) -> None:
    one, other = visit(site.url + "/"), visit(site.url + "/")
    seek(one, "tic-tac-toe")
    expect(other.locator("#game-tic-tac-toe [data-fact='lobby.fact.rival']")).to_be_visible()
    other.click("#play-tic-tac-toe")
    wait_until_met(one, other)


def test_who_plays_the_computer_is_asked_when_a_person_comes(site: Server, visit: Visit) -> None:
    one, other = visit(site.url + "/"), visit(site.url + "/")
    seek(one, "deblockle")
    one.focus("#pairing-stop")
    one.wait_for_selector("#pairing-computer")  # ten seconds after the search began, the page also offers the computer
    assert one.evaluate("() => document.activeElement.id") == "pairing-stop"
    one.click("#pairing-computer")
    one.wait_for_selector("main[data-match^=deblockle]")
    other.click("#play-deblockle")
    for page in (one, other):
        page.wait_for_selector("main[data-match^=deblockle]")
        expect(page.locator("#pairing-accept")).to_be_visible()
        assert page.evaluate(COVERED_ELEMENTS, "#pairing") == [], "nor may it cover a control in the header"
        page.click("#pairing-accept")
    for page in (one, other):
        page.wait_for_function(f"address => ({SEATS})().includes(address)", arg=one.evaluate(MY_ACCOUNT))
        page.wait_for_function(f"address => ({SEATS})().includes(address)", arg=other.evaluate(MY_ACCOUNT))
    wait_until_met(one, other)


def test_player_who_declines_continues_against_the_computer(site: Server, visit: Visit) -> None:
    one, other = visit(site.url + "/"), visit(site.url + "/")
    one.click("#play-battleship")
    one.wait_for_selector("main[data-match^=battleship]")
    match = one.get_attribute("main", "data-match")
    seek(other, "battleship")
    one.click("#pairing-decline")
    expect(one.locator("#pairing")).to_have_count(0)
    expect(other.locator(SEARCHING)).to_be_visible()
    assert one.get_attribute("main", "data-match") == match
    other.click("#pairing-stop")
    expect(other.locator("#pairing")).to_have_count(0)


def test_a_search_in_a_second_tab_ends_the_first(site: Server, visit: Visit) -> None:
    one = visit(site.url + "/")
    tab = one.context.new_page()
    tab.goto(site.url + "/")
    seek(one, "conquest")
    tab.wait_for_function(QUEUED, arg=["conquest", "3600"])
    seek(tab, "tic-tac-toe", 600)
    expect(one.locator("#pairing")).to_contain_text("in another tab")
    opponent = visit(site.url + "/")
    seek(opponent, "tic-tac-toe", 600)
    wait_until_met(tab, opponent)


@contextmanager
def program_socket(site: Server, **more: Any) -> Iterator[ClientConnection]:
    """Yield the websocket of a waiting player who uses a program instead of the page."""
    chain_id = site.get("/api/health")["chainId"]
    with connect(site.socket_url, proxy=None, open_timeout=PATIENCE_SECONDS) as socket:
        socket.send(json.dumps(signed(Account.create(), chain_id=chain_id, game="tic-tac-toe", clock=180, **more)))
        yield socket


def wait_for_state(socket: ClientConnection, state: str) -> Any:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while True:
        message = json.loads(socket.recv(deadline - time.monotonic()))
        if message["t"] == "seek" and message["state"] == state:
            return message


def test_a_match_whose_guest_leaves_is_closed_and_the_host_waits_again(site: Server, visit: Visit) -> None:
    page = visit(site.url + "/")
    seek(page, "tic-tac-toe", 180)
    page.wait_for_function(QUEUED, arg=["tic-tac-toe", "180"])
    with program_socket(site) as guest:
        match = wait_for_state(guest, "opened")["match"]
        page.wait_for_selector(f"main[data-match='{match}']")
    expect(page.locator(SEARCHING)).to_contain_text("your opponent left. Looking for another opponent…")
    page.wait_for_selector("main.lobby")
    page.wait_for_function("() => window.chainboard.state.transactions.some((tx) => tx.action === 'close' && tx.block)")
    page.wait_for_function(QUEUED, arg=["tic-tac-toe", "180"])
    with program_socket(site) as guest:
        again = wait_for_state(guest, "opened")["match"]
        page.wait_for_selector(f"main[data-match='{again}']")
    assert site.get(f"/api/matches/{match}")["board"]["status"] == "cancelled"


def test_a_host_who_leaves_costs_the_guest_nothing(site: Server, visit: Visit) -> None:
    page = visit(site.url + "/")
    with program_socket(site) as host:
        wait_for_state(host, "waiting")
        seek(page, "tic-tac-toe", 180)
        wait_for_state(host, "opening")
        expect(page.locator("#pairing[data-state=opening]")).to_be_visible()
    expect(page.locator(SEARCHING)).to_contain_text("your opponent left. Looking for another opponent…")
    assert page.evaluate("() => window.chainboard.state.transactions") == []


def test_a_pair_whose_host_has_lost_the_node_plays_when_it_is_there_again(site: Server, visit: Visit) -> None:
    host, guest = visit(site.url + "/"), visit(site.url + "/")
    seek(host, "tic-tac-toe", 600)
    host.wait_for_selector(SEARCHING)
    host.route("**/api/rpc", lambda route: route.abort())
    seek(guest, "tic-tac-toe", 600)
    expect(guest.locator("#pairing[data-state=opening]")).to_be_visible()
    host.wait_for_function("() => window.chainboard.state.transactions.some((tx) => tx.state === 'waiting')")
    for _ in range(6):
        host.wait_for_event("requestfailed")
    host.unroute("**/api/rpc")
    wait_until_met(host, guest)


@pytest.mark.soak
def test_two_who_press_meet_each_time(site: Server, visit: Visit) -> None:
    one, other = visit(site.url + "/"), visit(site.url + "/")
    for trial in range(TRIALS):
        slug = GAMES[trial % len(GAMES)]
        for page in (one, other):
            page.goto(site.url + "/#/")
            seek(page, slug)
        wait_until_met(one, other)
