"""The work of each frame of the longest motions, in Chromium: a volley of Touché Coulé and an attack of Conquest, in
the page, as one step of a replay file.

A frame is all that the main thread does from one frame to the next: script, styles, layout, paint. It is counted in the
thread's own processor time, four times: time by the clock would tell of whatever else the machine does, and of frames
that are put together without a graphics card. Chromium's own slowing down waits by the clock, too."""

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
"""How long something moves, and the frame before it."""
REST_MS = 1500
"""After it, until the next step."""
SEA = 12
SHIPS = 16
"""That fire at once: two of each of eight players; three of them hit."""
ARROWS = 8
"""Of lands that attack one other together."""


def volley(count: int) -> tuple[Json, Json]:
    """The boards before and after all ships have fired at once."""
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
    """The last boards of a recorded match, as if many lands had attacked one."""
    board = replay_of("conquest/six")["board"]
    data = "0x" + "".join(f"{land:02x}{ARROWS:02x}" for land in range(ARROWS))
    return board, {**board, "ply": board["ply"] + 1, "last": {**board["last"], "kind": "attack", "data": data}}


def replay(name: str, boards: tuple[Json, Json]) -> Json:
    """A file of two events, the second of which makes one board of the other."""
    file = replay_of(name)
    before, after = boards
    events = [
        {**file["events"][0], "seq": 1, "patch": {}},
        {**file["events"][-1], "seq": 2, "patch": diff(before, after)},
    ]
    return {**file, "start": before, "events": events, "board": after, "boardHash": board_hash(after)}


def opened(browser: Browser, server: Server, file: Json) -> Page:
    """The page with a replay file."""
    page = browser.new_page(viewport={"width": 1440, "height": 900})
    page.goto(server.url)
    page.wait_for_selector("[id^=play-]:not([disabled])")
    page.set_input_files(
        "#open-replay", {"name": "match.json", "mimeType": "application/json", "buffer": json.dumps(file).encode()}
    )
    page.wait_for_selector("#provenance")
    return page


def step(browser: Browser, page: Page, moves_ms: int) -> list[float]:
    """Milliseconds of each frame of the second event, from the press to the end of all motion."""
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
    """From the events of the main thread in their order: tasks, each before what is in it."""
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
        print(f"The work of a frame, {SLOWDOWN} times what it is here; it should be below {BUDGET_MS} ms")
        for name, moves_ms, file in (
            (f"a volley of {ships} shots", VOLLEY_MS, replay("touche-coule/fought-out", volley(ships))),
            (f"an attack of {ARROWS} arrows", ATTACK_MS, replay("conquest/six", attack())),
        ):
            page = opened(browser, server, file)
            runs = [step(browser, page, moves_ms) for _ in range(TIMES + 1)]
            report(name, runs[1:])  # at the first its functions are compiled
            page.close()
        browser.close()


def report(name: str, runs: list[list[float]]) -> None:
    """The frame in which the page is drawn anew, and those after it, in which all moves."""
    moving = [run[1:] for run in runs]
    longest = sorted(max(run) for run in moving)
    above = sum(frame > BUDGET_MS for run in moving for frame in run) / len(runs)
    print(f"  {name:24} the page drawn anew: {median(run[0] for run in runs):4.1f} ms; then", end=" ")
    print(f"{median(map(len, moving)):.0f} frames: median {median(f for run in moving for f in run):4.1f} ms,", end=" ")
    print(f"longest {longest[0]:.1f} / {median(longest):.1f} / {longest[-1]:.1f} ms (least, median, most),", end=" ")
    print(f"above {above:.1f}")
