"""The work of each frame of the longest motions, in Chromium whose processor is slowed down four times: a volley of
Touché Coulé, and an attack of Conquest."""

from __future__ import annotations

import functools
import http.server
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median

from playwright.sync_api import Browser, Page

from api.static.page import folder
from indexer.gamekit.game import fold
from indexer.games import GAMES
from indexer.model import Event, Json
from tests.support.browser import launch, playwright

SLOWDOWN = 4
BUDGET_MS = 16
TIMES = 5
TASK_US = 200
"""Shorter tasks are no frame."""
SEA = 12
SHIPS = 16
"""That fire at once: two of each of eight players; three of them hit."""
ARROWS = 8
"""Of lands that attack one other together."""
TRANSCRIPTS = Path(__file__).parents[2] / "tests" / "fixtures" / "transcripts"
SCRIPT = (Path(__file__).parent / "frames.js").read_text("utf-8")


class QuietHandler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_args: object) -> None:
        pass


@contextmanager
def served(files: Path) -> Iterator[str]:
    """The page's files alone: a picture needs no chain."""
    handler = functools.partial(QuietHandler, directory=str(files))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


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
    recorded = json.loads((TRANSCRIPTS / "conquest" / "six.json").read_text("utf-8"))
    game = GAMES["conquest"]
    board = game.start
    for one in recorded["events"]:
        more = (one["height"], "0x", one["time"], "0x", one["seq"])
        board = fold(game, board, (Event(game.slug, 1, one["seq"], one["name"], one["args"], *more),))
    data = "0x" + "".join(f"{land:02x}{ARROWS:02x}" for land in range(ARROWS))
    return board, {**board, "ply": board["ply"] + 1, "last": {**board["last"], "kind": "attack", "data": data}}


def measure(browser: Browser, page: Page, slug: str, layout: str, boards: tuple[Json, Json]) -> list[float]:
    """Milliseconds of processor time of the main thread's tasks, from the new picture to the end of all motion."""
    page.evaluate("([slug, layout, boards]) => prepare(slug, layout, boards)", [slug, layout, boards])
    browser.start_tracing(page=page, categories=["toplevel", "__metadata"])
    page.evaluate("() => play()")
    trace = json.loads(browser.stop_tracing())["traceEvents"]
    main = {(one["pid"], one["tid"]) for one in trace if one.get("args", {}).get("name") == "CrRendererMain"}
    tasks = [one for one in trace if (one["pid"], one["tid"]) in main and one["name"].endswith("RunTask")]
    return [one.get("tdur", one["dur"]) / 1000 for one in tasks if one.get("dur", 0) > TASK_US]


def main(ships: int = SHIPS) -> None:
    with served(folder()) as url, playwright() as it:
        browser = launch(it)
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        page.route("**/bench.html", lambda route: route.fulfill(body="<!doctype html><body>", content_type="text/html"))
        page.goto(f"{url}/bench.html")
        page.add_script_tag(content=SCRIPT)
        session = page.context.new_cdp_session(page)
        session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWDOWN})
        print(f"The work of a frame, with the processor {SLOWDOWN} times slower; it should be below {BUDGET_MS} ms")
        for name, slug, layout, boards in (
            (f"a volley of {ships} shots", "touche-coule", "grid", volley(ships)),
            (f"an attack of {ARROWS} arrows", "conquest", "map", attack()),
        ):
            measure(browser, page, slug, layout, boards)  # its modules are compiled
            runs = [measure(browser, page, slug, layout, boards) for _ in range(TIMES)]
            frames = sorted(frame for run in runs for frame in run)
            longest = median(max(run) for run in runs)
            above = sum(frame > BUDGET_MS for frame in frames) / TIMES
            print(f"  {name:24} {len(frames) // TIMES} frames: median {median(frames):4.1f} ms,", end=" ")
            print(f"longest {longest:5.1f} ms, above {above:.1f}")
        browser.close()
