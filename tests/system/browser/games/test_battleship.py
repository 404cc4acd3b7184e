"""Tests of Battleship in the page: whole games, lost and restored fleets, surrenders, and an
opponent who answers a shot falsely."""

from __future__ import annotations

import json
import re
import secrets
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Download, Page, Request, expect

from api.names.account_names import name_of
from indexer.rules.battleship import TILES, commitment
from tests.support.page.browser import barriers
from tests.support.page.input_devices import back_up_key, import_key, key_of
from tests.support.page.same_boards import board_of
from tests.support.server import Server
from tests.system.browser.battleship_page import FLEETS_KEY, fire, fleet_tiles, reveal, stored_fleets, surrender
from tests.system.browser.conftest import Visit
from tests.system.browser.rpc_player import RpcPlayer

SHIPS = "PH12 SH81 DV7 BV51 CH40"


def my_account(page: Page) -> str:
    return str(page.evaluate("() => window.chainboard.state.me"))


def open_match(page: Page, server: Server, reveal: bool = True, clock: int = 0) -> str:
    """Open a match with the fleet that the form suggests, and return the match's name. When this
    returns, the page shows the match. A match with a clock is rated."""
    page.goto(f"{server.url}/#/new/battleship")
    page.select_option("[data-input=clock]", str(clock))
    page.set_checked("#new-battleship-reveal", reveal)
    page.click("#new-match-battleship:not([disabled])")
    page.wait_for_selector("main[data-match^='battleship/']")
    return str(page.locator("main").get_attribute("data-match"))


def accept(page: Page, server: Server, match: str) -> None:
    page.goto(f"{server.url}/#/match/{match}")
    page.click("#action-accept:not([disabled])")
    page.wait_for_selector("main[data-status=playing]")


def begin_match(server: Server, visit: Visit, clock: int = 0) -> tuple[Page, Page, str]:
    """Start a match between two browsers. The second browser's player fires the first shot when
    accepting the match."""
    first, second = visit(server.url + "/"), visit(server.url + "/")
    match = open_match(first, server, clock=clock)
    accept(second, server, match)
    first.wait_for_selector("main[data-status=playing]")
    return first, second, match


def ship_tiles(page: Page, account: str = "") -> list[int]:
    """Return the squares of the ships that an account has placed, from this browser's storage.
    Without `account`, use the page's current account."""
    wanted = account or my_account(page)
    return next(fleet_tiles(one["ships"]) for one in stored_fleets(page) if one["account"] == wanted)


def empty_squares(page: Page, enemy: list[int], match: str, shooter: str) -> list[int]:
    """Return the squares without an enemy ship. If the shooter's first shot hasn't been answered
    yet, leave out its square."""
    first = board_of(page, match)["board"]["pending"]
    taken = {first["tile"]} if first["by"] == shooter else set()
    return [tile for tile in range(TILES) if tile not in enemy and tile not in taken]


def take_over(page: Page, account: str) -> None:
    """Two players share this page, which covers each player's fleet. Wait until the page switches
    to the account of the player to move, then press the button that uncovers the fleet."""
    page.wait_for_function("account => window.chainboard.state.me === account", arg=account)
    page.click("#uncover")
    expect(page.locator("#board")).to_be_focused()


