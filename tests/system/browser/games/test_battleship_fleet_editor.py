"""Tests of the fleet editor, in which players place their ships with the mouse, by touch or with
the keyboard. They also check that the editor is accessible."""

from __future__ import annotations

import re
import time

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.support.page.browser import SCHEMES
from tests.support.page.input_devices import press_key, tab_to
from tests.support.server import Server
from tests.system.browser.battleship_page import fleet_tiles, reveal, stored_fleets, surrender
from tests.system.browser.conftest import Visit
from tests.system.browser.games.test_battleship import accept, begin_match, my_account, open_match
from tests.system.browser.page_scripts import SMALL_TEXT

FORM = "new-battleship"
PLACED_APART = {"P": "A1", "S": "A2", "D": "A3", "B": "A4", "C": "A5"}
"""A fleet in which no two ships share a row. Each ship's letter is mapped to its first square."""
SMALL_DRAWN_TEXT = """() => [...document.querySelectorAll('#page svg text')]
  .filter(e => parseFloat(getComputedStyle(e).fontSize) * (e.getScreenCTM()?.a ?? 1) < 12)
  .map(e => e.textContent)"""


def open_editor(server: Server, visit: Visit, width: int = 1440, height: int = 900, **options: object) -> Page:
    page = visit(f"{server.url}/#/new/battleship", width, height, **options)
    page.wait_for_selector(f"#{FORM}-sea")
    return page


def ship_ends(page: Page, letter: str) -> tuple[str, str]:
    """Wait until the page has redrawn the ships. Return the first and the last square of a ship, as
    the ship's label names them."""
    page.evaluate("() => new Promise(done => setTimeout(() => setTimeout(done, 0), 0))")
    found = re.search(
        r": squares (\w+) to (\w+)", page.locator(f"#{FORM}-ship-{letter}").get_attribute("aria-label") or ""
    )
    assert found is not None
    return found[1], found[2]


def check_placed(page: Page, letter: str, start: str, end: str) -> None:
    """Wait until the label of a ship names these two squares as its ends."""
    label = re.compile(rf": squares {start} to {end}\b")
    expect(page.locator(f"#{FORM}-ship-{letter}")).to_have_attribute("aria-label", label)


def square_center(page: Page, cell: str) -> tuple[float, float]:
    """Return the coordinates, in the window, of a square's centre."""
    box = page.locator(f"#{FORM}-sea .ground").bounding_box()
    assert box is not None
    column, row = "ABCDEFGHI".index(cell[0]), int(cell[1:]) - 1
    return box["x"] + (column + 0.5) * box["width"] / 9, box["y"] + (row + 0.5) * box["height"] / 11


def drag(page: Page, start: str, end: str) -> None:
    page.mouse.move(*square_center(page, start))
    page.mouse.down()
    page.mouse.move(*square_center(page, end), steps=4)
    page.mouse.up()


def turn_ship(page: Page, letter: str, down: bool) -> None:
    start, end = ship_ends(page, letter)
    if (start[0] == end[0]) != down:
        page.locator(f"#{FORM}-ship-{letter}").dblclick()


def place_apart(page: Page) -> None:
    """Place a known fleet with the keyboard. Each ship lies in its own row and starts at the
    board's left edge."""
    for letter, cell in PLACED_APART.items():
        page.focus(f"#{FORM}-ship-{letter}")
        if ship_ends(page, letter)[0][0] == ship_ends(page, letter)[1][0]:
            page.keyboard.press("r")
        for _ in range(9):
            page.keyboard.press("ArrowLeft")
        for _ in range(11):
            page.keyboard.press("ArrowUp")
        for _ in range(int(cell[1:]) - 1):
            page.keyboard.press("ArrowDown")


def test_a_random_fleet_lies_ready_and_each_press_gives_another(board_server: Server, visit: Visit) -> None:
    page = open_editor(board_server, visit)
    seen = set()
    for _ in range(4):
        seen.add(tuple(ship_ends(page, letter) for letter in PLACED_APART))
        expect(page.locator(f"#{FORM}-said")).not_to_have_attribute("data-wrong", "")
        page.click(f"#{FORM}-random")
    assert len(seen) == 4


