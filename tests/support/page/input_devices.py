"""What a player does with a page: a mouse on a grid, or a keyboard and nothing else."""

from __future__ import annotations

from playwright.sync_api import FloatRect, Locator, Page

EDGE = 20
"""Room for the coordinates of a grid, in CSS pixels, as the layouts leave it."""
TABS = 120
"""More than any page has to tab over."""
SETTLING_MS = 50


def settled_box(part: Locator) -> FloatRect:
    """Where a part of the page is, once it keeps its place and size: what is drawn above a board may move it."""
    before, box = None, part.bounding_box()
    while box is None or box != before:
        part.page.wait_for_timeout(SETTLING_MS)
        before, box = box, part.bounding_box()
    return box


def click_cell(page: Page, cell: int, width: int, part: str = "#board") -> None:
    """A click in the middle of a cell of a grid that is `width` cells wide, wherever a turned board shows it."""
    drawing = page.locator(f"{part} svg").first
    box = settled_box(drawing)
    size = (box["width"] - EDGE - 2) / width
    if drawing.get_attribute("data-turned") is not None:
        cell = width * round((box["height"] - EDGE - 2) / size) - 1 - cell
    y, x = divmod(cell, width)
    drawing.click(position={"x": EDGE + (x + 0.5) * size, "y": EDGE + (y + 0.5) * size})


def tab_to(page: Page, selector: str) -> None:
    """Tabs until the focus is there, as a person does who sees the focus move."""
    page.locator(f"{selector}:not([disabled])").first.wait_for()
    for _ in range(TABS):
        if page.evaluate("selector => document.activeElement?.matches(selector)", selector):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"{selector} can't be reached by the Tab key")


def press_key(page: Page, selector: str, key: str = "Enter") -> None:
    """Presses a button by the keyboard alone."""
    tab_to(page, selector)
    page.keyboard.press(key)


def back_up(page: Page) -> None:
    """Has the key of the wallet elsewhere, and says so: from then on it may hold a seat with a stake."""
    page.click("#account-button")
    page.click("#show-key")
    page.click("#key-kept")
    page.wait_for_selector("#backup-state[data-backed-up]")
    page.click("#account-close")


def key_of(page: Page) -> str:
    """The private key of the wallet in use."""
    page.click("#account-button")
    page.click("#show-key")
    key = page.locator("#private-key").inner_text()
    page.click("#account-close")
    return key


def bring_key(page: Page, key: str) -> None:
    """Takes a private key in, and uses it."""
    page.click("#account-button")
    page.click("#bring-key")
    page.fill("#key-text", key)
    page.click("#bring")
    page.wait_for_selector("#key-done")
    page.click("#account-close")


def walk(page: Page, right: int, down: int) -> None:
    """Arrow keys on a board that has the focus; negative: left and up."""
    for key, count in (("ArrowRight", right), ("ArrowLeft", -right), ("ArrowDown", down), ("ArrowUp", -down)):
        for _ in range(count):
            page.keyboard.press(key)