def test_a_cover_comes_before_the_fleet_of_the_other_player(
    board_server: Server, visit: Visit, page_errors: list[str]
) -> None:
    page = visit(board_server.url + "/")
    match = open_match(page, board_server)
    host = my_account(page)
    assert page.locator("#cover").count() == 0, "nobody else plays here"
    page.click("#both-sides")
    expect(page.locator("#uncover")).to_be_focused()
    guest = my_account(page)
    expect(page.locator("#cover h2")).to_have_text(f"Hand over to {name_of(guest)}")
    assert page.locator("#board [data-line], #accept-sea, #board-text li[data-line], .actions").count() == 0
    page.keyboard.press("Enter")
    expect(page.locator("#board [data-line=draft]")).to_have_count(5)
    expect(page.locator("#board")).to_be_focused()
    page.click("#action-accept:not([disabled])")
    page.wait_for_function("host => window.chainboard.state.me === host", arg=host)
    expect(page.locator("#uncover")).to_be_focused()
    expect(page.locator("#board .part-title").first).to_have_text("Your sea")
    assert page.locator("#board [data-line]").count() == 0
    expect(page.locator("#board-text")).not_to_contain_text("patrol boat")
    page.click("#time-open")
    page.click("#time-first")
    page.wait_for_selector("main[data-past]")
    assert page.locator("#board [data-line]").count() == 0, "the past must not show the ships either"
    page.click("#to-present")
    assert barriers(page) == []
    page.goto(board_server.url + "/#/")
    page.wait_for_selector("#game-battleship .board.small svg")
    assert page.locator("#game-battleship [data-line=mine]").count() == 0, "the lobby must not show the ships either"
    page.goto(f"{board_server.url}/#/match/{match}")
    page.click("#uncover")
    expect(page.locator("#board [data-line=mine]")).to_have_count(5)
    page.click(f"[data-hand-over='{guest}']")
    expect(page.locator("#uncover")).to_be_focused()
    assert page_errors == []


@pytest.mark.soak
def test_both_sides_in_one_page_to_the_last_ship(board_server: Server, visit: Visit, page_errors: list[str]) -> None:
    page = visit(board_server.url + "/")
    page.click("#play-battleship")
    page.click("#new-match-battleship:not([disabled])")
    page.wait_for_selector("main[data-match^='battleship/']")
    match = str(page.locator("main").get_attribute("data-match"))
    host = my_account(page)
    page.click("#both-sides")
    page.wait_for_function("host => window.chainboard.state.me !== host", arg=host)
    guest = my_account(page)
    page.click("#uncover")
    page.click("#action-accept:not([disabled])")
    page.wait_for_selector("main[data-status=playing]")
    targets, splashes = ship_tiles(page, guest), iter(empty_squares(page, ship_tiles(page, host), match, guest))
    for tile in targets:
        take_over(page, host)
        fire(page, match, tile)
        if tile != targets[-1]:
            take_over(page, guest)
            fire(page, match, next(splashes))
    # From here on, the page sends the last answer and both reveals without further clicks.
    expect(page.locator("#banner")).to_be_visible()
    expect(page.locator("#all-true")).to_have_text("Every answer was true.")
    expect(page.locator("#board [data-line=revealed]")).to_have_count(10)
    shown, answer = board_of(page, match), board_server.get(f"/api/matches/{match}")
    assert (shown["seq"], shown["hash"], shown["board"]) == (answer["seq"], answer["hash"], answer["board"])
    assert shown["board"]["winner"] == host
    assert page_errors == []


def test_a_fleet_is_in_one_place_of_its_browser_until_it_is_revealed(board_server: Server, visit: Visit) -> None:
    first, second, match = begin_match(board_server, visit)
    fire(first, match, 98 if board_of(first, match)["board"]["pending"]["tile"] != 98 else 97)
    [own] = stored_fleets(first)
    script = """() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href,
      document.documentElement.outerHTML, window.chainboard.state, window.chainboard.boards])"""
    here, there = json.loads(first.evaluate(script)), second.evaluate(script)
    assert own["nonce"][2:] in here[0].pop(FLEETS_KEY)
    for secret in (own["ships"], own["nonce"][2:]):
        assert secret not in json.dumps(here)
        assert secret not in there


@pytest.mark.soak
def test_a_closed_tab_loses_nothing_and_answers_when_it_is_open_again(board_server: Server, visit: Visit) -> None:
    first, second, match = begin_match(board_server, visit)
    targets, splashes = ship_tiles(second), iter(empty_squares(second, ship_tiles(first), match, my_account(second)))
    for tile in targets[:-1]:
        fire(first, match, tile)
        fire(second, match, next(splashes))
    context = second.context
    second.close()
    fire(first, match, targets[-1])
    again = context.new_page()
    again.goto(board_server.url + "/#/")  # the loser opens the lobby instead of the match
    expect(first.locator("#result")).to_have_text("You won")
    again.goto(f"{board_server.url}/#/match/{match}")
    expect(again.locator("#banner")).to_contain_text("You lost")
    expect(again.locator("#all-true")).to_be_visible()


