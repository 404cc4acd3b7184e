"""Measures a visit to the page: how many bytes the browser transfers, and how long it takes until
the visitor can start."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from playwright.sync_api import Page

from indexer.games import GAMES

LOBBY, BOARD = "[id^=play-]:not([disabled])", "main[data-match] #board"
"""Two selectors for what a visitor waits for: a button in the lobby that can be pressed, and the
board of a match."""
KIB = 1024
LOBBY_LIMIT, MATCH_LIMIT, EMBED_LIMIT = 150 * KIB, 210 * KIB, 110 * KIB
"""The maximum numbers of bytes that a first visit may transfer. For a match, it is 60 KiB more than
for the lobby."""
TOLERANCE = 1.1

RECORD_READY_TIME = """
new MutationObserver(() => {
  if (document.querySelector('%s')) window.readyAt ??= performance.now();
}).observe(document, { subtree: true, childList: true, attributes: true });
"""
COUNT_TRANSFERS = """() => {
  const found = ['navigation', 'resource'].flatMap((type) => performance.getEntriesByType(type));
  const bytes = (some) => some.reduce((sum, { transferSize }) => sum + transferSize, 0);
  const early = found.filter(({ startTime }) => startTime < window.readyAt);
  return { milliseconds: window.readyAt, bytes: bytes(early), requests: early.length, idle: bytes(found) };
}"""
"""A script that returns figures from the browser's own measurements. For each response, the browser
adds 300 bytes for the headers."""


class VisitedPage(NamedTuple):
    """A path on the server, a selector for the part that a visitor waits for, and the maximum
    number of transferred bytes."""

    path: str
    ready: str
    limit: int


class Transferred(NamedTuple):
    """The data that the page had loaded when an element matched the selector. `idle` is the total
    number of bytes, counted when the page had stopped loading."""

    milliseconds: float
    bytes: int
    requests: int
    idle: int


def visited_pages(page: Page, url: str) -> Mapping[str, VisitedPage]:
    """Open a match of each game. Return the pages to measure: the lobby, each match, and the
    embedded page of the first match."""
    matches = {slug: open_match(page, url, slug) for slug in GAMES}
    return {
        "lobby": VisitedPage("/", LOBBY, LOBBY_LIMIT),
        **{slug: VisitedPage(f"/#/match/{match}", BOARD, MATCH_LIMIT) for slug, match in matches.items()},
        "embed": VisitedPage(f"/embed/{next(iter(matches.values()))}", BOARD, EMBED_LIMIT),
    }


def open_match(page: Page, url: str, slug: str) -> str:
    page.goto(f"{url}/#/new/{slug}")
    page.click(f"#new-match-{slug}:not([disabled])")
    name = page.wait_for_selector(f"main[data-match^='{slug}/']").get_attribute("data-match")
    assert name
    return name


def measure_visit(page: Page, url: str, ready: str) -> Transferred:
    """Open the page at this URL and measure the visit. Before the call, `with_timer` must have
    prepared the page."""
    page.goto("about:blank")
    page.goto(url, wait_until="commit")
    page.wait_for_selector(ready)
    page.wait_for_load_state("networkidle")
    return Transferred(**page.evaluate(COUNT_TRANSFERS))


def with_timer(page: Page, ready: str) -> Page:
    page.add_init_script(RECORD_READY_TIME % ready.replace("'", '"'))
    return page
