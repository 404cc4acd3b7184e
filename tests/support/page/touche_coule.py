"""Plays Touché Coulé in two browsers until the match ends. The players use every action of the game
that the match allows."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial

from playwright.sync_api import Page

from indexer.model import Json
from tests.support.page.input_devices import press_key
from tests.support.page.same_boards import board_of, until_seq

ADVANCED = """([match, ply]) => window.chainboard.boards[match].board.ply > ply"""
ANSWERED = """([match, ply]) => {
  const { boards, state } = window.chainboard;
  return boards[match].board.ply > ply || state.transactions.at(-1).state === 'failed';
}"""


class BrowserPlayer:
    """One of the two players. If `around` is given, it is called instead of each press of a button.
    Its argument is a function that presses the button."""

    def __init__(
        self, page: Page, match: str, keys: bool = False, around: Callable[[Callable[[], None]], object] | None = None
    ) -> None:
        self.page, self.match, self.keys = page, match, keys
        self._around = around

    @property
    def board(self) -> Json:
        board: Json = board_of(self.page, self.match)["board"]
        return board

    def press(self, action: str) -> None:
        press = partial(self._press, action)
        if self._around is None:
            press()
        else:
            self._around(press)

    def _press(self, action: str) -> None:
        if self.keys:
            press_key(self.page, f"#action-{action}")
        else:
            self.page.locator(f"#action-{action}").click()

    def afloat(self) -> list[Json]:
        """Return the player's ships that are still afloat."""
        me = self.page.evaluate("window.chainboard.state.me")
        return [ship for ship in self.board["ships"].values() if ship["owner"] == me and ship["afloat"]]

    def possible(self, turn: int) -> list[str]:
        """Return the possible actions of the player, except the turn itself."""
        may = {"changePosition": self._may_move, "communicate": self._may_tell}
        return [action for action, allowed in may.items() if allowed(turn)]

    def _may_move(self, turn: int) -> bool:
        return turn > 0 and any(ship["ready"] <= turn for ship in self.afloat())

    def _may_tell(self, turn: int) -> bool:
        """Return True if one of the two ships could learn something new from the other ship."""
        ships, width = self.afloat(), self.board["width"]
        if turn < 2 or len(ships) < 2:
            return False
        one, other = ((_word(ship), 1 << ship["y"] * width + ship["x"]) for ship in ships)
        both = one[0] | other[0]
        return any(both & ~own != fired for fired, own in (one, other))


def _word(ship: Json) -> int:
    """Return the cells at which a ship has fired, as a bit mask. One word is enough for the small
    board."""
    return int(ship["fired"].get("0", "0x0"), 16)


def meet(url: str, one: BrowserPlayer, other: BrowserPlayer) -> None:
    """Start a match on a small board. The first player opens the match with the form, and the
    second player follows the link. Both players register two ships."""
    first, second = one.page, other.page
    first.goto(f"{url}/#/new/touche-coule")
    first.fill("main [data-input=width]", "5")
    first.fill("main [data-input=height]", "4")
    first.click("#new-match-touche-coule")
    first.wait_for_selector(f'main[data-match="{one.match}"]')
    second.goto(f"{url}/#/match/{other.match}")
    for ships in (1, 2):
        for player in (one, other):
            player.press("register")
            page = player.page
            mine = page.evaluate("window.chainboard.state.me")
            page.wait_for_function(
                "([match, me, ships]) => window.chainboard.boards[match]?.board.players[me]?.ships.length === ships",
                arg=[player.match, mine, ships],
            )


def finish(one: BrowserPlayer, other: BrowserPlayer, minutes: float) -> list[str]:
    """Take turns until the match ends. Before a turn, move a ship if possible, and communicate if a
    ship would learn something. If a turn fails, for example after a reorg, repeat it. Return the
    actions whose buttons were pressed."""
    pressed: list[str] = []
    deadline = time.monotonic() + 60 * minutes
    while (board := one.board)["status"] in ("open", "playing"):
        assert time.monotonic() < deadline, board
        ply = board["ply"]
        mover = next(player for player in ((one, other)[ply % 2], (other, one)[ply % 2]) if player.afloat())
        for action in ("changePosition", "communicate"):
            if action in mover.possible(ply):
                seq = board_of(mover.page, mover.match)["seq"]
                mover.press(action)
                until_seq(mover.page, mover.match, seq + 1)
                pressed.append(action)
        mover.press("turn")
        pressed.append("turn")
        mover.page.wait_for_function(ANSWERED, arg=[mover.match, ply])
        if mover.board["ply"] > ply:
            for player in (one, other):
                player.page.wait_for_function(ADVANCED, arg=[player.match, ply])
    return pressed