@pytest.mark.soak
def test_a_backup_brings_the_fleet_to_another_browser(board_server: Server, visit: Visit, tmp_path: Path) -> None:
    first, second, match = begin_match(board_server, visit)
    assert board_of(first, match)["board"]["mover"] == my_account(first)
    with first.expect_download() as saved:
        first.click("#fleet-save")
    backup: Download = saved.value
    backup.save_as(tmp_path / "fleets.json")
    expect(first.locator("#fleet-keep")).to_have_count(0)
    elsewhere = visit(board_server.url + "/")
    import_key(elsewhere, key_of(first))
    elsewhere.goto(f"{board_server.url}/#/match/{match}")
    expect(elsewhere.locator("#fleet-lost h2")).to_have_text("Your fleet isn’t in this browser")
    elsewhere.locator("#board .part[data-side='1'] svg").click()
    expect(elsewhere.locator("#board-why")).to_contain_text("Load a backup")
    elsewhere.set_input_files(
        "#fleet-restore", {"name": "x.json", "mimeType": "application/json", "buffer": b'{"fleets": {}}'}
    )
    expect(elsewhere.locator("#fleet-lost")).to_contain_text("This file doesn’t contain a sealed fleet.")
    elsewhere.set_input_files("#fleet-restore", tmp_path / "fleets.json")
    expect(elsewhere.locator("#fleet-lost")).to_have_count(0)
    expect(elsewhere.locator("#board [data-line=mine]")).to_have_count(5)
    fire(elsewhere, match, 50)
    assert board_of(elsewhere, match)["board"]["ply"] == 2
    assert second.locator("#fleet-keep").count() == 1, "a player without a backup gets a warning"


@pytest.mark.soak
def test_damaged_storage_is_a_sentence(board_server: Server, visit: Visit, page_errors: list[str]) -> None:
    first, _, match = begin_match(board_server, visit)
    first.evaluate("key => localStorage.setItem(key, '{')", FLEETS_KEY)
    expect(first.locator("#fleet-lost")).to_contain_text("can’t be read")
    first.goto(f"{board_server.url}/#/new/battleship")
    expect(first.locator("#new-match-battleship")).to_be_enabled()
    first.goto(f"{board_server.url}/#/match/{match}")
    expect(first.locator("#action-surrender")).to_be_disabled()
    assert page_errors == []


class GatewayRequests:
    """A recorder of the requests, with their bodies, that a page sends to the gateway."""

    def __init__(self, page: Page) -> None:
        self.bodies: list[str] = []
        page.on("request", self._record)

    def _record(self, request: Request) -> None:
        self.bodies.append(request.post_data or "")

    def contain(self, fleet: dict[str, Any]) -> bool:
        return any(fleet["nonce"][2:] in body for body in self.bodies)


def test_giving_up_is_asked_twice_before_the_gateway_sees_the_fleet(board_server: Server, visit: Visit) -> None:
    first, second, match = begin_match(board_server, visit)
    requests, [own] = GatewayRequests(second), stored_fleets(second)
    opening = board_of(second, match)["board"]["pending"]["tile"]  # the first shot's square is random
    fire(first, match, 50)
    # The caption names the square of the last shot, even if the cursor is on another square.
    expect(first.locator("#caption .cell")).to_contain_text(re.compile("^F6, "))
    expect(second.locator("#surrender-message")).to_have_count(0)
    second.click("#action-surrender")
    expect(second.locator("#action-surrender")).to_contain_text("Press again")
    expect(second.locator("#action-surrender")).to_be_focused()
    # While the page asks for confirmation, it shows no reason or status below the button.
    expect(second.locator("#why-surrender")).to_be_empty()
    second.click("#not-surrender")
    expect(second.locator("#surrender-message")).to_have_count(0)
    expect(second.locator("#action-surrender")).to_be_focused()
    second.keyboard.press("Enter")
    second.fill("#surrender-message", "Well played ⚓ <b>you</b>")
    fire(second, match, (opening + 1) % TILES)  # the game continues while the player types the message
    expect(second.locator("#surrender-message")).to_have_value("Well played ⚓ <b>you</b>")
    assert not requests.contain(own)
    second.click("#action-surrender")
    expect(first.locator("#banner")).to_contain_text("You won")
    assert requests.contain(own)
    expect(first.locator("[data-message] p")).to_have_text("Well played ⚓ <b>you</b>")
    expect(first.locator("#all-true")).to_be_visible()


