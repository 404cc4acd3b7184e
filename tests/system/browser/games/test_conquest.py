"""Tests of Conquest in the page: a whole match between six accounts in one browser, and a visitor's
match against the computer."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from eth_account import Account
from playwright.sync_api import Page, expect

from bots.conquest import choose
from bots.opponent import Choice
from contracts.abi import encode_call
from indexer.gamekit.contract_view import bits
from indexer.games.conquest_graph import decode_graph
from indexer.games.conquest_map import generate_map
from indexer.model import Json
from tests.support.page.browser import barriers
from tests.support.page.conquest import carry_out, press_button, until_command
from tests.support.page.input_devices import import_key
from tests.support.players import mine_transaction, rpc_call, wait_for_json
from tests.support.server import Server, node_url, up_deployed
from tests.support.waiting import wait_for
from tests.system.browser.conftest import Visit
from tests.system.browser.page_scripts import SMALL_TEXT

PLAYERS, GRAIN, CLOCK = 6, 148, 3600
SEED = (343).to_bytes(32)
"""The random seed of a map with 24 lands. Few maps as small as this have enough lands for six
players."""
COMMANDS = 64
"""The number of commands after which the players surrender in turn, until only two are left."""


class ConquestMatch:
    """A match between development accounts whose keys are all in one browser. Tests send a player's
    commands through the page or directly to the node."""

    def __init__(self, server: Server, node: str, page: Page) -> None:
        self.server, self.node, self.page = server, node, page
        [self.game] = [one for one in server.get("/api/games")["games"] if one["slug"] == "conquest"]
        self.accounts: list[str] = rpc_call(node, "eth_accounts")[:PLAYERS]
        self.match = ""

    @property
    def board(self) -> Json:
        """Wait until no random draw is pending, then return the board."""
        path = f"/api/matches/{self.match}"
        found: Json = wait_for_json(self.server, path, lambda it: "draw" not in it["board"])["board"]
        return found

    def send(self, sender: str, name: str, **arguments: Any) -> None:
        """Send a transaction of a development account directly to the node, without the page."""
        [abi] = [one for one in self.game["abi"] if one["type"] == "function" and one["name"] == name]
        ordered = [arguments[one["name"]] for one in abi["inputs"]]
        call = {"to": self.game["address"], "data": encode_call(self.game["abi"], name, ordered), "gas": hex(3_000_000)}
        assert mine_transaction(self.node, {"from": sender, **call})["status"] == "0x1", (name, arguments)

    def open(self) -> None:
        match = {"seed": SEED, "grain": GRAIN, "graph": generate_map(SEED, GRAIN).graph, "clock": CLOCK, "rematchOf": 0}
        self.send(self.accounts[0], "create", players=PLAYERS, invited=[], **match)
        self.match = "conquest/1"
        wait_for_json(self.server, "/api/matches?game=conquest", lambda it: it["matches"])

    @property
    def number(self) -> int:
        return int(self.match.split("/")[1])

    def mover(self, board: Json) -> str:
        return next(one for one in self.accounts if one.lower() == board["mover"].lower())

    def command_directly(self, board: Json, choice: Choice) -> None:
        """Send this command directly to the node, without the page. The sender is the player whose
        turn it is. Wait until the server has the command's effect."""
        arguments = dict(choice.arguments)
        if "pairs" in arguments:
            arguments["pairs"] = bytes.fromhex(arguments["pairs"][2:])
        self.send(self.mover(board), choice.action, matchId=self.number, **arguments)
        self.wait_for_ply_after(board)

    def wait_for_ply_after(self, board: Json) -> None:
        wait_for_json(self.server, f"/api/matches/{self.match}", lambda it: it["board"]["ply"] > board["ply"])

    def command_by_clicks(self, board: Json, choice: Choice) -> None:
        """Give a command by clicking in the page. First wait until the page has switched to the
        account of the player to move."""
        until_command(self.page, self.match, board)
        carry_out(self.page, choice)
        self.wait_for_ply_after(board)
        kinds = {"chooseCapital": 0, "reinforce": 1, "buildPort": 2, "pass": 3, "surrender": 4, "move": 6, "useItem": 7}
        last = self.board["last"]
        assert (last["ply"], last["kind"]) == (board["ply"], kinds.get(choice.action, 5))


@pytest.fixture
def site(tmp_path: Path) -> Iterator[tuple[Server, str]]:
    """Yield a server of the test's own and the URL of its node. The test may move the chain's
    clock."""
    with up_deployed(tmp_path) as server:
        yield server, node_url(tmp_path)


def import_six_keys(page: Page, accounts: list[str]) -> None:
    """Import the keys of the first six development accounts into this browser."""
    Account.enable_unaudited_hdwallet_features()
    phrase = "test test test test test test test test test test test junk"
    for number, address in enumerate(accounts):
        account = Account.from_mnemonic(phrase, account_path=f"m/44'/60'/0'/0/{number}")
        assert account.address.lower() == address.lower()
        import_key(page, "0x" + account.key.hex().removeprefix("0x"))


