"""Simulates a player who clicks on a grid with the mouse, or who uses only the keyboard."""

from __future__ import annotations

from playwright.sync_api import FloatRect, Locator, Page

EDGE = 20
"""The width of the margin around the grid, in CSS pixels. The page writes the names of rows and
columns in this margin. The width must be the same as in the page's layouts."""
MAX_TABS = 120
"""The maximum number of times that Tab is pressed. No page has that many tab stops."""
SETTLING_MS = 50


def settled_box(part: Locator) -> FloatRect:
    """Wait until a part of the page no longer moves or changes its size. Return its position and
    size. A board moves if something appears above it."""
    before, box = None, part.bounding_box()
    while box is None or box != before:
        part.page.wait_for_timeout(SETTLING_MS)
        before, box = box, part.bounding_box()
    return box


def click_cell(page: Page, cell: int, width: int, part: str = "#board") -> None:
    """Click the middle of a cell in a grid that is `width` cells wide. The grid may be rotated."""
    drawing = page.locator(f"{part} svg").first
    box = settled_box(drawing)
    size = (box["width"] - EDGE - 2) / width
    if drawing.get_attribute("data-turned") is not None:
        cell = width * round((box["height"] - EDGE - 2) / size) - 1 - cell
    y, x = divmod(cell, width)
    drawing.click(position={"x": EDGE + (x + 0.5) * size, "y": EDGE + (y + 0.5) * size})


def tab_to(page: Page, selector: str) -> None:
    """Press Tab until the element has the focus."""
    page.locator(f"{selector}:not([disabled])").first.wait_for()
    for _ in range(MAX_TABS):
        if page.evaluate("selector => document.activeElement?.matches(selector)", selector):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"{selector} can't be reached by the Tab key")


def press_key(page: Page, selector: str, key: str = "Enter") -> None:
    """Move the focus to a button with the Tab key, and press the button."""
    tab_to(page, selector)
    page.keyboard.press(key)


def back_up_key(page: Page) -> None:
    """Show the wallet's key, and confirm that the player has backed it up. Only then does the page
    let the wallet play for a stake."""
    page.click("#account-button")
    page.click("#show-key")
    page.click("#key-kept")
    page.wait_for_selector("#backup-state[data-backed-up]")
    page.click("#account-close")


def key_of(page: Page) -> str:
    """Return the private key of the wallet that the page uses."""
    page.click("#account-button")
    page.click("#show-key")
    key = page.locator("#private-key").inner_text()
    page.click("#account-close")
    return key


def import_key(page: Page, key: str) -> None:
    """Import a private key. After that, the page plays with this key's account."""
    page.click("#account-button")
    page.click("#bring-key")
    page.fill("#key-text", key)
    page.click("#bring")
    page.wait_for_selector("#key-done")
    page.click("#account-close")


def walk(page: Page, right: int, down: int) -> None:
    """Press arrow keys on a board that already has the focus. Negative numbers move the focus left
    or up."""
    for key, count in (("ArrowRight", right), ("ArrowLeft", -right), ("ArrowDown", down), ("ArrowUp", -down)):
        for _ in range(count):
            page.keyboard.press(key)