@pytest.mark.soak
def test_two_players_of_one_browser_share_no_message_and_no_backup(board_server: Server, visit: Visit) -> None:
    page = visit(board_server.url + "/")
    match = open_match(page, board_server)
    host = my_account(page)
    page.click("#both-sides")
    page.wait_for_function("host => window.chainboard.state.me !== host", arg=host)
    guest = my_account(page)
    page.click("#uncover")
    expect(page.locator("#board [data-line=draft]")).to_have_count(5)
    expect(page.locator("#fleet-keep")).to_have_count(0)  # the guest gets no notice about the host's fleet
    page.uncheck("#accept-reveal")
    page.click("#action-accept:not([disabled])")
    take_over(page, host)
    with page.expect_download() as saved:
        page.click("#fleet-save")
    [own] = json.loads(saved.value.path().read_text())["fleets"].values()
    assert own["account"] == host
    page.click("#action-surrender")
    page.fill("#surrender-message", "Well played")
    page.click(f"[data-hand-over='{guest}']")
    take_over(page, guest)
    expect(page.locator("#fleet-keep")).to_be_visible()
    page.click("#action-surrender")
    expect(page.locator("#surrender-message")).to_have_value("")
    page.click(f"[data-hand-over='{host}']")
    take_over(page, host)
    surrender(page, "Well played")
    page.wait_for_function("match => window.chainboard.boards[match].board.phase === 'reveals'", arg=match)
    page.click(f"[data-hand-over='{guest}']")
    take_over(page, guest)
    expect(page.locator("#reveal-message")).to_have_value("")


@pytest.mark.soak
def test_a_message_that_is_too_long_is_told_before_it_costs_anything(board_server: Server, visit: Visit) -> None:
    first, _, _ = begin_match(board_server, visit)
    first.click("#action-surrender")
    first.fill("#surrender-message", "⚓" * 94)
    expect(first.locator("#why-surrender")).to_contain_text("at most 280 bytes; this text has 282")
    expect(first.locator("#action-surrender")).to_be_disabled()
    first.fill("#surrender-message", "⚓" * 93)
    expect(first.locator("#action-surrender")).to_be_enabled()


@pytest.mark.soak
def test_page_asks_before_revealing_on_its_servers_word_alone(board_server: Server, visit: Visit) -> None:
    first, second, match = begin_match(board_server, visit, clock=86_400)
    requests, [own] = GatewayRequests(first), stored_fleets(first)
    fire(first, match, 50)
    surrender(second)
    question = first.locator("#reveal-question")
    expect(question).to_contain_text("This server says the game is over. Show your fleet?")
    expect(question).to_contain_text("resigned.")
    expect(question).to_contain_text("You have 23:59:")
    first.fill("#reveal-message", "gg")
    first.focus("#board")
    first.keyboard.press("1")
    expect(first.locator("#action-reveal")).to_be_focused()
    assert not requests.contain(own)
    assert board_of(first, match)["board"]["status"] == "playing"
    first.click("#action-reveal")
    expect(first.locator("#banner")).to_contain_text("You won")
    expect(first.locator("[data-message] p")).to_have_text("gg")


@pytest.mark.soak
def test_a_tile_fired_at_before_is_refused_in_words(board_server: Server, visit: Visit) -> None:
    first, second, match = begin_match(board_server, visit)
    opening = board_of(second, match)["board"]["pending"]["tile"]  # the first shot's square is random
    fire(first, match, 0)
    fire(second, match, (opening + 1) % TILES)
    first.focus("#board")
    first.keyboard.press("Enter")
    expect(first.locator("#board-why")).to_have_text("You’ve already fired at A1.")
    expect(first.locator("#board-cell")).to_have_text(re.compile("^A1, .+’s sea"))


