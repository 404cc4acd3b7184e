"""From the address to a button that can be pressed: what a first and a second visit of the lobby transfer, and how long
they take, without throttling and as on a slow phone."""

from __future__ import annotations

import tempfile
import time
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


class Visits:
    """Visits of one browser profile, with what each transferred."""

    def __init__(self, browser: Browser, machine: str) -> None:
        self.page: Page = browser.new_context().new_page()
        session = self.page.context.new_cdp_session(self.page)
        network, slowdown = MACHINES[machine]
        session.send("Network.enable")
        session.send("Network.emulateNetworkConditions", {**network})
        session.send("Emulation.setCPUThrottlingRate", {"rate": slowdown})
        self.bytes, self.requests = 0, 0
        session.on("Network.loadingFinished", self._count)

    def _count(self, event: Mapping[str, Any]) -> None:
        self.bytes += int(event["encodedDataLength"])
        self.requests += 1

    def visit(self, url: str) -> tuple[float, int, int]:
        """Milliseconds until a button can be pressed, and the bytes and requests until the page is idle."""
        self.page.goto("about:blank")
        self.bytes = self.requests = 0
        begin = time.perf_counter()
        self.page.goto(url, wait_until="commit")
        self.page.wait_for_selector(READY)
        taken = 1000 * (time.perf_counter() - begin)
        self.page.wait_for_load_state("networkidle")
        return taken, self.bytes, self.requests


def main() -> None:
    with tempfile.TemporaryDirectory() as data, up(Path(data)) as server, playwright() as it:
        browser = launch(it)
        print("From the address of the lobby to a button that can be pressed")
        print(f"  {'':24}{'time':>10}{'bytes':>12}{'requests':>10}")
        for machine in MACHINES:
            found: list[list[tuple[float, int, int]]] = []
            for _ in range(TIMES):
                visits = Visits(browser, machine)
                found.append([visits.visit(server.url) for _ in range(2)])
                visits.page.context.close()
            for turn, name in enumerate(("first visit", "second visit")):
                taken, size, requests = (median(one[turn][n] for one in found) for n in range(3))
                print(f"  {machine + ', ' + name:24}{taken:7.0f} ms{size / 1024:8.0f} KiB{requests:10.0f}")
        browser.close()
