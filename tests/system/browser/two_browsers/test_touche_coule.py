"""Tests a whole match of Touché Coulé between two browsers with separate accounts. One player uses
the mouse, and the other player uses only the keyboard. At the end, all parts of the program must
have the same boards."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.support.page.browser import launch, playwright
from tests.support.page.same_boards import PageErrors, hashes_of, opened, same_everywhere
from tests.support.page.touche_coule import BrowserPlayer, finish, meet
from tests.support.server import up_deployed

MATCH = "touche-coule/2"
MINUTES = 4


@pytest.mark.soak
@pytest.mark.timeout(60 * (MINUTES + 2))
def test_two_browsers_play_a_whole_match_and_all_hold_the_same_boards(tmp_path: Path) -> None:
    page_errors: PageErrors = []
    with up_deployed(tmp_path) as server, playwright() as it, launch(it) as one, launch(it) as other:
        first, second = opened(server, one.new_page(), page_errors), opened(server, other.new_page(), page_errors)
        players = BrowserPlayer(first, MATCH), BrowserPlayer(second, MATCH, keys=True)
        meet(server.url, *players)
        pressed = finish(*players, MINUTES)
        for page in (first, second):
            expect(page.locator("#banner")).to_be_visible()
        assert pressed.count("turn") == server.get(f"/api/matches/{MATCH}")["board"]["ply"]
        assert page_errors == []
        seen = [hashes_of(page, MATCH) for page in (first, second)]
        same_everywhere(server, tmp_path, {MATCH: seen})
        last = server.get(f"/api/matches/{MATCH}")["seq"]
        # The pages opened while the match was being created, so they might not have received its
        # first events.
        assert min(len(held) for held in seen) >= last - 4
