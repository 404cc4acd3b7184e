"""Tests of a match in a frame on another site (docs/how-to/write-a-client.md). The frame shows the
live match in the browser's language, and it never uses a wallet."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest
from playwright.sync_api import expect

from tests.support.http import local
from tests.support.page.browser import barriers
from tests.support.page.other_site import other_site
from tests.support.players import wait_for_json
from tests.support.server import Server
from tests.system.browser.conftest import Visit
from tests.system.browser.rpc_player import RpcPlayer

DOCS = (Path(__file__).parents[4] / "docs" / "how-to" / "write-a-client.md").read_text("utf-8")
[EXAMPLE] = re.findall(r"```html\n(.*?)```", DOCS, re.DOTALL)
READ_STORAGE = """() => {
  const kept = () => { try { return localStorage.length; } catch { return "refused"; } };
  return [typeof window.chainboard, kept()];
}"""
"""A script that returns the type of `window.chainboard` in a frame, and the number of items in the
frame's local storage. If the browser denies storage to the frame, the script returns "refused"
instead of the number."""
FITS_FRAME = """() => {
  const { scrollWidth, scrollHeight } = document.documentElement;
  return [scrollWidth <= innerWidth, scrollHeight <= innerHeight];
}"""
NOBODY = "0x" + 40 * "0"


@pytest.fixture
def frame_site() -> Iterator[Callable[[str], str]]:
    """Yield a function that takes the HTML body of a page, starts a site with this page, and
    returns the site's URL."""
    with ExitStack() as stack:
        yield lambda body: stack.enter_context(other_site("other.localhost", body))


def test_another_site_frames_a_match(
    board_server: Server, frame_site: Callable[[str], str], visit: Visit, page_errors: list[str]
) -> None:
    stranger = RpcPlayer(board_server, "tic-tac-toe")
    stranger.play("create", NOBODY, 0)
    own = f"/api/matches?game=tic-tac-toe&player={stranger.address}"
    match = wait_for_json(board_server, own, lambda found: found["matches"])["matches"][0]["match"]
    framed = EXAMPLE.replace("http://127.0.0.1:8000", board_server.url).replace("touche-coule/1", match)
    visitor = visit("about:blank", locale="fr-FR")
    scripts: list[str] = []
    visitor.on("request", lambda request: scripts.append(request.url) if request.resource_type == "script" else None)
    visitor.goto(frame_site(framed))
    frame = visitor.frame_locator("iframe")
    expect(frame.locator("#board svg, #board canvas").first).to_be_visible()
    expect(frame.locator("#time-line")).to_be_visible()
    expect(frame.locator("html")).to_have_attribute("lang", "fr")
    expect(frame.locator("#to-match")).to_have_attribute("href", f"{board_server.url}/m/{match}")
    expect(frame.locator("main")).to_have_attribute("data-status", "open")
    assert {urlsplit(url).netloc for url in scripts} == {urlsplit(board_server.url).netloc}
    assert any("/embed-" in url for url in scripts)
    assert not any("/main-" in url for url in scripts)
    inner = visitor.frames[1]
    assert inner.evaluate(READ_STORAGE) == ["undefined", "refused"]
    assert inner.evaluate(FITS_FRAME) == [True, True]

    stranger.play("close", int(match.split("/")[1]))
    expect(frame.locator("main")).to_have_attribute("data-status", "cancelled")
    frame.locator("#time-first").click()
    expect(frame.locator("main")).to_have_attribute("data-status", "open")
    assert page_errors == []


def test_another_page_can_not_be_framed(board_server: Server, frame_site: Callable[[str], str], visit: Visit) -> None:
    visitor = visit(frame_site(f'<iframe src="{board_server.url}/m/touche-coule/1"></iframe>'))
    visitor.wait_for_timeout(500)
    assert visitor.frame_locator("iframe").locator("a[href$='#/match/touche-coule/1']").count() == 0


def test_a_shared_link_leads_to_its_match(board_server: Server, visit: Visit, page_errors: list[str]) -> None:
    visitor = visit(f"{board_server.url}/m/touche-coule/1@1")
    visitor.wait_for_selector("#main[data-match='touche-coule/1'][data-past='1']")
    assert visitor.evaluate("location.href") == f"{board_server.url}/#/match/touche-coule/1@1"
    assert page_errors == []


def test_a_framed_match_that_is_not_there_is_said(board_server: Server, visit: Visit) -> None:
    visitor = visit("about:blank", locale="zh-CN")
    visitor.goto(f"{board_server.url}/embed/touche-coule/999")
    expect(visitor.locator("main")).to_contain_text("touche-coule/999")
    expect(visitor.locator("html")).to_have_attribute("lang", "zh")
    assert barriers(visitor) == []
    visitor.goto(f"{board_server.url}/embed/touche-coule/1")
    visitor.wait_for_selector("#board svg, #board canvas")
    assert barriers(visitor) == []


def fetch_picture(url: str) -> httpx.Response:
    """Fetch an image. While the server is too busy to draw it, retry after the delay that the
    server requests."""
    while (found := local.get(url, timeout=60)).status_code == 503:
        time.sleep(float(found.headers["retry-after"]))
    return found


def test_a_shared_link_has_the_picture_of_its_board(board_server: Server) -> None:
    english, chinese = (
        fetch_picture(f"{board_server.url}/m/touche-coule/1.png?language={one}") for one in ("en", "zh")
    )
    for found in (english, chinese):
        assert (found.status_code, found.headers["content-type"]) == (200, "image/png")
        assert found.content.startswith(b"\x89PNG")
    assert english.content != chinese.content
