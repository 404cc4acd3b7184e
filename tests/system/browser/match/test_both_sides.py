"""Tests in which one person plays both sides in one browser. This takes few clicks, and no move
happens by accident. After each move, the focus must be where the next move can be made."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, Page, expect

from api.names.account_names import name_of
from tests.support.server import node_url, up_deployed
from tests.system.browser.conftest import Visit
from tests.system.browser.games.test_tic_tac_toe import HOST_WINS, TicTacToeSite, both_sides, open_match, tap
from tests.system.browser.page_scripts import TRANSACTIONS

FOCUSED = "() => document.activeElement.id || document.activeElement.tagName"
ME = "() => window.chainboard.state.me"
SIZES = [(390, 844), pytest.param(1440, 900, marks=pytest.mark.soak)]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TicTacToeSite]:
    data = tmp_path_factory.mktemp("both-sides")
    with up_deployed(data) as server:
        yield TicTacToeSite(server, node_url(data))


def focused(page: Page) -> str:
    return str(page.evaluate(FOCUSED))


def wait_for_piece(page: Page, cell: int) -> None:
    page.wait_for_selector(f"#board [data-piece=cell-{cell}]:not([data-pending])")


def make_move(page: Page, cell: int) -> None:
    """Make a move. Before this, the page must have switched to the account of the player to
    move."""
    expect(page.locator("#whose")).to_contain_text("Your turn")
    tap(page, cell)
    wait_for_piece(page, cell)


def test_five_moves_alone_are_seven_clicks_from_an_empty_lobby(
    site: TicTacToeSite, visit: Visit, page_errors: list[str]
) -> None:
    page = visit(site.server.url)
    page.evaluate("() => { window.clicks = 0; window.addEventListener('click', () => window.clicks++, true); }")
    page.click("#play-tic-tac-toe:not([disabled])")
    page.click("#both-sides")
    page.wait_for_selector("main[data-status=playing]")
    for cell in HOST_WINS:
        make_move(page, cell)
        expect(page.locator("#board-why")).to_have_count(0)
    expect(page.locator("#banner")).to_have_attribute("data-reason", "won")
    assert page.evaluate("() => window.clicks") == 7
    assert [one["state"] for one in page.evaluate(TRANSACTIONS)] == 7 * ["mined"]
    assert page_errors == []


@pytest.mark.soak
def test_a_refusal_goes_with_the_account_that_it_was_told_to(site: TicTacToeSite, visit: Visit) -> None:
    page = visit(site.server.url)
    both_sides(page, site.server.url)
    expect(page.locator("#whose")).to_contain_text("Your turn")
    first = page.evaluate(ME)
    # The user switches to the player who isn't to move. The page must not switch back.
    page.locator("[data-hand-over]").click()
    assert page.evaluate(ME) != first
    tap(page, 4)
    expect(page.locator("#board-why")).to_contain_text("’s turn.")
    page.locator("[data-hand-over]").click()
    expect(page.locator("#board-why")).to_have_count(0)
    tap(page, 4)
    wait_for_piece(page, 4)
    expect(page.locator("#whose")).to_contain_text("Your turn: put O")
    assert page.evaluate(ME) != first


def test_no_single_key_acts_and_closing_wants_a_second_press(site: TicTacToeSite, visit: Visit) -> None:
    page = visit(site.server.url)
    match = open_match(page, site.server.url)
    before = len(page.evaluate(TRANSACTIONS))
    for key in "123456789":
        page.keyboard.press(key)
    assert focused(page) == "action-close"
    button = page.locator("#action-close")
    page.keyboard.down("Enter")
    for _ in range(3):
        page.keyboard.down("Enter")  # a held key repeats its keydown event
    page.keyboard.up("Enter")
    expect(button).to_have_text("Cancel the game? Press again")
    expect(page.locator("#why-close")).to_have_text("Press again within 5 seconds to confirm. Esc cancels.")
    expect(page.locator("#why-close")).to_have_attribute("role", "status")
    page.keyboard.press("Escape")
    expect(button).to_have_text("Cancel the game")
    page.dblclick("#action-close")
    expect(button).to_have_text("Cancel the game? Press again")
    expect(button).to_have_text("Cancel the game")  # the five seconds have passed
    assert len(page.evaluate(TRANSACTIONS)) == before
    assert site.server.get(f"/api/matches/{match}")["board"]["status"] == "open"
    button.click()
    page.click("#action-close[data-armed]")
    expect(page.locator("#banner")).to_contain_text("Cancelled")


def test_the_focus_is_never_lost(site: TicTacToeSite, visit: Visit) -> None:
    page = visit(site.server.url)
    open_match(page, site.server.url)
    for opener in ("#copy-link", "#board", "#help-button"):
        page.focus(opener)
        page.keyboard.press("?")
        expect(page.locator("#help-close")).to_be_focused()
        page.keyboard.press("Escape")
        expect(page.locator("#help")).to_have_count(0)
        expect(page.locator(opener)).to_be_focused()
    for close in ("#help-close", "veil"):
        page.click("#help-button")
        expect(page.locator("#help-close")).to_be_focused()
        page.mouse.click(5, 5) if close == "veil" else page.click(close)
        expect(page.locator("#help-button")).to_be_focused()
    page.focus("#copy-link")
    page.keyboard.press("a")
    expect(page.locator("#account-close")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator("#copy-link")).to_be_focused()
    page.press("#both-sides", "Enter")
    page.wait_for_selector("main[data-status=playing]")
    expect(page.locator("#board")).to_be_focused()
    page.press("[data-hand-over]", "Enter")
    expect(page.locator("#board")).to_be_focused()
    page.press("#action-offerRestart", "Enter")
    page.wait_for_selector("#offer")
    assert focused(page) != "BODY"
    page.goto(f"{site.server.url}/#/")
    page.press("#matches-own a", "Enter")
    page.wait_for_selector("#board[role=grid]")
    expect(page.locator("#main")).to_be_focused()


def test_where_the_button_of_the_keys_is_not_shown_the_focus_goes_on(site: TicTacToeSite, visit: Visit) -> None:
    page = visit(site.server.url)
    open_match(page, site.server.url)
    page.set_viewport_size({"width": 390, "height": 844})
    page.keyboard.press("?")
    expect(page.locator("#help-close")).to_be_focused()
    page.keyboard.press("?")
    expect(page.locator("#help")).to_have_count(0)
    assert focused(page) != "BODY"


def bounding_box(of: Locator) -> tuple[float, ...]:
    found = of.bounding_box()
    assert found is not None
    return tuple(found.values())


@pytest.mark.soak
@pytest.mark.parametrize(("width", "height"), SIZES)
def test_the_board_stays_as_large_as_it_was_and_a_new_match_is_opened(
    site: TicTacToeSite, visit: Visit, width: int, height: int
) -> None:
    page = visit(site.server.url)
    both_sides(page, site.server.url)
    page.set_viewport_size({"width": width, "height": height})
    for cell in HOST_WINS[:-1]:
        expect(page.locator("#whose")).to_contain_text("Your turn")
        tap(page, cell)
        wait_for_piece(page, cell)
    expect(page.locator("#whose")).to_contain_text("Your turn")
    page.evaluate("() => window.scrollTo(0, 0)")
    before = bounding_box(page.locator("#board"))
    tap(page, HOST_WINS[-1])
    banner = page.locator("#banner")
    expect(banner).to_be_visible()
    page.evaluate("() => window.scrollTo(0, 0)")
    assert bounding_box(page.locator("#board")) == before
    assert banner.evaluate("e => e.scrollWidth <= e.clientWidth")
    old = page.locator("main").get_attribute("data-match")
    banner.locator("#again:not([disabled])").click()
    page.wait_for_selector(f"main[data-match]:not([data-match='{old}'])")
    expect(page.locator("main")).to_have_attribute("data-status", "open")
    expect(page.locator("#lonely")).to_have_attribute("data-for", "anyone")


@pytest.mark.soak
@pytest.mark.parametrize(("width", "height"), SIZES)
def test_a_long_clock_is_not_cut(site: TicTacToeSite, visit: Visit, width: int, height: int) -> None:
    page = visit(site.server.url, width, height)
    me = page.evaluate(ME)
    other = visit(site.server.url)
    match = open_match(other, site.server.url, opponent=me, clock=259_200)
    page.goto(f"{site.server.url}/#/match/{match}")
    page.click("#action-accept:not([disabled])")
    page.wait_for_selector("main[data-status=playing]")
    clock = page.locator(".player[data-mover] .clock")
    expect(clock).to_have_text("2d 23h")
    clock.evaluate("(e, text) => { e.firstChild.data = text; }", "29d 23h")
    inside = """e => {
      const [box, list] = [e.getBoundingClientRect(), e.closest('.players').getBoundingClientRect()];
      return e.scrollWidth <= e.clientWidth && box.left >= list.left && box.right <= list.right
        && box.top >= list.top && box.bottom <= list.bottom;
    }"""
    assert clock.evaluate(inside)
    assert page.locator(".players .address").first.evaluate(
        "e => e.scrollWidth <= e.clientWidth || e.clientWidth === 0"
    )
    assert page.evaluate("() => document.documentElement.scrollWidth") == width


def test_players_have_their_names_and_a_wallet_eight_digits_too(site: TicTacToeSite, visit: Visit) -> None:
    page = visit(site.server.url)
    both_sides(page, site.server.url)
    for named in page.locator(".players [data-player] .address").all():
        expect(named).to_have_text(name_of(str(named.get_attribute("data-address"))))
    me = str(page.evaluate(ME))
    expect(page.locator("#account-button .address")).to_have_text(name_of(me))
    page.click("#account-button")
    expect(page.locator(f"#wallets li:has([data-use='{me}'])")).to_contain_text(f"{me[:6]}…{me[-4:]}")
