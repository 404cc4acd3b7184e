"""Tests of a lobby with many matches. Each game must still have its card and its list of matches.
The page must show a match's terms before the player accepts the match."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from axe_playwright_python.sync_playwright import Axe
from eth_utils.address import to_checksum_address
from playwright.sync_api import Page, expect
from websockets.sync.client import connect

from api.names.account_names import name_of
from contracts.abi import encode_call
from tests.support.players import mine_transaction, rpc_call, wait_for_json
from tests.support.server import Server, node_url, up_deployed
from tests.system.browser.conftest import Visit
from tests.system.browser.page_scripts import SMALL_TEXT

NOBODY = "0x" + 40 * "0"
STRANGER = 9
CROWD = 50
ETHER = 10**18
OVER_A_BOARD = """() => [...document.querySelectorAll('.peek:has(.board)')].filter(peek => {
  const [board, pill] = ['.board', '.pill'].map(one => peek.querySelector(one).getBoundingClientRect());
  return pill.top < board.bottom;
}).map(peek => peek.textContent)"""
"""A script that returns the text of each board whose label overlaps the board."""


class LobbySite(NamedTuple):
    server: Server
    node: str

    def accounts(self) -> list[str]:
        return [to_checksum_address(one) for one in rpc_call(self.node, "eth_accounts")]

    def send(self, by: int, slug: str, name: str, *arguments: Any, value: int = 0) -> None:
        """Send a transaction from a development account, and check that it succeeds."""
        game = next(one for one in self.server.get("/api/games")["games"] if one["slug"] == slug)
        call = {"to": game["address"], "data": encode_call(game["abi"], name, arguments), "value": hex(value)}
        receipt = mine_transaction(self.node, {"from": self.accounts()[by], "gas": hex(2**22), **call})
        assert receipt["status"] == "0x1", (name, arguments)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LobbySite]:
    """Yield a server with many matches:

    - Tic-tac-toe: one match in play, three that anybody may join, and fifty more by one stranger
    - Battleship: one match with a stake"""
    data: Path = tmp_path_factory.mktemp("crowd")
    with up_deployed(data) as server:
        it = LobbySite(server, node_url(data))
        it.send(1, "tic-tac-toe", "create", NOBODY, 86_400)
        it.send(2, "tic-tac-toe", "accept", 1)
        it.send(3, "tic-tac-toe", "create", NOBODY, 7200)
        it.send(4, "tic-tac-toe", "create", NOBODY, 60)
        it.send(6, "tic-tac-toe", "create", NOBODY, 7200)
        it.send(5, "battleship", "invite", NOBODY, b"\1" * 32, 5400, NOBODY, ETHER // 10, value=ETHER // 10)
        for _ in range(CROWD):
            it.send(STRANGER, "tic-tac-toe", "create", NOBODY, 60)
        yield it


def wait_for_lobby(page: Page) -> None:
    """Wait until the lobby has loaded. Turn off the filter for live matches, so that the list shows
    all matches."""
    page.click("#filter-live[aria-pressed=true]")
    expect(page.locator("#matches-running > li").first).to_be_visible()


@contextmanager
def watching(site: LobbySite, match: str, *accounts: str) -> Iterator[None]:
    with connect(site.server.socket_url, proxy=None) as socket:
        socket.send(json.dumps({"t": "watch", "match": match, "as": accounts}))
        yield


@pytest.mark.soak
def test_fifty_matches_of_one_game_hide_no_other_game(site: LobbySite, visit: Visit, page_errors: list[str]) -> None:
    page = visit(site.server.url + "/")
    wait_for_lobby(page)
    with watching(site, "tic-tac-toe/1", site.accounts()[1]):
        for card, board in (("touche-coule", "rules"), ("tic-tac-toe", "1"), ("battleship", "rules")):
            peek = page.locator(f"#game-{card} .peek")
            expect(peek.locator(f".board.small[data-match='{card}/{board}'] svg").first).to_be_attached()
            expect(peek).to_have_count(1)
        expect(page.locator("#game-tic-tac-toe .peek")).to_have_attribute("data-featured", "tic-tac-toe/1")
    rows = page.locator("#matches-running > li")
    for match in ("tic-tac-toe/1", "tic-tac-toe/2", "tic-tac-toe/3", "battleship/1"):
        expect(page.locator(f"#matches-running [data-match='{match}']")).to_be_visible()
    stranger = site.accounts()[STRANGER]
    expect(rows.locator(f"[data-address='{stranger}']")).to_have_count(3)
    expect(page.locator(f"#more-open [data-more='{stranger}']")).to_have_text(
        f"Tic-tac-toe: 47 more by {name_of(stranger)}"
    )
    expect(page.locator("#unlisted")).to_have_count(0)
    asked = page.evaluate("() => performance.getEntriesByType('resource').map(({ name }) => name)")
    fetched = [name for name in asked if re.search(r"/api/matches/[a-z-]+/[0-9]+$", name)]
    assert fetched == [], "small boards must come with the lobby's message"
    assert page_errors == []


def test_play_joins_a_host_who_is_here_and_no_hasty_or_staked_match(site: LobbySite, visit: Visit) -> None:
    """Tests that *Play* joins a match whose host is present, but no match with a short clock or a
    stake. Hosts count as present, because a websocket watches the lobby for their accounts."""
    hosts = [site.accounts()[number] for number in (3, 4, 5)]
    page = visit(site.server.url + "/")
    wait_for_lobby(page)
    expect(page.locator("#terms-tic-tac-toe")).to_have_count(0)
    with watching(site, "lobby", *hosts):
        sentence = "Open seat in Tic-tac-toe 2: 2 hours a move"
        expect(page.locator("#terms-tic-tac-toe")).to_have_text(sentence)
        expect(page.locator("#matches-running [data-match='battleship/1']")).to_have_attribute("data-attended", "true")
        expect(page.locator("#terms-battleship")).to_have_count(0)
        page.click("#play-tic-tac-toe")
        page.wait_for_selector("main[data-match='tic-tac-toe/2'][data-status=playing]")
        assert len(page.evaluate("() => window.chainboard.state.transactions")) == 1


@pytest.mark.soak
def test_clock_and_stake_are_told_before_one_accepts(site: LobbySite, visit: Visit, page_errors: list[str]) -> None:
    page = visit(site.server.url + "/")
    wait_for_lobby(page)
    terms = {
        "tic-tac-toe/4": ("2 hours a move", None),
        "tic-tac-toe/3": ("only 60 seconds a move", None),
        "battleship/1": ("1 hour 30 minutes a move", "0.1 ETH each"),
    }
    for match, (clock, stake) in terms.items():
        words = " · ".join(one for one in (clock, stake) if one)
        row = page.locator(f"#matches-running [data-match='{match}'] .terms")
        expect(row).to_have_text(words)
        page.goto(f"{site.server.url}/#/match/{match}")
        page.wait_for_selector(f"main[data-match='{match}']")
        expect(page.locator("#terms [data-term='match.clock']")).to_have_text(clock)
        expect(page.locator("#terms [data-term='match.stake']")).to_have_text([stake] if stake else [])
        expect(page.locator(".action:has(#action-accept) #agreed")).to_have_text(words)
        title = str(page.locator("#link").get_attribute("title"))
        assert title.endswith(f": {words}"), title
        hurried = page.locator(".action:has(#action-accept) #hasty")
        if clock.startswith("only"):
            expect(hurried).to_have_text("If you take longer than 60 seconds for a move, you can lose on time.")
        else:
            expect(hurried).to_have_count(0)
        page.goto(f"{site.server.url}/#/")
    assert page_errors == []


@pytest.mark.soak
def test_an_invitation_is_not_pushed_out_by_many_openers(site: LobbySite, visit: Visit) -> None:
    """Tests that the page shows an old invitation. Seven accounts have opened 21 newer matches, so
    the lobby's list doesn't contain the invitation. The page requests invitations separately."""
    page = visit(site.server.url + "/")
    wait_for_lobby(page)
    me = str(page.evaluate("() => window.chainboard.state.me"))
    site.send(6, "tic-tac-toe", "create", me, 3600)
    [row] = wait_for_json(site.server, f"/api/matches?opponent={me}", lambda found: found["matches"])["matches"]
    invited = row["match"]
    for by in range(7):
        for _ in range(3):
            site.send(by, "tic-tac-toe", "create", NOBODY, 3600)
    page.reload()
    first = page.locator("#matches-own > li").first
    expect(first).to_have_attribute("data-match", invited)
    expect(first.locator(".pill")).to_have_text("for you")
    assert invited not in page.evaluate("() => Object.keys(window.chainboard.boards.lobby.board.matches)")
    first.locator("a").click()
    page.wait_for_selector(f"main[data-match='{invited}']")


@pytest.mark.soak
def test_a_board_too_large_for_the_message_is_fetched_and_followed(site: LobbySite, visit: Visit) -> None:
    site.send(0, "touche-coule", "create", 64, 64, False)
    match = "touche-coule/2"
    for by in range(10):
        for _ in range(2):
            site.send(by, "touche-coule", "register", 2)
    page = visit(site.server.url + "/")
    wait_for_lobby(page)
    for _ in range(4):
        turn(site, match)
    expect(page.locator("#game-touche-coule .peek")).to_have_attribute("data-featured", match)
    page.wait_for_function("() => !window.chainboard.boards.lobby.board.games['touche-coule'].board")
    ply = turn(site, match)
    page.wait_for_function(f"() => window.chainboard.boards['{match}']?.board.ply === {ply}")
    page.reload()
    page.wait_for_function(f"() => window.chainboard.boards['{match}']?.board.ply === {ply}")
    asked = page.evaluate("() => performance.getEntriesByType('resource').map(({ name }) => name)")
    assert any(name.endswith(f"/api/matches/{match}") for name in asked)
    ply = turn(site, match)
    page.wait_for_function(f"() => window.chainboard.boards['{match}'].board.ply === {ply}")


def turn(site: LobbySite, match: str) -> int:
    """Play the next turn of the match. Return the number of the turn after that."""
    ply = int(site.server.get(f"/api/matches/{match}")["board"]["ply"])
    rpc_call(site.node, "anvil_mine", "0x1")
    site.send(0, "touche-coule", "turn", 2, ply)
    wait_for_json(site.server, f"/api/matches/{match}", lambda found: found["board"]["ply"] > ply)
    return ply + 1


@pytest.mark.parametrize(("width", "height"), [(390, 844), pytest.param(1440, 900, marks=pytest.mark.soak)])
def test_the_crowded_lobby_can_be_read(site: LobbySite, visit: Visit, width: int, height: int) -> None:
    page = visit(site.server.url + "/", width=width, height=height)
    wait_for_lobby(page)
    assert page.evaluate(SMALL_TEXT) == []
    assert page.evaluate(OVER_A_BOARD) == []
    assert page.evaluate("() => document.documentElement.scrollWidth") <= width
    found = Axe().run(page).response["violations"]
    assert [one["id"] for one in found if one["impact"] in ("serious", "critical")] == []
