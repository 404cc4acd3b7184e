"""Tests of the page while the node doesn't answer. The page shows the data that it has and explains
why actions are disabled. On a phone, it cuts nothing off."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import expect

from tests.support.server import started, up_deployed
from tests.system.browser.conftest import Visit

WIDTH = 390
NARROW = 355
"""A width in pixels. The header has only this width left on a narrow phone if the page also shows
the number of pending transactions."""
BESIDE = """() => {
  const [head, state] = ['header.frame', '#line .state'].map(at => document.querySelector(at).getBoundingClientRect());
  return state.top >= head.top && state.bottom <= head.bottom;
}"""


def test_lost_node_is_reported_and_nothing_is_cut_off(tmp_path: Path, visit: Visit) -> None:
    with up_deployed(tmp_path):
        pass
    with started("serve", "--data", str(tmp_path), "--rpc", "http://127.0.0.1:1", "--port", "0") as server:
        page = visit(server.url + "/#/match/touche-coule/1", width=WIDTH, height=844)
        expect(page.locator("#line .state")).to_have_text("The network isn’t answering")
        expect(page.locator("#board")).to_be_visible()
        expect(page.locator(".actions")).to_contain_text("The network isn’t answering. Retrying…")
        right = "() => document.querySelector('#account-button').getBoundingClientRect().right"
        assert page.evaluate(right) <= WIDTH
        assert page.evaluate("() => document.documentElement.scrollWidth") == WIDTH
        page.set_viewport_size({"width": NARROW, "height": 844})
        for language in ("en", "fr", "zh"):
            page.evaluate("language => localStorage.setItem('chainboard.language', language)", language)
            page.reload()
            expect(page.locator("#line[data-state=node-lost] .state")).to_be_visible()
            assert page.evaluate("() => document.documentElement.lang").startswith(language)
            assert page.evaluate(BESIDE), language


def test_a_card_without_a_live_match_shows_a_board_of_the_rules(tmp_path: Path, visit: Visit) -> None:
    with up_deployed(tmp_path) as server:
        page = visit(server.url + "/")
        peek = page.locator("#game-tic-tac-toe .peek")
        expect(peek.locator(".board.small[data-match='tic-tac-toe/rules'] svg")).to_be_attached()
        expect(peek).to_contain_text("Quiet right now")
        expect(page.locator("#game-battleship .board.small svg")).to_have_count(2)
