"""Tests of the first screen of a match, on phones in portrait and landscape, and on larger screens.
They also cover the end of a match, and the buttons that appear then."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from tests.support.page.fit import faults, resized
from tests.support.server import Server, up_deployed
from tests.system.browser.conftest import Visit
from tests.system.browser.games.test_tic_tac_toe import HOST_WINS, tap
from tests.system.browser.page_scripts import MIN_SHIFT, NOTHING_PENDING, OBSERVE_SHIFTS, TOTAL_SHIFT

QUICK_GAMES = ("conquest",)
"""The games whose layout every run measures. Conquest is among them because its board is a map.
`make soak` measures all games."""
GAMES = {
    "tic-tac-toe": "action-accept",
    "battleship": "action-accept",
    "deblockle": "action-join",
    "touche-coule": "action-register",
    "conquest": "action-join",
}
BOX = """selector => {
  const found = [...document.querySelectorAll(selector)].find(one => one.getClientRects().length);
  const box = found?.getBoundingClientRect();
  return box && { left: box.left, top: box.top, right: box.right, bottom: box.bottom };
}"""
PRIMARY_BUTTON = ".actions button.loud"
LANDSCAPE: tuple[ViewportSize, ...] = ({"width": 932, "height": 430}, {"width": 844, "height": 390})
"""The window sizes of two phones in landscape. Only one of them is small enough for the page's
narrow layout."""
PORTRAIT: ViewportSize = {"width": 390, "height": 844}
DESKTOP: ViewportSize = {"width": 1440, "height": 900}
SETTLED_MS = 1000
CONCEDE_BUTTON = ":is(#action-resign, #action-surrender, #action-reveal):not([disabled])"


class Box(NamedTuple):
    """The position and size, in CSS pixels, of a rectangle in the window."""

    left: float
    top: float
    right: float
    bottom: float


def box(page: Page, selector: str) -> Box | None:
    page.evaluate("() => window.scrollTo(0, 0)")
    found = page.evaluate(BOX, selector)
    return found and Box(**found)


def in_window(page: Page, selector: str) -> Box:
    found, size = box(page, selector), page.viewport_size
    assert found is not None, selector
    assert size is not None
    assert 0 <= found.left <= found.right <= size["width"], (selector, found)
    assert 0 <= found.top <= found.bottom <= size["height"] + 0.5, (selector, found)
    return found


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with up_deployed(tmp_path_factory.mktemp("screen")) as it:
        yield it


def open_by_link(page: Page, url: str, slug: str) -> None:
    page.goto(f"{url}/#/new/{slug}")
    if slug == "conquest":
        page.select_option("#new-conquest-seat-1", "anyone")
    page.click(f"#new-match-{slug}:not([disabled])")
    page.wait_for_selector("main[data-match]")


def measure(page: Page) -> None:
    """Check the first screen's layout. In portrait, the status line must be above the board, and
    the buttons below it. In landscape, the status line must be to the right of the board. Nothing
    may cover the board."""
    page.set_viewport_size(PORTRAIT)
    assert faults(page) == []
    line, board = in_window(page, "#whose"), in_window(page, "#board")
    assert line.bottom <= board.top
    if page.locator(PRIMARY_BUTTON).count():
        in_window(page, PRIMARY_BUTTON)
    sticky = page.locator(".actions").first.evaluate("e => getComputedStyle(e).position === 'sticky'")
    actions = box(page, ".actions")
    assert not sticky or actions is None or actions.top >= board.bottom, (actions, board)
    for size in LANDSCAPE:
        page.set_viewport_size(size)
        assert faults(page) == []
        board, line = in_window(page, "#board"), in_window(page, "#whose")
        assert line.left >= board.right, "the line and the board must be side by side"
        if page.locator(PRIMARY_BUTTON).count():
            in_window(page, PRIMARY_BUTTON)


@pytest.mark.parametrize(
    "slug", [one if one in QUICK_GAMES else pytest.param(one, marks=pytest.mark.soak) for one in GAMES]
)
def test_board_line_and_loud_button_stand_in_the_first_screen(server: Server, visit: Visit, slug: str) -> None:
    host, guest = (visit(server.url, 390, 844) for _ in range(2))
    open_by_link(host, server.url, slug)
    guest.goto(host.url)
    guest.wait_for_selector(f"#{GAMES[slug]}:not([disabled])")
    measure(guest)
    guest.set_viewport_size(PORTRAIT)
    guest.click(f"#{GAMES[slug]}")
    if slug == "touche-coule":
        host.click("#action-register:not([disabled])")
        host.wait_for_selector("#action-turn.loud, #action-register.loud")
    else:
        guest.wait_for_selector("main[data-status=playing]")
        host.wait_for_selector("main[data-status=playing]")
    for page in (host, guest):
        expect(page.locator("#whose")).not_to_have_text("")
        measure(page)
    assert {size: found for size in resized(host) if (found := faults(host))} == {}
    nothing_moves(host, guest)


def nothing_moves(host: Page, guest: Page) -> None:
    """Check that no element moves when the match appears on the page, or when the match ends."""
    host.set_viewport_size(DESKTOP)
    host.add_init_script(OBSERVE_SHIFTS)
    host.reload()
    host.wait_for_selector("#board svg")
    host.wait_for_timeout(SETTLED_MS)
    assert host.evaluate(TOTAL_SHIFT) < MIN_SHIFT
    if host.locator("#action-turn").count():
        return  # Touché Coulé has no button for surrendering
    guest.evaluate(OBSERVE_SHIFTS)
    host.wait_for_timeout(SETTLED_MS)
    for page in (host, guest):
        page.evaluate("() => window.shifts.length = 0")
    pressing = set()
    for page in 4 * (host, guest):
        for each in (host, guest):
            each.wait_for_function(NOTHING_PENDING)
        if host.locator("#banner").count() == 0 and page.locator(CONCEDE_BUTTON).count():
            pressing.add(page)
            page.click(CONCEDE_BUTTON)
            page.wait_for_timeout(200)
            if page.locator(CONCEDE_BUTTON).count():
                page.click(CONCEDE_BUTTON)  # the first click only makes the page ask for confirmation
        host.wait_for_timeout(SETTLED_MS)
    for page in (host, guest):
        page.wait_for_selector("#banner")
        # Browsers don't count layout shifts in the half second after a click. On a busy machine,
        # the shift can come later, so skip the page on which the test clicked.
        assert page in pressing or page.evaluate(TOTAL_SHIFT) < MIN_SHIFT
        the_end_hides_no_piece(page)


def the_end_hides_no_piece(page: Page) -> None:
    """Check that the banner at the match's end is next to the board or below it, and in the window.
    In portrait, a match with two boards leaves too little space, so its banner may be outside the
    window."""
    for size in (*LANDSCAPE, PORTRAIT, DESKTOP):
        page.set_viewport_size(size)
        two = page.locator(".stage[data-layout=pair]").count()
        board, end = (
            box(page, "#board"),
            box(page, "#banner") if two and size == PORTRAIT else in_window(page, "#banner"),
        )
        assert board is not None
        assert end is not None
        assert end.left >= board.right or end.top >= board.bottom, (size, board, end)


def test_the_time_line_is_a_strip_while_one_plays(server: Server, visit: Visit) -> None:
    page = visit(server.url)
    page.click("#play-tic-tac-toe:not([disabled])")
    page.click("#both-sides")
    page.wait_for_selector("main[data-status=playing]")
    strip = box(page, "#time-line")
    assert strip is not None
    assert strip.bottom - strip.top < 72, "the strip must have at most two rows"
    page.press("#time-open", "Enter")
    expect(page.locator("#time-step")).to_be_visible()
    page.click("#time-open")
    expect(page.locator("#time-step")).to_have_count(0)
    page.click("#time-back")
    expect(page.locator("#time-step")).to_be_visible()
    page.click("#to-present")
    expect(page.locator("#time-line.thin")).to_be_visible()
    expect(page.locator("#save-replay")).not_to_be_visible()
    page.click("#checked summary")
    expect(page.locator("#save-replay")).to_be_visible()
    facts = {one: page.locator(f"[data-fact={one}]").inner_text() for one in ("seq", "block", "tx", "nonce", "hash")}
    assert all(facts.values())
    assert facts["tx"].startswith("0x")


def test_the_end_stands_beside_the_board_and_says_what_comes_next(
    server: Server, visit: Visit, page_errors: list[str]
) -> None:
    host, guest = visit(server.url), visit(server.url)
    open_by_link(host, server.url, "tic-tac-toe")
    guest.goto(host.url)
    guest.click("#action-accept:not([disabled])")
    for number, cell in enumerate(HOST_WINS):
        page = (host, guest)[number % 2]
        expect(page.locator("#whose")).to_contain_text("Your turn")
        tap(page, cell)
    won, lost = host.locator("#banner[data-tone=won]"), guest.locator("#banner[data-tone=lost]")
    expect(won).to_be_visible()
    expect(lost).to_be_visible()
    expect(host.locator("#whose")).to_have_text("You won after 5 moves. Play again?")
    assert host.locator(".actions button").count() == 0
    board = in_window(host, "#board")
    for page in (host, guest):
        the_end_hides_no_piece(page)
    expect(host.locator("#share-end")).to_have_text("Copy link")  # this browser has no dialog for sharing
    expect(host.locator("#copy-link")).to_have_count(0)
    with host.expect_download() as saved:
        host.click("#save-picture")
    assert saved.value.path().read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
    host.click("#end-close")
    expect(won).to_have_count(0)
    expect(host.locator("#copy-link")).to_be_visible()
    assert in_window(host, "#board") == board
    guest.click("#look-back")
    expect(guest.locator("main[data-past]")).to_be_visible()
    guest.click("#to-present")
    guest.click("#action-rematch:not([disabled])")
    guest.wait_for_selector("main[data-status=open]")
    host.reload()
    host.click("#to-rematch:text('Accept rematch')")
    host.wait_for_selector("main[data-status=playing]")
    assert page_errors == []


@pytest.mark.soak
def test_a_rematch_is_an_invitation_where_the_contract_has_none(server: Server, visit: Visit) -> None:
    host, guest = visit(server.url), visit(server.url)
    host.goto(f"{server.url}/#/new/deblockle")
    host.select_option("[data-input=cubes]", "2")
    host.click("#new-match-deblockle:not([disabled])")
    host.wait_for_selector("main[data-match]")
    guest.goto(host.url)
    guest.click("#action-join:not([disabled])")
    guest.click("#action-resign:not([disabled])")
    guest.click("#action-resign:not([disabled])")
    guest.click("#rematch:not([disabled])")
    guest.wait_for_selector("#lonely[data-for=other]")
    expect(guest.locator("#turn-note")).to_contain_text("2 cubes each")
    host.click("#to-rematch:text('Accept rematch')")
    host.wait_for_selector("main[data-status=playing]")
