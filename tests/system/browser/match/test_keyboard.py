"""Tests that play a whole match of each game with the keyboard alone. Some element must have the
focus at any time, and pressing a letter or a digit must have no effect."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterator
from itertools import cycle
from random import Random

import pytest
from playwright.sync_api import Page, expect

from bots.conquest import choose
from bots.opponent import Choice
from docs.assets.screenshots import MY_TURN, ONE_CUBE_EACH, stored_fleet_tiles
from indexer.model import Json
from tests.support.page.browser import sleeping
from tests.support.server import Server, up_deployed
from tests.support.waiting import wait_for
from tests.system.browser.conftest import Visit
from tests.system.browser.games.test_tic_tac_toe import HOST_WINS
from tests.system.browser.page_scripts import NOTHING_PENDING, TRANSACTIONS

TITLES = {
    "tic-tac-toe": "Tic-tac-toe",
    "battleship": "Battleship",
    "deblockle": "Deblockle",
    "touche-coule": "Touché Coulé",
    "conquest": "Conquest",
}
MOST_STOPS, SETTLED_MS = 120, 300
SHORTCUTS = "alt"
"""The letters of the shortcuts for the account, the lobby and the theme. The shortcuts must have no
effect during a match."""
COMMANDS = 10
ARROWS = {"ArrowLeft": (-1, 0), "ArrowRight": (1, 0), "ArrowUp": (0, -1), "ArrowDown": (0, 1)}
SIDEWAYS = 2.2
"""The weight of sideways distances when an arrow key selects a land. Forward distances have the
weight 1. The number must equal the factor in layouts/map.js."""
LANDS = """() => Object.fromEntries([...document.querySelectorAll('#board [data-label]')].map(one =>
  [one.dataset.label, one.getAttribute('transform').match(/[\\d.]+/g).map(Number)]))"""
Act = Callable[["Keys"], None]


class Keys:
    """A player who uses only the keyboard, and that player's page."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.land = 0

    def tab_to(self, selector: str) -> None:
        self.page.wait_for_selector(selector)
        for _ in range(MOST_STOPS):
            if self.page.evaluate("selector => document.activeElement.matches(selector)", selector):
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"{selector} is not reached by Tab")

    def press(self, selector: str) -> None:
        self.tab_to(f"{selector}:not([disabled])")
        self.page.keyboard.press("Enter")
        self.is_somewhere()
        self.land = 0  # after a button press, the map's cursor starts at land 0

    def write(self, selector: str, text: str) -> None:
        self.tab_to(selector)
        self.page.keyboard.press("ControlOrMeta+a")
        self.page.keyboard.type(text)

    def is_somewhere(self) -> None:
        """Wait until no transaction is pending and the page has settled. Then wait until an element
        other than the body has the focus."""
        self.page.wait_for_function(NOTHING_PENDING)
        self.page.wait_for_timeout(SETTLED_MS)
        self.page.wait_for_function("() => document.activeElement !== document.body")

    def cell(self, x: int, y: int, columns: int, rows: int) -> None:
        """Wait for this player's turn. Move the cursor into a corner of the board, so that its
        position is known, and from there to the cell. Then press Enter."""
        self.page.wait_for_function(MY_TURN)
        self.tab_to("#board")
        right = x > columns // 2
        for key, times in (
            ("ArrowRight" if right else "ArrowLeft", columns),
            ("ArrowUp", rows),
            ("ArrowLeft" if right else "ArrowRight", columns - 1 - x if right else x),
            ("ArrowDown", y),
        ):
            for _ in range(times):
                self.page.keyboard.press(key)
        self.page.keyboard.press("Enter")
        self.is_somewhere()

    def to_land(self, target: int) -> None:
        """Move the cursor to this land with as few arrow keys as possible, then press Enter."""
        self.tab_to("#board")
        spots = {int(land): spot for land, spot in self.page.evaluate(LANDS).items()}
        way: dict[int, tuple[str, ...]] = {self.land: ()}
        queue = deque([self.land])
        while target not in way:
            land = queue.popleft()
            for key in ARROWS:
                if (beside := next_land(spots, land, key)) not in way:
                    way[beside] = (*way[land], key)
                    queue.append(beside)
        for key in way[target]:
            self.page.keyboard.press(key)
        self.land = target
        self.page.keyboard.press("Enter")
        self.is_somewhere()


def next_land(spots: dict[int, list[float]], land: int, key: str) -> int:
    """Return the land to which an arrow key moves the cursor from this land. If there is no land in
    the key's direction, return this land."""
    right, down = ARROWS[key]
    best, cost = land, float("inf")
    for other, (x, y) in spots.items():
        dx, dy = x - spots[land][0], y - spots[land][1]
        ahead, beside = dx * right + dy * down, abs(dx * down + dy * right)
        if ahead > 0 and beside <= 2 * ahead and ahead + SIDEWAYS * beside < cost:
            best, cost = other, ahead + SIDEWAYS * beside
    return best


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with up_deployed(tmp_path_factory.mktemp("keys")) as it:
        yield it


