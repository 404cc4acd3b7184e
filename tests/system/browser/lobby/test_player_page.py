"""Tests of the page about a player. It shows the player's rating over time, the opponents, and the
matches, of which there are several pages."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.support.page.browser import barriers
from tests.support.players import wait_for_json
from tests.support.server import node_url, up_deployed
from tests.system.browser.conftest import Visit
from tests.system.browser.lobby.test_lobby import NOBODY, LobbySite
from tests.system.browser.page_scripts import OBSERVE_SHIFTS, SMALL_TEXT, TOTAL_SHIFT

GAME, CLOCK = "tic-tac-toe", 86_400
PLAYER, OPPONENTS = 1, (2, 3, 4)
FINISHED = 22
"""The number of the player's finished matches, which is too large for one page of the list."""
WIDER = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LobbySite]:
    """Yield a site with a player who has won and lost matches against three opponents. The player
    has two more matches: one in play, and one open."""
    data = tmp_path_factory.mktemp("player")
    with up_deployed(data) as server:
        it = LobbySite(server, node_url(data))
        for match in range(1, FINISHED + 2):
            opponent = OPPONENTS[match % 2] if match > 1 else OPPONENTS[2]
            it.send(PLAYER, GAME, "create", NOBODY, CLOCK)
            it.send(opponent, GAME, "accept", match)
            if match <= FINISHED:
                it.send(PLAYER if match % 3 == 0 else opponent, GAME, "resign", match)
        it.send(PLAYER, GAME, "create", NOBODY, CLOCK)
        wait_for_json(server, "/api/matches?status=open", lambda found: found["matches"])
        yield it


def opened(site: LobbySite, visit: Visit, width: int = 1440, height: int = 900) -> Page:
    page = visit(f"{site.server.url}/#/player/{site.accounts()[PLAYER]}", width=width, height=height)
    page.wait_for_selector("#player-finished .match-row")
    return page


def test_player_page_shows_matches_opponents_and_rating(site: LobbySite, visit: Visit, page_errors: list[str]) -> None:
    page = opened(site, visit)
    me = site.accounts()[PLAYER]
    now = site.server.get(f"/api/players/{me}")["games"][0]
    assert (now["rivals"], now["played"]) == (3, FINISHED)
    expect(page.locator("#player-address")).to_have_text(me)
    rating = f"{now['rating']:.0f}?"
    expect(page.locator("#figures [data-figure=rating]")).to_have_text(rating)
    expect(page.locator("#player-running .match-row")).to_have_count(2)
    curve = page.locator(f"#curve-{GAME}")
    expect(curve).to_have_attribute("data-matches", str(FINISHED))
    label = curve.locator("svg[role=img]").get_attribute("aria-label") or ""
    assert f"over {FINISHED} games: from 1500 to {now['rating']:.0f}" in label
    expect(curve.locator("[data-point]")).to_have_attribute("data-point", f"{GAME}/{FINISHED}")
    page.focus(f"#curve-{GAME}-slider")
    page.keyboard.press("Home")
    expect(curve.locator("[data-point]")).to_have_attribute("data-point", f"{GAME}/1")
    expect(curve.locator("[data-point]")).to_contain_text("won against")
    expect(curve.locator("[data-point] .gain")).to_have_text("+16")
    box = curve.locator(".canvas").bounding_box()
    assert box
    page.mouse.move(box["x"] + box["width"] - 2, box["y"] + 10)
    expect(curve.locator("[data-point]")).to_have_attribute("data-point", f"{GAME}/{FINISHED}")
    records = page.locator("#rivals [data-rival] [data-record]")
    expect(records).to_have_count(3)
    expect(page.locator(f"#rivals [data-rival='{site.accounts()[4]}'] [data-record]")).to_have_attribute(
        "data-record", "1-0-0"
    )
    expect(page.locator("#player-finished .match-row")).to_have_count(20)
    expect(page.locator(f"#player-finished [data-match='{GAME}/{FINISHED}'] .figures")).to_contain_text("move")
    page.click("#results-older")
    expect(page.locator("#player-finished .match-row")).to_have_count(2)
    expect(page.locator("#results-older")).to_be_disabled()
    assert page.evaluate("() => document.activeElement !== document.body")
    page.click("#results-newer")
    expect(page.locator("#player-finished .match-row")).to_have_count(20)
    assert barriers(page) == []
    assert page.evaluate(SMALL_TEXT) == []
    page.goto(f"{site.server.url}/#/players")
    row = page.locator(f"#leaderboard-{GAME} [data-player='{me}']")
    expect(row).to_contain_text(rating)
    expect(row.locator(".flag")).to_be_visible()
    assert page_errors == []


def test_a_phone_shows_it_without_scrolling_sideways_and_nothing_moves(site: LobbySite, visit: Visit) -> None:
    page = visit("about:blank", width=390, height=844)
    page.add_init_script(OBSERVE_SHIFTS)
    page.goto(f"{site.server.url}/#/player/{site.accounts()[PLAYER]}")
    page.wait_for_selector("#player-finished .match-row")
    page.wait_for_timeout(500)
    assert page.evaluate(TOTAL_SHIFT) < 0.01
    assert page.evaluate(WIDER) <= 0
    page.goto(f"{site.server.url}/#/players")
    page.wait_for_selector(f"#leaderboard-{GAME} tbody tr")
    assert page.evaluate(WIDER) <= 0
