"""Tests that two clicks are enough to play against the computer: *Play* on a game's card, and then
the first move. *Play* doesn't join a match whose host is away."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import pytest
from playwright.sync_api import Page, expect

from contracts.abi import encode_call
from tests.support.page.input_devices import click_cell
from tests.support.players import mine_transaction, rpc_call, wait_for_json
from tests.support.server import Server, node_url, up_deployed
from tests.support.waiting import wait_for
from tests.system.browser.battleship_page import fire
from tests.system.browser.conftest import Visit
from tests.system.browser.games.test_tic_tac_toe import tap

NOBODY = "0x" + 40 * "0"
DEAD = "tic-tac-toe/1"
BOARD = "() => window.chainboard.boards[document.querySelector('main').dataset.match].board"
MOVED = """action => window.chainboard.state.transactions
  .filter((tx) => tx.action === action && ["mined", "final"].includes(tx.state)).length"""


def roll(page: Page) -> None:
    """Make a move in Deblockle by clicking a square. Only one cube can reach the square, so the
    page doesn't ask which cube to move."""
    board = page.evaluate(BOARD)
    targets = [cell for cells in board["moves"].values() for cell in cells]
    click_cell(page, next(cell for cell in targets if targets.count(cell) == 1), board["width"])


def shoot(page: Page) -> None:
    fire(page, str(page.get_attribute("main", "data-match")), 0)


def press(page: Page, button: str) -> None:
    page.click(f"{button}:not([disabled])")


FIRST_MOVES: dict[str, tuple[str, Callable[[Page], None]]] = {
    "battleship": ("move", shoot),
    "tic-tac-toe": ("move", partial(tap, cell=4)),
    "deblockle": ("makeMove", roll),
    "conquest": ("chooseCapital", partial(press, button="#action-chooseCapital")),
    "touche-coule": ("turn", partial(press, button="#keep-on")),
}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    data = tmp_path_factory.mktemp("play")
    with up_deployed(data, "--opponents", "40") as server:
        game = next(one for one in server.get("/api/games")["games"] if one["slug"] == "tic-tac-toe")
        host = rpc_call(node_url(data), "eth_accounts")[1]
        call = {"from": host, "to": game["address"], "data": encode_call(game["abi"], "create", (NOBODY, 3600))}
        mine_transaction(node_url(data), call)
        wait_for_json(server, "/api/matches?game=tic-tac-toe", lambda found: found["matches"])
        wait_for(lambda: server.get("/api/opponents")["opponents"], bool, "the computer players")
        yield server


@pytest.mark.parametrize("slug", FIRST_MOVES)
def test_two_presses_are_the_first_own_move(site: Server, visit: Visit, page_errors: list[str], slug: str) -> None:
    action, move = FIRST_MOVES[slug]
    page = visit(site.url + "/")
    press(page, f"#play-{slug}")
    page.wait_for_selector("main[data-match]")
    assert page.get_attribute("main", "data-match") != DEAD, "the host of this match is away"
    expect(page.locator(".players [data-player]")).to_have_count(2)
    move(page)
    page.wait_for_function(f"action => ({MOVED})(action) > 0", arg=action)
    assert page_errors == []


def test_a_second_press_goes_on_with_the_unfinished_game(site: Server, visit: Visit) -> None:
    page = visit(site.url + "/")
    press(page, "#play-tic-tac-toe")
    page.wait_for_selector("main[data-status=playing]")
    match = page.get_attribute("main", "data-match")
    page.goto(f"{site.url}/#/")
    press(page, "#play-tic-tac-toe")
    page.wait_for_selector(f"main[data-match='{match}'][data-status=playing]")
    assert page.evaluate(f"() => ({MOVED})('create')") == 1
