"""Tests that the page opens replay files without the server. If a file isn't a replay, the page
must explain the problem in one sentence."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from indexer.gamekit.game import apply_patch, board_hash
from indexer.games import GAMES
from indexer.model import Json
from tests.support.page.browser import SCHEMES, barriers
from tests.support.server import Server, up_deployed
from tests.support.transcripts import ONE_MATCH_PER_GAME, replay_of
from tests.system.browser.conftest import Visit

DROP = """([name, text]) => {
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(new File([text], name, { type: 'application/json' }));
  for (const kind of ['dragover', 'drop']) {
    const event = new DragEvent(kind, { dataTransfer, bubbles: true, cancelable: true });
    document.querySelector('main').dispatchEvent(event);
  }
}"""
HOSTILE = "<img src=x onerror=alert(1)>"
MEETS = (
    f"() => document.querySelectorAll('[id^=game-]').length === {len(GAMES)}"
    " && !document.querySelector('.hint[role=status]')"
)


PREFETCHED = (
    "() => performance.getEntriesByType('resource')"
    r".filter(({ name, responseEnd }) => /\/replay-file-\w+\.js$/.test(name) && responseEnd).length === 2"
)
"""A script that returns true when the modules that read and draw replay files have loaded. The page
prefetches these modules when it has nothing else to do."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with up_deployed(tmp_path_factory.mktemp("replays")) as it:
        yield it


def lobby(server: Server, visit: Visit, **options: Any) -> Page:
    """Open the page. Wait until all games and the prefetched modules have loaded, so that the
    server is no longer needed."""
    page = visit(server.url + "/", **options)
    page.wait_for_function(MEETS)
    page.wait_for_selector("#play-tic-tac-toe:not([disabled])", state="attached")
    page.wait_for_function(PREFETCHED)
    page.wait_for_load_state("networkidle")
    return page


def drop_file(page: Page, text: str, name: str = "match.json") -> None:
    page.evaluate(DROP, [name, text])


OWN_REQUESTS = re.compile(r"/(api/(health|rpc|matches\?(game=[\w-]+&)?player=)|icon\.svg|synthesizer-)")
"""A pattern for the requests that the page also makes without a replay file: the server's health,
the account's balance and matches, the icon, and the first sound."""


@pytest.mark.parametrize(
    "name", [ONE_MATCH_PER_GAME[0], *(pytest.param(one, marks=pytest.mark.soak) for one in ONE_MATCH_PER_GAME[1:])]
)
def test_a_file_that_is_dropped_is_shown_and_nothing_is_asked(
    server: Server, visit: Visit, page_errors: list[str], name: str
) -> None:
    page = lobby(server, visit)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url.removeprefix(server.url)))
    replay = replay_of(name)
    drop_file(page, json.dumps(replay))
    expect(page.locator("#provenance")).to_contain_text(f"{len(replay['events'])} steps")
    assert page.locator("#time-line [data-fact=hash]").get_attribute("title") == board_hash(replay["board"])
    expect(page.locator(".players [data-player]")).to_have_count(len(replay["board"]["players"]))
    assert page.locator("[data-action]").count() == 0
    page.keyboard.press("Home")
    expect(page.locator("#time-line[data-looking]")).to_have_count(1)
    page.locator("#feed [data-seq='3'] .go").click()
    expect(page.locator("#time-line [data-seq]")).to_have_attribute("data-seq", "3")
    assert page.evaluate("() => window.chainboard.past") == {"match": replay["match"], "seq": 3}
    page.keyboard.press("End")
    assert page.evaluate("() => window.chainboard.past") is None
    assert [path for path in asked if not OWN_REQUESTS.match(path)] == []
    assert page_errors == []


def test_a_file_is_shown_when_the_server_is_gone(visit: Visit, tmp_path: Path) -> None:
    with up_deployed(tmp_path) as server:
        page = lobby(server, visit)
        server.kill()
    page.wait_for_selector("#line[data-line=lost]")
    file = tmp_path / "match.json"
    replay = replay_of("touche-coule/fought-out")
    file.write_text(json.dumps(replay))
    page.set_input_files("#open-replay", file)
    expect(page.locator("#provenance")).to_be_visible()
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#banner")).to_have_count(0)
    assert page.locator("#time-line [data-fact=hash]").get_attribute("title") != board_hash(replay["board"])


