"""Battleship in a browser: laying a fleet, firing, and reading what the browser keeps."""

from __future__ import annotations

import json
from typing import Any

from playwright.sync_api import Page

from indexer.games.battleship_fleet import WIDTH, parse
from tests.support.agreement import board_of

KEPT = "chainboard.fleets"
ENEMY = '#board .part[data-side="1"]'
EDGE = 20
"""Room for the coordinates, in CSS pixels, as the layout leaves it."""


def kept(page: Page) -> list[dict[str, Any]]:
    """The fleets that this browser keeps."""
    found = json.loads(page.evaluate("key => localStorage.getItem(key) ?? '{}'", KEPT))
    return list(found.values())


def fleet_tiles(ships: str) -> list[int]:
    return [tile for boat in parse(ships).values() for tile in boat]


def fire(page: Page, match: str, tile: int) -> None:
    """A click on a tile of the enemy's sea, once it is this player's turn."""
    me = page.evaluate("window.chainboard.state.me")
    page.wait_for_function(
        "([match, me]) => window.chainboard.boards[match]?.board.mover === me", arg=[match, me], timeout=20_000
    )
    seq = board_of(page, match)["seq"]
    part = page.locator(ENEMY)
    cell = float(part.evaluate("part => parseFloat(part.style.getPropertyValue('--cell'))"))
    y, x = divmod(tile, WIDTH)
    place = {"x": EDGE + (x + 0.5) * cell, "y": EDGE + (y + 0.5) * cell}
    part.locator("svg").click(position=place)  # type: ignore[arg-type]
    page.wait_for_function(
        "([match, seq]) => window.chainboard.boards[match].seq > seq", arg=[match, seq], timeout=20_000
    )
