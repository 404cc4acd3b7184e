"""Tests of the player's own matches in the lobby. The matches in which it is the player's turn must
come first, even those that are too old for the lobby's list."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from contracts.abi import encode_call
from tests.support.players import mine_transaction, rpc_call
from tests.support.server import node_url, up_deployed
from tests.system.browser.conftest import Visit
from tests.system.browser.games.test_tic_tac_toe import both_sides, open_match

LATEST = 6
"""The number of running matches per game that the gateway sends to the lobby. It leaves out older
matches."""
NOBODY = "0x" + 40 * "0"


@pytest.mark.soak
def test_matches_with_the_players_turn_come_first(tmp_path: Path, visit: Visit) -> None:
    with up_deployed(tmp_path) as server:
        page, guest = visit(server.url + "/"), visit(server.url + "/")
        mine = both_sides(page, server.url)
        me = str(guest.evaluate("() => window.chainboard.state.me"))
        invited = open_match(page, server.url, opponent=me)
        asked = guest.locator("#matches-own > li").first
        expect(asked).to_have_attribute("data-match", invited)
        expect(asked.locator(".pill")).to_have_text("for you")
        game = next(one for one in server.get("/api/games")["games"] if one["slug"] == "tic-tac-toe")
        node = node_url(tmp_path)
        host, *others = rpc_call(node, "eth_accounts")
        last = int(invited.split("/")[1])
        # each match needs a different pair, because two accounts can play only one match at a time
        for number, other in enumerate(others[: LATEST + 1], last + 1):
            for sender, call in ((host, ("create", (NOBODY, 0))), (other, ("accept", (number,)))):
                order = {"from": sender, "to": game["address"], "data": encode_call(game["abi"], *call)}
                assert mine_transaction(node, {**order, "gas": hex(10**6)})["status"] == "0x1", (number, call)
        page.goto(f"{server.url}/#/")
        page.reload()
        rows = page.locator("#matches-own > li")
        expect(rows.first).to_have_attribute("data-match", mine)
        expect(rows.first).to_contain_text("Your turn")
        expect(page.locator("#your-turn")).to_have_text("It’s your turn in 1 game.")
        expect(rows.nth(1)).to_have_attribute("data-match", invited)
        listed = page.evaluate("() => Object.keys(window.chainboard.boards.lobby.board.matches)")
        assert mine not in listed, "the match must come from the player's own list"
        summary = next(one for one in server.get("/api/matches?limit=100")["matches"] if one["match"] == mine)
        assert summary["mover"] == server.get(f"/api/matches/{mine}")["board"]["mover"]
