"""Tests of Tic-tac-toe in the page: playing both sides in one browser, a match reserved for one
opponent, clocks, draw offers and rematches."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from api.names.account_names import name_of
from tests.support.page.browser import SCHEMES
from tests.support.page.input_devices import settled_box
from tests.support.players import rpc_call
from tests.support.server import Server, node_url, up_deployed
from tests.system.browser.conftest import Visit
from tests.system.browser.page_scripts import BOARD, SMALL_TEXT, TRANSACTIONS

A_MINUTE = 60
HOST_WINS = [0, 3, 1, 4, 2]
DRAW = [0, 1, 2, 4, 3, 5, 7, 6, 8]
NEXT_MATCH = "0x00000000000000000000000000000000DeaDBeef"


class TicTacToeSite(NamedTuple):
    """A server and its node. Tests can move the time of the node's chain."""

    server: Server
    node: str

    def wait(self, seconds: int) -> None:
        rpc_call(self.node, "evm_increaseTime", seconds)
        rpc_call(self.node, "anvil_mine", "0x1")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TicTacToeSite]:
    data = tmp_path_factory.mktemp("tic-tac-toe")
    with up_deployed(data) as server:
        yield TicTacToeSite(server, node_url(data))


def open_match(page: Page, url: str, opponent: str = "", clock: int = 0) -> str:
    """Open a match with the form, and return the match's name. When this returns, the page shows
    the match."""
    page.goto(f"{url}/#/new/tic-tac-toe")
    page.fill("main [data-input=challenger]", opponent)
    page.select_option("main [data-input=clock]", str(clock))
    page.click("#new-match-tic-tac-toe:not([disabled])")
    page.wait_for_selector("main[data-match]")
    return str(page.get_attribute("main", "data-match"))


def both_sides(page: Page, url: str, clock: int = 0) -> str:
    """Start a match between two accounts in this browser, and return the match's name. When this
    returns, it is the turn of the account that the page uses."""
    match = open_match(page, url, clock=clock)
    if clock:  # a rated match has no button for playing both sides
        another_wallet(page)
        page.click("#action-accept:not([disabled])")
    else:
        page.click("#both-sides")
    page.wait_for_selector("main[data-status=playing]")
    expect(page.locator("#whose")).to_contain_text("Your turn")
    return match


def another_wallet(page: Page) -> None:
    """Create another account in this browser, and make the page use it."""
    page.click("#account-button")
    page.click("#make-wallet")
    page.click("#account-close")


