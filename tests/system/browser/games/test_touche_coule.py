"""Tests of the decisions that a player of Touché Coulé makes, such as automatic firing and
captains. The tests also cover the page with the game's rules, and the hint, which appears only in
the first match."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import suppress

import pytest
from playwright.sync_api import Error, Page, expect

from tests.support.server import Server, up_deployed
from tests.system.browser.app.test_page import open_match
from tests.system.browser.conftest import Visit

SOON_MS = 2_000
ENDED = re.compile(r"series\.")
"""Automatic firing stops if the player presses a button, or because of an event in the match. This
pattern matches the code of each of these reasons."""
MOST_PRESSES = 8

HEAD = "() => window.chainboard.state.head.height"
FURTHER = """([selector, match, height]) =>
  document.querySelector(selector) || window.chainboard.boards[match]?.block.height > height"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with up_deployed(tmp_path_factory.mktemp("touche-coule"), "--opponents", "10") as server:
        yield server


def begin(page: Page) -> int:
    """Start a match against the computer from the lobby. Return the number of clicks that this
    takes."""
    page.wait_for_selector("#game-touche-coule .pill[data-fact='lobby.fact.computer']")
    page.click("#play-touche-coule:not([disabled])")
    expect(page.locator(".piece.mine")).to_have_count(2)
    return 1


def wait_through_volleys(page: Page, selector: str) -> bool:
    """Wait until an element with this selector appears. Before it appears, any number of volleys
    may miss. Always return True."""
    while not page.locator(selector).count():
        arguments = [selector, page.get_attribute("main", "data-match"), page.evaluate(HEAD)]
        page.wait_for_function(FURTHER, arg=arguments)
    return True


def begin_with_captains(page: Page) -> int:
    """Start a match with captains by filling in the form. Return the number of clicks that this
    takes."""
    open_match(page, 12, 12, captains=True)
    page.check("#captain-AimCaptain")
    page.click("#action-register-captain:not([disabled])")
    page.click("#ask-computer [data-opponent=lookout]")
    return 6


@pytest.mark.soak
@pytest.mark.parametrize("start", [begin, begin_with_captains])
def test_a_match_against_the_computer_is_few_presses(
    site: Server, visit: Visit, page_errors: list[str], start: Callable[[Page], int]
) -> None:
    page = visit(site.url)
    presses = start(page)
    over, go_on = "main[data-status=finished]", "#keep-on:not([disabled]):not([data-running])"
    while wait_through_volleys(page, f"{over}, {go_on}") and not page.locator(over).count():
        page.click(go_on)
        presses += 1
        page.wait_for_selector(f"{over}, #keep-on[data-running], #keep-on-why:not([data-why=''])")
    assert presses <= MOST_PRESSES
    assert page_errors == []


def test_the_hint_comes_once_and_rules_lead_back(site: Server, visit: Visit, page_errors: list[str]) -> None:
    page = visit(site.url, hints=True)
    begin(page)
    expect(page.locator("#hint")).to_be_visible()
    expect(page.locator("#hint")).to_contain_text("Press Fire: every ship fires")
    page.keyboard.press("Escape")
    expect(page.locator("#hint")).to_be_hidden()
    page.reload()
    page.wait_for_selector("#board")
    page.click("#keep-on:not([disabled])")
    stop = page.locator("#keep-on[data-running]")
    with suppress(Error):  # if a volley has already sunk a ship, firing has stopped by itself
        stop.click(timeout=SOON_MS)
    expect(stop).to_have_count(0)
    expect(page.locator("#keep-on-why")).to_have_attribute("data-why", ENDED)
    page.click("#sea-own")
    expect(page.locator("#sea-own")).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#hint")).to_have_count(0)
    match = page.get_attribute("main", "data-match")
    page.click("#to-rules")
    expect(page.locator("main[data-rules='touche-coule'] figure")).to_have_count(3)
    page.click("#rules-back")
    page.wait_for_selector(f"main[data-match='{match}']")
    assert page_errors == []


def test_deployed_captain_is_chosen_and_its_decision_is_shown(
    site: Server, visit: Visit, page_errors: list[str]
) -> None:
    """Tests that a player can choose a captain, which is a contract that aims for a ship. The page
    must show the captain's decision. The player still decides when the ship fires or moves. The
    computer's ships have no captain."""
    (game,) = [one for one in site.get("/api/games")["games"] if one["slug"] == "touche-coule"]
    assert [one["name"] for one in game["companions"]] == ["AimCaptain", "SweepCaptain"]
    page = visit(site.url)
    # The sea is so wide that the opponent is unlikely to end the match.
    open_match(page, 45, 45, captains=True)
    expect(page.locator("#captain-none")).to_be_checked()
    page.check("#captain-AimCaptain")
    expect(page.locator("#captain-AimCaptain")).to_be_focused()
    expect(page.locator("#action-register")).to_have_count(0)
    page.click("#action-register-captain:not([disabled])")
    expect(page.locator("#feed")).to_contain_text("with Aim captain as captain")
    expect(page.locator("#action-register-captain:not([disabled])")).to_be_visible()
    page.click("#ask-computer [data-opponent=lookout]")
    expect(page.locator(".players [data-player]")).to_have_count(2)
    page.click("#action-turn:not([disabled])")
    expect(page.locator("#action-changePosition")).to_be_visible()
    expect(page.locator("#action-communicate")).to_have_count(0)
    page.click("#action-turn:not([disabled])")
    expect(page.locator("#feed")).to_contain_text("(captain: Aim captain) fired at")
    expect(page.locator("#checked")).to_have_attribute("data-checked", "same")
    assert page_errors == []
