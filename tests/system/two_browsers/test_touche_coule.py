"""A whole match between two browsers with two wallets, one with the mouse and one by the keyboard alone; everybody
holds the same boards."""

from __future__ import annotations

import itertools
import time
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from indexer.model import Json
from tests.support.page.browser import launch, playwright
from tests.support.page.input_devices import press_key
from tests.support.page.same_boards import Complaints, board_of, hashes_of, opened, same_everywhere, until_seq
from tests.support.server import Server, up

MATCH = "touche-coule/2"
MINUTES = 4


class BrowserPlayer:
    """One of the two: presses a button as soon as it may be pressed, by its own means."""

    def __init__(self, page: Page, keys: bool) -> None:
        self.page, self.keys = page, keys

    def press(self, action: str) -> None:
        if self.keys:
            press_key(self.page, f"#action-{action}")
        else:
            self.page.locator(f"#action-{action}").click()


def meet(server: Server, one: BrowserPlayer, other: BrowserPlayer) -> None:
    """One opens a small sea in the lobby, the other comes by the link; both place two ships."""
    first, second = one.page, other.page
    first.goto(f"{server.url}/#/new/touche-coule")
    first.fill("main [data-input=width]", "5")
    first.fill("main [data-input=height]", "4")
    first.click("#new-match-touche-coule")
    first.wait_for_selector(f'main[data-match="{MATCH}"]')
    second.goto(f"{server.url}/#/match/{MATCH}")
    for ships in (1, 2):
        for player in (one, other):
            player.press("register")
            page = player.page
            mine = page.evaluate("window.chainboard.state.me")
            page.wait_for_function(
                "([match, me, ships]) => window.chainboard.boards[match]?.board.players[me]?.ships.length === ships",
                arg=[MATCH, mine, ships],
            )


def finish(one: BrowserPlayer, other: BrowserPlayer) -> list[str]:
    """Takes turns until the end; moves when a ship may, tells when it teaches. Returns what was pressed."""
    pressed: list[str] = []
    deadline = time.monotonic() + 60 * MINUTES
    for turn in itertools.count():
        board = board_of(one.page, MATCH)["board"]
        if board["status"] not in ("open", "playing"):
            return pressed
        assert time.monotonic() < deadline, board
        mover = next(player for player in ((one, other)[turn % 2], (other, one)[turn % 2]) if afloat(player.page))
        for action, possible in (("changePosition", may_move), ("communicate", may_tell)):
            if possible(mover.page, turn):
                seq = board_of(mover.page, MATCH)["seq"]
                mover.press(action)
                until_seq(mover.page, MATCH, seq + 1)
                pressed.append(action)
        mover.press("turn")
        pressed.append("turn")
        for page in (one.page, other.page):
            page.wait_for_function(
                "([match, ply]) => window.chainboard.boards[match].board.ply >= ply",
                arg=[MATCH, turn + 1],
            )
    raise AssertionError("unreachable")


def afloat(page: Page) -> list[Json]:
    """The visitor's ships that were not sunk."""
    me = page.evaluate("window.chainboard.state.me")
    return [ship for ship in board_of(page, MATCH)["board"]["ships"].values() if ship["owner"] == me and ship["afloat"]]


def may_move(page: Page, turn: int) -> bool:
    return turn > 0 and any(ship["ready"] <= turn for ship in afloat(page))


def may_tell(page: Page, turn: int) -> bool:
    """Whether one of the two ships would learn something."""
    ships, width = afloat(page), board_of(page, MATCH)["board"]["width"]
    if turn < 2 or len(ships) < 2:
        return False
    one, other = ((_word(ship), 1 << ship["y"] * width + ship["x"]) for ship in ships)
    both = one[0] | other[0]
    return any(both & ~own != fired for fired, own in (one, other))


def _word(ship: Json) -> int:
    """Where it has fired; this board's cells fit one word."""
    return int(ship["fired"].get("0", "0x0"), 16)


@pytest.mark.soak
@pytest.mark.timeout(60 * (MINUTES + 2))
def test_two_browsers_play_a_whole_match_and_all_hold_the_same_boards(tmp_path: Path) -> None:
    complaints: Complaints = []
    with up(tmp_path) as server, playwright() as it, launch(it) as one, launch(it) as other:
        first, second = opened(server, one.new_page(), complaints), opened(server, other.new_page(), complaints)
        players = BrowserPlayer(first, keys=False), BrowserPlayer(second, keys=True)
        meet(server, *players)
        pressed = finish(*players)
        for page in (first, second):
            expect(page.locator("#banner")).to_be_visible()
        assert pressed.count("turn") == server.get(f"/api/matches/{MATCH}")["board"]["ply"]
        assert complaints == []
        seen = [hashes_of(page, MATCH) for page in (first, second)]
        same_everywhere(server, tmp_path, {MATCH: seen})
        last = server.get(f"/api/matches/{MATCH}")["seq"]
        assert min(len(held) for held in seen) >= last - 4  # each came while the match was being opened
