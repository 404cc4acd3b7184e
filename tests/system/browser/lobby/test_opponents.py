"""Tests of matches against the computer, played with clicks. The player reopens the tab during each
match. In `make soak`, the tests play matches of four games to their ends. In other runs, they play
only Tic-tac-toe to the end."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest
from playwright.sync_api import Error, Page, expect

from api.names.account_names import name_of
from tests.support.page.browser import barriers
from tests.support.page.input_devices import click_cell
from tests.support.server import Server, up_deployed
from tests.system.browser.battleship_page import fire, surrender
from tests.system.browser.conftest import PAGE_READY, Visit
from tests.system.browser.games.test_tic_tac_toe import open_match, tap, wait_for_turn

MINE_OR_OVER = """match => {
  const board = window.chainboard.boards[match]?.board;
  const mine = board?.mover === window.chainboard.state.me;
  return board && (mine || board.status !== "playing" || board.phase === "reveals");
}"""
BOARD = "match => window.chainboard.boards[match].board"
ALL = 99
MOVES = [3, pytest.param(ALL, marks=pytest.mark.soak)]
"""The number of moves after which a test stops the match. With ALL, the test plays to the match's
end."""
IDS = ["begun", "whole"]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with up_deployed(tmp_path_factory.mktemp("opponents"), "--opponents", "10") as server:
        yield server


def choose(page: Page, slug: str, name: str) -> None:
    """Open a match against this computer player by submitting the form for a new match."""
    page.click(f"#new-{slug}")
    page.click(f"#choose-{slug} [data-opponent={name}]")
    page.click(f"#new-match-{slug}:not([disabled])")


def match_of(page: Page) -> str:
    page.wait_for_selector("main[data-match]")
    return str(page.get_attribute("main", "data-match"))


def wait_until_started(page: Page) -> str:
    page.wait_for_selector("main[data-status=playing]")
    return match_of(page)


def reopen_in_new_tab(page: Page, url: str) -> Page:
    """Close the tab, and with it the page's memory. Return a new tab of the same browser that shows
    this URL."""
    context = page.context
    page.close()
    page = context.new_page()
    page.goto(url)
    page.wait_for_function(PAGE_READY)
    return page


def return_to(page: Page, match: str) -> None:
    page.wait_for_selector(f"main[data-match='{match}'][data-status=playing]")


def computer_in(page: Page) -> str:
    """Return the account of the computer player in the match that the page shows."""
    return str(page.locator(".players .computer").get_attribute("data-address"))


def position(page: Page, match: str) -> Any:
    """Wait until it is the turn of the page's player or the match is over. Return the board."""
    page.wait_for_function(MINE_OR_OVER, arg=match)
    return page.evaluate(BOARD, match)


def test_tic_tac_toe(site: Server, visit: Visit, page_errors: list[str]) -> None:
    page = visit(site.url)
    choose(page, "tic-tac-toe", "perfect")
    match = wait_until_started(page)
    expect(page.locator(".players .computer .level")).to_have_text("Hard")
    while (board := position(page, match))["status"] == "playing":
        wait_for_turn(page)
        tap(page, next(cell for cell in range(9) if str(cell) not in board["cells"]))
        page.wait_for_function(f"match => ({BOARD})(match).ply > {board['ply']}", arg=match)
        if board["ply"] < 2:
            page = reopen_in_new_tab(page, site.url)
            page.click(f"#matches-own [data-match='{match}'] a")
            return_to(page, match)
            page.reload()
            return_to(page, match)
    expect(page.locator("#banner")).to_contain_text(name_of(computer_in(page)))
    expect(page.locator("#feed")).to_contain_text(f"{name_of(computer_in(page))} plays O")
    page.click("#banner #action-rematch:not([disabled])")
    page.wait_for_selector(f"main[data-status=playing]:not([data-match='{match}'])")
    assert page_errors == []


def test_a_rematch_with_the_computer_begins_at_one_press(site: Server, visit: Visit, page_errors: list[str]) -> None:
    page = visit(site.url)
    page.click("#play-deblockle:not([disabled])")
    match = wait_until_started(page)
    computer = computer_in(page)
    page.click("#action-resign:not([disabled])")
    page.click("#action-resign[data-armed]:not([disabled])")
    page.click("#rematch:not([disabled])")
    page.wait_for_selector(f"main[data-status=playing]:not([data-match='{match}'])")
    assert computer_in(page) == computer
    assert page_errors == []


