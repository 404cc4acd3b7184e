"""What a visit of the page transfers until its visitor has what it came for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from playwright.sync_api import Page

from indexer.games import GAMES

LOBBY, BOARD = "[id^=play-]:not([disabled])", "main[data-match] #board"
"""A button that can be pressed; a board that is drawn."""
KIB = 1024
LOBBY_AIM, MATCH_AIM, EMBED_AIM = 150 * KIB, 210 * KIB, 110 * KIB
"""Bytes of a first visit. A match takes at most 60 KiB more than the lobby."""
TOLERANCE = 1.1

WATCH = """
new MutationObserver(() => {
  if (document.querySelector('%s')) window.readyAt ??= performance.now();
}).observe(document, { subtree: true, childList: true, attributes: true });
"""
COUNT = """() => {
  const found = ['navigation', 'resource'].flatMap((type) => performance.getEntriesByType(type));
  const bytes = (some) => some.reduce((sum, { transferSize }) => sum + transferSize, 0);
  const early = found.filter(({ startTime }) => startTime < window.readyAt);
  return { milliseconds: window.readyAt, bytes: bytes(early), requests: early.length, idle: bytes(found) };
}"""
"""As the browser counts, with 300 bytes for the head of each answer."""


class Place(NamedTuple):
    """An address below the server's, what a visitor waits for there, and the most bytes that may take."""

    path: str
    ready: str
    aim: int


class Transferred(NamedTuple):
    """Until the visitor has what it came for; `idle`: bytes until nothing more is loaded."""

    milliseconds: float
    bytes: int
    requests: int
    idle: int


def places(page: Page, url: str) -> Mapping[str, Place]:
    """The lobby, and for each game a new match of this page's account, with the frame of the first one."""
    matches = {slug: open_match(page, url, slug) for slug in GAMES}
    return {
        "lobby": Place("/", LOBBY, LOBBY_AIM),
        **{slug: Place(f"/#/match/{match}", BOARD, MATCH_AIM) for slug, match in matches.items()},
        "embed": Place(f"/embed/{next(iter(matches.values()))}", BOARD, EMBED_AIM),
    }


def open_match(page: Page, url: str, slug: str) -> str:
    page.goto(f"{url}/#/new/{slug}")
    page.click(f"#new-match-{slug}:not([disabled])")
    name = page.wait_for_selector(f"main[data-match^='{slug}/']").get_attribute("data-match")
    assert name
    return name


def transferred(page: Page, url: str, ready: str) -> Transferred:
    """A visit by a page that `watched` prepared."""
    page.goto("about:blank")
    page.goto(url, wait_until="commit")
    page.wait_for_selector(ready)
    page.wait_for_load_state("networkidle")
    return Transferred(**page.evaluate(COUNT))


def watched(page: Page, ready: str) -> Page:
    page.add_init_script(WATCH % ready.replace("'", '"'))
    return page
