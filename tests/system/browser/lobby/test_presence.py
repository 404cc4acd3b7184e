"""Tests of presence. The lobby and the match show whether the match's opener is on the site. If the
opener closes the tab, they must soon show that the opener is away."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.support.players import wait_for_json
from tests.support.server import up_deployed
from tests.system.browser.conftest import Visit
from tests.system.browser.games.test_tic_tac_toe import open_match


@pytest.mark.soak
def test_an_opener_who_closes_the_tab_is_missed(tmp_path: Path, visit: Visit, page_errors: list[str]) -> None:
    with up_deployed(tmp_path, "--opponents", "10") as server:
        visitor, opener, other = (visit(f"{server.url}/") for _ in range(3))
        first = open_match(opener, server.url)
        second = open_match(other, server.url)
        rows = [visitor.locator(f".match-row[data-match='{match}']") for match in (first, second)]
        for row in rows:
            expect(row).to_have_attribute("data-attended", "true")
        expect(visitor.locator("#matches-running > li")).to_have_count(2)
        other.context.close()
        expect(rows[1]).to_have_count(0)
        visitor.click("#filter-live")
        expect(rows[1]).to_have_attribute("data-attended", "false")
        expect(rows[0]).to_have_attribute("data-attended", "true")
        visitor.goto(f"{server.url}/#/match/{first}")
        expect(visitor.locator("#opener")).to_have_attribute("data-here", "true")
        expect(visitor.locator("#watchers")).to_have_count(0)
        onlooker = visit(f"{server.url}/#/match/{first}")
        expect(visitor.locator("#watchers")).to_have_text("1 watching")
        onlooker.context.close()
        expect(visitor.locator("#watchers")).to_have_count(0)
        opener.context.close()
        expect(visitor.locator("#opener")).to_have_attribute("data-here", "false")
        visitor.click("#lonely #play-instead")
        visitor.wait_for_selector(f"main[data-status=playing]:not([data-match='{first}'])")
        assert page_errors == []


def test_a_match_that_its_host_left_is_closed_when_the_host_comes_back(
    tmp_path: Path, visit: Visit, page_errors: list[str]
) -> None:
    """Tests that the page closes the matches that a host left open, as soon as the host returns.
    The page doesn't close matches whose link the host has shared."""
    with up_deployed(tmp_path) as server:
        host = visit(f"{server.url}/")
        shared = open_match(host, server.url)
        host.click("#send-link")
        left = open_match(host, server.url)
        host.goto("about:blank")
        host.clock.set_system_time(time.time() + 3600)
        host.goto(f"{server.url}/#/")
        expect(host.locator("#closed-away")).to_have_text(
            f"Nobody joined {title_of(left)} while you were away, so the page closed it."
        )
        wait_for_json(server, f"/api/matches/{left}", lambda found: found["board"]["status"] == "cancelled")
        expect(host.locator(f"#matches-own > [data-match='{left}']")).to_have_count(0)
        expect(host.locator(f"#matches-own > [data-match='{shared}']")).to_have_count(1)
        assert server.get(f"/api/matches/{shared}")["board"]["status"] == "open"
        assert page_errors == []


def title_of(match: str) -> str:
    return match.replace("tic-tac-toe/", "Tic-tac-toe ")
