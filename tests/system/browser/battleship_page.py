"""Functions with which tests play Battleship in a browser. They open matches, fire, surrender, and
read the fleets that the browser stores."""

from __future__ import annotations

import json
from typing import Any

from playwright.sync_api import Page

from indexer.rules.battleship import WIDTH, parse
from tests.support.page.input_devices import back_up_key, click_cell, press_key
from tests.support.page.same_boards import until_my_turn, until_seq

FLEETS_KEY = "chainboard.fleets"
ENEMY = '#board .part[data-side="1"]'


def stored_fleets(page: Page) -> list[dict[str, Any]]:
    """Return the fleets in the local storage of this page's browser."""
    found = json.loads(page.evaluate("key => localStorage.getItem(key) ?? '{}'", FLEETS_KEY))
    return list(found.values())


def fleet_tiles(ships: str) -> list[int]:
    return [tile for ship in parse(ships).values() for tile in ship]


def begin(url: str, match: str, first: Page, second: Page) -> None:
    """On the first page, open a match with a random fleet and a stake of 0.01 ether. On the second
    page, accept the match, using only the keyboard."""
    first.goto(f"{url}/#/new/battleship")
    first.click("#new-battleship-random")
    first.fill("#new-battleship-stake", "0.01")
    first.select_option("#new-battleship-clock", "86400")
    back_up_key(first)
    first.click("#new-match-battleship:not([disabled])")
    first.wait_for_selector(f"main[data-match='{match}']")
    second.goto(f"{url}/#/match/{match}")
    for button in ("#account-button", "#show-key", "#key-kept", "#account-close"):
        press_key(second, button)
    press_key(second, "#action-accept")
    for page in (first, second):
        page.wait_for_function("match => window.chainboard.boards[match]?.board.status === 'playing'", arg=match)


def fire(page: Page, match: str, tile: int) -> None:
    """Wait until it is this player's turn, then click a square in the enemy's sea. Wait until the
    page has the event of the shot."""
    seq = until_my_turn(page, match)
    click_cell(page, tile, WIDTH, ENEMY)
    until_seq(page, match, seq + 1)


def surrender(page: Page, message: str = "") -> None:
    """Surrender with two clicks on the same button. After the first click, the page asks for
    confirmation and shows a field for a message to the opponent."""
    page.click("#action-surrender:not([disabled])")
    if message:
        page.fill("#surrender-message", message)
    page.click("#action-surrender[data-armed]:not([disabled])")


def reveal(page: Page) -> None:
    """Press the button that reveals the player's fleet."""
    page.click("#action-reveal:not([disabled])")
