"""A chain whose node does not answer: what is known is shown, and what can't be done says why, on a phone, too."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import expect

from tests.frontend.browser.conftest import Visit
from tests.support.server import started, up

WIDTH = 390


def test_it_is_told_and_nothing_is_cut_off(tmp_path: Path, visit: Visit) -> None:
    with up(tmp_path):
        pass
    with started("serve", "--data", str(tmp_path), "--rpc", "http://127.0.0.1:1", "--port", "0") as server:
        page = visit(server.url + "/#/match/touche-coule/1", width=WIDTH, height=844)
        expect(page.locator("#line .state")).to_have_text("The chain’s node does not answer")
        expect(page.locator("#board")).to_be_visible()
        expect(page.locator(".actions")).to_contain_text("The chain’s node does not answer; it is asked again.")
        right = "() => document.querySelector('#account-button').getBoundingClientRect().right"
        assert page.evaluate(right) <= WIDTH
        assert page.evaluate("() => document.documentElement.scrollWidth") == WIDTH


def test_a_card_without_a_match_shows_the_board_that_one_begins_with(tmp_path: Path, visit: Visit) -> None:
    with up(tmp_path) as server:
        page = visit(server.url + "/")
        peek = page.locator("#game-tic-tac-toe .peek")
        expect(peek.locator(".board.small[data-match='tic-tac-toe/0'] svg")).to_be_attached()
        expect(peek).to_contain_text("Nobody plays just now")
        expect(page.locator("#game-battleship .board.small svg")).to_have_count(2)
