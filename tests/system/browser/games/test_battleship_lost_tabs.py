"""Tests of Battleship matches in which one player closes the tab and sends nothing more. The cases
differ in who closes the tab, and at which moment. The tests check who wins, and why."""

from __future__ import annotations

import json
import os
import re
import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple
from unittest import mock

import pytest
from playwright.sync_api import Page, expect

from indexer.model import Json
from indexer.rules.battleship import TILES, commitment
from tests.support.players import rpc_call, wait_for_json
from tests.support.server import Server, node_url, up_deployed
from tests.system.browser.battleship_page import fire, fleet_tiles, reveal, stored_fleets
from tests.system.browser.conftest import Visit
from tests.system.browser.rpc_player import RpcPlayer

SHIPS = "PH0 SH9 DH18 BH27 CH36"
"""A fleet whose ships touch each other. A computer player that hits one of these ships soon sinks
all of them."""
OWN_TILES = sorted(fleet_tiles(SHIPS))
NOBODY = "0x" + 40 * "0"
HOUR, DAY = 3600, 86_400


class Site(NamedTuple):
    server: Server
    data: Path

    def board(self, match: str) -> Json:
        found: Json = self.server.get(f"/api/matches/{match}")["board"]
        return found

    def wait_for_board(self, match: str, wanted: Any) -> Json:
        found: Json = wait_for_json(self.server, f"/api/matches/{match}", lambda found: wanted(found["board"]))["board"]
        return found

    def pass_seconds(self, seconds: int) -> None:
        node = node_url(self.data)
        rpc_call(node, "evm_increaseTime", seconds)
        rpc_call(node, "evm_mine")

    def rating(self, account: str) -> float:
        """Return an account's rating after its last match. If the account has no rating yet, return
        1500, with which every account starts."""
        [last, *_] = self.server.get(f"/api/players/{account}/ratings?game=battleship")["ratings"]
        return float(last["rating"])


