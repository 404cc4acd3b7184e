"""Tests of whole matches in two browsers on a rollup. During each match, one provider fails, later
both providers fail, and a reorg replaces blocks."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import Page, expect

from bots.conquest import choose, moves
from bots.conquest_strategies.commands import NONE
from bots.conquest_strategies.player_view import PlayerView, lands_in
from bots.opponent import Choice
from indexer.model import Json
from indexer.rules.battleship import TILES, WIDTH
from tests.contracts.support.matches.deblockle import SHEET_GAME
from tests.support.page.conquest import carry_out, until_command
from tests.support.page.input_devices import click_cell
from tests.support.page.same_boards import board_of, until_my_turn, until_seq
from tests.support.page.touche_coule import BrowserPlayer, finish, meet
from tests.support.players import wait_for_json
from tests.system.browser.battleship_page import ENEMY, begin, fleet_tiles, reveal, stored_fleets
from tests.system.browser.two_browsers.over_providers import Disturbances, ProviderSite, provider_site

TIC_TAC_TOE, BATTLESHIP, DEBLOCKLE = "tic-tac-toe/1", "battleship/1", "deblockle/1"
TOUCHE_COULE, CONQUEST = "touche-coule/2", "conquest/1"
MINUTES = 20
"""The time limit for a match on a busy machine, in minutes. On an idle machine, a match takes about
four minutes."""
COMMANDS = 24
"""The number of commands in a match of Conquest after which the next player surrenders, provided
that there has been a battle."""
ANSWERED = """([match, ply, at]) => {
  const { boards, state } = window.chainboard;
  return boards[match].board.ply > ply || ['failed', 'refused'].includes(state.transactions[at].state);
}"""
DRAWN = (0, 1, 2, 4, 3, 5, 7, 6, 8)
"""The squares that players mark in a whole match of Tic-tac-toe, in the order of the moves. The
match is an example in the game's rules. The host moves first."""
DUE = """([match, ply]) => {
  const { board } = window.chainboard.boards[match] ?? {};
  return board?.ply === ply && board.mover === window.chainboard.state.me;
}"""


@pytest.mark.soak
@pytest.mark.timeout(300)
def test_tic_tac_toe_comes_to_its_end(tmp_path: Path) -> None:
    with provider_site(tmp_path) as site:
        site.first.click("#play-tic-tac-toe:not([disabled])")
        site.first.wait_for_selector(f"main[data-match='{TIC_TAC_TOE}']")
        site.second.goto(f"{site.server.url}/#/match/{TIC_TAC_TOE}")
        site.second.click("#action-accept:not([disabled])")
        for ply, cell in enumerate(DRAWN):
            page = site.pages[ply % 2]
            page.wait_for_function(DUE, arg=[TIC_TAC_TOE, ply])
            site.press(page, TIC_TAC_TOE, partial(click_cell, page, cell, 3))
        for page in site.pages:
            expect(page.locator("#banner")).to_contain_text("A draw")
        site.require_truth(TIC_TAC_TOE)


@pytest.mark.soak
@pytest.mark.timeout(400)
def test_deblockle_comes_to_its_end(tmp_path: Path) -> None:
    """Tests a match of Deblockle in which the players play the sample game from the rules. If a
    cube shows a face that ends the turn, the opponent moves next."""
    with provider_site(tmp_path) as site:
        site.first.goto(f"{site.server.url}/#/new/deblockle")
        site.first.select_option("main[data-new=deblockle] [data-input=cubes]", "1")
        site.first.click("#new-match-deblockle:not([disabled])")
        site.first.wait_for_selector(f"main[data-match='{DEBLOCKLE}']")
        site.second.goto(f"{site.server.url}/#/match/{DEBLOCKLE}")
        site.second.click("#action-join:not([disabled])")
        mover = 0
        for ply, (_start, (x, y), faces) in enumerate(SHEET_GAME):
            page = site.pages[mover]
            page.wait_for_function(DUE, arg=[DEBLOCKLE, ply])
            site.press(page, DEBLOCKLE, partial(click_cell, page, 7 * (y - 1) + x - 1, 7))
            if faces is None or faces[0] in (1, 6):
                mover = 1 - mover
        for page in site.pages:
            page.wait_for_selector("main[data-status=finished]")
        site.require_truth(DEBLOCKLE)


