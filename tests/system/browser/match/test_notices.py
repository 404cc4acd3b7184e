"""Tests of the notices that appear while the page is hidden and a player's turn begins. The tests
also cover the animations and sounds of a match."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.support.server import Server
from tests.system.browser.conftest import Visit
from tests.system.browser.games.test_tic_tac_toe import HOST_WINS, both_sides, open_match, play, press_cell

HIDE = """hidden => {
    for (const [name, value] of [["hidden", hidden], ["visibilityState", hidden ? "hidden" : "visible"]])
        Object.defineProperty(document, name, { get: () => value, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
}"""
SPY = """() => {
    window.notices = [];
    const Real = window.Notification;
    window.Notification = class extends Real {
        constructor(title, options) { super(title, options); window.notices.push([title, options.body, options.tag]); }
    };
}"""
COUNT_FLAGS = """() => {
    window.flags = 0;
    new MutationObserver((changes) => {
        for (const { addedNodes } of changes)
            for (const node of addedNodes) if (node.classList?.contains("paper-flag")) window.flags++;
    }).observe(document.getElementById("board"), { childList: true, subtree: true });
}"""
ICON = 'document.querySelector("link[rel=icon]").getAttribute("href")'
SOUNDS = "window.chainboard.sounds"
TURN = re.compile("^● Your turn · Tic-tac-toe$")


def me(page: Page) -> str:
    return str(page.evaluate("window.chainboard.state.me"))


def test_a_hidden_page_tells_of_the_turn(board_server: Server, visit: Visit, page_errors: list[str]) -> None:
    url = board_server.url
    page, guest = visit(f"{url}/", permissions=["notifications"]), visit(f"{url}/")
    page.evaluate(SPY)
    page.click("#account-button")
    expect(page.locator("#notices-switch")).to_have_attribute("aria-checked", "false")
    page.click("#notices-switch")
    expect(page.locator("#notices-switch")).to_have_attribute("aria-checked", "true")
    page.click("#account-close")
    match = open_match(page, url)
    page.goto(f"{url}/#/")
    page.evaluate(HIDE, True)
    assert page.evaluate(ICON) == "icon.svg"
    guest.goto(f"{url}/#/match/{match}")
    guest.click("#action-accept:not([disabled])")
    guest.wait_for_selector("main[data-status=playing]")
    if board_server.get(f"/api/matches/{match}")["board"]["mover"] == me(guest):
        press_cell(guest, 4)
    expect(page).to_have_title(TURN)
    assert page.evaluate(ICON) == "icon-turn.svg"
    assert page.evaluate("window.notices") == [["Your turn", "Tic-tac-toe", match]]
    assert page.evaluate(SOUNDS)[-1] == "turn"
    page.evaluate(HIDE, False)
    page.goto(f"{url}/#/match/{match}")
    expect(page).to_have_title(TURN)
    press_cell(page, 0)
    expect(page).not_to_have_title(TURN)
    assert page.evaluate(ICON) == "icon.svg"
    assert page_errors == []


def test_switched_off_or_not_allowed_it_is_silent_and_says_so(board_server: Server, visit: Visit) -> None:
    page = visit(f"{board_server.url}/")
    assert page.evaluate(SOUNDS) == []
    page.click("#account-button")
    page.click("#sound-switch")
    expect(page.locator("#sound-switch")).to_have_attribute("aria-checked", "false")
    page.click("#notices-switch")
    expect(page.locator("#notices-why")).to_have_attribute("data-why", re.compile(r"notices\.(denied|not-answered)"))
    expect(page.locator("#notices-switch")).to_have_attribute("aria-checked", "false")
    page.reload()
    page.click("#account-button")
    expect(page.locator("#sound-switch")).to_have_attribute("aria-checked", "false")
    page.click("#account-close")
    both_sides(page, board_server.url)
    press_cell(page, 4)
    assert page.evaluate(SOUNDS) == []


@pytest.mark.soak
@pytest.mark.parametrize("motion", ["no-preference", pytest.param("reduce", marks=pytest.mark.soak)])
def test_a_win_sounds_and_flags_fall_once_unless_one_wants_no_motion(
    board_server: Server, visit: Visit, motion: str
) -> None:
    page = visit(f"{board_server.url}/", reduced_motion=motion)
    both_sides(page, board_server.url)
    page.evaluate(COUNT_FLAGS)
    play(page, HOST_WINS)
    page.wait_for_selector("main[data-status=finished]")
    page.wait_for_function("window.chainboard.sounds.includes('win')")
    assert page.evaluate(SOUNDS).count("knock") >= len(HOST_WINS) - 1
    page.wait_for_timeout(300)
    assert page.evaluate("window.flags") == (20 if motion == "no-preference" else 0)
    page.click("#board")
    expect(page.locator("#board .effects i")).to_have_count(0)
    sounds = page.evaluate(SOUNDS)
    page.click("#time-back")
    page.click("#time-forward")
    page.wait_for_timeout(300)
    assert page.evaluate(SOUNDS) == sounds, "looking back must be silent"
    assert page.evaluate("window.flags") <= 20


def test_the_sound_of_the_player_whose_turn_begins_is_heard(board_server: Server, visit: Visit) -> None:
    """Tests that the page plays the sound of the player whose turn begins. In Conquest, each player
    has a different sound."""
    host, guest = (visit(f"{board_server.url}/") for _ in range(2))
    host.goto(f"{board_server.url}/#/new/conquest")
    host.select_option("#new-conquest-seat-1", "anyone")
    host.click("#new-match-conquest:not([disabled])")
    host.wait_for_selector("main[data-match]")
    guest.goto(host.url)
    guest.click("#action-join:not([disabled])")
    for page in (host, guest):
        page.wait_for_function("() => window.chainboard.sounds.some((one) => one.startsWith('player-'))")
    match = host.url.partition("#/match/")[2]
    board = board_server.get(f"/api/matches/{match}")["board"]
    for page in (host, guest):
        assert f"player-{board['players'][board['mover']]['seat']}" in page.evaluate(SOUNDS)
