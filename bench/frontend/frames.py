"""Measures the work per frame in Chromium during the longest animations.

The animations are a volley in Touché Coulé and an attack in Conquest. Each animation shows one step
in a replay file that the page has opened. The work of a frame is everything that the main thread
does until the next frame: script, styles, layout and paint. The work is measured as the thread's
processor time, multiplied by four to simulate a slow machine. Wall-clock time would include the
machine's other load. It would also include compositing, which is slow without a graphics card.
Chromium's own throttling isn't used, because it also depends on the wall clock.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Sequence
from pathlib import Path
from statistics import median

from playwright.sync_api import Browser, Page

from indexer.gamekit.game import board_hash, diff
from indexer.model import Json
from tests.support.page.browser import launch, playwright
from tests.support.server import Server, up
from tests.support.transcripts import replay_of

SLOWDOWN = 4
BUDGET_MS = 16
TIMES = 9
VOLLEY_MS, ATTACK_MS = 900, 450
"""The durations of the two animations in milliseconds, including the frame before each
animation."""
REST_MS = 1500
"""The pause before the next step in the replay, in milliseconds."""
SEA = 12
SHIPS = 16
"""The number of ships that fire in a volley, of which three are sunk."""
ARROWS = 8
"""The number of lands that attack the same land together."""


def volley(count: int) -> tuple[Json, Json]:
    """Return the boards before and after a volley in which all ships fire."""
    owners = ["0x" + 40 * digit for digit in "12"]
    ships = {
        str(number): {
            "owner": owners[number % 2],
            "x": number % SEA,
            "y": number // SEA,
            "afloat": True,
            "ready": 0,
        }
        for number in range(1, count + 1)
    }
    players = {owner: {"seat": seat} for seat, owner in enumerate(owners)}
    board = {"status": "playing", "ply": 3, "width": SEA, "height": SEA, "players": players, "ships": ships}
    shots = {str(number): SEA * SEA - 1 - number for number in range(1, count // 2 + 1)}
    shots |= {str(number): count + 1 + number for number in range(count // 2 + 1, count + 1)}
    before = {**board, "volley": {"turn": 3, "shots": {}, "sunk": []}}
    return before, {**board, "ply": 4, "volley": {"turn": 4, "shots": shots, "sunk": [1, 2, 3]}}


def attack() -> tuple[Json, Json]:
    """Return the boards before and after many lands attack the same land. The boards are made from
    the last board of a recorded match."""
    board = replay_of("conquest/six")["board"]
    data = "0x" + "".join(f"{land:02x}{ARROWS:02x}" for land in range(ARROWS))
    return board, {**board, "ply": board["ply"] + 1, "last": {**board["last"], "kind": "attack", "data": data}}


def replay(name: str, boards: tuple[Json, Json]) -> Json:
    """Return a replay file with two events. The second event turns the first board into the second
    board."""
    file = replay_of(name)
    before, after = boards
    events = [
        {**file["events"][0], "seq": 1, "patch": {}},
        {**file["events"][-1], "seq": 2, "patch": diff(before, after)},
    ]
    return {**file, "start": before, "events": events, "board": after, "boardHash": board_hash(after)}


def opened(browser: Browser, server: Server, file: Json) -> Page:
    """Open a replay file in a new page, and return the page."""
    page = browser.new_page(viewport={"width": 1440, "height": 900})
    page.goto(server.url)
    page.wait_for_selector("[id^=play-]:not([disabled])")
    page.set_input_files(
        "#open-replay", {"name": "match.json", "mimeType": "application/json", "buffer": json.dumps(file).encode()}
    )
    page.wait_for_selector("#provenance")
    return page


def step(browser: Browser, page: Page, moves_ms: int) -> list[float]:
    """Show the replay's second event. Return the time that the main thread works in each frame, in
    milliseconds, until the animation ends."""
    page.keyboard.press("ArrowLeft")
    page.wait_for_timeout(REST_MS)
    browser.start_tracing(page=page, categories=["toplevel", "devtools.timeline"])
    page.keyboard.press("ArrowRight")
    page.wait_for_timeout(moves_ms)
    trace = [one for one in json.loads(browser.stop_tracing())["traceEvents"] if one.get("ph") == "X"]
    main = next((one["pid"], one["tid"]) for one in trace if one["name"] == "PrePaint")
    own = sorted(
        (one for one in trace if (one["pid"], one["tid"]) == main), key=lambda one: (one["ts"], -one.get("dur", 0))
    )
    return frames_of(own)


def frames_of(events: Sequence[Json]) -> list[float]:
    """Return the main thread's work in each frame, in milliseconds.

    `events` contains the thread's trace events in chronological order. Each task comes before its
    parts."""
    frames, end, is_drawn = [0.0], 0, False
    for one in events:
        if one["ts"] >= end and one["name"].endswith("RunTask"):
            if is_drawn:
                frames.append(0.0)
            frames[-1] += SLOWDOWN * one.get("tdur", 0) / 1000
            end, is_drawn = one["ts"] + one.get("dur", 0), False
        elif one["name"] == "PrePaint":
            is_drawn = True
    return frames


def main(ships: int = SHIPS) -> None:
    with tempfile.TemporaryDirectory() as data, up(Path(data)) as server, playwright() as it:
        browser = launch(it)
        print(f"Work per frame, {SLOWDOWN} times the processor time measured here (target: below {BUDGET_MS} ms)")
        for name, moves_ms, file in (
            (f"a volley of {ships} shots", VOLLEY_MS, replay("touche-coule/fought-out", volley(ships))),
            (f"an attack of {ARROWS} arrows", ATTACK_MS, replay("conquest/six", attack())),
        ):
            page = opened(browser, server, file)
            runs = [step(browser, page, moves_ms) for _ in range(TIMES + 1)]
            report(name, runs[1:])  # not counted: the first run includes the compilation of the page's scripts
            page.close()
        browser.close()


def report(name: str, runs: list[list[float]]) -> None:
    """Print the figures for the first frame, which redraws the page, and for the animation's frames
    after it."""
    moving = [run[1:] for run in runs]
    longest = sorted(max(run) for run in moving)
    above = sum(frame > BUDGET_MS for run in moving for frame in run) / len(runs)
    print(f"  {name:24} redrawing the page: {median(run[0] for run in runs):4.1f} ms; then", end=" ")
    print(f"{median(map(len, moving)):.0f} frames: median {median(f for run in moving for f in run):4.1f} ms,", end=" ")
    print(f"longest {longest[0]:.1f} / {median(longest):.1f} / {longest[-1]:.1f} ms (min, median, max),", end=" ")
    print(f"over budget {above:.1f}")
