"""Gives any Conquest command in a browser by clicking on the page."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page, expect

from bots.opponent import Choice
from indexer.model import Json

MY_COMMAND = """([match, ply, phase]) => {
  const { board } = window.chainboard.boards[match] ?? {};
  const { me } = window.chainboard.state;
  return board && board.ply >= ply && !board.draw && board.phase === phase && board.mover === me;
}"""


def until_command(page: Page, match: str, board: Json) -> None:
    """Wait until the page shows this board or a later one, and the page's account can give a
    command."""
    page.wait_for_function(MY_COMMAND, arg=[match, board["ply"], board["phase"]])


def carry_out(page: Page, choice: Choice) -> None:
    STEPS[choice.action](page, choice.arguments)


def press_land(page: Page, land: int) -> None:
    page.locator(f"#board [data-label='{land}']").click()


def press_button(page: Page, kind: str) -> None:
    page.click(f"#action-{kind}:not([disabled])")


def land_press(kind: str) -> Any:
    def press(page: Page, arguments: Json) -> None:
        press_land(page, arguments["land"])
        press_button(page, kind)

    return press


def capture(page: Page, arguments: Json) -> None:
    """Select both lands with clicks, then press the button. In between, check that a second click
    on the target deselects it."""
    press_land(page, arguments["from"])
    press_land(page, arguments["to"])
    expect(page.locator("#action-capture")).to_be_enabled()
    press_land(page, arguments["to"])
    expect(page.locator("#action-capture")).to_be_disabled()
    press_land(page, arguments["to"])
    press_button(page, "capture")


def attack(page: Page, arguments: Json) -> None:
    """Plan an attack and launch it. In between, check that the first arrow makes the button appear,
    and that a click on this arrow removes both."""
    start, end = bytes.fromhex(arguments["pairs"][2:])[:2]
    press_land(page, start)
    assert page.locator("#action-attack").count() == 0
    press_land(page, end)
    expect(page.locator("#action-attack")).to_be_enabled()
    page.locator("#board g[data-press='4096'] .arrow-touch").dispatch_event("click")
    expect(page.locator("#action-attack")).to_have_count(0)
    press_land(page, end)
    expect(page.locator("#planned li")).to_have_count(1)
    press_button(page, "attack")


def move(page: Page, arguments: Json) -> None:
    press_land(page, arguments["from"])
    press_land(page, arguments["to"])
    page.select_option("#move-quarters", str(arguments["quarters"]))
    if arguments["hero"]:
        page.check("#move-hero")
    press_button(page, "move")


def end_turn(page: Page, _arguments: Json) -> None:
    """End the turn. In the first phase, press the button a second time to confirm, because the
    player would lose the whole turn."""
    press_button(page, "pass")
    page.wait_for_selector("#action-pass:is([data-armed], [disabled])")
    if page.locator("#action-pass[data-armed]").count():
        press_button(page, "pass")


def surrender(page: Page, _arguments: Json) -> None:
    """Surrender with two clicks. The second click confirms the first."""
    press_button(page, "surrender")
    expect(page.locator("#action-surrender")).to_have_attribute("data-armed", "")
    press_button(page, "surrender")


STEPS = {
    **{kind: land_press(kind) for kind in ("chooseCapital", "reinforce", "buildPort")},
    **{"capture": capture, "attack": attack, "move": move, "pass": end_turn, "surrender": surrender},
    "useItem": lambda page, _: press_button(page, "useItem"),
}
