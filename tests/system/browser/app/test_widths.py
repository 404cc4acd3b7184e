"""Tests of the page's layout at several window sizes. All parts share one left edge, and no row is
empty. Buttons are large enough for a finger. Users can drop a file anywhere on the page."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.support.players import wait_for_json
from tests.support.server import Server
from tests.system.browser.conftest import Visit
from tests.system.browser.rpc_player import RpcPlayer

NOBODY = "0x" + 40 * "0"
PLACES = {
    "#/": ".lobby:not(.standings)",
    "#/players": ".standings:not(.player-page)",
    "#/rules/deblockle": ".rules-page",
    "#/new/battleship": ".new-page",
    f"#/player/0x{40 * '1'}": ".player-page",
}
EDGES = """() => {
  const main = document.querySelector("main");
  const { left, width } = main.getBoundingClientRect();
  return [left, width, main.querySelector("h1").getBoundingClientRect().left].map(Math.round);
}"""
BANDS = """() => [...document.querySelectorAll(".card.game")].map(card => {
  const last = Math.max(...[...card.querySelectorAll(".card-foot > *")].map(one => one.getBoundingClientRect().bottom));
  return card.getBoundingClientRect().bottom - last;
})"""
"""A script that returns, for each card in the lobby, the empty space below the card's last element,
in pixels."""
SMALL = """() => [...document.querySelectorAll(
  ".time-line :is(button, select, summary, a, input), #feed :is(a, button)"
)].filter(one => {
  const { width, height } = one.getBoundingClientRect();
  return width && height && (width < 24 || height < 24);
}).map(one => one.outerHTML)"""
CUT_ROWS = """() => [...document.querySelectorAll(".match-row")].filter(row =>
  [...row.querySelectorAll(".who a")].some(name => {
    const { width, height } = name.getBoundingClientRect();
    return width < 60 || height > 40;
  })
).map(row => row.textContent)"""
"""A script that returns the rows in the lobby in which a player's name has too little space. In the
worst case, each line of the name has only one letter."""
DRAG = """([kind, type]) => {
  const dataTransfer = new DataTransfer();
  if (kind === "file") dataTransfer.items.add(new File(["x"], "match.json"));
  else dataTransfer.items.add("x", "text/plain");
  document.body.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
  return getComputedStyle(document.documentElement, "::after").content;
}"""


def test_pages_have_one_width_and_one_left_edge(board_server: Server, visit: Visit) -> None:
    page, found = visit(board_server.url + "/"), set()
    for place, main in PLACES.items():
        page.goto(f"{board_server.url}/{place}")
        expect(page.locator(f"{main} h1")).to_be_visible()
        found.add(tuple(page.evaluate(EDGES)))
    assert len(found) == 1, found


def test_a_card_ends_below_what_it_says(board_server: Server, visit: Visit) -> None:
    page = visit(board_server.url + "/")
    page.wait_for_selector("#play-tic-tac-toe:not([disabled])")
    assert max(page.evaluate(BANDS)) <= 12


@pytest.fixture
def over(board_server: Server, visit: Visit) -> Page:
    players = RpcPlayer(board_server, "tic-tac-toe"), RpcPlayer(board_server, "tic-tac-toe")
    players[0].play("create", NOBODY, 0)
    own = f"/api/matches?game=tic-tac-toe&player={players[0].address}"
    match = wait_for_json(board_server, own, lambda found: found["matches"])["matches"][0]["match"]
    number = int(match.split("/")[1])
    players[1].play("accept", number)
    for ply, cell in enumerate((0, 4, 1, 3, 2)):
        players[ply % 2].play("move", number, ply, cell // 3, cell % 3)
    page = visit(f"{board_server.url}/#/match/{match}")
    expect(page.locator("main[data-status=finished]")).to_be_visible()
    expect(page.locator("#feed .line .go").nth(5)).to_be_visible()
    return page


@pytest.mark.parametrize("width", [360, 390, 1440])
def test_a_row_of_the_lobby_can_be_read(over: Page, board_server: Server, width: int) -> None:
    over.set_viewport_size({"width": width, "height": 844})
    over.goto(f"{board_server.url}/#/")
    expect(over.locator(".match-row .result").first).to_be_visible()
    assert over.evaluate(CUT_ROWS) == []


@pytest.mark.parametrize(("width", "height"), [(844, 390), (720, 450), (390, 844)])
def test_the_time_line_and_the_moves_can_be_hit(over: Page, width: int, height: int) -> None:
    """Tests that the controls of the timeline and the list of moves are large enough. The second
    size is that of a 1440 × 900 window at 200 % zoom, in CSS pixels."""
    over.set_viewport_size({"width": width, "height": height})
    assert over.evaluate(SMALL) == []
    over.keyboard.press("Home")
    expect(over.locator("#time-line[data-looking]")).to_be_visible()
    assert over.evaluate(SMALL) == []


def test_a_match_that_is_not_there_is_no_error(board_server: Server, visit: Visit, page_errors: list[str]) -> None:
    page = visit(f"{board_server.url}/#/match/tic-tac-toe/999999")
    expect(page.locator("main")).to_contain_text("There’s nothing at this address")
    assert page_errors == []


def test_a_file_over_the_page_shows_where_to_drop_it(board_server: Server, visit: Visit) -> None:
    page = visit(board_server.url + "/")
    page.wait_for_selector("#open-replay")
    assert "Drop the replay file" in page.evaluate(DRAG, ["file", "dragover"])
    assert page.evaluate(DRAG, ["file", "dragleave"]) == "none"
    assert page.evaluate(DRAG, ["text", "dragover"]) == "none"