@pytest.mark.soak
@pytest.mark.timeout(400)
def test_six_keys_play_a_match_to_its_end(site: tuple[Server, str], visit: Visit, page_errors: list[str]) -> None:
    server, node = site
    page = visit(server.url)
    table = ConquestMatch(server, node, page)
    table.open()
    import_six_keys(page, table.accounts)
    page.goto(f"{server.url}/#/match/conquest/1")
    press_button(page, "join")  # the page uses the account whose key it imported last
    wait_for_json(server, "/api/matches/conquest/1", lambda it: len(it["board"]["players"]) == 2)
    for account in table.accounts[1:-1]:
        table.send(account, "join", matchId=1)
    page.wait_for_selector("main[data-status=playing]")
    done: set[str] = set()
    slept = reloaded = False
    for _ in range(400):
        board = table.board
        if board["status"] != "playing":
            break
        if not slept and board["phase"] == "reinforcement" and "move" in done:
            slept = let_clock_run_out(table, board)
            continue
        if not reloaded and len(done) > 4:
            page.reload()
            reloaded = True
        choice = choose_command(board, done)
        if choice.action in done:
            table.command_directly(board, choice)
        else:
            table.command_by_clicks(board, choice)
            done.add(choice.action)
    expect(page.locator("#banner")).to_be_visible()
    assert {"chooseCapital", "reinforce", "capture", "attack", "buildPort", "move", "pass", "surrender"} <= done
    assert slept
    assert reloaded
    expect(page.locator("[data-checked=same]")).to_be_visible()
    assert page.evaluate(SMALL_TEXT) == []
    assert barriers(page) == []
    assert page_errors == []


def choose_command(board: Json, done: set[str]) -> Choice:
    """Return a command for the player to move. The heuristic computer player chooses it, with three
    exceptions: the test builds one port, passes once, and lets players surrender toward the end."""
    seat = board["players"][board["mover"]]["seat"]
    at = {"ply": board["ply"], "trail": board["trail"]}
    alive = sum(one["alive"] for one in board["seats"].values())
    if board["phase"] == "reinforcement" and "attack" in done and (board["ply"] > COMMANDS or "surrender" not in done):
        return Choice("surrender", at) if alive > 1 else Choice("pass", {**at, "phaseOnly": False})
    if board["phase"] == "move" and "move" in done and "pass" not in done:
        return Choice("pass", {**at, "phaseOnly": False})
    if board["phase"] == "action" and "buildPort" not in done and (land := dry_port(board, seat)) is not None:
        return Choice("buildPort", {**at, "land": land})
    choice = choose(board, seat, "heuristic", random.Random(1))
    assert choice is not None
    return choice


def dry_port(board: Json, seat: int) -> int | None:
    shore = {land for body in decode_graph(board["map"]["graph"]).bodies for land in bits(body)}
    own = (int(land) for land, one in board["lands"].items() if one.get("owner") == seat and "port" not in one)
    return next((land for land in own if land in shore), None)


def let_clock_run_out(table: ConquestMatch, board: Json) -> bool:
    """Move the chain's time past the deadline of the current turn. Then press the button with which
    any player can end that turn."""
    page = table.page
    rpc_call(table.node, "evm_increaseTime", CLOCK + 5)
    rpc_call(table.node, "evm_mine")
    press_button(page, "claimTimeout")
    table.wait_for_ply_after(board)
    assert (table.board["last"]["kind"], table.board["last"]["data"]) == (3, "0x02")
    expect(page.locator("#turn-note")).to_contain_text("ran out of time")
    return True


@pytest.mark.soak
def test_lone_visitor_plays_after_one_press(tmp_path: Path, visit: Visit, page_errors: list[str]) -> None:
    with up_deployed(tmp_path, "--opponents", "10") as server:
        page = visit(server.url)
        wait_for(lambda: server.get("/api/opponents")["opponents"], bool, "the computer players")
        page.click("#play-conquest:not([disabled])")
        page.wait_for_selector("main[data-status=playing]")
        # The page suggests a land for the capital, so the button is enabled from the start.
        page.click("#action-chooseCapital:not([disabled])")
        expect(page.locator("#feed")).to_contain_text("You chose ")
        expect(page.locator(".players [data-player]")).to_have_count(2)
        expect(page.locator(".players .computer[data-address]")).to_have_count(1)
        assert page_errors == []


def test_a_map_is_walked_and_pressed_by_keys(tmp_path: Path, visit: Visit) -> None:
    with up_deployed(tmp_path) as server:
        page = visit(f"{server.url}/#/new/conquest")
        page.click("#new-match-conquest:not([disabled])")
        page.wait_for_selector("main[data-status=open]")
        page.locator("#board").focus()
        page.keyboard.press("ArrowDown")
        seen = {page.locator("#board-cell").inner_text()}
        # A land at the edge of the map might have no neighbour on one side, so try both sides.
        for key in ("ArrowRight", "ArrowLeft"):
            page.keyboard.press(key)
            page.wait_for_timeout(200)
            seen.add(page.locator("#board-cell").inner_text())
        assert len(seen) > 1
        expect(page.locator("#board .cursor")).to_have_count(1)
        assert barriers(page) == []
