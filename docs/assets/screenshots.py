"""Takes the README's screenshots. Starts Chainboard in a scratch folder, and plays matches in a
real browser.

It also takes screenshots in other window sizes, which it writes to build/sizes. If parts of the
page don't fit in a window, the script fails and prints a sentence about each part.

Run it from the root of the checkout: python -m docs.assets.screenshots [FOLDER]"""

from __future__ import annotations

import json
import sys
import tempfile
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

from bots.conquest import choose
from bots.opponent import Choice
from chainboard.chain.deployment import playable_games
from indexer.rules.battleship import LENGTHS, tiles_of
from tests.support.page.browser import launch
from tests.support.page.fit import faults, resized
from tests.support.page.input_devices import click_cell
from tests.support.server import up

FOLDER = Path(__file__).parents[1] / "screenshots"
SIZES_FOLDER = Path(__file__).parents[2] / "build" / "sizes"
SIZE = {"width": 1440, "height": 900}
SETTLED_MS = 500
MY_TURN = """() => {
  const { boards, state } = window.chainboard;
  return boards[document.querySelector("main").dataset.match]?.board.mover === state.me;
}"""
ENEMY = "#board .part[data-side='1']"


def visit(browser: Browser, url: str) -> Page:
    page = browser.new_context(viewport=SIZE, color_scheme="light").new_page()
    page.add_init_script("localStorage.setItem('chainboard.hints', 'off')")  # hide the hints of a first match
    page.goto(url)
    page.wait_for_selector("[id^=play-]:not([disabled])")
    return page


FAULTS: list[str] = []


def save_screenshot(page: Page, name: str, folder: Path) -> None:
    page.wait_for_timeout(SETTLED_MS)
    page.screenshot(path=folder / f"{name}-desktop-light.png")
    save_in_all_sizes(page, name)


def save_in_all_sizes(page: Page, name: str) -> None:
    """Take screenshots in window sizes that the README doesn't show, and record the parts of the
    page that don't fit."""
    for size in resized(page):
        FAULTS.extend(f"{name}, {size}: {one}" for one in faults(page))
        page.screenshot(path=SIZES_FOLDER / f"{name}-{size}.png")


def press(page: Page, selector: str, times: int = 1) -> None:
    for _ in range(times):
        page.click(f"{selector}:not([disabled])")
        page.wait_for_timeout(SETTLED_MS)


def begin(first: Page, second: Page, opening: str, joining: str) -> None:
    """Start a match between two players. One player presses the button that opens the match, and
    the other player presses the button that takes the second seat."""
    press(first, opening)
    first.wait_for_selector("#lonely")
    second.goto(first.url)
    press(second, joining)


def use_development_account(page: Page, index: int) -> None:
    page.click("#account-button")
    page.wait_for_selector("#wallets")
    if page.locator("#development-accounts").count():
        page.click("#development-accounts")
    use = page.locator("#wallets li", has_text=f"Development account {index} ").locator("button")
    if use.is_enabled():
        use.click()
    page.click("#account-close")


def open_match(page: Page, url: str, width: int, height: int) -> None:
    page.goto(f"{url}#/new/touche-coule")
    page.fill("[data-input=width]", str(width))
    page.fill("[data-input=height]", str(height))
    press(page, "#new-match-touche-coule")
    page.wait_for_selector("#action-register")


def fire_turns(page: Page, players: int, turns: int) -> None:
    """Register ships of several accounts in Touché Coulé, and play some turns."""
    for index in range(1, players + 1):
        use_development_account(page, index)
        press(page, "#action-register", 2)
    press(page, "#action-turn", turns)


def play_to_the_end(page: Page) -> None:
    page.click("#action-turn")
    while not page.locator("#banner").count():
        page.wait_for_timeout(100)
        if page.locator("#action-turn:not([disabled])").count():
            page.click("#action-turn")
        elif page.locator("[data-hand-over]").count():
            page.locator("[data-hand-over]").first.click()


