"""Tests of the lines with the players' names above and below the board. The upper line names the
opponent, and the lower line the page's player. Each line contains a clock and a rating."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.support.server import Server, up_deployed
from tests.system.browser.conftest import Visit
from tests.system.browser.games.test_tic_tac_toe import HOST_WINS, tap
from tests.system.browser.lobby.test_pairing import MY_ACCOUNT, wait_until_met

SIZES = ((1440, 900), (1280, 720), (390, 844), (360, 740))
IN_ORDER = """() => {
  const box = selector => document.querySelector(selector).getBoundingClientRect();
  const [line, above, board, below] = ['#whose', '.players.top', '#board', '.players.bottom'].map(box);
  const clocks = [...document.querySelectorAll('.player .clock')].map(e => e.getBoundingClientRect());
  return {
    order: line.bottom <= above.top + 1 && above.bottom <= board.top + 1 && board.bottom <= below.top + 1,
    seen: line.top >= 0 && below.bottom <= innerHeight && clocks.every(({ right }) => right <= innerWidth),
    clocks: clocks.length,
  };
}"""
WIN_SEEN = """() => {
  const line = document.querySelector("#board [data-line='win']").getBoundingClientRect();
  const over = [[line.left + 2, line.top + 2], [line.right - 2, line.bottom - 2],
    [(line.left + line.right) / 2, (line.top + line.bottom) / 2]];
  return over.every(([x, y]) => document.elementFromPoint(x, y)?.closest('#board'));
}"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with up_deployed(tmp_path_factory.mktemp("table")) as server:
        yield server


def begun(site: Server, visit: Visit) -> tuple[Page, Page]:
    """Start a match of Tic-tac-toe between two browsers, with one hour per move. The host is the
    first to move."""
    host, guest = visit(f"{site.url}/#/new/tic-tac-toe"), visit(site.url)
    host.select_option("[data-input=clock]", "3600")
    host.click("#new-match-tic-tac-toe:not([disabled])")
    host.wait_for_selector("main[data-match]")
    expect(host.locator(".players.top")).to_have_text("Free seat")
    guest.goto(host.url)
    guest.click("#action-accept:not([disabled])")
    wait_until_met(host, guest)
    return host, guest


def test_the_opponent_stands_above_the_board_and_the_player_below_it(
    site: Server, visit: Visit, page_errors: list[str]
) -> None:
    host, guest = begun(site, visit)
    addresses = [str(page.evaluate(MY_ACCOUNT)) for page in (host, guest)]
    watcher = visit(host.url)
    watcher.wait_for_selector("main[data-status=playing]")
    for page, below in ((host, 0), (guest, 1), (watcher, 0)):
        for place, address in (("top", addresses[1 - below]), ("bottom", addresses[below])):
            expect(page.locator(f".players.{place} [data-player]")).to_have_attribute("data-player", address)
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            page.evaluate("() => window.scrollTo(0, 0)")
            assert page.evaluate(IN_ORDER) == {"order": True, "seen": True, "clocks": 2}, (width, height)
    expect(host.locator(".players.bottom [role=timer]")).to_have_text(re.compile("^(59:|1:00:00)"))
    expect(host.locator(".players.top .clock.still")).to_have_text("1:00:00")
    host.click(f".players.bottom [data-player='{addresses[0]}'] button.address")
    card = host.locator("#name-card")
    expect(card).to_be_visible()
    box = card.bounding_box()
    assert box is not None
    assert box["y"] >= 0
    plate = host.locator(".players.bottom").bounding_box()
    assert plate is not None
    assert box["y"] + box["height"] <= plate["y"] + 1, "the card must open upwards, where there is space"
    host.keyboard.press("Escape")
    expect(card).to_have_count(0)
    assert page_errors == []


def test_the_winning_line_is_seen_and_ratings_follow(site: Server, visit: Visit, page_errors: list[str]) -> None:
    host, guest = begun(site, visit)
    guest.set_viewport_size({"width": 390, "height": 844})
    expect(host.locator(".player .rating")).to_have_count(0)
    for number, cell in enumerate(HOST_WINS):
        page = (host, guest)[number % 2]
        expect(page.locator("#whose")).to_contain_text("Your turn")
        tap(page, cell)
    for page in (host, guest):
        page.wait_for_selector("#banner")
        page.evaluate("() => window.scrollTo(0, 0)")
        page.wait_for_function(WIN_SEEN)
        expect(page.locator(".player .clock")).to_have_count(0)
        expect(page.locator(".player[data-winner]")).to_have_attribute("data-player", str(host.evaluate(MY_ACCOUNT)))
        for player, rating in ((host, r"^15\d\d\?$"), (guest, r"^14\d\d\?$")):
            of = page.locator(f"[data-player='{player.evaluate(MY_ACCOUNT)}'] .rating")
            expect(of).to_have_text(re.compile(rating))
    assert page_errors == []
