"""Tests that each tutorial can be played to its end with the mouse or the keyboard, and that the
page then sends no transactions."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, Request, ViewportSize, expect

from tests.support.page.fit import faults
from tests.support.server import Server
from tests.system.browser.conftest import Visit

SLUGS = ("battleship", "tic-tac-toe", "deblockle", "conquest", "touche-coule")
SIZES: tuple[ViewportSize, ...] = ({"width": 1440, "height": 900}, {"width": 390, "height": 844})
FRAMED = "#board [data-waiting]"
BUTTON = ".actions button.loud[data-action]"
PRESSED = """([selector, before, step]) =>
  document.querySelector(selector)?.getAttribute('data-waiting') !== before ||
  document.querySelector('main').dataset.step !== step"""


def opened(visit: Visit, server: Server, slug: str, size: ViewportSize) -> tuple[Page, list[str]]:
    """Open a game's tutorial. Return the page and a list, which grows with each transaction that
    the page sends."""
    page = visit(f"{server.url}/#/learn/{slug}", **size)
    sent: list[str] = []

    def note(request: Request) -> None:
        if "eth_sendRawTransaction" in (request.post_data or ""):
            sent.append(request.url)

    page.on("request", note)
    page.wait_for_selector("main[data-step='1'] #board :is(svg, canvas)")
    return page, sent


def press_framed(page: Page) -> None:
    box = page.locator(FRAMED).bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def play_step(page: Page, number: int) -> None:
    """Play one step of the tutorial, and wait for the next step. If the page frames some cells,
    press these cells. If the step isn't complete after this, press the button."""
    for _ in range(2):
        if page.locator(FRAMED).count():
            before = page.get_attribute(FRAMED, "data-waiting")
            press_framed(page)
            page.wait_for_function(PRESSED, arg=[FRAMED, before, str(number)])
        if page.get_attribute("main", "data-step") != str(number):
            break
    if page.get_attribute("main", "data-step") == str(number):
        page.click(BUTTON)
    page.wait_for_selector(f"main[data-step='{number + 1 if number < 3 else 'end'}']")


@pytest.mark.parametrize("size", SIZES, ids=lambda size: str(size["width"]))
@pytest.mark.parametrize("slug", SLUGS)
def test_a_tutorial_is_three_moves(
    board_server: Server, visit: Visit, page_errors: list[str], slug: str, size: ViewportSize
) -> None:
    page, sent = opened(visit, board_server, slug, size)
    for number in (1, 2, 3):
        assert faults(page) == []
        play_step(page, number)
    assert faults(page) == []
    expect(page.locator("#whose")).to_contain_text("That’s all.")
    expect(page.locator(f"#play-{slug}")).to_be_visible()
    assert (sent, page_errors) == ([], [])


@pytest.mark.parametrize("size", SIZES, ids=lambda size: str(size["width"]))
def test_by_keyboard_and_a_press_elsewhere_is_put_right(
    board_server: Server, visit: Visit, page_errors: list[str], size: ViewportSize
) -> None:
    page, sent = opened(visit, board_server, "tic-tac-toe", size)
    page.focus("#board")
    expect(page.locator("#board-cell")).to_contain_text("press here")
    for key in ("ArrowLeft", "ArrowUp", "Enter"):
        page.keyboard.press(key)
    expect(page.locator("#learn-wrong")).to_have_text("Not there. Press inside the dashed outline.")
    for number, keys in enumerate(("Right Down", "Left Up", "Right Right Down Down"), start=1):
        for key in keys.split():
            page.keyboard.press(f"Arrow{key}")
        expect(page.locator("#board-cell")).to_contain_text("press here")
        page.keyboard.press("Enter")
        page.wait_for_selector(f"main[data-step='{number + 1 if number < 3 else 'end'}']")
        expect(page.locator("#learn-wrong")).to_have_text("")
    assert (sent, page_errors) == ([], [])
    page.click("#learn-rules")
    page.click("#rules-learn")
    page.wait_for_selector("main[data-step='1']")
