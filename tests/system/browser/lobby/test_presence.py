"""Whether the opener of a match is there: seen in the lobby and in the match, and soon when the tab is closed."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.support.server import up_deployed
from tests.system.browser.conftest import Visit
from tests.system.browser.games.test_tic_tac_toe import open_match


@pytest.mark.soak
def test_an_opener_who_closes_the_tab_is_missed(tmp_path: Path, visit: Visit, complaints: list[str]) -> None:
    with up_deployed(tmp_path, "--opponents", "10") as server:
        visitor, opener, other = (visit(f"{server.url}/") for _ in range(3))
        first = open_match(opener, server.url)
        second = open_match(other, server.url)
        rows = [visitor.locator(f".match-row[data-match='{match}']") for match in (first, second)]
        for row in rows:
            expect(row).to_have_attribute("data-attended", "true")
        other.context.close()
        expect(rows[1]).to_have_attribute("data-attended", "false")
        expect(rows[0]).to_have_attribute("data-attended", "true")
        visitor.goto(f"{server.url}/#/match/{first}")
        expect(visitor.locator("#opener")).to_have_attribute("data-here", "true")
        expect(visitor.locator("#watchers")).to_have_count(0)
        onlooker = visit(f"{server.url}/#/match/{first}")
        expect(visitor.locator("#watchers")).to_have_text("1 other looks on")
        onlooker.context.close()
        expect(visitor.locator("#watchers")).to_have_count(0)
        opener.context.close()
        expect(visitor.locator("#opener")).to_have_attribute("data-here", "false")
        visitor.click("#lonely #play-instead")
        visitor.wait_for_selector(f"main[data-status=playing]:not([data-match='{first}'])")
        assert complaints == []
