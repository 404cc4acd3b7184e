"""Tests that a server that lies about its games can't put elements into the page."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.support.server import Server
from tests.system.browser.conftest import Visit
from tests.system.browser.lying_gateway import lying_gateway


def test_a_title_can_not_load_a_script(board_server: Server, visit: Visit) -> None:
    """The page's CSP allows scripts from the server itself, so an injected element would run."""
    games = board_server.get("/api/games?abi=false")
    for game in games["games"]:
        game["title"] = {"tag": "script", "props": {"src": "/api/steal.js"}, "children": []}
    with lying_gateway(board_server) as gateway:
        gateway.answers["/api/games"] = games
        page = visit("about:blank")
        requested: list[str] = []
        page.on("request", lambda request: requested.append(request.url))
        page.goto(gateway.url)
        expect(page.locator("#title-tic-tac-toe")).to_have_text("[object Object]")
        assert not [url for url in requested if url.endswith("steal.js")]
        page.goto("about:blank")  # close the websocket before the gateway stops
