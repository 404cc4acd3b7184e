"""Tests of moves that a player makes while the browser is offline. The page stores the move, and
sends it when the browser is online again. The player can also cancel the stored move."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.support.server import Server, up_deployed
from tests.system.browser.conftest import Visit

QUEUED_MOVE = "#last-press[data-stage=kept]"
CELL = "#board [data-piece=cell-4]"
DRAWN_PIECE = f"{CELL}:not([data-pending])"
TRANSACTIONS = "() => window.chainboard.state.transactions.filter(tx => tx.action === 'move').map(tx => tx.state)"
"""A script that returns the states of the moves that the page stores."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with up_deployed(tmp_path_factory.mktemp("offline")) as server:
        yield server


def open_board(page: Page, url: str) -> None:
    """Open a match of Tic-tac-toe, and take both seats in this browser."""
    page.goto(f"{url}/#/new/tic-tac-toe")
    page.click("#new-match-tic-tac-toe:not([disabled])")
    page.wait_for_selector("main[data-match]")
    page.click("#both-sides")
    page.wait_for_selector("main[data-status=playing]")
    expect(page.locator("#whose")).to_contain_text("Your turn")
    page.focus("#board")


def press_middle_cell(page: Page) -> None:
    for key in ("Home", "ArrowUp", "ArrowUp", "ArrowDown", "ArrowRight", "Enter"):
        page.keyboard.press(key)


@pytest.mark.parametrize("width", [1440, 390])
def test_a_press_while_offline_is_kept_and_sent(site: Server, visit: Visit, width: int) -> None:
    page = visit(site.url + "/", width=width, height=844)
    open_board(page, site.url)
    page.context.set_offline(True)
    press_middle_cell(page)
    expect(page.locator(QUEUED_MOVE)).to_contain_text("This page will send your move")
    expect(page.locator(CELL)).to_have_count(1)
    expect(page.locator("#line .state")).to_have_text("You’re offline")
    expect(page.locator(f"{QUEUED_MOVE} [data-way=cancel]")).to_be_in_viewport(ratio=1)
    assert page.evaluate("() => document.documentElement.scrollWidth") == width
    page.context.set_offline(False)
    page.wait_for_selector(DRAWN_PIECE)
    expect(page.locator(QUEUED_MOVE)).to_have_count(0)
    expect(page.locator("#line .state")).to_have_text("Live")
    assert len(page.evaluate(TRANSACTIONS)) == 1


def test_a_press_after_the_line_is_lost_is_not_sent_and_says_so_also_later(site: Server, visit: Visit) -> None:
    page = visit(site.url + "/")
    open_board(page, site.url)
    page.context.set_offline(True)
    expect(page.locator("#line .state")).to_have_text("You’re offline")
    press_middle_cell(page)
    expect(page.locator("#board-why")).to_have_text("No connection to the server.")
    page.context.set_offline(False)
    expect(page.locator("#line .state")).to_have_text("Live")
    expect(page.locator("#board-why")).to_have_text("Not sent: no connection. Try again.")
    page.keyboard.press("Enter")
    page.wait_for_selector(DRAWN_PIECE)
    expect(page.locator("#board-why")).to_have_count(0)


def test_a_press_that_is_kept_can_be_taken_back(site: Server, visit: Visit) -> None:
    page = visit(site.url + "/")
    open_board(page, site.url)
    page.context.set_offline(True)
    press_middle_cell(page)
    page.click(f"{QUEUED_MOVE} [data-way=cancel]")
    expect(page.locator(CELL)).to_have_count(0)
    # The page reports the lost connection only after three seconds.
    expect(page.locator("#line .state")).to_have_text("You’re offline")
    page.context.set_offline(False)
    expect(page.locator("#line .state")).to_have_text("Live")
    page.focus("#board")
    press_middle_cell(page)
    page.wait_for_selector(DRAWN_PIECE)
    assert page.evaluate(TRANSACTIONS)[:-1] == ["refused"]
