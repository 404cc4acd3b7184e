"""Tests a match of Battleship with a stake in two browsers. One player uses the mouse, and the
other player uses only the keyboard."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from indexer.rules.battleship import TILES, WIDTH
from tests.support.page.browser import barriers, launch, playwright
from tests.support.page.input_devices import tab_to, walk
from tests.support.page.same_boards import (
    PageErrors,
    board_of,
    hashes_of,
    opened,
    same_everywhere,
    until_my_turn,
    until_seq,
)
from tests.support.players import rpc_call
from tests.support.server import Server, node_url, up_deployed
from tests.system.browser.battleship_page import begin, fire, fleet_tiles, reveal, stored_fleets

MATCH = "battleship/1"
STAKE = 10**16


class Keys:
    """A player who uses only the keyboard. The cursor starts on the first square of the enemy's
    sea, and keeps its square from shot to shot."""

    def __init__(self, page: Page) -> None:
        self.page, self.at = page, 0

    def fire(self, tile: int) -> None:
        seq = until_my_turn(self.page, MATCH)
        tab_to(self.page, "#board")
        walk(self.page, tile % WIDTH - self.at % WIDTH, tile // WIDTH - self.at // WIDTH)
        self.at = tile
        self.page.keyboard.press("Enter")
        until_seq(self.page, MATCH, seq + 1)


def held(data: Path, server: Server) -> int:
    """Return the Battleship contract's balance, in wei."""
    [game] = [game for game in server.get("/api/games")["games"] if game["slug"] == "battleship"]
    return int(rpc_call(node_url(data), "eth_getBalance", game["address"], "latest"), 16)


@pytest.mark.soak
@pytest.mark.timeout(300)
def test_a_match_to_seventeen_hits_is_answered_revealed_and_paid_out(tmp_path: Path) -> None:
    page_errors: PageErrors = []
    with up_deployed(tmp_path) as server, playwright() as it, launch(it) as one, launch(it) as other:
        first, second = opened(server, one.new_page(), page_errors), opened(server, other.new_page(), page_errors)
        begin(server.url, MATCH, first, second)
        assert held(tmp_path, server) == 2 * STAKE
        enemy, own = fleet_tiles(stored_fleets(second)[0]["ships"]), fleet_tiles(stored_fleets(first)[0]["ships"])
        opening = board_of(second, MATCH)["board"]["pending"]["tile"]
        keys = Keys(second)
        targets = iter([*own[:3], *(tile for tile in range(TILES) if tile not in own)])
        for number, tile in enumerate(enemy, start=1):
            fire(first, MATCH, tile)
            if number < len(enemy):
                keys.fire(next(target for target in targets if target != opening))
        reveal(first)  # the loser's page reveals the loser's fleet by itself
        for page, result in ((first, "You won"), (second, "You lost")):
            expect(page.locator("#banner")).to_contain_text(result)
            expect(page.locator("main")).to_contain_text("Every answer was true")
        board = board_of(first, MATCH)["board"]
        assert [board["fleets"][player]["fault"] for player in board["players"]] == [0, 0]
        assert barriers(first) == barriers(second) == []

        first.click("#action-withdraw:not([disabled])")
        first.wait_for_function(
            "match => Object.keys(window.chainboard.boards[match].board.withdrawn).length", arg=MATCH
        )
        assert held(tmp_path, server) == 0
        assert page_errors == []
        same_everywhere(server, tmp_path, {MATCH: [hashes_of(page, MATCH) for page in (first, second)]})
