"""Tests of a site whose URL contains a path, such as a subfolder, behind the nginx configuration in
docs/how-to/run-a-site.md. They cover the page, its websocket, its links, and frames on other sites.

Like some proxies, this nginx hides the browser's `Accept-Encoding` header, so the gateway
compresses no file."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import expect

from chaos.process.ports import reserved_port
from tests.support.page.other_site import other_site
from tests.support.server import up_deployed
from tests.support.services.nginx import NAME, nginx
from tests.system.browser.conftest import Visit
from tests.system.browser.games.test_tic_tac_toe import HOST_WINS, both_sides, play

GROWTH = (Path(__file__).parents[4] / "docs" / "how-to" / "run-a-site.md").read_text("utf-8")
[LINES] = re.findall(r"```nginx\n(.*?)```", GROWTH, re.DOTALL)
SITE_NAME = "play.localhost"
"""A host name that every browser resolves to this machine, without DNS."""
LOCATIONS = r"(?ms)^    location / \{.*(?=^\})"
FETCH = "async ([url, headers]) => (await fetch(url, { headers })).text()"
FRAME = '<iframe src="{url}" width="800" height="700"></iframe>'


def below_a_path(configuration: str) -> str:
    configuration = configuration.replace("gzip on;", 'gzip off; proxy_set_header Accept-Encoding "";')
    return re.sub(LOCATIONS, LINES, configuration).replace(NAME, SITE_NAME)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Yield the site's URL, which ends with a slash."""
    with ExitStack() as stack:
        port, gateway = (stack.enter_context(reserved_port()) for _ in range(2))
        public = f"https://{SITE_NAME}:{port}/games"
        options = ("--port", str(gateway), "--public-url", public, "--proxy", "127.0.0.1")
        stack.enter_context(up_deployed(tmp_path_factory.mktemp("path"), *options))
        stack.enter_context(nginx(port, [gateway, gateway], below_a_path))
        yield f"{public}/"


def test_a_match_is_played_below_a_path(site: str, visit: Visit, page_errors: list[str]) -> None:
    page = visit(site, ignore_https_errors=True)
    asked: list[str] = []
    encodings: list[str | None] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("response", lambda response: encodings.append(response.headers.get("content-encoding")))
    page.on("websocket", lambda socket: asked.append(socket.url.replace("wss:", "https:")))
    page.goto(site.removesuffix("/"))
    assert page.url == site, "nginx adds the slash"
    match = both_sides(page, site.removesuffix("/"))
    play(page, HOST_WINS)
    expect(page.locator("#banner")).to_have_attribute("data-reason", "won")
    page.reload()
    expect(page.locator("#banner")).to_have_attribute("data-reason", "won")
    assert {site, f"{site}ws", f"{site}api/rpc"} <= {*asked}
    assert any(re.fullmatch(rf"{site}main-\w{{8}}\.js", url) for url in asked)
    assert [url for url in asked if not url.startswith(site)] == [site.removesuffix("/")]
    assert page.get_attribute("#save-replay", "href") == f"{site}api/matches/{match}/replay"

    address = page.evaluate("document.querySelector('link[rel=manifest]').href")
    manifest = json.loads(page.evaluate(FETCH, [address, {}]))
    assert (address, manifest["start_url"], manifest["scope"]) == (f"{site}manifest.webmanifest", ".", ".")
    link = page.evaluate(FETCH, [f"{site}m/{match}", {"x-forwarded-prefix": '"//evil.example'}])
    assert f'<link rel="canonical" href="{site}m/{match}">' in link
    assert f'<meta property="og:image" content="{site}m/{match}.png?language=' in link
    assert "evil" not in link
    page.goto(f"{site}m/{match}")
    page.wait_for_selector(f"main[data-match='{match}']")
    assert page.url == f"{site}#/match/{match}"
    assert page_errors == []
    assert set(encodings) == {None}
    page.goto(f"{site}m/tic-tac-toe/999")
    page.click("main a")
    page.wait_for_selector("#play-tic-tac-toe")
    assert page.url == site


def test_a_frame_shows_a_match_below_a_path(site: str, visit: Visit) -> None:
    match = both_sides(visit(site, ignore_https_errors=True), site.removesuffix("/"))
    page = visit("about:blank", ignore_https_errors=True)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    with other_site("other.localhost", FRAME.format(url=f"{site}embed/{match}")) as other:
        page.goto(other)
        frame = page.frame_locator("iframe")
        expect(frame.locator("main")).to_have_attribute("data-status", "playing")
        expect(frame.locator("#board svg, #board canvas").first).to_be_visible()
        expect(frame.locator("#to-match")).to_have_attribute("href", f"{site}m/{match}")
        assert [url for url in asked if not url.startswith((site, other))] == []
