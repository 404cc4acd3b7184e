"""Tests of two matches of Tic-tac-toe between two browsers. One player uses the mouse, and the
other player uses only the keyboard."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.support.page.browser import barriers, launch, playwright
from tests.support.page.input_devices import click_cell, press_key, tab_to, walk
from tests.support.page.same_boards import PageErrors, board_of, hashes_of, opened, same_everywhere, until_seq
from tests.support.server import up_deployed

FIRST, REMATCH = "tic-tac-toe/1", "tic-tac-toe/2"
CHALLENGER_WINS = (0, 4, 1, 2, 8, 6)
DRAWN = (0, 1, 2, 4, 3, 5, 7, 6, 8)
"""The cells that players mark in two whole matches, in the order of the moves. The game's rules
show these matches. The host moves first."""


def by_mouse(page: Page, cell: int) -> None:
    click_cell(page, cell, 3)


def by_keys(page: Page, cell: int) -> None:
    """Mark a cell with the keyboard. Move the cursor from any cell to the top left corner, from
    there to the given cell, and press Enter."""
    tab_to(page, "#board")
    walk(page, -2, -2)
    walk(page, cell % 3, cell // 3)
    page.keyboard.press("Enter")


def play(match: str, cells: tuple[int, ...], host: Page, challenger: Page, mouse: Page, begin: int = 0) -> None:
    """Make the moves of both players in turn, starting with ply `begin`. Before each move, wait
    until the mover's page shows that it is this player's turn."""
    for ply, cell in list(enumerate(cells))[begin:]:
        page = (host, challenger)[ply % 2]
        page.wait_for_function(
            "([match, ply]) => { const { board } = window.chainboard.boards[match] ?? {};"
            " return board?.ply === ply && board.mover === window.chainboard.state.me; }",
            arg=[match, ply],
        )
        (by_mouse if page is mouse else by_keys)(page, cell)
        for each in (host, challenger):
            each.wait_for_function(
                "([match, ply]) => window.chainboard.boards[match].board.ply > ply", arg=[match, ply]
            )


@pytest.mark.timeout(240)
def test_a_lost_match_and_a_drawn_rematch(tmp_path: Path) -> None:
    page_errors: PageErrors = []
    with up_deployed(tmp_path) as server, playwright() as it, launch(it) as one, launch(it) as other:
        host, challenger = opened(server, one.new_page(), page_errors), opened(server, other.new_page(), page_errors)
        host.click("#play-tic-tac-toe:not([disabled])")
        host.wait_for_selector(f"main[data-match='{FIRST}']")
        expect(host.locator("#lonely #link")).to_have_value(f"{server.url}/#/match/{FIRST}")
        challenger.goto(f"{server.url}/#/match/{FIRST}")
        press_key(challenger, "#action-accept")
        play(FIRST, CHALLENGER_WINS, host, challenger, mouse=host)
        expect(host.locator("#banner")).to_contain_text("You lost")
        expect(challenger.locator("#banner")).to_contain_text("You won")

        until_seq(host, FIRST, board_of(challenger, FIRST)["seq"])
        before = hashes_of(challenger, FIRST)
        press_key(challenger, "#action-rematch")
        challenger.wait_for_selector(f"main[data-match='{REMATCH}']")
        host.wait_for_function("match => window.chainboard.boards[match]?.board.rematch === 2", arg=FIRST)
        expect(host.locator("#offer-rematch")).to_be_visible()
        assert barriers(host) == barriers(challenger) == []
        seen = {FIRST: [hashes_of(host, FIRST), before]}
        host.click("#to-rematch:text('Accept rematch')")
        play(REMATCH, DRAWN, host, challenger, mouse=host)
        for page in (host, challenger):
            expect(page.locator("#banner")).to_contain_text("A draw")
        assert page_errors == []
        seen[REMATCH] = [hashes_of(page, REMATCH) for page in (host, challenger)]
        same_everywhere(server, tmp_path, seen)