@pytest.mark.soak
def test_ships_are_placed_with_the_mouse(board_server: Server, visit: Visit, page_errors: list[str]) -> None:
    page = open_editor(board_server, visit)
    place_apart(page)
    drag(page, "B5", "F11")  # the mouse drags the carrier by its second square
    check_placed(page, "C", "E11", "I11")
    turn_ship(page, "C", down=True)
    check_placed(page, "C", "E7", "E11")  # The carrier turns at the edge and slides back onto the board.
    drag(page, "A1", "I10")
    check_placed(page, "P", "H10", "I10")  # The boat is dropped over the edge and slides back onto the board.
    page.click(f"#{FORM}-turn")
    check_placed(page, "P", "H10", "H11")
    drag(page, "A4", "C8")
    expect(page.locator(f"#{FORM}-said")).to_have_text("The battleship and the carrier overlap at E8.")
    expect(page.locator("#new-match-battleship")).to_be_disabled()
    expect(page.locator("#why-new-match-battleship")).to_contain_text("overlap at E8")
    drag(page, "C8", "A6")
    expect(page.locator("#new-match-battleship")).to_be_enabled()
    page.click("#new-match-battleship")
    page.wait_for_selector("main[data-match^='battleship/']")
    assert stored_fleets(page)[0]["ships"] == "PV88 SH9 DH18 BH45 CV58"
    assert page_errors == []


@pytest.mark.soak
def test_ship_held_over_the_edge_is_reported(board_server: Server, visit: Visit) -> None:
    page = open_editor(board_server, visit)
    place_apart(page)
    page.mouse.move(*square_center(page, "A5"))
    page.mouse.down()
    page.mouse.move(*square_center(page, "G8"), steps=4)
    expect(page.locator(f"#{FORM}-said")).to_have_text("Part of the carrier is outside the sea.")
    page.mouse.up()
    expect(page.locator(f"#{FORM}-said")).to_have_text("carrier: squares E8 to I8")


def test_ships_are_placed_and_the_match_is_opened_by_keyboard_alone(board_server: Server, visit: Visit) -> None:
    page = open_editor(board_server, visit)
    tab_to(page, f"#{FORM}-ship-P")
    for letter, cell in PLACED_APART.items():
        expect(page.locator(f"#{FORM}-ship-{letter}")).to_be_focused()
        if ship_ends(page, letter)[0][0] == ship_ends(page, letter)[1][0]:
            page.keyboard.press("r")
        for key, times in (("ArrowLeft", 9), ("ArrowUp", 11), ("ArrowDown", int(cell[1:]) - 1)):
            for _ in range(times):
                page.keyboard.press(key)
        if letter != "C":
            page.keyboard.press("Enter")
            if page.locator(f"#{FORM}-ship-{letter}:focus").count():  # a ship can't be placed on top of another ship
                page.keyboard.press("Tab")
    assert {letter: ship_ends(page, letter)[0] for letter in PLACED_APART} == PLACED_APART
    page.keyboard.press("ArrowUp")
    expect(page.locator(f"#{FORM}-said")).to_contain_text("overlap")
    page.keyboard.press("Escape")
    assert ship_ends(page, "C") != ("A4", "E4")
    press_key(page, f"#{FORM}-random")
    press_key(page, "#new-match-battleship")
    page.wait_for_selector("main[data-match^='battleship/']")
    assert len(fleet_tiles(stored_fleets(page)[0]["ships"])) == 17


def test_ships_are_placed_by_touch(board_server: Server, visit: Visit) -> None:
    page = open_editor(board_server, visit, 390, 844, has_touch=True, is_mobile=True)
    place_apart(page)
    page.evaluate("() => window.scrollTo(0, 0.1)")
    before = page.evaluate("() => window.scrollY")
    touch = page.context.new_cdp_session(page)
    for kind, cell in (("touchStart", "B5"), ("touchMove", "C7"), ("touchMove", "D9")):
        x, y = square_center(page, cell)
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y}]})
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    expect(page.locator(f"#{FORM}-said")).to_have_text("carrier: squares C9 to G9")
    assert page.evaluate("() => window.scrollY") == before, "the page must not scroll while a ship is moved"
    x, y = square_center(page, "C9")
    now = time.time()
    for later in (0, 0.1):  # With timestamps this close, the two taps are a double tap, which turns the ship.
        for kind, points in (("touchStart", [{"x": x, "y": y}]), ("touchEnd", [])):
            event = {"type": kind, "touchPoints": points, "timestamp": now + later}
            touch.send("Input.dispatchTouchEvent", event)
    check_placed(page, "C", "C7", "C11")


