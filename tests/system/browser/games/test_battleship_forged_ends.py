"""Tests that a fleet stays secret if the gateway forges the match's end, or if a reorg could still
revert the end. In these cases, the page reveals the fleet only if the player agrees."""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import Page, Request, WebSocket, expect

from indexer.model import Json
from indexer.rules.battleship import commitment
from tests.support.page.browser import barriers, sleeping
from tests.support.page.same_boards import board_of
from tests.support.players import rpc_call
from tests.support.waiting import wait_for
from tests.system.browser.battleship_page import fire, stored_fleets
from tests.system.browser.chain.test_verification import ask_own_node
from tests.system.browser.conftest import Visit
from tests.system.browser.games.test_battleship import my_account
from tests.system.browser.lying_gateway import LyingSite, honest, site_with_lying_gateway
from tests.system.browser.rpc_player import RpcPlayer

SHIPS = "PH12 SH81 DV7 BV51 CH40"
DAY = 86_400
FINAL_BLOCKS = 64
"""The number of further blocks after which Anvil considers a block final."""
MIN_CHECKS = 2
"""The number of pings to wait for. The page sends a ping every second, and at the same moment
decides whether to send a transaction by itself."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LyingSite]:
    with site_with_lying_gateway(tmp_path_factory.mktemp("forged")) as it:
        yield it


class PageRequests:
    """A recorder of everything that a page sends: the bodies of its HTTP requests, and the messages
    on its websocket."""

    def __init__(self, page: Page) -> None:
        self.texts: list[str] = []
        page.on("request", self._record)
        page.on("websocket", self._listen)
        page.reload()  # After a reload, the page opens a new websocket, which this class records from its beginning.

    def _record(self, request: Request) -> None:
        self.texts.append(request.url + (request.post_data or ""))

    def _listen(self, socket: WebSocket) -> None:
        socket.on("framesent", lambda frame: self.texts.append(str(frame)))

    def contain(self, fleet: dict[str, Any]) -> bool:
        return any(contains_fleet(text, fleet) for text in self.texts)

    def ping_count(self) -> int:
        return sum('"ping"' in text for text in self.texts)


def contains_fleet(text: str, fleet: dict[str, Any]) -> bool:
    """Return True if a text that the page has sent contains the fleet, or the nonce that hides the
    fleet. The fleet can appear as text or, in call data, as hexadecimal digits."""
    return any(one in text for one in (fleet["ships"], fleet["ships"].encode().hex(), fleet["nonce"][2:]))


class StartedMatch(NamedTuple):
    page: Page
    match: str
    opponent: RpcPlayer
    fleet: dict[str, Any]
    requests: PageRequests

    @property
    def number(self) -> int:
        return int(self.match.split("/")[1])


@pytest.fixture
def started(site: LyingSite, visit: Visit) -> StartedMatch:
    """Start a match through a gateway that can lie. The page's player waits for the opponent to
    answer a shot, for which the opponent has one minute."""
    page, opponent = visit(site.gateway.url + "/"), RpcPlayer(site.server, "battleship")
    page.goto(f"{site.gateway.url}/#/new/battleship")
    page.select_option("[data-input=clock]", "60")
    page.click("#new-match-battleship:not([disabled])")
    page.wait_for_selector("main[data-match^='battleship/']")
    match = str(page.locator("main").get_attribute("data-match"))
    opponent.play("accept", int(match.split("/")[1]), commitment(SHIPS, secrets.token_bytes(32)), 0)
    page.wait_for_selector("main[data-status=playing]")
    fire(page, match, 50)
    [fleet] = stored_fleets(page)
    requests = PageRequests(page)
    # The page enables this button as soon as it can send transactions.
    page.locator("#action-surrender:not([disabled])").wait_for()
    return StartedMatch(page, match, opponent, fleet, requests)


def board(started: StartedMatch) -> Json:
    started.page.wait_for_function("match => window.chainboard.boards[match]", arg=started.match)
    return dict(board_of(started.page, started.match)["board"])


def forged_board(started: StartedMatch, cause: str) -> Json:
    """Return the match's board with a forged end, in which the opponent has lost."""
    was = board(started)
    mine, other = my_account(started.page), started.opponent.address
    end = {**was, "phase": "reveals", "cause": cause, "loser": other, "deadline": was["deadline"] + DAY}
    if cause == "won":
        shots = {str(tile): "hit" for tile in range(17)}
        end["players"] = {**was["players"], mine: {**was["players"][mine], "shots": shots}}
    return {key: value for key, value in end.items() if key not in ("pending", "mover")}


