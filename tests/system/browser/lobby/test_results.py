"""Tests of the lobby's list of finished matches. They check which matches it contains and how it
describes them. A new result must not move other elements on the page."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.support.players import wait_for_json
from tests.support.server import node_url, up_deployed
from tests.system.browser.conftest import Visit
from tests.system.browser.lobby.test_lobby import NOBODY, LobbySite
from tests.system.browser.page_scripts import MIN_SHIFT, OBSERVE_SHIFTS, TOTAL_SHIFT

LEFT_COLUMN = [(1, 0, 0), (2, 0, 1), (1, 1, 0), (2, 1, 1), (1, 2, 0)]
"""The moves of a match, each as an account, a row and a column. The first player wins with the
fifth move."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LobbySite]:
    """Yield a site with four matches: one was won on the board, one was resigned, one was closed
    without an opponent, and one is open."""
    data = tmp_path_factory.mktemp("results")
    with up_deployed(data) as server:
        it = LobbySite(server, node_url(data))
        it.send(1, "tic-tac-toe", "create", NOBODY, 86_400)
        it.send(2, "tic-tac-toe", "accept", 1)
        for ply, (by, row, column) in enumerate(LEFT_COLUMN):
            it.send(by, "tic-tac-toe", "move", 1, ply, row, column)
        it.send(3, "tic-tac-toe", "create", NOBODY, 86_400)
        it.send(4, "tic-tac-toe", "accept", 2)
        it.send(4, "tic-tac-toe", "resign", 2)
        it.send(5, "tic-tac-toe", "create", NOBODY, 86_400)
        it.send(5, "tic-tac-toe", "close", 3)
        it.send(6, "tic-tac-toe", "create", NOBODY, 86_400)
        wait_for_json(server, "/api/matches?status=open", lambda found: any(one["id"] == 4 for one in found["matches"]))
        yield it


def summary(site: LobbySite, match: str) -> dict[str, Any]:
    return next(one for one in site.server.get("/api/matches?limit=100")["matches"] if one["match"] == match)


def test_results_name_winner_and_loser(site: LobbySite, visit: Visit, page_errors: list[str]) -> None:
    assert summary(site, "tic-tac-toe/1")["winner"] == site.accounts()[1]
    assert [summary(site, f"tic-tac-toe/{n}").get("reason") for n in (1, 2, 3, 4)] == [
        "won",
        "resigned",
        "cancelled",
        None,
    ]
    page = visit(site.server.url + "/")
    rows = page.locator("#matches-finished")
    won = rows.locator("[data-match='tic-tac-toe/1']")
    expect(won.locator(".won [data-address]")).to_have_attribute("data-address", site.accounts()[1])
    expect(won.locator(".who")).to_contain_text("beat")
    expect(won.locator(".figures")).to_contain_text("5 moves · ")
    expect(rows.locator("[data-match='tic-tac-toe/2'] .who")).to_contain_text("who resigned")
    expect(rows.locator("[data-match='tic-tac-toe/3'] .who")).to_contain_text("Cancelled by")
    page.click("#filter-mine")
    expect(page.locator(".match-row")).to_have_count(0)
    page.click("#filter-mine")
    page.select_option("#filter-game", "battleship")
    expect(page.locator(".match-row")).to_have_count(0)
    page.reload()
    expect(page.locator("#filter-game")).to_have_value("battleship")
    expect(page.locator(".match-row")).to_have_count(0)
    page.select_option("#filter-game", "")
    page.click("#filter-open")
    page.click("#filter-live")
    expect(page.locator("#matches-running > [data-status=open]").first).to_be_visible()
    assert page_errors == []


@pytest.mark.parametrize(("width", "height"), [pytest.param(1440, 900, marks=pytest.mark.soak), (390, 844)])
def test_nothing_moves_when_results_appear(site: LobbySite, visit: Visit, width: int, height: int) -> None:
    page = visit("about:blank", width=width, height=height)
    page.add_init_script(OBSERVE_SHIFTS)
    for address in ("#/", "#/match/tic-tac-toe/1", "#/match/tic-tac-toe/4"):
        page.goto("about:blank")
        page.goto(f"{site.server.url}/{address}")
        page.wait_for_selector("#game-tic-tac-toe .peek svg, #board svg")
        page.wait_for_timeout(1500)
        assert page.evaluate(TOTAL_SHIFT) < MIN_SHIFT, address