@pytest.fixture(scope="module")
def people_only(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Run a server without computer players and without the keeper, which claims expired timeouts.
    Only players' pages send transactions."""
    data = tmp_path_factory.mktemp("people-only")
    with mock.patch.dict(os.environ, CHAINBOARD_OPPONENTS="0"), up_deployed(data) as server:
        yield Site(server, data)


@pytest.fixture(scope="module")
def with_computers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Run a server with computer players and a keeper. The keeper claims the timeouts of players
    who are too slow."""
    data = tmp_path_factory.mktemp("with-computers")
    with up_deployed(data, "--opponents", "10") as server:
        wait_for_json(server, "/api/opponents", lambda found: found["opponents"])
        yield Site(server, data)


class ControlledPlayer(RpcPlayer):
    """A player without a page, who sends only the transactions that the test requests. From
    the moment when the player's tab is lost, the test requests no more transactions."""

    def __init__(self, site: Site) -> None:
        super().__init__(site.server, "battleship")
        self.site, self.nonce, self.match, self.answered_shots = site, secrets.token_bytes(32), "", 0

    @property
    def number(self) -> int:
        return int(self.match.partition("/")[2])

    def accept(self, match: str, tile: int) -> None:
        self.match = match
        self.play("accept", self.number, commitment(SHIPS, self.nonce), tile)

    def invite(self, opponent: str) -> None:
        self.play("invite", opponent, commitment(SHIPS, self.nonce), HOUR, NOBODY, 0)
        found = wait_for_json(self.server, f"/api/matches?player={self.address}", lambda found: found["matches"])
        self.match = found["matches"][0]["match"]

    def turn(self) -> Json:
        """Wait until this player must answer a shot, or until no more shots can be fired. Return
        the board."""

        def is_mine(board: Json) -> bool:
            return bool(board.get("mover", self.address) == self.address and board["ply"] > self.answered_shots)

        return self.site.wait_for_board(self.match, is_mine)

    def answer(self, board: Json, tile: int) -> None:
        """Truthfully answer the pending shot, and fire at the square `tile`. If the answer ends the
        shooting, the new shot has no effect."""
        asked = board["pending"]["tile"]
        self.play("move", self.number, board["ply"], asked, asked in OWN_TILES, tile)
        self.answered_shots = board["ply"]

    def reveal(self) -> None:
        self.play("reveal", self.number, SHIPS, self.nonce, "")


def is_over(board: Json) -> bool:
    return bool(board["status"] == "finished")


def is_revealing(board: Json) -> bool:
    return bool(board["phase"] == "reveals")


# ---- tests of rated matches between people, in which the player who uses the page stays


def begin_match(site: Site, page: Page, first_shot: int | None = None) -> tuple[ControlledPlayer, str, str]:
    """Start a match in which the player who uses the page fires next. Return the opponent, the
    page's account, and the match's name."""
    page.goto(f"{site.server.url}/#/new/battleship")
    page.select_option("[data-input=clock]", str(DAY))
    page.click("#new-match-battleship:not([disabled])")
    page.wait_for_selector("main[data-match^='battleship/']")
    match = str(page.locator("main").get_attribute("data-match"))
    opponent = ControlledPlayer(site)
    opponent.accept(match, fleet_tiles(stored_fleets(page)[0]["ships"])[0] if first_shot is None else first_shot)
    page.wait_for_selector("main[data-status=playing]")
    return opponent, str(page.evaluate("window.chainboard.state.me")), match


def result(site: Site, page: Page, match: str) -> tuple[str, str]:
    page.wait_for_function("match => window.chainboard.boards[match].board.status === 'finished'", arg=match)
    board = site.wait_for_board(match, is_over)
    return board["winner"], board["reason"]


@pytest.mark.parametrize(
    ("lost", "reason"),
    [
        pytest.param("before it answers the last shot", "timeout", marks=pytest.mark.soak),
        ("before its reveal", "won"),
        pytest.param("after its reveal", "won", marks=pytest.mark.soak),
    ],
)
def test_a_winner_needs_nothing_of_a_loser_who_is_lost(
    people_only: Site, visit: Visit, page_errors: list[str], lost: str, reason: str
) -> None:
    page = visit(people_only.server.url + "/")
    water = iter(range(TILES))
    opponent, me, match = begin_match(people_only, page, 98)
    mine = [*fleet_tiles(stored_fleets(page)[0]["ships"]), 98]
    for tile in OWN_TILES:
        fire(page, match, tile)
        if tile != OWN_TILES[-1] or lost != "before it answers the last shot":
            opponent.answer(opponent.turn(), next(one for one in water if one not in mine))
    if lost == "after its reveal":
        opponent.reveal()
    if lost == "before it answers the last shot":
        people_only.pass_seconds(DAY)
        page.click("#action-claimTimeout:not([disabled])")
    reveal(page)  # The page reveals only after a click, because the fleet is secret and the match is rated.
    if lost != "after its reveal":
        expect(page.locator("#whose")).to_have_text(re.compile("^You win. The result is final in (23:5|1d)"))
        expect(page.locator("#whose")).to_have_attribute("aria-live", "off")
        assert people_only.board(match)["status"] == "playing"
        people_only.pass_seconds(DAY)
    assert result(people_only, page, match) == (me, reason)
    assert people_only.rating(me) > 1500 > people_only.rating(opponent.address)
    assert page_errors == []


@pytest.mark.parametrize(
    ("lost", "wins", "reason"),
    [
        ("before its reveal", "loser", "timeout"),
        pytest.param("after its reveal", "winner", "won", marks=pytest.mark.soak),
    ],
)
def test_a_loser_who_stays_reveals_by_itself_and_wins_by_the_winners_silence(
    people_only: Site, visit: Visit, page_errors: list[str], lost: str, wins: str, reason: str
) -> None:
    """Tests that the loser's page answers the last shot, reveals the fleet and claims the win by
    itself, without a click.

    The winner sends nothing until the page has answered. It therefore makes no difference if the
    winner's tab is lost before that answer or before the reveal."""
    page = visit(people_only.server.url + "/")
    opponent, me, match = begin_match(people_only, page)
    targets = fleet_tiles(stored_fleets(page)[0]["ships"])
    water = (tile for tile in range(TILES) if tile not in OWN_TILES)
    for tile in targets[1:]:
        fire(page, match, next(water))
        opponent.answer(opponent.turn(), tile)
    board = people_only.wait_for_board(match, lambda board: is_revealing(board) and "ships" in board["fleets"][me])
    assert board["loser"] == me
    if lost == "after its reveal":
        opponent.reveal()
    else:
        people_only.pass_seconds(DAY)
    assert result(people_only, page, match) == ({"loser": me, "winner": opponent.address}[wins], reason)
    assert page_errors == []


# ---- tests of matches against a computer player, which reveals its fleet immediately; a keeper
# claims timeouts


def computer_account(site: Site) -> str:
    found = site.server.get("/api/opponents")["opponents"]
    hunter = next(one for one in found if (one["game"], one["name"]) == ("battleship", "hunter"))
    return str(hunter["accounts"][0]["address"])


def computer_tiles(site: Site, match: str, account: str) -> list[int]:
    """Return the squares of the computer player's fleet. The computer player stores its fleet in a
    file."""
    [path] = (site.data / "secrets").rglob(f"{match.replace('/', '-')}-{account.lower()}.json")
    [secret] = json.loads(path.read_bytes()).values()
    return fleet_tiles(secret["ships"])


def until_last_shot(site: Site, human: ControlledPlayer, opponent: str, wins: bool) -> Json:
    """Play all shots of the match. If the human must answer the last shot, stop before this answer.
    Otherwise, stop when the fleets can be revealed. Return the board."""
    human.invite(opponent)
    site.wait_for_board(human.match, lambda board: board["status"] == "playing")
    enemy = computer_tiles(site, human.match, opponent)
    shots = iter(enemy if wins else [tile for tile in range(TILES) if tile not in enemy])
    while True:
        board = human.turn()
        if board["phase"] == "reveals":
            return board
        hits = [int(tile) for tile, answer in board["players"][opponent]["shots"].items() if answer == "hit"]
        if {*hits, board["pending"]["tile"]} >= {*OWN_TILES}:
            return board
        human.answer(board, next(shots))


@pytest.mark.parametrize(
    ("lost", "reason"),
    [
        pytest.param("before it answers the last shot", "timeout", marks=pytest.mark.soak),
        ("before its reveal", "won"),
        pytest.param("after its reveal", "won", marks=pytest.mark.soak),
    ],
)
def test_a_computer_wins_against_a_human_who_is_lost(with_computers: Site, lost: str, reason: str) -> None:
    human, opponent = ControlledPlayer(with_computers), computer_account(with_computers)
    last = until_last_shot(with_computers, human, opponent, wins=False)
    if lost == "before it answers the last shot":
        with_computers.pass_seconds(HOUR)
    else:
        human.answer(last, 0)
    if lost == "after its reveal":
        with_computers.wait_for_board(human.match, is_revealing)
        human.reveal()
    else:
        with_computers.wait_for_board(
            human.match, lambda board: is_revealing(board) and "ships" in board["fleets"][opponent]
        )
        with_computers.pass_seconds(DAY)
    board = with_computers.wait_for_board(human.match, is_over)
    assert (board["winner"], board["reason"]) == (opponent, reason)
    assert with_computers.rating(human.address) < 1500


@pytest.mark.parametrize(
    ("lost", "wins", "reason"),
    [("before its reveal", False, "timeout"), pytest.param("after its reveal", True, "won", marks=pytest.mark.soak)],
)
def test_a_computer_that_lost_answers_and_reveals_at_once(
    with_computers: Site, lost: str, wins: bool, reason: str
) -> None:
    human, opponent = ControlledPlayer(with_computers), computer_account(with_computers)
    until_last_shot(with_computers, human, opponent, wins=True)
    with_computers.wait_for_board(
        human.match, lambda board: is_revealing(board) and "ships" in board["fleets"][opponent]
    )
    if lost == "after its reveal":
        human.reveal()
    else:
        with_computers.pass_seconds(DAY)
    board = with_computers.wait_for_board(human.match, is_over)
    assert (board["winner"], board["reason"]) == (human.address if wins else opponent, reason)


def test_a_winner_who_comes_back_to_the_lobby_has_won_against_the_computer(
    with_computers: Site, visit: Visit, page_errors: list[str]
) -> None:
    """Tests that the player's return to the lobby is enough to win. The player's tab is lost right
    after the last shot, and another page in the same browser finishes the match without a click."""
    page = visit(with_computers.server.url + "/")
    page.click("#new-battleship")
    page.click("#choose-battleship [data-opponent=hunter]")
    page.click("#new-match-battleship:not([disabled])")
    page.wait_for_selector("main[data-status=playing]")
    match = str(page.locator("main").get_attribute("data-match"))
    me = str(page.evaluate("window.chainboard.state.me"))
    for tile in computer_tiles(with_computers, match, computer_account(with_computers)):
        fire(page, match, tile)
    context = page.context
    page.close()
    again = context.new_page()
    again.goto(with_computers.server.url + "/#/")
    board = with_computers.wait_for_board(match, is_over)
    assert (board["winner"], board["reason"]) == (me, "won")
    assert page_errors == []
