"""Tests of replays that the page exports as a single HTML file. A browser without a network opens
the file from the disk."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from api.static import page
from indexer.gamekit.game import board_hash
from replay.errors import ReplayError
from replay.export.html import html_of
from tests.support.page.browser import SCHEMES, barriers
from tests.support.transcripts import ONE_MATCH_PER_GAME, replay_of
from tests.support.waiting import PATIENCE_MS
from tests.system.browser.page_scripts import SMALL_TEXT

HOSTILE = "</script><script>document.title = 1</script><!-- <script>"
SHOWN_HASH = "#time-line [data-fact=hash]"


class OfflineReplay:
    """An exported replay that is open in a browser without a network. `requested_urls` lists the
    URLs that the replay's page has tried to load."""

    def __init__(self, page: Page, file: Path) -> None:
        self.page, self.requested_urls, self.page_errors = page, list[str](), list[str]()
        page.set_default_timeout(PATIENCE_MS)
        page.on("request", lambda request: self.requested_urls.append(request.url))
        page.on("pageerror", lambda error: self.page_errors.append(str(error)))
        page.on("console", lambda message: self.page_errors.append(message.text) if message.type == "error" else None)
        page.goto(file.as_uri())
        page.wait_for_selector("#board > *")

    def hash(self) -> Any:
        return self.page.locator(SHOWN_HASH).get_attribute("title")


def opened(chromium: Browser, file: Path, **options: Any) -> OfflineReplay:
    viewport = {"width": options.pop("width", 1440), "height": options.pop("height", 900)}
    return OfflineReplay(chromium.new_context(offline=True, viewport=viewport, **options).new_page(), file)  # type: ignore[arg-type]


def written(folder: Path, replay: Any) -> Path:
    file = folder / "match.html"
    file.write_text(html_of(replay), "utf-8")
    return file


@pytest.mark.parametrize(
    "name", [ONE_MATCH_PER_GAME[0], *(pytest.param(one, marks=pytest.mark.soak) for one in ONE_MATCH_PER_GAME[1:])]
)
def test_it_plays_from_the_disk_with_nothing_from_elsewhere(chromium: Browser, tmp_path: Path, name: str) -> None:
    replay = replay_of(name)
    file = written(tmp_path, replay)
    it = opened(chromium, file)
    page = it.page
    assert it.hash() == board_hash(replay["board"])
    expect(page.locator("#provenance")).to_contain_text("The moves haven’t been compared with the chain.")
    expect(page.locator("#provenance")).to_contain_text("Nothing in the file proves its other details")
    expect(page.locator(".players [data-player]")).to_have_count(len(replay["board"]["players"]))
    page.keyboard.press("Home")
    first = replay["events"][0]["tx"]
    begun = max(event["seq"] for event in replay["events"] if event["tx"] == first)
    expect(page.locator("#time-line [data-seq]")).to_have_attribute("data-seq", str(begun))
    page.keyboard.press("ArrowRight")
    expect(page.locator("#time-line [data-seq]")).not_to_have_attribute("data-seq", str(begun))
    page.select_option("#time-speed", "8")
    page.keyboard.press(" ")
    expect(page.locator("#time-line[data-playing]")).to_have_count(1)
    expect(page.locator("#time-line[data-playing]")).to_have_count(0)
    assert it.hash() == board_hash(replay["board"]), "playback ends with the last board"
    assert page.locator("#banner a").count() == 0, "a file must not contain links"
    page.locator("#feed [data-seq='2'] .go").click()
    expect(page.locator("#time-line [data-seq]")).to_have_attribute("data-seq", "2")
    assert page.url == f"{file.as_uri()}#/@2"
    page.go_back()
    expect(page.locator("#time-line [data-seq]")).to_have_attribute("data-seq", str(len(replay["events"])))
    assert it.requested_urls == [file.as_uri()]
    assert it.page_errors == []


@SCHEMES
def test_page_is_accessible_and_fits_a_phone(chromium: Browser, tmp_path: Path, scheme: str) -> None:
    it = opened(
        chromium, written(tmp_path, replay_of(ONE_MATCH_PER_GAME[1])), width=390, height=844, color_scheme=scheme
    )
    it.page.click("#time-first")
    expect(it.page.locator("#banner")).to_have_count(0)
    assert barriers(it.page) == []
    assert it.page.evaluate("() => document.documentElement.scrollWidth") == 390
    assert it.page.evaluate(SMALL_TEXT) == []
    before = it.page.evaluate("() => getComputedStyle(document.body).backgroundColor")
    it.page.click("#theme-button")
    assert it.page.evaluate("() => getComputedStyle(document.body).backgroundColor") != before
    assert it.page_errors == []


def test_the_replay_comes_out_again_byte_for_byte(chromium: Browser, tmp_path: Path) -> None:
    replay = replay_of(ONE_MATCH_PER_GAME[0])
    it = opened(chromium, written(tmp_path, replay), accept_downloads=True)
    with it.page.expect_download() as download:
        it.page.click("#save-replay")
    assert json.loads(Path(download.value.path()).read_bytes()) == replay
    assert download.value.suggested_filename == "tic-tac-toe-1.json"


def test_no_text_of_a_player_gets_out_of_its_place(chromium: Browser, tmp_path: Path) -> None:
    replay = replay_of(ONE_MATCH_PER_GAME[0])
    replay["game"]["title"] = HOSTILE
    replay["events"][3]["name"] = HOSTILE
    file = written(tmp_path, replay)
    text = file.read_text("utf-8")
    assert len(re.findall("</script", text)) == 2
    it = opened(chromium, file)
    expect(it.page.locator("h1")).to_contain_text("</script>")
    assert it.page.title().startswith("</script>")
    assert it.page_errors == []


def test_an_altered_file_says_so_instead_of_playing(chromium: Browser, tmp_path: Path) -> None:
    replay = replay_of(ONE_MATCH_PER_GAME[0])
    replay["events"][5]["patch"] = {"ply": 7}
    file = written(tmp_path, replay)
    page = chromium.new_context(offline=True).new_page()
    page.goto(file.as_uri())
    expect(page.locator("[role=alert]")).to_contain_text("This replay was altered")


@pytest.mark.parametrize("slug", ["../main", "chess", ""])
def test_a_game_that_the_page_does_not_know_is_a_sentence(slug: str) -> None:
    replay = replay_of(ONE_MATCH_PER_GAME[0])
    replay["game"]["slug"] = slug
    known = "battleship, conquest, deblockle, tic-tac-toe, touche-coule"
    with pytest.raises(ReplayError, match=f"the page has no board for this game, only for {known}"):
        html_of(replay)


def test_a_page_that_can_not_be_built_is_a_sentence(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr(page, "page_to_serve", lambda: page.BuiltPage(page.source_folder(), tmp_path))
    with pytest.raises(ReplayError, match="Node is needed"):
        html_of(replay_of(ONE_MATCH_PER_GAME[0]))