@pytest.mark.soak
@pytest.mark.timeout(60 * MINUTES)
def test_battleship_comes_to_its_end(tmp_path: Path) -> None:
    """Tests a match of Battleship. The players fire seventeen hits and sixteen misses. Then both
    players reveal their fleets, and the winner withdraws the stakes."""
    with provider_site(tmp_path) as site:
        first, second = site.pages
        begin(site.server.url, BATTLESHIP, first, second)
        enemy, own = fleet_tiles(stored_fleets(second)[0]["ships"]), fleet_tiles(stored_fleets(first)[0]["ships"])
        opening = board_of(second, BATTLESHIP)["board"]["pending"]["tile"]
        water = (tile for tile in range(TILES) if tile not in own and tile != opening)
        for hit in enemy:
            shoot(site, first, hit)
            if hit != enemy[-1]:
                shoot(site, second, next(water))
        reveal(first)
        for page, result in ((first, "You won"), (second, "You lost")):
            expect(page.locator("#banner")).to_contain_text(result)
            expect(page.locator("main")).to_contain_text("Every answer was true")
        site.press(first, BATTLESHIP, partial(first.click, "#action-withdraw:not([disabled])"))
        first.wait_for_function(
            "match => Object.keys(window.chainboard.boards[match].board.withdrawn).length", arg=BATTLESHIP
        )
        site.require_truth(BATTLESHIP)


def shoot(site: ProviderSite, page: Page, tile: int) -> None:
    seq = until_my_turn(page, BATTLESHIP)
    site.press(page, BATTLESHIP, partial(click_cell, page, tile, WIDTH, ENEMY))
    until_seq(page, BATTLESHIP, seq + 1)


@pytest.mark.soak
@pytest.mark.timeout(60 * MINUTES)
def test_touche_coule_comes_to_its_end(tmp_path: Path) -> None:
    """Tests a match of Touché Coulé. The reorg repeats the random draw of the first volley. A hit
    can end the match soon, so the reorg must come early."""
    with provider_site(tmp_path, Disturbances(reorg=4)) as site:
        one, other = (
            BrowserPlayer(page, TOUCHE_COULE, around=partial(site.press, page, TOUCHE_COULE)) for page in site.pages
        )
        meet(site.server.url, one, other)
        finish(one, other, MINUTES)
        for page in site.pages:
            expect(page.locator("#banner")).to_be_visible()
        site.require_truth(TOUCHE_COULE)


@pytest.mark.soak
@pytest.mark.timeout(60 * MINUTES)
def test_conquest_comes_to_its_end(tmp_path: Path) -> None:
    """Tests a match of Conquest on the smallest map, on which the players choose neighbouring
    capitals. A match in which a capital falls can take a hundred commands. In this match, a player
    therefore surrenders earlier, after `COMMANDS` commands."""
    with provider_site(tmp_path) as site:
        site.first.goto(f"{site.server.url}/#/new/conquest")
        site.first.click("#new-conquest-size-148")
        site.first.click("#new-match-conquest:not([disabled])")
        site.first.wait_for_selector(f"main[data-match='{CONQUEST}']")
        site.second.goto(f"{site.server.url}/#/match/{CONQUEST}")
        site.second.click("#action-join:not([disabled])")
        battles = fight(site)
        assert battles
        for page in site.pages:
            expect(page.locator("#banner")).to_be_visible()
        site.require_truth(CONQUEST)


def fight(site: ProviderSite) -> int:
    """Give commands until the match ends, and return the number of battles. If a command fails, for
    example because a reorg changed a random draw, give another command that fits the current
    board."""
    pages = {page.evaluate("() => window.chainboard.state.me"): page for page in site.pages}
    battles = 0
    while (board := due(site))["status"] == "playing":
        page, choice = pages[board["mover"]], command(board, battles)
        until_command(page, CONQUEST, board)
        at = site.press(page, CONQUEST, partial(carry_out, page, choice))
        page.wait_for_function(ANSWERED, arg=[CONQUEST, board["ply"], at])
        battles += choice.action == "attack"
    return battles


def due(site: ProviderSite) -> Json:
    """Wait until no random draw is pending, and until it is a player's turn or the match is over.
    Return the board."""
    path = f"/api/matches/{CONQUEST}"
    found: Json = wait_for_json(site.server, path, lambda it: is_due(it["board"]))["board"]
    return found


def is_due(board: Json) -> bool:
    return board["status"] == "finished" or ("mover" in board and "draw" not in board)


def command(board: Json, battles: int) -> Choice:
    seat = board["players"][board["mover"]]["seat"]
    if battles and board["ply"] >= COMMANDS:
        return Choice("surrender")
    attacks = (one for one in moves(board, seat) if one.action == "attack")
    choice = next(attacks, None) or choose(board, seat, "minmax", Random(1))
    assert choice is not None
    if choice.action == "chooseCapital" and (near := beside_the_enemy(board, seat)) is not None:
        return Choice("chooseCapital", {**choice.arguments, "land": near})
    return choice


def beside_the_enemy(board: Json, seat: int) -> int | None:
    """Return a free land next to the opponent's capital. Return None if there is no such land, or
    if the opponent has no capital."""
    sight = PlayerView.of(board, seat)
    capital = sight.capitals[1 - seat]
    return next(lands_in(sight.reach(capital) & sight.neutral), None) if capital != NONE else None
