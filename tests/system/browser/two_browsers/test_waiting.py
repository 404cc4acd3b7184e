"""Tests a move on a chain with a block every two seconds. The page must show that the move is
pending, and then that it is mined. The transaction sheet must show when the move becomes final."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect

from tests.support.page.browser import barriers
from tests.support.page.input_devices import click_cell
from tests.system.browser.two_browsers.over_providers import ProviderSite, provider_site

MATCH = "tic-tac-toe/1"
CELL = 4
UNTIL_FINAL = 70
"""A number of blocks after which every transaction is final, even if the node doesn't report final
blocks. In that case, the page waits for 64 blocks."""


def press_while_nothing_answers(page: Page) -> None:
    """Click a cell while the test holds back the server's responses. Until the test releases them,
    nothing new on the page can come from the chain."""
    held: list[Route] = []
    released = False

    def hold(route: Route) -> None:
        if released:
            route.continue_()
        else:
            held.append(route)

    page.route("**/api/rpc", hold)
    click_cell(page, CELL, 3)
    expect(page.locator("#board [data-waiting=B2]")).to_be_attached()
    expect(page.locator("#board [data-piece=cell-4][data-pending]")).to_be_attached()
    expect(page.locator("#whose")).to_have_text("Sending your move…")
    expect(page.locator("#last-press")).to_have_text("Move: sending…")
    expect(page.locator("#board-text")).to_contain_text("B2, empty; sending your move")
    assert barriers(page) == []
    released = True
    for route in held:
        route.continue_()


def follow(site: ProviderSite, page: Page) -> None:
    press_while_nothing_answers(page)
    expect(page.locator("#last-press[data-stage=done]")).to_have_text("Move: done")
    expect(page.locator("#board [data-piece=cell-4]:not([data-pending])")).to_be_attached()
    expect(page.locator("#board [data-waiting]")).to_have_count(0)
    page.locator("#checked > summary").click()
    state = page.locator("#checked [data-fact=state]")
    expect(state).to_contain_text(f"In block {site.events(MATCH)[-1]['block']}, not final yet")
    site.rollup.request("anvil_mine", hex(UNTIL_FINAL))
    expect(state).to_contain_text("Final: the moves can’t be undone")
    expect(page.locator("#last-press")).to_have_text("Move: done")


@pytest.mark.timeout(240)
def test_a_press_shows_at_once_then_its_block_then_that_it_is_final(tmp_path: Path) -> None:
    with provider_site(tmp_path) as site:
        site.first.click("#play-tic-tac-toe:not([disabled])")
        site.first.wait_for_selector(f"main[data-match='{MATCH}']")
        site.second.goto(f"{site.server.url}/#/match/{MATCH}")
        site.second.click("#action-accept:not([disabled])")
        expect(site.first.locator("#whose")).to_contain_text("Your turn")
        follow(site, site.first)
        assert site.page_errors == []