def move(page: Page, cell: int, width: int, part: str = "#board") -> None:
    """Click the middle of a cell in a grid that is `width` cells wide, as soon as it is this
    player's turn."""
    page.wait_for_function(MY_TURN)
    click_cell(page, cell, width, part)
    page.wait_for_timeout(SETTLED_MS)


def play_tic_tac_toe(browser: Browser, url: str, folder: Path) -> None:
    first, second = visit(browser, url), visit(browser, url)
    begin(first, second, "#play-tic-tac-toe", "#action-accept")
    for number, cell in enumerate((4, 1, 0, 8, 6, 3, 2)):
        if number == 5:
            save_screenshot(first, "tic-tac-toe-match", folder)
        move((first, second)[number % 2], cell, 3)
    save_screenshot(first, "tic-tac-toe-finished", folder)


def stored_fleet_tiles(page: Page) -> list[int]:
    """Return the squares of the Battleship fleet that the page's browser has stored."""
    [fleet] = json.loads(page.evaluate("localStorage.getItem('chainboard.fleets')")).values()
    ships = [(LENGTHS[ship[0]], ship[1] == "V", int(ship[2:])) for ship in fleet["ships"].split(" ")]
    return [tile for ship in ships for tile in tiles_of(*ship)]


def play_battleship(browser: Browser, url: str, folder: Path) -> None:
    first, second = visit(browser, url), visit(browser, url)
    first.goto(f"{url}#/new/battleship")
    first.wait_for_selector("#new-battleship-sea")
    begin(first, second, "#new-match-battleship", "#action-accept")
    enemy, own = stored_fleet_tiles(second), stored_fleet_tiles(first)
    first.wait_for_function("() => Object.values(window.chainboard.boards).some(({ board }) => board.pending)")
    opening = first.evaluate(
        "Object.values(window.chainboard.boards).find(({ board }) => board.pending).board.pending.tile"
    )
    answers = [tile for tile in (*own[:6], *(tile for tile in range(0, 99, 2) if tile not in own)) if tile != opening]
    for number, tile in enumerate(enemy):
        move(first, tile, 9, ENEMY)
        if number + 1 < len(enemy):
            move(second, answers[number], 9, ENEMY)
        if number == 8:
            save_screenshot(first, "battleship-match", folder)
    first.wait_for_selector("#banner")  # in a match without a stake, both pages reveal their fleets automatically
    save_screenshot(first, "battleship-finished", folder)


def play_touche_coule(browser: Browser, url: str, folder: Path) -> None:
    page = visit(browser, url)
    open_match(page, url, 5, 5)
    fire_turns(page, 2, 1)
    play_to_the_end(page)
    save_screenshot(page, "finished", folder)
    open_match(page, url, 12, 12)
    fire_turns(page, 2, 6)
    press(page, "button[id^=ship-]")
    save_screenshot(page, "match", folder)


ONE_CUBE_EACH = ((44,), (4,), (37, 24), (11, 39), (25, 17), (32,), (10,))
"""A complete match of Deblockle. For each turn, the cells that the player clicks."""


def play_deblockle(browser: Browser, url: str, folder: Path) -> None:
    sides = visit(browser, url), visit(browser, url)
    begin_deblockle(*sides, url, 4)
    move(sides[0], 30, 7)
    save_screenshot(sides[0], "deblockle-match", folder)
    begin_deblockle(*sides, url, 1)
    for number, cells in enumerate(ONE_CUBE_EACH):
        for cell in cells:
            move(sides[number % 2], cell, 7)
    save_screenshot(sides[0], "deblockle-finished", folder)


def begin_deblockle(first: Page, second: Page, url: str, number: int) -> None:
    first.goto(f"{url}#/new/deblockle")
    first.select_option("[data-input=cubes]", str(number))
    begin(first, second, "#new-match-deblockle", "#action-join")
    second.wait_for_selector("main[data-status=playing]")


