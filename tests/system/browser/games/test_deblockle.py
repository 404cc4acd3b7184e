"""Tests of Deblockle in the page. In two browsers, players play the sample game from the rules.
During the match, the stakes stream back to the players."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from contracts.abi import decode_result, encode_call
from tests.contracts.support.matches.deblockle import SHEET_GAME
from tests.support.page.browser import barriers
from tests.support.page.input_devices import EDGE, back_up_key, click_cell, settled_box, tab_to, walk
from tests.support.server import Server
from tests.system.browser.conftest import Visit
from tests.system.browser.match.token_site import TokenSite
from tests.system.browser.page_scripts import SMALL_TEXT

SIDE = 7
STREAMS = """match => {
  const { players } = window.chainboard.boards[match].board;
  const rows = [...document.querySelectorAll('[data-stream]')].map(row => ({ ...row.dataset }));
  rows.sort((a, b) => players[a.stream].seat - players[b.stream].seat);
  return { block: Number(rows[0].block), rows };
}"""
"""A script that returns the last block in which the contract settled the streaming stakes. It also
returns both stakes as the page shows them, in the order of the seats."""
BOARD = "match => window.chainboard.boards[match].board"

STREAM_REACHED = "([stream, least]) => BigInt(document.querySelector(stream).dataset.amount) >= BigInt(least)"


def me(page: Page) -> str:
    return str(page.evaluate("() => window.chainboard.state.me"))


def cell(x: int, y: int) -> int:
    return SIDE * (y - 1) + x - 1


def open_match(page: Page, token_site: TokenSite, stake: str, rate: str, token: str = "") -> str:
    """Open a match with a stake and one cube per player. Return the match's name. When this
    returns, the page shows the match."""
    page.goto(f"{token_site.server.url}/#/new/deblockle")
    card = page.locator("main[data-new=deblockle]")
    card.locator("[data-input=cubes]").select_option("1")
    card.locator("[data-input=token]").fill(token)
    card.locator("[data-input=stake]").fill(stake)
    card.locator("[data-input=rate]").fill(rate)
    card.locator("[data-input=clock]").select_option("3600")
    card.locator("#new-match-deblockle:not([disabled])").click()
    page.wait_for_selector("main[data-match][data-status=open]")
    return str(page.get_attribute("main", "data-match"))


def call_view(token_site: TokenSite, name: str, match: str, block: str) -> Any:
    """Call a view function of the game's contract on the state after this block. Return the
    result."""
    [game] = [one for one in token_site.server.get("/api/games")["games"] if one["slug"] == "deblockle"]
    number = int(match.split("/")[1])
    call = {"to": game["address"], "data": encode_call(game["abi"], name, (number,))}
    answer = token_site.server.rpc("eth_call", call, block)
    return decode_result(game["abi"], name, 1, answer["result"])


def streamed_amounts(page: Page, token_site: TokenSite, match: str, ply: int) -> list[int]:
    """Wait until the page has this ply. Check that the page shows the amounts that the contract
    returns for the same block. Return how much has streamed back to each seat, in the stake's
    smallest unit."""
    page.wait_for_function(f"match => ({BOARD})(match).ply === {ply}", arg=match)
    found = page.evaluate(STREAMS, match)
    amounts = [int(row["settled"]) for row in found["rows"]]
    assert amounts == list(call_view(token_site, "streamed", match, hex(found["block"])))
    assert all(int(row["amount"]) >= int(row["settled"]) for row in found["rows"])
    return amounts


def play_sample_game(first: Page, second: Page, token_site: TokenSite, match: str) -> None:
    """Play all ten plies of the rules' sample game with clicks. Each player has only one cube, so
    the page selects the cube by itself."""
    sides, mover = (first, second), 0
    for ply, (start, end, faces) in enumerate(SHEET_GAME):
        page = sides[mover]
        streamed_amounts(page, token_site, match, ply)
        piece = page.locator(f"[data-piece='cube-{4 * mover}']")
        expect(piece).to_have_attribute("data-cell", f"{'ABCDEFG'[start[0] - 1]}{start[1]}")
        if ply == 0:
            check_cube_details(page, cell(*start))
            try_unreachable_squares(page)
        expect(page.locator(f"[data-mark=target][data-cell={'ABCDEFG'[end[0] - 1]}{end[1]}]")).to_have_count(1)
        click_cell(page, cell(*end), SIDE)
        page.wait_for_function(f"match => ({BOARD})(match).ply === {ply + 1}", arg=match)
        if faces is None or faces[0] in (1, 6):
            mover = 1 - mover
    for page in sides:
        page.wait_for_selector("main[data-status=finished]")


def drawn_square(page: Page, selector: str) -> tuple[int, int]:
    """Return the column and row, from the top left, in which the page draws a board element."""
    board = settled_box(page.locator("#board svg").first)
    spot = settled_box(page.locator(selector).first)
    size = (board["width"] - EDGE - 2) / SIDE
    x = spot["x"] + spot["width"] / 2 - board["x"] - EDGE
    y = spot["y"] + spot["height"] / 2 - board["y"] - EDGE
    return int(x // size), int(y // size)


def click_square(page: Page, column: int, row: int) -> None:
    """Click the square in this column and row, counted from the top left of the board as the page
    displays it."""
    drawing = page.locator("#board svg").first
    size = (settled_box(drawing)["width"] - EDGE - 2) / SIDE
    drawing.click(position={"x": EDGE + (column + 0.5) * size, "y": EDGE + (row + 0.5) * size})


def board_at_ply(page: Page, match: str, ply: int) -> dict[str, Any]:
    page.wait_for_function(f"match => ({BOARD})(match).ply === {ply}", arg=match)
    board: dict[str, Any] = page.evaluate(BOARD, match)
    return board


def test_each_player_sees_the_own_side_at_the_bottom(
    board_server: Server, visit: Visit, page_errors: list[str]
) -> None:
    """Tests that the page turns the board for the second player. Clicks and arrow keys must then
    follow the directions that this player sees."""
    first, second = visit(board_server.url + "/"), visit(board_server.url + "/")
    first.goto(f"{board_server.url}/#/new/deblockle")
    first.locator("main[data-new=deblockle] [data-input=cubes]").select_option("2")
    first.click("#new-match-deblockle:not([disabled])")
    first.wait_for_selector("main[data-match][data-status=open]")
    match = str(first.get_attribute("main", "data-match"))
    second.goto(f"{board_server.url}/#/match/{match}")
    expect(second.locator("#action-join:not([disabled])")).to_be_visible()
    expect(second.locator("#board svg[data-turned]")).to_have_count(0)
    second.click("#action-join")
    expect(second.locator("#board svg[data-turned]")).to_have_count(1)
    first.wait_for_selector("main[data-status=playing]")
    expect(first.locator("#board svg[data-turned]")).to_have_count(0)
    # Cube 4 belongs to the second player and is on c1. Cube 0 belongs to the first player and is on
    # c7.
    own, other = "[data-piece=cube-4]", "[data-piece=cube-0]"
    assert (drawn_square(first, own), drawn_square(second, own)) == ((2, 0), (4, 6))
    assert (drawn_square(first, other), drawn_square(second, other)) == ((2, 6), (4, 0))
    labels = [second.locator("#board text.edge").nth(at).text_content() for at in (0, SIDE)]
    assert labels == ["a", "1"]
    columns = [settled_box(second.locator("#board text.edge").nth(at))["x"] for at in range(SIDE)]
    rows = [settled_box(second.locator("#board text.edge").nth(at))["y"] for at in range(SIDE, 2 * SIDE)]
    assert columns == sorted(columns, reverse=True)
    assert rows == sorted(rows, reverse=True)

    click_cell(first, cell(3, 7), SIDE)
    click_cell(first, cell(2, 7), SIDE)  # the cube rolls from c7 to b7 and lands on its stop face, which ends the turn
    assert board_at_ply(second, match, 1)["last"]["to"] == cell(2, 7)
    expect(first.locator("#turn-note")).to_have_text("Stop: your turn ends")
    expect(second.locator("#turn-note")).to_have_text(re.compile("^Stop: .+’s turn ends$"))
    expect(first.locator(".piece.selected")).to_have_count(0)

    # On the turned board, c1 is at the bottom in the fifth column. A click moves the cube on c1 up
    # the screen, towards the opponent's side.
    second.locator(f"{own}.mine").wait_for()
    click_square(second, 4, 6)
    expect(second.locator(f"{own}.selected")).to_have_count(1)
    expect(second.locator("[data-mark=target][data-cell=C2]")).to_have_count(1)
    assert drawn_square(second, "[data-mark=target][data-cell=C2]") == (4, 5)
    click_square(second, 4, 5)
    board = board_at_ply(second, match, 2)
    assert (board["last"]["from"], board["last"]["to"]) == (cell(3, 1), cell(3, 2))
    expect(second.locator("#turn-note")).to_have_text("")
    assert board["hopper"] == 4

    # On the turned board, the cursor starts on g7 at the top left. The test makes cube 4 hop up the
    # cube's column.
    target = next(to for to in board["moves"]["4"] if to % SIDE == 2 and to // SIDE > 1)
    tab_to(second, "#board")
    walk(second, -SIDE, -SIDE)
    expect(second.locator("#board-cell")).to_have_text("g7, empty")
    walk(second, SIDE - 1 - target % SIDE, SIDE - 1 - target // SIDE)
    expect(second.locator("#board-cell")).to_contain_text(", hop here")
    second.keyboard.press("Enter")
    board = board_at_ply(second, match, 3)
    assert board["last"]["to"] == board["cubes"]["4"]["cell"] == target
    expect(second.locator(".piece.selected")).to_have_count(0)
    assert page_errors == []


def check_cube_details(page: Page, at: int) -> None:
    """Move the cursor onto a cube. Check the unfolded cube that the page then shows."""
    page.locator("#board").focus()
    for key in ("ArrowDown",) * (at // SIDE) + ("ArrowRight",) * (at % SIDE):
        page.keyboard.press(key)
    expect(page.locator("#net [data-side=up][data-face='2']")).to_be_visible()
    expect(page.locator("#board-cell")).to_have_text("d7, your cube: top X, front Slide, right Stop, chosen")


def try_unreachable_squares(page: Page) -> None:
    """Try to move to squares that the cube can't reach. The page must show why the contract would
    reject each move."""
    click_cell(page, cell(5, 7), SIDE)
    expect(page.locator("#board-why[data-why='deblockle.error.StarOffSquare']")).to_contain_text("star square")
    click_cell(page, cell(4, 6), SIDE)
    expect(page.locator("#board-why[data-why='deblockle.error.RivalsStar']")).to_be_visible()


def join_match(token_site: TokenSite, visit: Visit, first: Page, match: str, units: int = 0) -> Page:
    second = visit(token_site.server.url + "/")
    if units:
        token_site.transfer(me(second), units)
    back_up_key(second)
    second.goto(f"{token_site.server.url}/#/match/{match}")
    expect(second.locator("#terms [data-term='match.rate']")).to_contain_text("a second comes back")
    second.click("#action-join:not([disabled])")
    for page in (first, second):
        page.wait_for_selector("main[data-status=playing]")
    return second


def withdraw(page: Page, amount: str) -> None:
    """Withdraw the player's money. Check that the button shows this amount, and that nothing is
    left afterwards."""
    button = page.locator("#action-withdraw:not([disabled])")
    expect(button).to_have_text(f"Withdraw {amount}")
    button.click()
    expect(page.locator("#action-withdraw")).to_have_count(0)
    expect(page.locator(f"[data-stream='{me(page)}']")).to_contain_text("withdrawn")


def withdrawable(token_site: TokenSite, match: str) -> list[int]:
    """Return the amount that each seat can withdraw at this moment, in the stake's smallest
    unit."""
    *_, amounts = call_view(token_site, "status", match, "latest")
    return list(amounts)


@pytest.mark.soak
def test_sample_game_with_a_stake_in_ether(token_site: TokenSite, visit: Visit, page_errors: list[str]) -> None:
    first = visit(token_site.server.url + "/")
    back_up_key(first)
    stake, rate = 10**16, 10**12
    match = open_match(first, token_site, "0.01", "0.000001")
    second = join_match(token_site, visit, first, match)
    assert barriers(first) == []
    assert first.evaluate(SMALL_TEXT) == []
    expect(first.locator("#streams-notice")).to_contain_text("0.000001 ETH of ")
    expect(first.locator("#streams-notice")).to_contain_text("’s deposit goes back to them every second")
    expect(second.locator("#streams-notice")).to_contain_text(
        "0.000001 ETH of your deposit comes back to you every second"
    )
    running = f"[data-stream='{me(second)}'][data-flows]"
    before = int(second.locator(running).get_attribute("data-amount") or 0)
    # The page increases the displayed amount by itself, without new blocks.
    second.wait_for_function(STREAM_REACHED, arg=[running, str(before + 2 * rate)])
    play_sample_game(first, second, token_site, match)

    back = list(call_view(token_site, "streamed", match, "latest"))
    assert withdrawable(token_site, match) == [2 * stake - back[1], back[1]]
    assert sum(withdrawable(token_site, match)) == 2 * stake
    expect(first.locator("#banner")).to_contain_text("You won")
    expect(second.locator("#banner")).to_contain_text("You lost")
    amounts = [int(row["amount"]) for row in second.evaluate(STREAMS, match)["rows"]]
    assert amounts == withdrawable(token_site, match)
    for page, amount in zip((first, second), amounts, strict=True):
        withdraw(page, f"{amount / 10**18:.6f}".rstrip("0") + " ETH")
    assert withdrawable(token_site, match) == [0, 0]
    assert page_errors == []


@pytest.mark.soak
def test_sample_game_with_a_stake_in_a_token(token_site: TokenSite, visit: Visit, page_errors: list[str]) -> None:
    """Tests the sample game with a stake in a token that has six decimals. The player enters the
    stake and the rate in whole tokens."""
    first = visit(token_site.server.url + "/")
    token_site.transfer(me(first), 5_000_000)
    back_up_key(first)
    match = open_match(first, token_site, "2.5", "0.000002", token_site.token)
    terms = first.evaluate("match => window.chainboard.boards[match].board", match)
    assert (terms["stake"], terms["rate"], terms["token"]) == ("2500000", "2", token_site.token)
    second = join_match(token_site, visit, first, match, 2_500_000)
    play_sample_game(first, second, token_site, match)
    won, lost = withdrawable(token_site, match)
    assert won + lost == 5_000_000
    held = [token_site.balances(me(page))[1] for page in (first, second)]
    for page in (first, second):
        page.click("#action-withdraw:not([disabled])")
        expect(page.locator("#action-withdraw")).to_have_count(0)
    assert [token_site.balances(me(page))[1] for page in (first, second)] == [held[0] + won, held[1] + lost]
    assert page_errors == []
