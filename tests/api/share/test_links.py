"""Tests the page at `/m/GAME/ID[@SEQ]`. It describes a match and leads to it, or explains that the
match doesn't exist."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import httpx
import pytest

from api.names.account_names import name_of
from api.share.document import LOCALES, not_found, preview
from api.share.wanted_language import wanted_language
from api.static import page as static_page
from api.static.texts import LANGUAGES, text
from indexer.store.shared.nicknames import Nickname
from tests.api.playground import ALICE, BOB, ApiServer, Playground, ended, served

pytestmark = pytest.mark.asyncio(loop_scope="module")


class Reader(HTMLParser):
    """Reads the page's description in the same way as programs that preview links."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.meta: dict[str, str] = {}
        self.links: list[str] = []
        self.tags: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attrs}
        self.tags.append(tag)
        if tag == "meta" and "content" in found:
            self.meta[found.get("property") or found.get("name") or found.get("http-equiv", "")] = found["content"]
        if tag == "a":
            self.links.append(found["href"])


async def seen(server: ApiServer, path: str, language: str = "en") -> tuple[httpx.Response, Reader]:
    found = await server.http.get(path, headers={"accept-language": language})
    assert found.headers["content-type"] == "text/html; charset=utf-8"
    return found, Reader(found.text)


@pytest.mark.parametrize(
    ("language", "site"), [("en", "Live now"), ("fr-CA,en;q=0.5", "Partie en cours"), ("zh", "正在对局")]
)
async def test_a_link_describes_its_match_in_the_readers_language(still: ApiServer, language: str, site: str) -> None:
    found, page = await seen(still, "/m/marks/1", language)
    assert found.status_code == 200
    short = language[:2]
    for player in (ALICE, BOB):
        assert name_of(player) in page.meta["og:description"]
    assert site in page.meta["og:description"]
    assert page.meta["og:title"] == "Marks 1"
    assert page.meta["og:url"] == f"http://127.0.0.1:{still.port}/m/marks/1"
    assert page.meta["refresh"] == "0; url=../../#/match/marks/1"
    assert page.links == ["../../#/match/marks/1"]
    assert f'<html lang="{short}">' in found.text
    assert found.headers["vary"] == "accept-language"
    assert "og:image" not in page.meta  # this server doesn't draw pictures
    assert not re.search(r"<script|<style|\sstyle=", found.text)
    # the page mentions no other host
    assert "//" not in re.sub(rf"http://127\.0\.0\.1:{still.port}/", "", found.text)


async def test_a_link_calls_players_by_their_nicknames(play: Playground, page: Path) -> None:
    play.store.nicknames.store(Nickname(ALICE, "Ann <&> Co", 1, "0x"), "ann", ())
    play.store.nicknames.store(Nickname(BOB, "שירה", 1, "0x"), "שירה", ())
    play.block(ended(1, ALICE))
    async with served(play, page) as server:
        _, found = await seen(server, "/m/marks/1")
    assert found.meta["og:description"] == "Ann <&> Co – \u2068שירה\u2069 · Ann <&> Co won"


async def test_a_link_may_name_an_event(still: ApiServer) -> None:
    _, page = await seen(still, "/m/marks/1@3")
    assert page.meta["og:description"].endswith("Step 3 of 6")
    assert page.links == ["../../#/match/marks/1@3"]
    _, open_match = await seen(still, "/m/marks/2")
    assert open_match.meta["og:description"] == text("en", "match.waiting")


@pytest.mark.parametrize(
    "path",
    [
        "marks/99", "marks/0", "marks/1@0", "marks/1@7", "marks/1@", "marks/1@99999999999999", "marks/x", "marks/1/2",
        "marks", "", "chess/1", "marks/-1", "marks/１", "marks/999999999999999",
        "%3Cscript%3Ealert(1)%3C%2Fscript%3E/1", "marks/%00", "marks/%ff%fe", "%22%3E%3Cimg%20src=x%3E/1@2",
    ],
)  # fmt: skip
@pytest.mark.parametrize("root", ["m", "embed"])
async def test_what_is_not_there_is_said_in_words(still: ApiServer, root: str, path: str) -> None:
    found, page = await seen(still, f"/{root}/{path}")
    assert found.status_code == 404
    assert page.links == ["../" * (found.url.raw_path.count(b"/") - 1)]
    assert set(page.tags) <= {"html", "head", "meta", "title", "link", "body", "main", "h1", "p", "a"}
    assert "Traceback" not in found.text
    assert "set-cookie" not in found.headers


async def test_other_methods_are_refused(still: ApiServer) -> None:
    assert (await still.http.post("/m/marks/1")).status_code == 405
    assert (await still.http.head("/m/marks/1")).status_code == 200


async def test_without_a_renderer_there_is_no_picture(still: ApiServer) -> None:
    found = await still.http.get("/m/marks/1.png")
    assert (found.status_code, found.json()["code"]) == (404, "not-found")


HOSTILE = "\"><script>alert(1)</script>&'\x00\u202e"


async def test_texts_of_others_are_text() -> None:
    for response in (
        preview("en", HOSTILE, HOSTILE, HOSTILE, HOSTILE, HOSTILE, HOSTILE),
        not_found("en", HOSTILE, HOSTILE),
    ):
        page = bytes(response.body).decode()
        assert "<script" not in page
        assert "&lt;script&gt;" in page
        assert "script" not in Reader(page).tags


@pytest.mark.parametrize(
    ("header", "language"),
    [
        ("", "en"),
        ("de", "en"),
        ("fr", "fr"),
        ("de,zh-Hans-CN;q=0.9,fr;q=0.8", "zh"),
        ("en;q=0.1, fr;q=0.2", "fr"),
        ("fr;q=0", "en"),
        ("fr;q=9, zh;q=x", "en"),
        ("*", "en"),
        (";;;,,," * 1000, "en"),
        ("pseudo", "en"),
    ],
)
async def test_the_language_is_the_browsers(header: str, language: str) -> None:
    assert wanted_language(header) == language


async def test_links_speak_the_languages_of_the_page() -> None:
    tables = {one.stem for one in (static_page.source_folder() / "i18n" / "messages").glob("*.json")}
    assert tables == {*LANGUAGES} == {*LOCALES}