@pytest.mark.soak
def test_the_first_shot_is_chosen_on_the_board(board_server: Server, visit: Visit) -> None:
    first, second = visit(board_server.url + "/"), visit(board_server.url + "/")
    match = open_match(first, board_server)
    second.goto(f"{board_server.url}/#/match/{match}")
    second.wait_for_selector("#action-accept")
    tab_to(second, "#board")
    second.keyboard.press("ArrowDown")
    second.keyboard.press("ArrowRight")
    second.keyboard.press("Enter")
    expect(second.locator("#accept-first")).to_contain_text("at B2")
    press_key(second, "#action-accept")
    expect(first.locator("#board [data-side='0'] [data-mark=asked]")).to_have_attribute("data-cell", "B2")
    expect(first.locator("#feed")).to_contain_text("fires at B2")


@pytest.mark.soak
def test_the_cursor_walks_over_both_seas(board_server: Server, visit: Visit) -> None:
    first, _, _ = begin_match(board_server, visit)
    first.focus("#board")
    cell = first.locator("#board-cell")
    expect(cell).to_have_text(re.compile("^A1, .+’s sea"))
    first.keyboard.press("ArrowLeft")
    expect(cell).to_contain_text("I1, your sea")
    first.keyboard.press("s")
    expect(cell).to_have_text(re.compile("^I1, .+’s sea"))
    first.set_viewport_size({"width": 390, "height": 844})
    for _ in range(11):
        first.keyboard.press("ArrowDown")
    expect(cell).to_contain_text("I1, your sea")


def test_on_a_phone_the_button_is_at_hand_however_tall_the_seas_are(board_server: Server, visit: Visit) -> None:
    first, second = (visit(board_server.url + "/", 390, 844) for _ in range(2))
    match = open_match(first, board_server, reveal=False)
    second.goto(f"{board_server.url}/#/match/{match}")
    expect(second.locator("#action-accept.loud")).to_be_in_viewport(ratio=1)
    second.click("#accept-lay summary")
    expect(second.locator("#action-accept")).to_be_in_viewport(ratio=1)
    accept(second, board_server, match)
    surrender(second)
    first.evaluate("scrollTo(0, 0)")
    expect(first.locator("#action-reveal")).to_be_in_viewport(ratio=1)


def barriers(page: Page) -> list[object]:
    page.wait_for_timeout(400)
    return [(one["id"], [node["target"] for node in one["nodes"]]) for one in Axe().run(page).response["violations"]]


def check_layout(page: Page) -> None:
    """Check that the editor doesn't scroll sideways on a phone, and that all its text is
    legible."""
    page.set_viewport_size({"width": 390, "height": 844})
    page.wait_for_timeout(300)
    assert page.evaluate("() => document.documentElement.scrollWidth") == 390
    assert page.evaluate(SMALL_TEXT) == []
    assert page.evaluate(SMALL_DRAWN_TEXT) == []


@SCHEMES
def test_no_barrier_from_the_editor_to_the_end(board_server: Server, visit: Visit, scheme: str) -> None:
    first, second = (visit(board_server.url + "/", color_scheme=scheme) for _ in range(2))
    first.goto(f"{board_server.url}/#/new/battleship")
    first.wait_for_selector("#new-match-battleship:not([disabled])")
    assert barriers(first) == []
    check_layout(first)
    match = open_match(first, board_server, reveal=False)
    second.goto(f"{board_server.url}/#/match/{match}")
    second.wait_for_selector("#action-accept:not([disabled])")
    second.click("#accept-lay summary")
    assert barriers(second) == []
    check_layout(second)
    accept(second, board_server, match)
    first.wait_for_selector("main[data-status=playing]")
    assert barriers(first) == []
    check_layout(first)
    second.click("#action-surrender")
    second.wait_for_selector("#surrender-message")
    assert barriers(second) == []
    check_layout(second)
    second.click("#action-surrender")
    first.wait_for_selector("#reveal-question")
    assert barriers(first) == []
    check_layout(first)
    reveal(first)
    first.wait_for_selector("#banner")
    assert barriers(first) == []
    check_layout(first)
    first.goto(board_server.url + "/#/")
    first.wait_for_selector("#game-battleship .pair")
    assert barriers(first) == []
    check_layout(first)
    assert my_account(first) != my_account(second)