def tap(page: Page, cell: int) -> None:
    ground = page.locator("#board .ground")
    side = settled_box(ground)["width"] / 3
    ground.click(position={"x": side * (cell % 3 + 0.5), "y": side * (cell // 3 + 0.5)})


def press_cell(page: Page, cell: int) -> None:
    """Mark a cell, using only the keyboard."""
    page.focus("#board")
    for key, times in (("ArrowLeft", 2), ("ArrowUp", 2), ("ArrowRight", cell % 3), ("ArrowDown", cell // 3)):
        for _ in range(times):
            page.keyboard.press(key)
    page.keyboard.press("Enter")


def wait_for_turn(page: Page) -> None:
    """Wait until the page uses the account of the player to move."""
    expect(page.locator("#whose")).to_contain_text("Your turn")


def play(page: Page, cells: list[int]) -> None:
    """Play the moves of both sides in turn. Make every second move with the keyboard instead of the
    mouse."""
    for ply, cell in enumerate(cells):
        wait_for_turn(page)
        (press_cell if ply % 2 else tap)(page, cell)
        page.wait_for_selector(f"#board [data-piece=cell-{cell}]:not([data-pending])")


def cells(page: Page, match: str) -> dict[str, int]:
    found: dict[str, int] = page.evaluate(BOARD, match)["board"]["cells"]
    return found


@pytest.mark.soak
def test_play_leads_to_a_match_at_once(site: TicTacToeSite, visit: Visit, page_errors: list[str]) -> None:
    page = visit(site.server.url)
    page.click("#play-tic-tac-toe:not([disabled])")
    page.wait_for_selector("main[data-match^='tic-tac-toe/']")
    expect(page.locator("#lonely")).to_contain_text("Waiting for a second player")
    page.click("#action-close")
    page.click("#action-close[data-armed]")
    expect(page.locator("#banner")).to_contain_text("Cancelled")
    assert page_errors == []


@pytest.mark.soak
def test_both_sides_to_a_line_by_mouse_and_by_keys(site: TicTacToeSite, visit: Visit, page_errors: list[str]) -> None:
    page = visit(site.server.url)
    match = both_sides(page, site.server.url)
    play(page, HOST_WINS)
    expect(page.locator("#banner")).to_have_attribute("data-reason", "won")
    expect(page.locator("#banner")).to_contain_text("You won")
    expect(page.locator("[data-field=line]")).to_have_count(3)
    expect(page.locator("[data-line=win]")).to_have_count(1)
    expect(page.locator("#feed")).to_contain_text("Three in a row: A1, B1, C1")
    answer = site.server.get(f"/api/matches/{match}")
    shown = page.evaluate(BOARD, match)
    assert (shown["seq"], shown["hash"]) == (answer["seq"], answer["hash"])
    assert cells(page, match) == {"0": 1, "1": 1, "2": 1, "3": 2, "4": 2}
    assert page_errors == []


@pytest.mark.soak
def test_draw_and_rematch_opened_by_the_second_player(site: TicTacToeSite, visit: Visit) -> None:
    page = visit(site.server.url)
    match = both_sides(page, site.server.url)
    play(page, DRAW)
    expect(page.locator("#banner")).to_contain_text("A draw")
    host = page.evaluate("() => window.chainboard.state.me")
    page.click("#action-rematch:not([disabled])")
    expect(page.locator("#rematch-of")).to_contain_text(f"Rematch of Tic-tac-toe {match.split('/')[1]}")
    expect(page.locator("#lonely")).to_have_attribute("data-for", "mine")
    page.click("#both-sides")
    page.wait_for_selector("main[data-status=playing]")
    expect(page.locator("#whose")).to_have_text("Your turn: put X on a free square")
    assert page.evaluate("() => window.chainboard.state.me") != host


@pytest.mark.soak
def test_what_the_board_refuses_is_told_before_it_costs_anything(site: TicTacToeSite, visit: Visit) -> None:
    page = visit(site.server.url)
    open_match(page, site.server.url)
    tap(page, 4)
    expect(page.locator("#board-why")).to_have_text("The game begins when a second player joins.")
    page.click("#both-sides")
    page.wait_for_selector("main[data-status=playing]")
    wait_for_turn(page)
    tap(page, 4)
    page.wait_for_selector("#board [data-piece=cell-4]:not([data-pending])")
    expect(page.locator("#board-why")).to_have_count(0)
    wait_for_turn(page)
    press_cell(page, 4)
    expect(page.locator("#board-why")).to_have_text("This square is taken.")
    sent = [[one["action"], one["state"]] for one in page.evaluate(TRANSACTIONS)]
    assert sent == [["create", "mined"], ["accept", "mined"], ["move", "mined"]]


@pytest.mark.soak
def test_a_move_is_dashed_until_its_block(site: TicTacToeSite, visit: Visit) -> None:
    page = visit(site.server.url)
    both_sides(page, site.server.url)
    wait_for_turn(page)
    rpc_call(site.node, "evm_setAutomine", False)
    try:
        tap(page, 8)
        page.wait_for_selector("#board [data-piece=cell-8][data-pending]")
        expect(page.locator("#board [data-waiting]")).to_have_attribute("data-waiting", "C3")
        tap(page, 7)
        expect(page.locator("#board-why")).to_have_text("This is already being sent.")
    finally:
        rpc_call(site.node, "evm_setAutomine", True)
        rpc_call(site.node, "anvil_mine", "0x1")
    page.wait_for_selector("#board [data-piece=cell-8]:not([data-pending])")
    expect(page.locator("#board [data-waiting]")).to_have_count(0)


@pytest.mark.soak
def test_the_time_of_who_is_to_move_runs_out_and_the_page_offers_to_claim_it(site: TicTacToeSite, visit: Visit) -> None:
    page = visit(site.server.url)
    both_sides(page, site.server.url, clock=A_MINUTE)
    expect(page.locator(".players [data-mover] .clock")).to_have_text(re.compile("^0:[1-5][0-9]$"))
    expect(page.locator("#action-claimTimeout")).to_have_count(0)
    site.wait(2 * A_MINUTE)
    expect(page.locator(".players [data-mover] .clock[data-late]")).to_have_text("time’s up")
    watcher = visit(page.url)
    expect(watcher.locator("#action-claimTimeout")).to_be_enabled()
    expect(watcher.locator("#action-claimTimeout.loud")).to_have_count(0)
    page.click("[data-hand-over]")  # switch to the player who is waiting, and who can claim the win
    page.click("#action-claimTimeout.loud")
    expect(page.locator("#banner")).to_have_attribute("data-reason", "timeout")
    expect(page.locator("#banner")).to_contain_text("You won on time")
    expect(watcher.locator("#feed")).to_contain_text("won on time")
    expect(page.locator(".clock")).to_have_count(0)


@pytest.mark.soak
def test_resigning_takes_two_presses(site: TicTacToeSite, visit: Visit) -> None:
    page = visit(site.server.url)
    both_sides(page, site.server.url)
    page.dblclick("#action-resign")
    expect(page.locator("#action-resign")).to_have_text("Resign? Press again")
    page.keyboard.press("Escape")
    expect(page.locator("#action-resign")).to_have_text("Resign")
    page.press("#action-resign", "Enter")
    page.press("#action-resign[data-armed]", "Enter")
    expect(page.locator("#banner")).to_contain_text("resigned")
    expect(page.locator("#banner")).to_have_attribute("data-reason", "resigned")


@pytest.mark.soak
def test_restart_needs_both_players(site: TicTacToeSite, visit: Visit) -> None:
    page = visit(site.server.url)
    both_sides(page, site.server.url)
    play(page, [4])
    page.click("#action-offerRestart")
    expect(page.locator("#offer")).to_contain_text("You offered")
    expect(page.locator("#action-acceptRestart")).to_have_count(0)
    page.locator("[data-hand-over]").click()
    expect(page.locator("#offer")).to_contain_text("offers to start over")
    page.click("#action-acceptRestart")
    expect(page.locator("#banner")).to_contain_text("Cancelled")
    page.click("#to-rematch")
    page.wait_for_selector("main[data-status=playing]")
    expect(page.locator("#board [data-piece]")).to_have_count(0)


@pytest.mark.soak
def test_a_named_opponent_is_invited_and_nobody_else_is_led_there(site: TicTacToeSite, visit: Visit) -> None:
    guest = visit(site.server.url)
    guest.wait_for_selector("#play-tic-tac-toe:not([disabled])")
    invited = guest.evaluate("() => window.chainboard.state.me")
    host = visit(site.server.url)
    match = open_match(host, site.server.url, opponent=invited)
    expect(host.locator("#lonely")).to_contain_text("Waiting for")
    expect(host.locator("#both-sides")).to_have_count(0)
    link = host.input_value("#link")

    stranger = visit(link)
    expect(stranger.locator("#lonely")).to_contain_text("You can watch")
    expect(stranger.locator("#action-accept")).to_have_count(0)  # only the invited player may take the open seat
    stranger.goto(f"{site.server.url}/#/")
    expect(stranger.locator(f"[data-match='{match}'] [data-for]")).to_contain_text(name_of(invited))
    stranger.click("#play-tic-tac-toe:not([disabled])")
    stranger.wait_for_selector("main[data-match]")
    assert stranger.locator(f"main[data-match='{match}']").count() == 0

    expect(guest.locator(f"[data-match='{match}'] [data-for]")).to_have_text("for you")
    guest.click("#play-tic-tac-toe:not([disabled])")
    guest.wait_for_selector(f"main[data-match='{match}']")
    expect(guest.locator("#lonely")).to_contain_text("invites you")
    guest.click("#action-accept.loud")
    guest.wait_for_selector("main[data-status=playing]")
    expect(host.locator("#whose")).to_have_text("Your turn: put X on a free square")
    guest.press("#action-resign", "Enter")
    guest.press("#action-resign[data-armed]", "Enter")
    expect(guest.locator("#banner")).to_contain_text("You resigned")
    expect(host.locator("#banner")).to_contain_text(f"You won: {name_of(invited)}")


@pytest.mark.soak
def test_bad_opponents_are_told_in_words(site: TicTacToeSite, visit: Visit) -> None:
    page = visit(f"{site.server.url}/#/new/tic-tac-toe")
    why = page.locator("#why-new-match-tic-tac-toe")
    page.fill("main [data-input=challenger]", "0x12")
    expect(why).to_have_text("Opponent: enter an address, or leave this empty to let anyone join.")
    page.fill("main [data-input=challenger]", page.evaluate("() => window.chainboard.state.me"))
    expect(why).to_have_text("Opponent: that’s you.")
    expect(page.locator("#new-match-tic-tac-toe")).to_be_disabled()
    open_match(page, site.server.url, opponent=NEXT_MATCH)
    page.goto(f"{site.server.url}/#/new/tic-tac-toe")
    challenger = page.locator("main [data-input=challenger]")
    expect(challenger).to_have_value("")
    challenger.fill(NEXT_MATCH)
    page.click("#new-match-tic-tac-toe:not([disabled])")
    trouble = page.locator("main [data-trouble=create]")
    expect(trouble.locator("p")).to_contain_text("You two already have an unfinished game")
    expect(trouble.locator("small")).to_contain_text("GameExists(")
    expect(challenger).to_have_value(NEXT_MATCH)


@SCHEMES
def test_no_barrier_no_sideways_scroll_no_small_text(board_server: Server, visit: Visit, scheme: str) -> None:
    page = visit(board_server.url, color_scheme=scheme, reduced_motion="reduce")
    both_sides(page, board_server.url)
    for moves in (HOST_WINS[:2], HOST_WINS[2:]):
        play(page, moves)
        for width in (1440, 390):
            page.set_viewport_size({"width": width, "height": 844})
            found = Axe().run(page).response["violations"]
            assert [(one["id"], [node["target"] for node in one["nodes"]]) for one in found] == []
            assert page.evaluate("() => document.documentElement.scrollWidth") == width
            assert page.evaluate(SMALL_TEXT) == []
        page.set_viewport_size({"width": 1440, "height": 900})
        page.locator("#board .ground").click(trial=True)  # wait until the board has its old size again
