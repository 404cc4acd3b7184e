"""Tests of rematches. When a match is over, either player can offer a rematch with one click. The
opponent accepts with one click, and both players are then in the same new match."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from indexer.model import Json
from tests.support.page.browser import requests_held
from tests.support.server import Server, up_deployed
from tests.support.waiting import wait_for
from tests.system.browser.conftest import Visit
from tests.system.browser.lobby.test_pairing import MY_ACCOUNT, wait_until_met
from tests.system.browser.page_scripts import TRANSACTIONS

GAMES = pytest.mark.parametrize(
    ("slug", "join", "rematch"),
    [("tic-tac-toe", "accept", "#action-rematch"), ("deblockle", "join", "#rematch")],
    ids=["tic-tac-toe", "deblockle"],
)
CLOSES = {"tic-tac-toe": "close", "deblockle": "cancel"}
FOCUS_ON_BOARD = "() => document.activeElement?.id === 'board'"
NOTHING_UNDER_WAY = f"() => ({TRANSACTIONS})().every(({{state}}) => state === 'mined' || state === 'refused')"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with up_deployed(tmp_path_factory.mktemp("rematch")) as server:
        yield server


def begun(site: Server, visit: Visit, slug: str, join: str) -> tuple[Page, Page]:
    """Start a match of this game between two browsers. Return the host's page and the guest's
    page."""
    host, guest = visit(f"{site.url}/#/new/{slug}"), visit(site.url)
    host.click(f"#new-match-{slug}:not([disabled])")
    host.wait_for_selector("main[data-match]")
    guest.goto(host.url)
    guest.click(f"#action-{join}:not([disabled])")
    wait_until_met(host, guest)
    return host, guest


def twice(page: Page, button: str) -> None:
    """Press a button, then press it again to confirm."""
    page.click(f"{button}:not([disabled])")
    page.click(f"{button}[data-armed]:not([disabled])")


def give_up(guest: Page, host: Page) -> str:
    """Resign as the guest. Wait until both pages show the match's end, and return the match's
    name."""
    twice(guest, "#action-resign")
    for page in (guest, host):
        page.wait_for_selector("#banner")
    return str(guest.get_attribute("main", "data-match"))


def between(site: Server, slug: str, *pages: Page) -> list[Json]:
    """Wait until neither player's page has a pending transaction. Return the matches between these
    players, newest first."""
    for page in pages:
        page.wait_for_function(NOTHING_UNDER_WAY)
    players = {page.evaluate(MY_ACCOUNT) for page in pages}
    rows = site.get(f"/api/matches?game={slug}")["matches"]
    return [row for row in rows if {*row["players"], row.get("opponent", row["players"][0])} == players]


@GAMES
def test_one_press_or_two_open_one_rematch_and_the_other_player_is_told(
    site: Server, visit: Visit, page_errors: list[str], slug: str, join: str, rematch: str
) -> None:
    host, guest = begun(site, visit, slug, join)
    matches = [give_up(guest, host)]
    for presses in (1, 2):
        guest.click(f"{rematch}:not([disabled])", click_count=presses)
        guest.wait_for_selector("main[data-status=open]")
        # The second click of a double click hits a disabled button, which removes the focus. Only a
        # single click keeps it.
        if presses == 1:
            guest.wait_for_function(FOCUS_ON_BOARD)
        expect(host.locator("#offer-rematch")).to_contain_text("wants a rematch")
        # The banner below the board shows the offer, so the challenge isn't shown, too.
        expect(host.locator("#challenge")).to_have_count(0)
        host.click("#to-rematch:text('Accept rematch')")
        matches.append(wait_until_met(guest, host))
        host.wait_for_function(FOCUS_ON_BOARD)
        assert [row["match"] for row in between(site, slug, host, guest)] == matches[::-1]
        give_up(guest, host)

    host.goto(f"{site.url}/#/players")
    guest.click(f"{rematch}:not([disabled])")
    expect(host.locator("#challenge")).to_contain_text("wants a rematch in")
    assert "Challenge" in host.title()
    host.click("#challenge-play")
    assert wait_until_met(guest, host) not in matches
    assert page_errors == []


@GAMES
def test_an_offer_that_is_taken_back_goes_away(
    site: Server, visit: Visit, page_errors: list[str], slug: str, join: str, rematch: str
) -> None:
    host, guest = begun(site, visit, slug, join)
    give_up(guest, host)
    guest.click(f"{rematch}:not([disabled])")
    expect(host.locator("#offer-rematch")).to_be_visible()
    twice(guest, f"#action-{CLOSES[slug]}")
    expect(host.locator("#offer-rematch")).to_have_count(0)
    # If the contract doesn't allow another rematch, the page invites the opponent to a new match
    # instead.
    host.click("#rematch:not([disabled])")
    host.wait_for_selector("main[data-status=open]")
    expect(guest.locator("#challenge")).to_contain_text("wants a rematch in")
    guest.click("#challenge-play")
    wait_until_met(guest, host)
    assert page_errors == []


@GAMES
def test_both_press_at_once_and_meet(
    site: Server, visit: Visit, page_errors: list[str], slug: str, join: str, rematch: str
) -> None:
    host, guest = begun(site, visit, slug, join)
    old = give_up(guest, host)
    for page in (host, guest):
        page.wait_for_selector(f"{rematch}:not([disabled])")
    with requests_held(host, "**/api/rpc"):  # the guest clicks before the chain knows the host's click
        for page in (host, guest):
            page.evaluate("selector => document.querySelector(selector).click()", rematch)
    for page in (host, guest):
        page.wait_for_selector(f"main[data-status=playing]:not([data-match='{old}'])")
    match = wait_until_met(host, guest)
    # Each player has opened a match, and they met in one of these matches. The page must still
    # close the other match.
    rows = wait_for(
        lambda: {row["match"]: row["status"] for row in between(site, slug, host, guest)},
        lambda rows: "open" not in rows.values(),
        "no open match",
        host.wait_for_timeout,
    )
    assert rows.pop(match) == "playing"
    assert rows.pop(old) == "finished"
    assert set(rows.values()) <= ({"cancelled"} if slug == "deblockle" else set()), rows
    assert page_errors == []
