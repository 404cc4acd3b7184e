"""From the address to a button that can be pressed: the page's modules as one script, as they are served, and one by
one, in turns, each visitor with nothing in the browser's cache."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from statistics import median

from playwright.sync_api import Browser

from api.static.page import ENTRIES, folder
from tests.support.page.browser import launch, playwright
from tests.support.server import up

TIMES = 11
READY = "[id^=play-]:not([disabled])"


def visit(browser: Browser, url: str, one_by_one: bool) -> tuple[float, int]:
    """Milliseconds, and how many requests it took."""
    context = browser.new_context()
    page, requests = context.new_page(), list[str]()
    page.on("request", lambda request: requests.append(request.url))
    if one_by_one:
        page.route(f"**/{ENTRIES[0]}", lambda route: route.fulfill(path=folder() / ENTRIES[0]))
    begin = time.perf_counter()
    page.goto(url)
    page.wait_for_selector(READY)
    taken = 1000 * (time.perf_counter() - begin)
    context.close()
    return taken, len(requests)


def main() -> None:
    with tempfile.TemporaryDirectory() as data, up(Path(data)) as server, playwright() as it:
        browser = launch(it)
        visit(browser, server.url, False)  # the first visitor's script is packed
        found = [[visit(browser, server.url, one_by_one) for one_by_one in (False, True)] for _ in range(TIMES)]
        browser.close()
    packed, single = (median(times[way][0] for times in found) for way in (0, 1))
    print("From an address to a button that can be pressed, in Chromium with an empty cache")
    print(f"  modules as one script {packed:6.0f} ms, {found[-1][0][1]} requests")
    print(f"  modules one by one    {single:6.0f} ms, {found[-1][1][1]} requests")
    print(f"  ratio {packed / single:.2f}")
