"""Tests the number of bytes that a first visit transfers before the visitor can play or watch.
Unlike times, this number doesn't depend on how busy the machine is. `python -m bench page` also
measures times."""

from __future__ import annotations

from playwright.sync_api import Browser

from tests.support.page.visits import TOLERANCE, measure_visit, visited_pages, with_timer
from tests.support.server import Server
from tests.system.browser.conftest import Visit

SAVE_DATA = "Object.defineProperty(navigator, 'connection', { value: { saveData: true } });"
"""A script that stops the page from prefetching files, by pretending that the user has asked sites
to save data."""


def test_a_first_visit_is_light(board_server: Server, visit: Visit, chromium: Browser) -> None:
    """Tests the size of a first visit to the lobby, to a match of each game, and to a match in a
    frame."""
    heavy = {}
    for name, place in visited_pages(visit(board_server.url + "/"), board_server.url).items():
        context = chromium.new_context()
        context.add_init_script(SAVE_DATA)
        found = measure_visit(with_timer(context.new_page(), place.ready), board_server.url + place.path, place.ready)
        context.close()
        if found.bytes > TOLERANCE * place.limit:
            heavy[name] = (found.bytes, place.limit)
    assert heavy == {}
