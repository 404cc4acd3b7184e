"""From the address to a button that can be pressed: what a first and a second visit of the lobby transfer until then,
and until the page is idle; and how long they take, without throttling and as on a slow phone."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path
from statistics import median
from typing import Any

from playwright.sync_api import Browser, Page

from tests.support.page.browser import launch, playwright
from tests.support.server import up

TIMES = 5
READY = "[id^=play-]:not([disabled])"
MACHINES: Mapping[str, tuple[Mapping[str, Any], int]] = {
    "laptop": ({"offline": False, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}, 1),
    "phone": ({"offline": False, "latency": 150, "downloadThroughput": 200_000, "uploadThroughput": 93_750}, 4),
}
"""Network conditions, bytes a second and milliseconds, and how many times slower the processor is."""


WATCH = f"""
new MutationObserver(() => {{
  if (document.querySelector('{READY}')) window.readyAt ??= performance.now();
}}).observe(document, {{ subtree: true, childList: true, attributes: true }});
"""
COUNT = """() => {
  const found = ['navigation', 'resource'].flatMap((type) => performance.getEntriesByType(type));
  const bytes = (some) => some.reduce((sum, { transferSize }) => sum + transferSize, 0);
  const early = found.filter(({ startTime }) => startTime < window.readyAt);
  return [window.readyAt, bytes(early), early.length, bytes(found)];
}"""
"""As the browser counts, with 300 bytes for the head of each answer."""


class Visits:
    """Visits of one browser profile."""

    def __init__(self, browser: Browser, machine: str) -> None:
        self.page: Page = browser.new_context().new_page()
        self.page.add_init_script(WATCH)
        session = self.page.context.new_cdp_session(self.page)
        network, slowdown = MACHINES[machine]
        session.send("Network.enable")
        session.send("Network.emulateNetworkConditions", {**network})
        session.send("Emulation.setCPUThrottlingRate", {"rate": slowdown})

    def visit(self, url: str) -> list[float]:
        """Milliseconds until a button can be pressed; bytes and requests until then; bytes until the page is idle."""
        self.page.goto("about:blank")
        self.page.goto(url, wait_until="commit")
        self.page.wait_for_selector(READY)
        self.page.wait_for_load_state("networkidle")
        found: list[float] = self.page.evaluate(COUNT)
        return found


def main() -> None:
    with tempfile.TemporaryDirectory() as data, up(Path(data)) as server, playwright() as it:
        browser = launch(it)
        print("From the address of the lobby to a button that can be pressed")
        print(f"  {'':24}{'time':>10}{'bytes':>12}{'requests':>10}{'when idle':>12}")
        for machine in MACHINES:
            found: list[list[list[float]]] = []
            for _ in range(TIMES):
                visits = Visits(browser, machine)
                found.append([visits.visit(server.url) for _ in range(2)])
                visits.page.context.close()
            for turn, name in enumerate(("first visit", "second visit")):
                taken, size, requests, idle = (median(one[turn][n] for one in found) for n in range(4))
                sizes = f"{size / 1024:8.0f} KiB{requests:10.0f}{idle / 1024:8.0f} KiB"
                print(f"  {machine + ', ' + name:24}{taken:7.0f} ms{sizes}")
        browser.close()
