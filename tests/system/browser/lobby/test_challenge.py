"""Tests of challenges. A visitor challenges a player on the player's own page. The player's screen
then shows the challenge, and accepting it starts a match."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.support.server import Server
from tests.system.browser.conftest import Visit
from tests.system.browser.lobby.test_pairing import MY_ACCOUNT, wait_until_met
from tests.system.browser.lobby.test_pairing import site as site

GAMES = ("battleship", "tic-tac-toe", "deblockle", "conquest")


def challenge(page: Page, site: Server, address: str, slug: str) -> str:
    """Challenge a player, and return the name of the match that the challenge opens."""
    page.goto(f"{site.url}/#/player/{address}")
    page.click(f"#challenge-{slug}:not([disabled])")
    page.wait_for_selector("main[data-match][data-status=open]")
    return str(page.get_attribute("main", "data-match"))


def test_the_challenged_one_is_told_wherever_it_is_and_plays_at_a_press(
    site: Server, visit: Visit, page_errors: list[str]
) -> None:
    one, other = visit(site.url + "/"), visit(site.url + "/#/players", width=390, height=844)
    address = other.evaluate(MY_ACCOUNT)
    for slug in GAMES:
        match = challenge(one, site, address, slug)
        strip = other.locator(f"#challenge[data-challenge='{match}']")
        expect(strip).to_contain_text("challenges you to")
        assert "Challenge" in other.title()
        other.click("#challenge-play")
        assert wait_until_met(one, other) == match
        assert site.get(f"/api/matches/{match}")["board"]["clock"] == 3600
        other.goto(site.url + "/#/players")
    assert page_errors == []


def test_a_challenge_goes_away_with_a_press_or_with_its_host(site: Server, visit: Visit) -> None:
    one, other = visit(site.url + "/"), visit(site.url + "/")
    challenge(one, site, other.evaluate(MY_ACCOUNT), "battleship")
    other.click("#challenge-later")
    expect(other.locator("#challenge")).to_have_count(0)
    # The challenge is gone, but the lobby still lists its match.
    expect(other.locator("#matches-own > [data-match^=battleship]")).to_be_visible()
    challenge(one, site, other.evaluate(MY_ACCOUNT), "conquest")
    expect(other.locator("#challenge")).to_be_visible()
    one.context.close()
    expect(other.locator("#challenge")).to_have_count(0)


def test_ones_own_page_gives_the_link_by_which_one_is_challenged(site: Server, visit: Visit) -> None:
    page = visit(site.url + "/", permissions=["clipboard-read", "clipboard-write"])
    address = page.evaluate(MY_ACCOUNT)
    page.goto(f"{site.url}/#/player/{address}")
    page.click("#copy-challenge")
    link = page.evaluate("() => navigator.clipboard.readText()")
    opponent = visit(link)
    expect(opponent.locator("#challenge-battleship")).to_be_enabled()
    expect(page.locator("#challenge-battleship")).to_have_count(0)
