"""Tests that the page shows the cost of a match before it sends a transaction. The call that makes
the move also deposits ether. Tokens need an approval before the deposit."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.support.page.input_devices import back_up_key
from tests.support.server import Server
from tests.system.browser.conftest import Visit
from tests.system.browser.games.test_tic_tac_toe import another_wallet
from tests.system.browser.match.token_site import TokenSite
from tests.system.browser.page_scripts import BOARD, TRANSACTIONS

NEW = "main[data-new=battleship]"
WHY = "#why-new-match-battleship"
OPEN = "#new-match-battleship:not([disabled])"


def me(page: Page) -> str:
    return str(page.evaluate("() => window.chainboard.state.me"))


def sent(page: Page) -> list[list[str]]:
    return [[one["action"], one["state"], one["value"]] for one in page.evaluate(TRANSACTIONS)]


def game_of(server: Server) -> str:
    return next(str(game["address"]) for game in server.get("/api/games")["games"] if game["slug"] == "battleship")


def stake(page: Page, amount: str, token: str = "") -> None:
    page.fill(f"{NEW} [data-input=token]", token)
    page.fill(f"{NEW} [data-input=stake]", amount)
    page.select_option(f"{NEW} [data-input=clock]", "86400")


def prepared(visit: Visit, server: Server) -> Page:
    page = visit(f"{server.url}/#/new/battleship")
    expect(page.locator(OPEN)).to_be_enabled()
    return page


@pytest.mark.soak
def test_a_deposit_in_ether_goes_with_the_call(token_site: TokenSite, visit: Visit) -> None:
    page = prepared(visit, token_site.server)
    game = game_of(token_site.server)
    ether, _tokens = token_site.balances(game)
    stake(page, "2")
    expect(page.locator(WHY)).to_contain_text("The deposit is 2 ETH, plus gas. You have 1 ETH")
    stake(page, "0.25")
    back_up_key(page)
    page.click(OPEN)
    page.wait_for_selector("main[data-match^='battleship/']")
    assert sent(page) == [["invite", "mined", str(25 * 10**16)]]
    match = page.locator("main").get_attribute("data-match")
    assert page.evaluate(BOARD, match)["board"]["stake"] == str(25 * 10**16)
    assert token_site.balances(game)[0] == ether + 25 * 10**16
    page.goto(f"{token_site.server.url}/#/new/battleship")
    expect(page.locator(f"{NEW} [data-input=stake]")).to_have_value("0")


def test_a_deposit_in_tokens_is_approved_exactly_and_then_taken(token_site: TokenSite, visit: Visit) -> None:
    page = prepared(visit, token_site.server)
    game, host = game_of(token_site.server), me(page)
    _ether, tokens = token_site.balances(game)
    token_site.transfer(host, 5_000_000)
    token_site.approve(host, game, 1)
    stake(page, "9", token_site.token)
    expect(page.locator(WHY)).to_have_text("The deposit is 9 SHL; your wallet has only 5.")
    stake(page, "0.0000001", token_site.token)
    expect(page.locator(WHY)).to_contain_text("at most 6 decimal places.")
    stake(page, "2.5", token_site.token)
    back_up_key(page)
    page.click(OPEN)
    page.wait_for_selector("main[data-match^='battleship/']")
    assert sent(page) == [["approve", "mined", "0"], ["approve", "mined", "0"], ["invite", "mined", "0"]]
    assert [token_site.balances(owner)[1] for owner in (host, game)] == [2_500_000, tokens + 2_500_000]
    assert token_site.call_view("allowance", host, game) == 0

    expect(page.locator("#both-sides")).to_have_count(0)
    another_wallet(page)
    page.click("#uncover")
    expect(page.locator("#why-accept")).to_contain_text("The deposit is 2.5 SHL; your wallet has only 0.")
    token_site.transfer(me(page), 2_500_000)
    back_up_key(page)
    page.click("#action-accept:not([disabled])")
    # After one click, the page sends both the approval and the contract call.
    page.wait_for_selector("main[data-status=playing]")
    expect(page.locator(f".players [data-player='{host}'] .hex")).to_have_text(f"{host[:6]}…{host[-4:]}")
    assert [action for action, _state, _value in sent(page)] == ["approve", "approve", "invite", "approve", "accept"]
    assert token_site.balances(game)[1] == tokens + 5_000_000


def test_invalid_token_is_reported(token_site: TokenSite, visit: Visit) -> None:
    page = prepared(visit, token_site.server)
    stake(page, "1", game_of(token_site.server))
    expect(page.locator(WHY)).to_contain_text("doesn’t look like a token")
    stake(page, "1", "0x12")
    expect(page.locator(WHY)).to_contain_text("leave this empty to use ETH")
    stake(page, "1 ether")
    expect(page.locator(WHY)).to_contain_text("enter a number such as 0.01")
    assert sent(page) == []


def test_the_page_of_a_new_match_is_named_by_its_game(token_site: TokenSite, visit: Visit) -> None:
    page = visit(f"{token_site.server.url}/#/new/no-such-game")
    expect(page.locator("main")).to_contain_text("There is no game called no-such-game.")
    page.goto(f"{token_site.server.url}/#/new/tic-tac-toe")
    page.click("main[data-new=tic-tac-toe] #new-match-tic-tac-toe:not([disabled])")
    page.wait_for_selector("main[data-match^='tic-tac-toe/']")
