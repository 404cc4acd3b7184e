"""Tests of the leaderboards, and of the numbers on a player's page, after a real match."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.support.page.browser import barriers
from tests.support.server import Server, up_deployed
from tests.system.browser.conftest import Visit
from tests.system.browser.games.test_tic_tac_toe import HOST_WINS, both_sides, open_match, tap
from tests.system.browser.match.test_both_sides import make_move
from tests.system.browser.page_scripts import SMALL_TEXT

BOARD = "#leaderboard-tic-tac-toe"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    with up_deployed(tmp_path) as it:
        yield it


@pytest.mark.soak
def test_a_win_is_seen_in_the_leaderboard_and_at_the_players_name(
    server: Server, visit: Visit, page_errors: list[str]
) -> None:
    page = visit(server.url + "/")
    page.click("#to-players")
    expect(page.locator(BOARD)).to_contain_text("No finished games yet.")
    match = both_sides(page, server.url, clock=86_400)
    for ply, cell in enumerate(HOST_WINS):
        page.wait_for_function("([match, ply]) => window.chainboard.boards[match].board.ply === ply", arg=[match, ply])
        expect(page.locator("#whose")).to_contain_text("Your turn")
        tap(page, cell)
    page.wait_for_selector("main[data-status=finished]")
    winner = server.get(f"/api/matches/{match}")["board"]["winner"]
    page.goto(f"{server.url}/#/players")
    rows = page.locator(f"{BOARD} tbody tr")
    expect(rows).to_have_count(2)
    expect(rows.first).to_have_attribute("data-player", winner)
    expect(rows.first).to_contain_text("1516?")
    expect(rows.last).to_contain_text("1484?")
    assert barriers(page) == []
    assert page.evaluate(SMALL_TEXT) == []
    page.goto(f"{server.url}/#/match/{match}")
    page.click(f".players [data-player='{winner}'] button.address")
    page.click("#name-page")
    figures = page.locator("#figures [data-game-of=tic-tac-toe]")
    expect(figures.locator("[data-figure=rating]")).to_have_text("1516?")
    expect(figures.locator("[data-figure=won]")).to_have_text("1")
    expect(figures.locator("[data-figure=lost]")).to_have_text("0")
    assert barriers(page) == []
    page.goto(f"{server.url}/#/")
    page.click(f"[data-match='{match}'] a[data-address='{winner}']")
    expect(figures.locator("[data-figure=won]")).to_have_text("1")
    assert page_errors == []


@pytest.mark.soak
def test_who_plays_both_sides_here_is_not_rated(server: Server, visit: Visit) -> None:
    page = visit(server.url + "/")
    page.click("#play-tic-tac-toe:not([disabled])")
    page.click("#both-sides")
    page.wait_for_selector("main[data-status=playing]")
    for cell in HOST_WINS:
        make_move(page, cell)
    page.wait_for_selector("main[data-status=finished]")
    players = server.get("/api/leaderboard?game=tic-tac-toe")["players"]
    assert [(one["rating"], one["played"]) for one in players] == 2 * [(1500.0, 1)]
    open_match(page, server.url, clock=86_400)
    expect(page.locator("#lonely")).to_contain_text("you can’t play both sides")
    expect(page.locator("#both-sides")).to_have_count(0)


def test_an_address_is_found_and_nonsense_is_not(server: Server, visit: Visit) -> None:
    page = visit(server.url + "/#/players")
    expect(page.locator("#find-go")).to_be_disabled()
    page.fill("#find-player", "0x12")
    page.click("#find-go")
    expect(page.locator("#find-why")).to_have_text("No player is called “0x12”.")
    page.fill("#find-player", "0x" + 40 * "1")
    page.click("#find-go")
    expect(page.locator("#never-played")).to_be_visible()