@pytest.mark.soak
def test_false_answers_of_an_rpc_player_are_found(board_server: Server, visit: Visit, page_errors: list[str]) -> None:
    page = visit(board_server.url + "/")
    match = open_match(page, board_server)
    number = int(match.split("/")[1])
    liar, nonce = RpcPlayer(board_server, "battleship"), secrets.token_bytes(32)
    liar.play("accept", number, commitment(SHIPS, nonce), 0)
    fire(page, match, 12)  # square 12 is D2, where the liar has its patrol boat
    liar.play("move", number, 2, 12, False, 1)
    expect(page.locator("#board [data-side='1'] [data-mark=miss]")).to_have_count(1)
    surrender(page)
    page.wait_for_selector("#whose:has-text('resigned')")
    liar.play("reveal", number, SHIPS, nonce, "sorry")
    expect(page.locator("#banner")).to_have_attribute("data-reason", "cheating-proved")
    expect(page.locator("#banner")).to_contain_text("You won")
    expect(page.locator("[data-lie]")).to_have_text("D2 was called a miss, but the patrol boat is there.")
    expect(page.locator("#board [data-side='1'] [data-mark=false]")).to_have_attribute("data-cell", "D2")
    assert page_errors == []


@pytest.mark.soak
@pytest.mark.timeout(240)
def test_a_stake_is_paid_out_to_the_winner(board_server: Server, visit: Visit) -> None:
    first, second = visit(board_server.url + "/"), visit(board_server.url + "/")
    first.goto(f"{board_server.url}/#/new/battleship")
    first.fill("[data-input=stake]", "0.25")
    first.select_option("[data-input=clock]", "86400")
    back_up_key(first)
    first.click("#new-match-battleship:not([disabled])")
    first.wait_for_selector("main[data-match^='battleship/']")
    match = str(first.locator("main").get_attribute("data-match"))
    back_up_key(second)
    accept(second, board_server, match)
    expect(second.locator("#stakes")).to_have_text("Stake: 0.25 ETH per player. The winner can withdraw 0.5 ETH.")
    fire(first, match, 50)
    surrender(second)
    expect(first.locator("#reveal-question")).to_contain_text("0.5 ETH is at stake.")
    reveal(first)
    expect(first.locator(f"[data-money='{my_account(first)}']")).to_contain_text("can withdraw 0.5 ETH")
    assert second.locator("#action-withdraw").count() == 0
    first.click("#action-withdraw:not([disabled])")
    expect(first.locator(f"[data-money='{my_account(first)}']")).to_contain_text("withdrew 0.5 ETH")
    expect(first.locator("#action-withdraw")).to_have_count(0)


def test_both_players_see_that_a_ship_is_sunk(board_server: Server, visit: Visit, page_errors: list[str]) -> None:
    page = visit(board_server.url + "/")
    match = open_match(page, board_server)
    number = int(match.split("/")[1])
    opponent, nonce = RpcPlayer(board_server, "battleship"), secrets.token_bytes(32)
    patrol_boat = ship_tiles(page)[:2]  # the patrol boat is the first ship in the suggested fleet
    opponent.play("accept", number, commitment("PH0 SH81 DV7 BV51 CH40", nonce), patrol_boat[0])
    # There is water around these two hits in the corner, so the ship must be the patrol boat.
    for ply, (tile, hit, shot) in enumerate(
        [(2, False, 98), (9, False, 97), (10, False, 96), (0, True, patrol_boat[1])], 1
    ):
        fire(page, match, tile)
        taken = [one for one in range(TILES - 1, 0, -1) if one not in ship_tiles(page)]
        opponent.play("move", number, 2 * ply, tile, hit, patrol_boat[1] if shot == patrol_boat[1] else taken[ply])
    note = page.locator("#turn-note")
    expect(note).to_have_text("Your patrol boat is sunk.")
    expect(page.locator("#board [data-side='0'] [data-line=sunk]")).to_have_count(1)
    fire(page, match, 1)
    opponent.play("move", number, 10, 1, True, next(t for t in range(20, TILES) if t not in ship_tiles(page)))
    expect(note).to_have_text("Sunk! Their patrol boat is gone.")
    expect(page.locator("#board [data-side='1'] [data-line=sunk]")).to_have_count(1)
    assert page_errors == []