def replay_with(change: Callable[[Json], Any]) -> str:
    replay = copy.deepcopy(replay_of("tic-tac-toe/host-wins"))
    change(replay)
    return json.dumps(replay)


WHOLE = json.dumps(replay_of("tic-tac-toe/host-wins"))
BAD = {
    "a picture": ("\x89PNG", "replay.not-json"),
    "nothing": ("", "replay.not-json"),
    "cut short": (WHOLE[: len(WHOLE) // 2], "replay.cut-short"),
    "a list": ("[]", "replay.other-format"),
    "null": ("null", "replay.other-format"),
    "a keystore": ('{"version": 3, "crypto": {}}', "replay.other-format"),
    "a later version": (replay_with(lambda it: it.update(version=2)), "replay.other-version"),
    "no match": (replay_with(lambda it: it.pop("match")), "replay.broken"),
    "another game than the match's": (replay_with(lambda it: it["game"].update(slug="battleship")), "replay.broken"),
    "no events": (replay_with(lambda it: it.update(events=[])), "replay.broken"),
    "an event left out": (replay_with(lambda it: it["events"].pop(4)), "replay.broken-event"),
    "events in another order": (replay_with(lambda it: it["events"].reverse()), "replay.broken-event"),
    "arguments that are none": (replay_with(lambda it: it["events"][4].update(args=[1])), "replay.broken-event"),
    "a patch that is altered": (replay_with(lambda it: it["events"][4]["patch"].update(extra=1)), "replay.altered"),
    "a board that is altered": (replay_with(lambda it: it["board"].update(ply=9)), "replay.altered"),
    "another hash": (replay_with(lambda it: it.update(boardHash="0x" + "0" * 64)), "replay.altered"),
    "a game that nobody knows": (
        replay_with(lambda it: it.update(match="chess/1", game={"slug": "chess", "title": "Chess", "layout": "grid"})),
        "replay.unknown-game",
    ),
    "a layout that nobody knows": (replay_with(lambda it: it["game"].update(layout="cube")), "replay.unknown-game"),
}


def test_invalid_replay_shows_a_sentence(server: Server, visit: Visit, page_errors: list[str]) -> None:
    page = lobby(server, visit)
    for what, (text, why) in BAD.items():
        drop_file(page, text)
        wrong = page.locator("#replay-wrong")
        expect(wrong, what).to_have_attribute("data-why", why)
        expect(wrong, what).not_to_contain_text(re.compile(r"replay\.[a-z]"))
        page.goto(server.url + "/#/")
        expect(page.locator("#open-replay")).to_be_attached()
    drop_file(page, WHOLE)
    expect(page.locator("#provenance")).to_be_visible()
    assert page_errors == []


def with_last_patch(**patch: Any) -> Callable[[list[Json]], Any]:
    return lambda events: events[-1]["patch"].update(patch)


def with_numeric_owners(events: list[Json]) -> None:
    """Make the first event set a ship's owner to a number instead of an address. The last event
    corrects the owner, so only boards before the last event are wrong."""
    owners = {number: ship["owner"] for number, ship in events[-1].get("ships", {}).items()}
    events[0]["patch"]["ships"] = {"1": {"owner": 7, "x": 0, "y": 0, "afloat": True, "ready": 0}}
    events[-1]["patch"]["ships"] = {**events[-1]["patch"].get("ships", {}), "1": {"owner": owners.get("1", "0x")}}


IMPOSSIBLE: dict[str, tuple[Callable[[list[Json]], Any], str | None]] = {
    "a wide board": (with_last_patch(width=10**9), "replay.broken-event"),
    "5000 cells": (lambda events: events[1]["patch"].update(width=5000, height=5000), "replay.broken-event"),
    "less than nothing": (with_last_patch(width=-1), "replay.broken-event"),
    "half a cell": (with_last_patch(height=1.5), "replay.broken"),
    "words for a number": (with_last_patch(width="wide"), "replay.broken-event"),
    "no ships": (with_last_patch(ships="none"), None),
    "a ship of nobody": (with_last_patch(ships={"77": {"x": 1, "y": 1}}), None),
    "a ship beside the board": (with_last_patch(ships={"77": {"owner": "0x", "x": 500, "y": 1}}), None),
    "shots of no ship": (with_last_patch(volley={"turn": 1, "shots": {"9": 3}, "sunk": []}), None),
    "a player of no ships": (with_last_patch(players={"0x": {"seat": 9, "ships": [99]}}), None),
    "arguments that are none": (lambda events: events[-1].update(name="Registered", args={}), None),
    "an earlier moment": (with_numeric_owners, None),
}


@pytest.mark.soak
def test_a_board_that_no_game_could_have_is_a_sentence(server: Server, visit: Visit, page_errors: list[str]) -> None:
    """Tests that the page explains, in one sentence, why it can't draw an impossible board. The
    file's hash is correct, so the page notices the fault only when it draws the board."""
    page = lobby(server, visit)
    drawn: dict[str, bool] = {}
    for what, (change, why) in IMPOSSIBLE.items():
        replay = copy.deepcopy(replay_of("touche-coule/fought-out"))
        change(replay["events"])
        board = replay["start"]
        for event in replay["events"]:
            board = apply_patch(board, event["patch"])
        drop_file(page, json.dumps({**replay, "board": board, "boardHash": board_hash(board)}))
        wrong = page.locator("#replay-wrong")
        # If `why` is None, the page may draw the board instead of explaining a problem.
        if why is None:
            expect(wrong.or_(page.locator("#provenance")), what).to_be_visible()
            if wrong.count() == 0:
                page.click("#time-first")
            expect(wrong.or_(page.locator("#time-line[data-looking]")), what).to_be_visible()
            drawn[what] = wrong.count() == 0
        if not drawn.get(what):
            expect(wrong, what).to_have_attribute("data-why", why or "replay.not-drawn")
        page.goto(server.url + "/#/")
        expect(page.locator("#open-replay")).to_be_attached()
    drop_file(page, WHOLE)
    expect(page.locator("#provenance")).to_be_visible()
    assert list(drawn.values()).count(False) > 3, drawn
    assert page_errors == []


def test_an_event_that_no_game_could_have_is_a_sentence(server: Server, visit: Visit, page_errors: list[str]) -> None:
    page = lobby(server, visit)
    replay = copy.deepcopy(replay_of("tic-tac-toe/host-wins"))
    next(event for event in replay["events"] if event["name"] == "GameWon")["args"]["line"] = "many"
    drop_file(page, json.dumps(replay))
    expect(page.locator("#replay-wrong")).to_have_attribute("data-why", "replay.not-drawn")
    assert page_errors == []


def test_a_file_that_is_too_large_is_not_read(server: Server, visit: Visit) -> None:
    page = lobby(server, visit)
    page.evaluate("() => Object.defineProperty(Blob.prototype, 'size', { get: () => 2 ** 31 })")
    drop_file(page, WHOLE)
    expect(page.locator("#replay-wrong")).to_have_text(
        "This file is 2048 MiB; the page can open replays of up to 128 MiB."
    )


def test_text_of_a_file_is_only_ever_text(server: Server, visit: Visit, page_errors: list[str]) -> None:
    page = lobby(server, visit)
    replay = replay_of("tic-tac-toe/host-wins")
    replay["game"]["title"] = HOSTILE
    replay["chain"]["genesis"] = HOSTILE
    replay["events"][3]["name"] = HOSTILE
    replay["events"][4]["tx"] = HOSTILE
    drop_file(page, json.dumps(replay))
    expect(page.locator("h1")).to_contain_text(HOSTILE)
    expect(page.locator("#feed")).to_contain_text(HOSTILE)
    assert page.locator("#page img").count() == 0
    assert page_errors == []


@SCHEMES
def test_page_is_accessible(server: Server, visit: Visit, scheme: str) -> None:
    page = lobby(server, visit, color_scheme=scheme, width=390, height=844)
    page.goto(server.url + "/#/replay")
    page.wait_for_selector("#no-replay")
    assert barriers(page) == []
    drop_file(page, json.dumps(replay_of("battleship/honest")))
    page.wait_for_selector("#provenance")
    page.click("#time-first")
    assert barriers(page) == []
    assert page.evaluate("() => document.documentElement.scrollWidth") == 390
