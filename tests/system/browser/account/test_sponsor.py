"""Tests that a visitor without ether can play on a chain that isn't a development chain if a
sponsor pays. Without a sponsor, the page explains how to get ether."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.contracts.support.anvil import AnvilNode
from tests.support.page.browser import barriers
from tests.support.server import Server, run, started
from tests.system.browser.conftest import Visit
from tests.system.sponsor.process import DEPLOYER, balance, run_sponsor, until_sponsored
from tests.system.sponsor.process import anvil as anvil
from tests.system.sponsor.process import data as data
from tests.system.sponsor.process import rpc as rpc

LINES = {
    "en-GB": r"Your wallet had no POL, so this site gave it 0\.\d+ POL: enough for about \d+ moves in Tic-tac-toe",
    "fr-FR": r"ce site lui a offert 0,\d+ POL, de quoi jouer environ \d+ coups à Tic-tac-toe",
    "zh-CN": r"本站送了它0\.\d+ POL：大约够在Tic-tac-toe中走\d+步",
}


@pytest.fixture(scope="module")
def server(rpc: tuple[str, str], data: Path) -> Iterator[Server]:
    run("deploy", "--yes", "--data", str(data), *rpc, CHAINBOARD_DEPLOYER_KEY=DEPLOYER)
    with started("up", "--data", str(data), *rpc, "--port", "0", "--opponents", "0", "--coin", "POL") as it:
        yield it


@pytest.mark.parametrize("locale", LINES)
def test_a_visitor_is_paid_and_plays(
    server: Server,
    data: Path,
    rpc: tuple[str, str],
    visit: Visit,
    page_errors: list[str],
    locale: str,
    anvil: AnvilNode,
) -> None:
    with run_sponsor(data, *rpc, "--per-network", "1", "--per-address", "0.1"):
        until_sponsored(server)
        page = visit(server.url + "/#/new/tic-tac-toe", locale=locale)
        expect(page.locator("#sponsored")).to_contain_text(re.compile(LINES[locale]))
        # The note appears after the rest of the page, so it must not move other elements.
        expect(page.locator("#sponsored")).to_have_css("position", "fixed")
        assert barriers(page) == []
        me = page.evaluate("() => window.chainboard.state.me")
        assert balance(anvil, me) > 0
        page.locator("main[data-new] button[type=submit]").click()
        page.wait_for_url("**/#/match/tic-tac-toe/*")
        expect(page.locator("#sponsored")).to_have_count(0)  # the note disappears after the visitor's first transaction
        assert page_errors == []


def test_without_a_sponsor_the_page_explains_how_to_get_ether(server: Server, visit: Visit) -> None:
    page = visit(server.url + "/#/new/tic-tac-toe")
    notice = page.locator("[data-remedy=get-ether]").first
    expect(notice).to_contain_text("Each move costs a little POL, and this site doesn’t pay")
    page.click("#account-button")
    expect(page.locator(".current [data-remedy=get-ether]")).to_be_visible()


def test_spent_budget_is_reported(server: Server, data: Path, rpc: tuple[str, str], visit: Visit) -> None:
    with run_sponsor(data, *rpc, "--per-network", "0"):
        until_sponsored(server)
        page = visit(server.url + "/#/new/tic-tac-toe")
        refused = page.locator("[data-remedy=get-ether]").first
        expect(refused).to_contain_text("Your network address has reached its daily limit (0 POL)")
        expect(refused).to_contain_text("from an exchange, a bridge or a friend")