@pytest.mark.soak
@pytest.mark.parametrize("shots", [3, ALL], ids=IDS)
def test_battleship(site: Server, visit: Visit, page_errors: list[str], shots: int) -> None:
    page = visit(site.url)
    choose(page, "battleship", "reckoner")
    match = wait_until_started(page)
    fired = 0
    while (board := position(page, match))["status"] == "playing" and board.get("phase") != "reveals":
        if fired == shots:
            surrender(page)
            break
        fired_at = board["players"][board["mover"]]["shots"]
        fire(page, match, next(tile for tile in range(ALL) if str(tile) not in fired_at))
        fired += 1
        if fired == 2:
            page = reopen_in_new_tab(page, site.url)
            page.click(f"#matches-own [data-match='{match}'] a")
            return_to(page, match)
            page.reload()
            return_to(page, match)
    # The player fires at the squares in order. This usually loses, but sometimes wins.
    expect(page.locator("#banner")).to_contain_text(re.compile(f"{name_of(computer_in(page))}|You won"))
    assert page_errors == []


@pytest.mark.soak
@pytest.mark.parametrize("turns", [3, ALL], ids=IDS)
def test_touche_coule(site: Server, visit: Visit, page_errors: list[str], turns: int) -> None:
    page = visit(site.url)
    choose(page, "touche-coule", "lookout")
    match = match_of(page)
    expect(page.locator(".players .computer .level")).to_have_text("Easy")
    for _ in range(2):
        page.click("#action-register:not([disabled])")
    assert wait_until_started(page) == match  # the match starts when the computer takes its first turn
    page = reopen_in_new_tab(page, f"{site.url}/#/match/{match}")
    page.reload()
    over, turn = "main[data-status=finished]", "#action-turn:not([disabled])"
    page.wait_for_selector(turn)
    while page.wait_for_selector(f"{over}, {turn}") and not page.locator(over).count():
        if turns < ALL and page.evaluate(BOARD, match)["ply"] > turns:
            break
        with suppress(Error):  # the computer may have taken this turn in the meantime
            page.click(turn, timeout=300)
    else:
        expect(page.locator("#banner")).to_be_visible()
    assert page_errors == []


@pytest.mark.parametrize("plies", MOVES, ids=IDS)
def test_deblockle(site: Server, visit: Visit, page_errors: list[str], plies: int) -> None:
    """Tests a match in which the player always makes the first legal move. The computer must win,
    or the match ends in a draw."""
    page = visit(site.url)
    page.click("#new-deblockle")
    page.select_option("main [data-input=cubes]", "2")
    page.click("#choose-deblockle [data-opponent=careful]")
    page.click("#new-match-deblockle:not([disabled])")
    match = wait_until_started(page)
    expect(page.locator(".players .computer .level")).to_have_text("Easy")
    while (board := position(page, match))["status"] == "playing":
        if board["ply"] >= plies and plies < ALL:
            page.click("#action-resign:not([disabled])")
            page.click("#action-resign[data-armed]")
            break
        cube, targets = next(iter(board["moves"].items()), (None, []))
        if cube is None:
            page.click("#action-passMove:not([disabled])")
        else:
            if "hopper" not in board:
                click_cell(page, board["cubes"][cube]["cell"], board["width"])
            click_cell(page, targets[0], board["width"])
        page.wait_for_function(f"match => ({BOARD})(match).ply > {board['ply']}", arg=match)
    expect(page.locator("#banner")).to_be_visible()
    assert page_errors == []


def test_a_match_that_waits(site: Server, visit: Visit, page_errors: list[str]) -> None:
    """Tests that a player who has opened a match can ask for a computer player while the match is
    still open. The leaderboard can show computer players or hide them."""
    page = visit(site.url)
    page.click("#new-tic-tac-toe")
    page.wait_for_selector("#choose-tic-tac-toe [data-opponent=careful]")
    assert barriers(page) == []
    match = open_match(page, site.url)
    page.wait_for_selector("#ask-computer [data-opponent=careful]")
    assert barriers(page) == []
    page.click("#ask-computer [data-opponent=careful]")
    assert wait_until_started(page) == match
    expect(page.locator("#ask-computer")).to_have_count(0)
    computer = page.locator(".players button.computer")
    words = name_of(computer_in(page))
    expect(computer).to_have_accessible_name(f"computer {words} Easy")
    computer.click()
    petname = page.locator("#name-card [data-petname] input")
    for own, name in (("Deep", "Deep"), ("", words)):
        petname.fill(own)
        petname.press("Enter")
        expect(computer).to_have_accessible_name(f"computer {name} Easy")
    page.click("#name-close")
    page.click("#action-resign:not([disabled])")
    page.click("#action-resign[data-armed]")
    expect(page.locator("#banner")).to_contain_text(f"You resigned; {words} won")
    page.goto(f"{site.url}/#/players")
    standing = page.locator("#leaderboard-tic-tac-toe tr[data-player]")
    expect(standing.locator(".computer")).not_to_have_count(0)
    page.check("#people-only")
    expect(standing.locator(".computer")).to_have_count(0)
    expect(standing).not_to_have_count(0)
    assert page_errors == []
