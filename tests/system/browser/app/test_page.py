"""Tests of the main functions of the page, in a real browser with a real server and a real
chain."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from eth_account import Account
from eth_utils.address import to_checksum_address
from playwright.sync_api import Page, WebSocketRoute, expect

from tests.support.page.browser import SCHEMES
from tests.support.server import Server, up_deployed
from tests.system.browser.conftest import Visit
from tests.system.browser.page_scripts import (
    BOARD,
    HASHES,
    ORANGE_PIXELS,
    REJECTING_WALLET,
    SMALL_TEXT,
    TRANSACTIONS,
    WALLET,
    WATCH_MOTION,
)
from tests.system.browser.rpc_player import RpcPlayer

INJECTED_WALLET = Account.from_key("0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d")
"""The account whose key the injected wallet holds. It is a development account, so it has ether."""
FIRST = "#/match/touche-coule/1"
NEW = "#new-match-touche-coule"
PLACES = ["#/", FIRST, "#/new/tic-tac-toe", "#/new/battleship", "#/match/touche-coule/999999"]
FURTHER = ("#/new/conquest", "#/new/deblockle", "#/new/touche-coule", "#/rules/conquest", "#/players", "#/replay")
DRAWN = """async () => {
  for (let i = 0; i < 2; i++) await new Promise(requestAnimationFrame);
  const ends = document.getAnimations().filter((one) => Number.isFinite(one.effect.getComputedTiming().endTime));
  await Promise.allSettled(ends.map((one) => one.finished));
}"""
"""A script that waits until the page has drawn its state and all finite animations have ended."""
HOSTILE = "<img src=x onerror=alert(1)>"


def transactions(page: Page) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = page.evaluate(TRANSACTIONS)
    return found


def board(page: Page, match: str) -> dict[str, Any]:
    found: dict[str, Any] = page.evaluate(BOARD, match)
    return found


def open_match(page: Page, width: int, height: int, captains: bool = False) -> str:
    """Open a new match with the form and return the match's name. When this returns, the page shows
    the match."""
    page.goto(page.url.split("#")[0] + "#/new/touche-coule")
    page.fill("main [data-input=width]", str(width))
    page.fill("main [data-input=height]", str(height))
    page.set_checked("main [data-input=captains]", captains)
    page.click(f"{NEW}:not([disabled])")
    page.wait_for_selector("main[data-match]")
    return str(page.get_attribute("main", "data-match"))


def both_sides(page: Page) -> None:
    """Register two ships, one for each of two accounts in this browser."""
    page.click("#action-register:not([disabled])")
    page.click("#both-sides")
    expect(page.locator(".players [data-player]")).to_have_count(2)


def test_a_first_visitor_plays_within_seconds(board_server: Server, visit: Visit, page_errors: list[str]) -> None:
    page = visit(board_server.url + "/")
    page.click("#play-touche-coule")
    expect(page.locator(".piece.mine")).to_have_count(2)
    expect(page.locator("#lonely")).to_contain_text("Waiting for a second player")
    expect(page.locator("#feed")).to_contain_text("placed ship")
    assert page_errors == []


@pytest.mark.soak
def test_five_quick_clicks_open_one_match_and_the_next_one_opens_another(
    board_server: Server, visit: Visit, page_errors: list[str]
) -> None:
    page = visit(board_server.url + "/")
    page.goto(f"{board_server.url}/#/new/touche-coule")
    page.wait_for_selector(f"{NEW}:not([disabled])")
    page.evaluate("selector => { for (let i = 0; i < 5; i++) document.querySelector(selector).click(); }", NEW)
    page.wait_for_selector("main[data-match]")
    assert [one["nonce"] for one in transactions(page)] == [0]
    page.goto(f"{board_server.url}/#/new/touche-coule")
    page.click(f"{NEW}:not([disabled])")
    page.wait_for_selector("main[data-match]")
    made = transactions(page)
    assert [one["nonce"] for one in made] == [0, 1]
    numbers = [int(one["opened"].split("/")[1]) for one in made]
    assert numbers[1] > numbers[0]
    page.goto(f"{board_server.url}/#/")
    expect(page.locator(f"#matches-running [data-match='touche-coule/{numbers[-1]}']")).to_be_visible()
    assert page_errors == []


def test_two_wallets_play_to_the_end_in_one_page(board_server: Server, visit: Visit, page_errors: list[str]) -> None:
    page = visit(board_server.url + "/")
    match = open_match(page, 2, 2)
    expect(page.locator("#action-register")).to_be_visible()
    expect(page.locator("#action-turn")).to_have_count(0)  # a player without a ship can't take a turn
    both_sides(page)
    expect(page.locator("#action-turn")).to_be_visible()
    expect(page.locator("#action-changePosition, #action-communicate")).to_have_count(0)
    for _ in range(40):
        if page.locator("#banner").count():
            break
        turns = page.locator("#action-turn:not([disabled])")
        turns.or_(page.locator("#banner")).first.wait_for()
        if turns.count():
            ply = board(page, match)["board"]["ply"]
            turns.click()
            page.wait_for_selector(f"#whose:not(:text('Turn {ply} '))")
    expect(page.locator("#banner")).to_be_visible()
    expect(page.locator("#action-turn, #action-changePosition")).to_have_count(0)
    shown = board(page, match)
    answer = board_server.get(f"/api/matches/{match}")
    assert (shown["seq"], shown["hash"], shown["board"]) == (answer["seq"], answer["hash"], answer["board"])
    page.wait_for_function("() => window.chainboard.state.transactions.every(({ state }) => state === 'mined')")
    assert page_errors == []


@pytest.mark.soak
def test_every_step_is_the_servers_board(board_server: Server, visit: Visit) -> None:
    page = visit(board_server.url + "/")
    match = open_match(page, 64, 63)  # the sea is so wide that volleys are unlikely to end the match
    both_sides(page)
    for ply in range(2):
        page.click("#action-turn:not([disabled])")
        expect(page.locator("#whose")).to_contain_text(f"Turn {ply + 1} ")
    hashes = page.evaluate(HASHES, match)
    assert len(hashes) > 8
    for seq, shown in hashes:
        assert board_server.get(f"/api/matches/{match}?seq={seq}")["hash"] == shown, f"event {seq}"


def test_a_refusal_is_a_sentence_with_the_contracts_error_below(board_server: Server, visit: Visit) -> None:
    page = visit(board_server.url + "/")
    open_match(page, 4, 4, captains=True)
    page.check("#captain-other")
    expect(page.locator("#why-register-captain")).to_contain_text("Enter the address")
    nobody = "0x00000000000000000000000000000000DeaDBeef"
    page.fill("[data-input=captain]", nobody)
    page.click("#action-register-captain:not([disabled])")
    trouble = page.locator("[data-trouble=register-captain]")
    expect(trouble.locator("p")).to_have_text(f"There is no contract at the address {nobody}.")
    expect(trouble.locator("small")).to_have_text(f"NoCode({nobody})")
    refused = transactions(page)[-1]
    assert refused["state"] == "refused"
    assert refused.get("nonce") is None
    page.check("#captain-none")
    page.click("#action-register:not([disabled])")
    expect(page.locator(".piece.mine")).to_have_count(1)
    assert transactions(page)[-1]["nonce"] == 1, "the rejected transaction used no nonce"


class DeltaBlocker:
    """The websocket between the page and the server. It can hold back the `deltas` messages, which
    contain the changes to boards."""

    def __init__(self) -> None:
        self.is_blocking = False

    def __call__(self, page_side: WebSocketRoute) -> None:
        def forward(message: str | bytes) -> None:
            if not (self.is_blocking and '"t":"deltas"' in str(message)):
                page_side.send(message)

        page_side.connect_to_server().on_message(forward)


@pytest.mark.soak
def test_a_move_for_an_old_board_is_refused_in_words_and_the_gap_heals(board_server: Server, visit: Visit) -> None:
    line = DeltaBlocker()
    page, late = visit(board_server.url + "/"), visit(board_server.url + "/", line=line)
    match = open_match(page, 61, 63)  # the sea is so wide that volleys are unlikely to end the match
    page.click("#action-register:not([disabled])")
    late.goto(f"{board_server.url}/#/match/{match}")
    late.click("#action-register:not([disabled])")
    page.click("#action-turn:not([disabled])")
    late.wait_for_selector("#action-turn:not([disabled])")
    expect(late.locator("#whose")).to_contain_text("Turn 1 ")
    line.is_blocking = True
    page.click("#action-turn:not([disabled])")
    expect(page.locator("#whose")).to_contain_text("Turn 2 ")
    late.click("#action-turn:not([disabled])")
    expect(late.locator("[data-trouble=turn] p")).to_contain_text("now at turn 2; your move was for turn 1")
    expect(late.locator("[data-trouble=turn] small")).to_have_text("StaleMove(2, 1)")
    line.is_blocking = False
    page.click("#action-turn:not([disabled])")
    expect(late.locator("#whose")).to_contain_text("Turn 3 ")
    one, other = board(late, match), board(page, match)
    assert (one["seq"], one["hash"]) == (other["seq"], other["hash"])


def wait_until_settled(page: Page) -> None:
    """Wait until the page has loaded all its data and no animation is running."""
    page.wait_for_selector("#line[data-line=live]")
    page.evaluate(DRAWN)
    page.wait_for_selector("main:not([aria-busy]) h1")
    page.wait_for_function("() => window.chainboard.state.health")
    expect(page.locator("main")).not_to_contain_text("Loading…")
    page.evaluate(DRAWN)


@pytest.mark.parametrize("place", PLACES)
@SCHEMES
def test_page_is_accessible_and_fits_a_phone(board_server: Server, visit: Visit, place: str, scheme: str) -> None:
    page = visit(f"{board_server.url}/{place}", color_scheme=scheme)
    wait_until_settled(page)
    found = Axe().run(page).response["violations"]
    assert [(one["id"], [node["target"] for node in one["nodes"]]) for one in found] == []
    page.set_viewport_size({"width": 390, "height": 844})
    wait_until_settled(page)
    width = "() => document.documentElement.scrollWidth"
    assert page.evaluate(width) == 390
    assert page.evaluate(SMALL_TEXT) == []
    page.click("#account-button")
    page.wait_for_selector("#account")
    assert page.evaluate(width) == 390


def test_drawer_and_keys_are_accessible(board_server: Server, visit: Visit) -> None:
    page = visit(f"{board_server.url}/{FIRST}")
    page.wait_for_selector("#board svg")
    page.click("#account-button")
    page.wait_for_selector("#account")
    assert Axe().run(page).response["violations"] == []
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    page.wait_for_selector("#help")
    assert Axe().run(page).response["violations"] == []
    page.keyboard.press("Escape")
    for route in (*FURTHER, f"#/player/{INJECTED_WALLET.address}"):
        page.goto(f"{board_server.url}/{route}")
        wait_until_settled(page)
        assert [one["id"] for one in Axe().run(page).response["violations"]] == [], route


def test_the_board_by_keyboard(board_server: Server, visit: Visit) -> None:
    page = visit(board_server.url + "/")
    match = open_match(page, 6, 5)
    page.click("#action-register:not([disabled])")
    page.wait_for_selector(".piece.mine")
    (ship,) = board(page, match)["board"]["ships"].values()
    page.focus("#board")
    expect(page.locator("#board-cell")).to_contain_text("A1")
    for key, times in (("ArrowRight", ship["x"]), ("ArrowDown", ship["y"])):
        for _ in range(times):
            page.keyboard.press(key)
    expect(page.locator("#board-cell")).to_have_text(f"{chr(65 + ship['x'])}{ship['y'] + 1}, your ship 1")
    page.keyboard.press("Enter")
    expect(page.locator(".piece.selected")).to_have_count(1)
    expect(page.locator("[data-field=own]")).to_have_count(1)
    expect(page.locator("#legend")).to_contain_text("Map of ship 1")


def test_a_big_board_is_a_canvas(board_server: Server, visit: Visit, page_errors: list[str]) -> None:
    page = visit(board_server.url + "/")
    open_match(page, 64, 64)
    page.click("#action-register:not([disabled])")
    expect(page.locator("#board-text li")).to_contain_text(["your ship 1"])
    assert page.evaluate(ORANGE_PIXELS) > 5, "the ship is painted in its owner's orange"
    assert page_errors == []


def test_hostile_text_stays_text(board_server: Server, visit: Visit, page_errors: list[str]) -> None:
    page = visit(f"{board_server.url}/#/match/{HOSTILE}")
    expect(page.locator("main")).to_contain_text("There’s nothing at this address")
    assert page.locator("main img").count() == 0
    page.evaluate(REJECTING_WALLET, HOSTILE)
    page.click("#account-button")
    page.click("[data-injected]")
    expect(page.locator("#account .trouble p")).to_have_text("You declined the request in your wallet.")
    expect(page.locator("#account .trouble small")).to_have_text(HOSTILE)
    assert page.locator("#account img").count() == 0
    assert page_errors == []


def connect_wallet(page: Page, url: str, genesis: str = "") -> None:
    """Announce a test wallet to the page, and select the wallet in the account drawer."""
    page.wait_for_selector("#play-tic-tac-toe:not([disabled])")
    page.evaluate(WALLET, [url, genesis])
    page.click("#account-button")
    page.click("[data-injected='Test wallet']")


def test_an_injected_wallet_gets_the_chain_it_lacks(board_server: Server, visit: Visit) -> None:
    page = visit(board_server.url + "/")
    connect_wallet(page, board_server.url)
    expect(page.locator("#my-address")).to_have_text(INJECTED_WALLET.address)
    assert page.evaluate("() => window.asked") == [
        "eth_requestAccounts",
        "wallet_switchEthereumChain",
        "wallet_addEthereumChain",
        "eth_getBlockByNumber",
    ]
    page.click("#account-close")
    page.goto(f"{board_server.url}/#/new/touche-coule")
    page.click(f"{NEW}:not([disabled])")
    expect(page.locator("[data-trouble=create] p")).to_have_text("You declined the request in your wallet.")


def test_an_injected_wallet_plays(board_server: Server, visit: Visit) -> None:
    """Tests that a player can play with an injected wallet. The wallet chooses the nonce and the
    fees, and uses the gas limit that the page proposes."""
    page = visit(board_server.url + "/")
    page.expose_function("sign", lambda order: _signed(board_server, order))
    connect_wallet(page, board_server.url)
    expect(page.locator("#my-address")).to_have_text(
        INJECTED_WALLET.address
    )  # until the address appears, the page has no account that can sign
    page.click("#account-close")
    match = open_match(page, 5, 5)
    page.click("#action-register:not([disabled])")
    page.wait_for_selector(".piece.mine")
    assert list(board(page, match)["board"]["players"]) == [INJECTED_WALLET.address]
    assert [one["state"] for one in transactions(page)] == ["mined", "mined"]


def _signed(server: Server, order: dict[str, str]) -> str:
    count = server.rpc("eth_getTransactionCount", INJECTED_WALLET.address, "pending")["result"]
    chain_id = server.get("/api/health")["chainId"]
    fees = {"maxFeePerGas": 10**11, "maxPriorityFeePerGas": 10**9, "nonce": int(count, 16), "chainId": chain_id}
    to = to_checksum_address(order["to"])
    signed = INJECTED_WALLET.sign_transaction({"to": to, "data": order["data"], "gas": int(order["gas"], 16), **fees})  # type: ignore[dict-item]
    return "0x" + bytes(signed.raw_transaction).hex()


@pytest.mark.soak
def test_a_wallet_on_another_chain_of_the_same_id_is_told(board_server: Server, visit: Visit) -> None:
    page = visit(board_server.url + "/")
    mine = page.evaluate("() => window.chainboard.state.me")
    connect_wallet(page, board_server.url, genesis="0x" + "11" * 32)
    expect(page.locator("#account [role=alert]")).to_contain_text(f"to {board_server.url}/api/rpc")
    expect(page.locator("#my-address")).to_have_text(mine)


def test_lost_server_is_shown_and_reconnected_without_a_reload(tmp_path: Path, visit: Visit) -> None:
    with up_deployed(tmp_path) as server:
        page = visit(f"{server.url}/{FIRST}")
        page.click("#action-register:not([disabled])")
        page.wait_for_selector(".piece.mine")
        page.evaluate("() => { window.stayed = true; }")
        port = server.url.rsplit(":", 1)[1]
        server.stop()
        page.wait_for_selector("#line[data-line=lost]")
        expect(page.locator("#why-register")).to_have_text("No connection to the server.")
    with up_deployed(tmp_path, "--port", port):
        page.wait_for_selector("#line[data-line=live]")
        page.click("#action-register:not([disabled])")
        expect(page.locator(".piece.mine")).to_have_count(2)
        assert page.evaluate("() => window.stayed")


@pytest.mark.soak
def test_a_double_click_is_one_turn(board_server: Server, visit: Visit) -> None:
    page = visit(board_server.url + "/")
    open_match(page, 61, 63)  # the sea is so wide that volleys are unlikely to end the match
    both_sides(page)
    for ply in range(2):
        page.wait_for_selector("#action-turn:not([disabled])")
        page.dblclick("#action-turn")
        expect(page.locator("#whose")).to_contain_text(f"Turn {ply + 1} ")
    turns = [one for one in transactions(page) if one["action"] == "turn"]
    assert [one["state"] for one in turns] == ["mined"] * 2


def _no_ship_was_sunk(page: Page) -> bool:
    """Play turns until a ship may move. Return False if the match ended because a volley sank a
    ship, which happens in about 1 % of matches."""
    open_match(page, 30, 30)
    both_sides(page)
    for ply in range(6):
        page.click("#action-turn:not([disabled])")
        whose = page.locator("#whose")
        expect(whose).to_contain_text(re.compile(f"Turn {ply + 1} |after"))
        if page.locator("main[data-status=finished]").count():
            return False
    return True


def test_a_move_is_shown_in_motion_unless_that_is_unwanted(board_server: Server, visit: Visit) -> None:
    page = visit(board_server.url + "/", reduced_motion="no-preference")
    while not _no_ship_was_sunk(page):
        page.goto(board_server.url + "/")
    page.evaluate(WATCH_MOTION)
    page.click("#action-changePosition:not([disabled])")
    sailed = page.locator("#feed :text('sailed from')")
    expect(sailed).to_have_count(1)
    [duration] = page.evaluate("() => window.durations")
    assert duration < 200
    page.emulate_media(reduced_motion="reduce")
    page.locator("[data-hand-over]").click()
    page.click("#action-changePosition:not([disabled])")
    expect(sailed).to_have_count(2)
    assert page.evaluate("() => window.durations") == [duration]


class SilencedSocket:
    """A websocket that stays open but delivers no messages from the server while `silent` is
    True."""

    def __init__(self) -> None:
        self.silent = False

    def __call__(self, page_side: WebSocketRoute) -> None:
        def forward(message: str | bytes) -> None:
            if not self.silent:
                page_side.send(message)

        page_side.connect_to_server().on_message(forward)


@pytest.mark.soak
def test_silent_server_counts_as_lost(board_server: Server, visit: Visit) -> None:
    line = SilencedSocket()
    page = visit(board_server.url + "/", line=line)
    page.wait_for_selector("#line[data-line=live]")
    line.silent = True
    page.wait_for_selector("#line[data-line=lost]")
    line.silent = False
    page.wait_for_selector("#line[data-line=live]")


def test_page_that_slept_for_days_catches_up(board_server: Server, visit: Visit, page_errors: list[str]) -> None:
    line = SilencedSocket()
    page = visit("about:blank", line=line)
    page.clock.install()
    page.goto(f"{board_server.url}/#/new/tic-tac-toe")
    page.click("#new-match-tic-tac-toe:not([disabled])")
    page.wait_for_selector("main[data-status=open]")
    match = str(page.get_attribute("main", "data-match"))
    id = int(match.split("/")[1])
    line.silent = True
    stranger = RpcPlayer(board_server, "tic-tac-toe")
    stranger.play("accept", id)
    page.clock.fast_forward(3 * 86_400_000)
    page.wait_for_selector("#line[data-line=lost]")
    line.silent = False
    page.wait_for_selector("main[data-status=playing]")
    for ply, cell in enumerate((0, 1, 2)):
        page.focus("#board")
        for key in ("ArrowLeft", "ArrowUp", "ArrowLeft", "ArrowUp", *["ArrowRight"] * cell, "Enter"):
            page.keyboard.press(key)
        page.wait_for_selector(f"#board [data-piece=cell-{cell}]:not([data-pending])")
        if cell < 2:
            stranger.play("move", id, 2 * ply + 1, 1, cell)
            page.wait_for_selector(f"#board [data-piece=cell-{3 + cell}]")
    expect(page.locator("#banner")).to_have_attribute("data-reason", "won")
    assert page_errors == []
