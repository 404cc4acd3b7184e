"""Battleship in a browser: laying a fleet, firing, and reading what the browser keeps."""

from __future__ import annotations

import json
from typing import Any

from playwright.sync_api import Page

from indexer.rules.battleship import WIDTH, parse
from tests.support.page.input_devices import click_cell
from tests.support.page.same_boards import until_my_turn, until_seq

KEPT = "chainboard.fleets"
ENEMY = '#board .part[data-side="1"]'


def kept(page: Page) -> list[dict[str, Any]]:
    """The fleets that this browser keeps."""
    found = json.loads(page.evaluate("key => localStorage.getItem(key) ?? '{}'", KEPT))
    return list(found.values())


def fleet_tiles(ships: str) -> list[int]:
    return [tile for boat in parse(ships).values() for tile in boat]


def fire(page: Page, match: str, tile: int) -> None:
    """A click on a tile of the enemy's sea, once it is this player's turn."""
    seq = until_my_turn(page, match)
    click_cell(page, tile, WIDTH, ENEMY)
    until_seq(page, match, seq + 1)


def surrender(page: Page, message: str = "") -> None:
    """Gives up: the first press asks, with room for a message, the second one does it."""
    page.click("#action-surrender:not([disabled])")
    if message:
        page.fill("#surrender-message", message)
    page.click("#action-surrender[data-armed]:not([disabled])")


def reveal(page: Page) -> None:
    """Says yes when the page asks whether the fleet shall be shown."""
    page.click("#action-reveal:not([disabled])")