def begin(visit: Visit, url: str, slug: str, joining: str, prepare: Act = lambda _: None) -> tuple[Keys, Keys]:
    host, guest = Keys(visit(f"{url}/#/")), Keys(visit(f"{url}/#/"))
    expect(host.page.locator(f"#play-{slug}")).to_have_accessible_name(f"Play {TITLES[slug]}")
    host.press(f"#new-{slug}")
    host.page.wait_for_selector(f"main[data-new={slug}]")
    prepare(host)
    host.press(f"#new-match-{slug}")
    host.page.wait_for_selector("main[data-match]")
    guest.page.goto(host.page.url)
    guest.press(f"#{joining}")
    if slug == "touche-coule":
        host.press(f"#{joining}")
    else:
        for one in (host, guest):
            one.page.wait_for_selector("main[data-status=playing]")
    guest.tab_to("#board")
    before = len(guest.page.evaluate(TRANSACTIONS))
    for key in "bcdefghijkmnopqrsuvwxyz123456789":
        guest.page.keyboard.press(key)
    assert len(guest.page.evaluate(TRANSACTIONS)) == before
    return host, guest


def tic_tac_toe(visit: Visit, url: str) -> tuple[Keys, Keys]:
    sides = begin(visit, url, "tic-tac-toe", "action-accept")
    for one, cell in zip(cycle(sides), HOST_WINS, strict=False):
        one.cell(cell % 3, cell // 3, 3, 3)
    return sides


def battleship(visit: Visit, url: str) -> tuple[Keys, Keys]:
    host, guest = begin(visit, url, "battleship", "action-accept")
    own, enemy = stored_fleet_tiles(host.page), stored_fleet_tiles(guest.page)
    missed = iter(tile for tile in range(99) if tile not in own)
    for number, tile in enumerate(enemy):
        host.cell(9 + tile % 9, tile // 9, 18, 11)
        if number + 1 < len(enemy):
            other = next(missed)
            guest.cell(9 + other % 9, other // 9, 18, 11)
    return host, guest


def deblockle(visit: Visit, url: str) -> tuple[Keys, Keys]:
    def one_cube(host: Keys) -> None:
        host.tab_to("[data-input=cubes]")
        host.page.keyboard.type("1")

    sides = begin(visit, url, "deblockle", "action-join", one_cube)
    for one, cells in zip(cycle(sides), ONE_CUBE_EACH, strict=False):
        for cell in cells:
            seen = cell if one is sides[0] else 48 - cell  # the board is turned on the guest's page
            one.cell(seen % 7, seen // 7, 7, 7)
    return sides


def touche_coule(visit: Visit, url: str) -> tuple[Keys, Keys]:
    def small_sea(host: Keys) -> None:
        host.write("[data-input=width]", "4")
        host.write("[data-input=height]", "4")

    host, guest = begin(visit, url, "touche-coule", "action-register", small_sea)
    while not host.page.locator("#banner").count():
        host.press("#action-turn")
        host.page.wait_for_selector("#banner, #action-turn:not([disabled])")
    return host, guest


def conquest(visit: Visit, url: str) -> tuple[Keys, Keys]:
    def for_anyone(host: Keys) -> None:
        host.tab_to("#new-conquest-seat-1")
        host.page.keyboard.press("Home")
        expect(host.page.locator("#new-conquest-seat-1")).to_have_value("anyone")

    sides = begin(visit, url, "conquest", "action-join", for_anyone)
    for _ in range(COMMANDS):
        one, board = commanded(sides)
        command(one, board)
    one, board = commanded(sides)
    for armed in ("", "[data-armed]"):
        one.press(f"#action-surrender{armed}")
    return sides


def commanded(sides: tuple[Keys, Keys]) -> tuple[Keys, Json]:
    """Wait until no random draw is pending. Return the player whose turn it is, and the board."""
    match = sides[0].page.get_attribute("main", "data-match")

    def movers() -> list[tuple[Keys, Json]]:
        boards = [(one, one.page.evaluate("match => window.chainboard.boards[match].board", match)) for one in sides]
        mine = "window.chainboard.state.me"
        return [
            (one, board)
            for one, board in boards
            if board.get("mover") == one.page.evaluate(mine) and "draw" not in board
        ]

    return wait_for(movers, bool, "whose turn it is", sleeping(sides[0].page))[0]


def command(one: Keys, board: Json) -> None:
    choice = choose(board, board["players"][board["mover"]]["seat"], "dumb", Random(board["ply"]))
    assert choice is not None
    if choice.action == "move":
        choice = Choice("pass")
    for name in ("land", "from"):
        if name in choice.arguments:
            one.to_land(int(choice.arguments[name]))
    if "to" in choice.arguments:
        one.to_land(int(choice.arguments["to"]))
    for land in bytes.fromhex(choice.arguments.get("pairs", "0x")[2:]):
        one.to_land(land)
    one.press(f"#action-{choice.action}")
    if one.page.locator(f"#action-{choice.action}[data-armed]").count():
        one.press(f"#action-{choice.action}[data-armed]")
    one.page.wait_for_function(
        "([match, ply]) => window.chainboard.boards[match].board.ply > ply",
        arg=[one.page.get_attribute("main", "data-match"), board["ply"]],
    )


MATCHES = [
    tic_tac_toe,
    *(pytest.param(one, marks=pytest.mark.soak) for one in (battleship, deblockle, touche_coule, conquest)),
]


@pytest.mark.timeout(300)
@pytest.mark.parametrize("match", MATCHES)
def test_a_match_by_keys(
    server: Server, visit: Visit, page_errors: list[str], match: Callable[[Visit, str], tuple[Keys, Keys]]
) -> None:
    for one in match(visit, server.url):
        expect(one.page.locator("#banner")).to_have_attribute("data-tone", re.compile("won|lost|drawn"))
        one.is_somewhere()
        one.press("#end-close")
        expect(one.page.locator("#banner")).to_have_count(0)
        one.is_somewhere()
    assert page_errors == []
