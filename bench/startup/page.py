"""Measures page loads: the time and the bytes until a visitor can press a button or see a board.

The benchmark measures first and second visits, on a laptop without throttling and on a simulated
slow phone. It also measures the bytes that the page loads until it is idle. The benchmark fails if
the page misses a target by more than a tenth.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from statistics import median
from typing import Any

from playwright.sync_api import Browser

from tests.support.page.browser import launch, playwright
from tests.support.page.visits import KIB, TOLERANCE, Transferred, VisitedPage, measure_visit, visited_pages, with_timer
from tests.support.server import up

TIMES = 5
MACHINES: Mapping[str, tuple[Mapping[str, Any], int]] = {
    "laptop": ({"offline": False, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}, 1),
    "phone": ({"offline": False, "latency": 150, "downloadThroughput": 200_000, "uploadThroughput": 93_750}, 4),
}
"""The simulated network's throughput in bytes per second and latency in milliseconds, and the
factor by which the processor is slowed."""
LOBBY_SECONDS = {"laptop": (0.7, 0.7), "phone": (3.5, 1.5)}
"""The target times for loading the lobby in a first visit and in a second visit, in seconds."""


def main(times: int = TIMES) -> None:
    missed: list[str] = []
    with tempfile.TemporaryDirectory() as data, up(Path(data)) as server, playwright() as it:
        browser = launch(it)
        page = browser.new_page()
        pages = visited_pages(page, server.url)
        page.context.close()
        print("Page loads, until a button can be pressed or a board is visible")
        print(f"  {'':28}{'time':>10}{'bytes':>12}{'requests':>10}{'when idle':>12}")
        for name, place in pages.items():
            for machine in MACHINES:
                for turn, found in enumerate(_visits(browser, machine, server.url, place, times)):
                    what = f"{name}, {machine}, {'second' if turn else 'first'}"
                    sizes = f"{found.bytes / KIB:8.0f} KiB{found.requests:10.0f}{found.idle / KIB:8.0f} KiB"
                    print(f"  {what:28}{found.milliseconds:7.0f} ms{sizes}")
                    if found.bytes > TOLERANCE * place.limit:
                        missed.append(f"{what}: {found.bytes / KIB:.0f} KiB, the target is {place.limit / KIB:.0f}")
                    target = LOBBY_SECONDS[machine][turn]
                    if name == "lobby" and found.milliseconds > TOLERANCE * 1000 * target:
                        missed.append(f"{what}: {found.milliseconds:.0f} ms, the target is {target} s")
        browser.close()
    if missed:
        sys.exit("\n".join(missed))


def _visits(browser: Browser, machine: str, url: str, place: VisitedPage, times: int) -> list[Transferred]:
    """Return the medians of first visits and of second visits. Each pair of visits uses a new
    browser profile."""
    found: list[list[Transferred]] = []
    network, slowdown = MACHINES[machine]
    for _ in range(times):
        page = with_timer(browser.new_context().new_page(), place.ready)
        session = page.context.new_cdp_session(page)
        session.send("Network.enable")
        session.send("Network.emulateNetworkConditions", {**network})
        session.send("Emulation.setCPUThrottlingRate", {"rate": slowdown})
        found.append([measure_visit(page, url + place.path, place.ready) for _ in range(2)])
        page.context.close()
    return [
        Transferred(*(median(values) for values in zip(*visits, strict=True))) for visits in zip(*found, strict=True)
    ]