MANY_COMMANDS = 240
"""The number of commands in a duel after which the weaker player surrenders, unless the duel is
over."""
HAS_ADVANCED = """([match, ply]) => {
  const { board } = window.chainboard.boards[match];
  return board.ply > ply || board.status !== "playing";
}"""


def begin_conquest(first: Page, second: Page, url: str) -> None:
    """Start a match of Conquest between two players on a small map."""
    first.goto(f"{url}#/new/conquest")
    press(first, "#new-conquest-size-148")
    first.select_option("#new-conquest-seat-1", "anyone")
    begin(first, second, "#new-match-conquest", "#action-join")
    second.wait_for_selector("main[data-status=playing]")


def play_commands(pages: tuple[Page, Page], match: str) -> tuple[Page, dict[str, Any]]:
    """Wait until no random draw is pending. Return the mover's page, and the board."""
    while True:
        for page in pages:
            board = page.evaluate("match => window.chainboard.boards[match].board", match)
            me = page.evaluate("window.chainboard.state.me")
            if board["status"] != "playing" or (board.get("mover") == me and "draw" not in board):
                return page, board
            page.wait_for_timeout(50)


def carry_out(page: Page, choice: Choice) -> None:
    """Enter a command by clicking in the page."""
    for name in ("land", "from", "to"):
        if name in choice.arguments:
            page.locator(f"#board [data-label='{choice.arguments[name]}']").click()
    if "pairs" in choice.arguments:
        for land in bytes.fromhex(choice.arguments["pairs"][2:]):
            page.locator(f"#board [data-label='{land}']").click()
    if "quarters" in choice.arguments:
        page.select_option("#move-quarters", str(choice.arguments["quarters"]))


def play_conquest(browser: Browser, url: str, folder: Path) -> None:
    """Play a duel between a stronger and a weaker player. Take screenshots of the stronger player's
    first planned attack and of the duel's end."""
    pages = visit(browser, url), visit(browser, url)
    begin_conquest(*pages, url)
    match = pages[0].url.split("#/match/")[1]
    pictured = False
    while True:
        page, board = play_commands(pages, match)
        if board["status"] != "playing":
            break
        seat = board["players"][board["mover"]]["seat"]
        choice = choose(board, seat, ("heuristic", "dumb")[pages.index(page)], Random(1))
        assert choice is not None
        if page is pages[1] and board["ply"] > MANY_COMMANDS:
            choice = Choice("surrender")
            page.click("#action-surrender")
        carry_out(page, choice)
        if choice.action == "attack" and page is pages[0] and not pictured:
            save_screenshot(page, "conquest-match", folder)
            pictured = True
        page.click(f"#action-{choice.action}:not([disabled])")
        page.wait_for_function(HAS_ADVANCED, arg=[match, board["ply"]])
    pages[0].wait_for_selector("#banner")
    save_screenshot(pages[0], "conquest-finished", folder)


def waiting(browser: Browser, url: str, folder: Path, slug: str) -> None:
    """Open a match of a game that has no script, and take a screenshot of the match."""
    page = visit(browser, url)
    press(page, f"#play-{slug}")
    page.wait_for_selector("main[data-match]")
    save_screenshot(page, f"{slug}-waiting", folder)


SCREENSHOTS = {
    "tic-tac-toe": play_tic_tac_toe,
    "battleship": play_battleship,
    "touche-coule": play_touche_coule,
    "deblockle": play_deblockle,
    "conquest": play_conquest,
}
"""For each game, the script that plays a match. If a game has no script, the screenshot shows a
match that waits for players."""


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER
    for one in (folder, SIZES_FOLDER):
        one.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as data, up(Path(data)) as server, sync_playwright() as playwright:
        browser = launch(playwright)
        for slug in playable_games():
            SCREENSHOTS.get(slug, partial(waiting, slug=slug))(browser, server.url, folder)
        save_in_all_sizes(visit(browser, server.url), "lobby")
        browser.close()
    sys.exit("\n".join(FAULTS) or 0)


if __name__ == "__main__":
    main()