def forge_end(site: LyingSite, started: StartedMatch, end: Json) -> None:
    """Make the gateway send this forged end of the match. The gateway then suppresses the match's
    real boards."""
    shown = board_of(started.page, started.match)
    block = {"height": shown["block"]["height"], "hash": shown["hash"], "time": shown["block"]["time"]}
    lie = {"t": "reset", "match": started.match, "seq": shown["seq"] + 1, "block": block, "board": end, "why": "watch"}
    sent: list[Json] = []

    def alter(message: Json) -> Json | None:
        if message["t"] == "head" and not sent:
            sent.append(message)
            return lie
        return message if message.get("match") != started.match else None

    site.gateway.alter = alter
    rpc_call(site.node, "anvil_mine", "0x1")


def wait_for_automatic_actions(started: StartedMatch) -> None:
    """Wait until the page has had enough time to send a transaction by itself."""
    seen = started.requests.ping_count()
    wait_for(
        started.requests.ping_count,
        lambda count: count >= seen + MIN_CHECKS,
        "pings of the page",
        sleeping(started.page),
    )


@pytest.fixture(autouse=True)
def restore_honesty(site: LyingSite) -> Iterator[None]:
    yield
    site.gateway.alter = honest


@pytest.mark.soak
@pytest.mark.parametrize("cause", ["timeout", "won"])
def test_a_forged_end_shows_no_fleet(
    site: LyingSite, started: StartedMatch, cause: str, page_errors: list[str]
) -> None:
    """Tests that the page neither sends nor simulates a transaction by itself after a forged end.
    At first, only the lying server can confirm the end. Later, the player enters the address of an
    honest node."""
    page, asked = started.page, started.page.locator("#reveal-question")
    forge_end(site, started, forged_board(started, cause))
    expect(page.locator("#action-reveal:not([disabled])")).to_be_visible()
    wait_for_automatic_actions(started)
    assert not started.requests.contain(started.fleet)
    expect(asked).to_have_attribute("data-finality", "server")
    expect(asked).to_contain_text("This server says the game is over. Show your fleet?")
    ask_own_node(page, site.node)
    expect(page.locator("#checked[data-checked=differs]")).to_be_visible()
    expect(asked).to_have_attribute("data-finality", "differs")
    expect(asked).to_contain_text("your own node says the game isn’t over")
    assert barriers(page) == []
    page.click("#action-reveal")
    expect(page.locator("#action-reveal")).to_contain_text("Press again")
    wait_for_automatic_actions(started)
    assert not started.requests.contain(started.fleet)
    assert page_errors == []


def test_an_end_is_final_before_the_fleet_is_shown(site: LyingSite, started: StartedMatch) -> None:
    """Tests that the page reveals the fleet only when the player's own node confirms that the
    match's end is final. Before that, a reorg reverts an earlier end, and the page reveals
    nothing."""
    page, asked = started.page, started.page.locator("#reveal-question")
    rpc_call(site.node, "evm_increaseTime", 61)
    before = rpc_call(site.node, "evm_snapshot")
    started.opponent.play("claimTimeout", started.number)
    expect(page.locator("#action-reveal:not([disabled])")).to_be_visible()
    wait_for_automatic_actions(started)
    ask_own_node(page, site.node)
    expect(asked).to_have_attribute("data-finality", "recent")
    wait_for_automatic_actions(started)
    rpc_call(site.node, "evm_revert", before)
    rpc_call(site.node, "anvil_mine", "0x1")
    expect(page.locator("#action-surrender")).to_be_visible()
    assert not started.requests.contain(started.fleet)
    assert not contains_fleet(chain_transactions(site.node), started.fleet)

    rpc_call(site.node, "evm_increaseTime", 61)
    started.opponent.play("claimTimeout", started.number)
    expect(asked).to_have_attribute("data-finality", "recent")
    assert not started.requests.contain(started.fleet)
    rpc_call(site.node, "anvil_mine", hex(FINAL_BLOCKS))
    started.page.wait_for_function(
        "([match, me]) => window.chainboard.boards[match].board.fleets[me].ships",
        arg=[started.match, my_account(page)],
    )


def chain_transactions(node: str) -> str:
    """Return all transactions in the node's blocks and in its pool, as JSON."""
    head = int(rpc_call(node, "eth_blockNumber"), 16)
    blocks = [rpc_call(node, "eth_getBlockByNumber", hex(height), True) for height in range(head + 1)]
    return json.dumps([blocks, rpc_call(node, "txpool_content")])
