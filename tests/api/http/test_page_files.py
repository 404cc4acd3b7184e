"""Tests that the server builds the page once and sends its files compressed. Browsers can cache the
files, because their URLs contain their hashes."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import re
import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest

from api.static import page as page_module
from api.static.build import BuildError
from api.static.page import BuiltPage
from tests.api.playground import ApiServer, Playground, served

NAMED = re.compile(r'(?:href|src)="([\w-]+-[0-9A-Z]{8}\.(?:css|js))" integrity="sha384-([^"]+)"')
OTHERS = re.compile(r"node_modules|^late:")
FOREVER = "public, max-age=31536000, immutable"
SOURCES = page_module.source_folder()


@pytest.fixture(scope="module")
def built() -> Path:
    return page_module.page_to_serve().folder()


@pytest.fixture
async def site(play: Playground, built: Path) -> AsyncIterator[ApiServer]:
    async with served(play, built) as it:
        yield it


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """Return a copy of the page's files, so that a test can change them."""
    return Path(shutil.copytree(SOURCES, tmp_path / "page"))


async def raw(server: ApiServer, path: str, accepted: str) -> tuple[httpx.Response, bytes]:
    """Return an answer, and its body exactly as it was sent, without decompressing it."""
    async with server.http.stream("GET", path, headers={"accept-encoding": accepted}) as found:
        return found, b"".join([part async for part in found.aiter_raw()])


def entry(built: Path, name: str) -> Path:
    (found,) = built.glob(f"{name}-????????.js")
    return found


def scripts(built: Path) -> list[Path]:
    return list(built.glob("*-????????.js"))


def sources(script: Path) -> set[str]:
    """Return the modules in a script, and in the scripts that must be loaded before it runs."""
    text = script.read_text("utf-8")
    told = json.loads(script.with_name(f"{script.name}.map").read_text("utf-8"))
    imported = re.findall(r'(?:from|import)"\./([\w-]+\.js)"', text)
    below = [source.rpartition("../")[2] for source in told["sources"]]
    own = {source.partition("frontend-static/")[2] or source for source in below}
    return own.union(*(sources(script.parent / name) for name in imported))


def at_once(built: Path, html: str = "index.html") -> set[str]:
    """Return the modules in all scripts that a page's HTML mentions."""
    named = re.findall(r'"(?:\.\./)*([\w-]+\.js)"', (built / html).read_text("utf-8"))
    return set().union(*(sources(built / name) for name in named))


async def test_the_pages_html_names_each_file_by_its_hash(site: ApiServer) -> None:
    """Tests that the page's HTML refers to each file by its hash. A browser revalidates only the
    HTML, so it runs exactly the files that were built together."""
    for path in ("/", "/embed/marks/1"):
        html = await site.http.get(path)
        assert html.headers["cache-control"] == "no-cache"
        again = await site.http.get(path, headers={"if-none-match": html.headers["etag"]})
        assert (again.status_code, again.content) == (304, b"")
        # a browser applies the headers of a 304 to the page in its cache
        assert again.headers["content-security-policy"] == html.headers["content-security-policy"]
        named = NAMED.findall(html.text.replace("../", ""))
        assert len(named) >= 3
        assert len(re.findall("<script|<link[^>]*(?:stylesheet|modulepreload)", html.text)) == len(named)
        for file, integrity in named:
            found = await site.http.get(f"/{file}")
            assert found.headers["cache-control"] == FOREVER
            assert base64.b64encode(hashlib.sha384(found.content).digest()).decode() == integrity


@pytest.mark.parametrize(
    ("accepted", "coding"),
    [
        ("gzip, deflate, br, zstd", "br"),
        ("gzip, deflate", "gzip"),
        ("br;q=0, gzip;q=0.5", "gzip"),
        ("GZIP", "gzip"),
        ("identity", None),
        ("br;q=0.0", None),
        ("", None),
    ],
)
async def test_a_file_is_compressed_as_the_browser_accepts_it(
    site: ApiServer, built: Path, accepted: str, coding: str | None
) -> None:
    script = max(scripts(built), key=lambda file: file.stat().st_size)
    found, body = await raw(site, f"/{script.name}", accepted)
    assert found.headers.get("content-encoding") == coding
    assert found.headers["content-type"] == "text/javascript; charset=utf-8"
    assert found.headers["vary"] == "accept-encoding"
    whole = script.read_bytes()
    if coding == "gzip":
        assert gzip.decompress(body) == whole
    elif coding is None:
        assert body == whole
    assert len(body) < len(whole) / 2 or coding is None


async def test_what_is_small_or_compressed_by_itself_comes_as_it_is(site: ApiServer) -> None:
    for path, kind in (("/icon.svg", "image/svg+xml"), ("/icons/192.png", "image/png")):
        found, _ = await raw(site, path, "br, gzip")
        assert (found.headers["content-type"].partition(";")[0], found.headers["cache-control"]) == (kind, "no-cache")
        assert "content-encoding" not in found.headers


async def test_answers_of_the_api_are_compressed_from_a_kibibyte_on(site: ApiServer) -> None:
    large, body = await raw(site, "/api/openapi.json", "gzip, br")
    assert (large.status_code, large.headers["content-encoding"]) == (200, "gzip")
    assert "accept-encoding" in large.headers["vary"].lower()
    plain, whole = await raw(site, "/api/openapi.json", "identity")
    assert "content-encoding" not in plain.headers
    assert gzip.decompress(body) == whole
    small, _ = await raw(site, "/api/ready", "gzip, br")
    assert "content-encoding" not in small.headers


async def test_nothing_of_the_sources_or_of_the_servers_own_part_is_served(site: ApiServer) -> None:
    paths = (
        "main.js",
        "lib/dom.js",
        "history/node-render.js",
        "server/node-render.mjs",
        "server/licences.txt",
        "i18n/messages/en.json",
    )
    for path in (*paths, "main-AAAAAAAA.js", "%00", 5000 * "a"):
        assert (await site.http.get(f"/{path}")).status_code == 404, path[:40]
    assert (await site.http.post("/")).status_code == 405


def test_source_maps_hold_each_module_as_it_is_written(built: Path) -> None:
    assert entry(built, "main").read_text("utf-8").rstrip().endswith(f"{entry(built, 'main').name}.map")
    seen = {}
    for file in built.glob("*.js.map"):
        told = json.loads(file.read_text("utf-8"))
        seen.update(zip(told["sources"], told["sourcesContent"], strict=True))
    own = {name.partition("frontend-static/")[2]: text for name, text in seen.items() if not OTHERS.search(name)}
    # longer paths would contain folders of the machine that built the page
    assert {"/".join(name.split("/")[:2]) for name in seen} == {"../frontend-static", "../node_modules"}
    modules = [path for path in SOURCES.rglob("*.js") if "@import" not in path.name]
    # the remaining modules contain only types, or are for Node
    assert len(own) > len(modules) * 0.8
    for name, text in own.items():
        # the build parses ABIs and messages with plurals, so these files differ from their sources
        if name.endswith(".js") and ".abi." not in name:
            assert text.removeprefix('import "../../page.js"; ') == (SOURCES / name).read_text("utf-8"), name


def test_a_framed_page_holds_no_code_that_knows_keys(built: Path) -> None:
    framed, whole = at_once(built, "embed.html"), at_once(built)
    assert {"embed.js", "views/framed-match.js", "app/match/framed.js"} <= framed
    assert {name for name in framed if name.startswith("chain/")} == set()
    assert {"chain/wallet/keys.js", "chain/tx/manager.js"} <= whole
    for word in ("wallet", "signing-key", "secp256k1", "mnemonic", "scrypt"):
        assert [name for name in framed if word in name.lower()] == [], word


def test_the_lobby_waits_for_no_game_no_texts_and_no_other_page(built: Path) -> None:
    whole = at_once(built)
    assert {"page.js", "views/lobby/page.js", "views/header.js"} <= whole
    games = {name for name in whole if name.startswith("games/") and not name.startswith("games/shared/")}
    assert games == set()
    late = (
        "i18n/messages/",
        "views/account/drawer.js",
        "views/players/",
        "layouts/grid.js",
        "views/match/page.js",
    )
    assert {name for name in whole if name.startswith(late)} == set()
    for module in ("injected-wallet", "development-accounts", "keystore-worker", "replay-parser", "picture-file"):
        assert not any(name.endswith(f"/{module}.js") for name in whole), module
    assert "icu-messageformat-parser/index.js" not in " ".join(whole), "the build parses the messages"


def test_the_licences_of_all_packages_travel_with_a_replay(built: Path) -> None:
    notice = (built / "server" / "licences.txt").read_text("utf-8")
    for package in ("ox", "intl-messageformat", "@noble/hashes"):
        assert re.search(rf"^{package}\n\n.*(license|copyright)", notice, re.MULTILINE | re.IGNORECASE), package


async def test_a_module_that_changed_is_served_at_the_next_load(play: Playground, copy: Path, tmp_path: Path) -> None:
    """Tests that a page that was loaded before a new build still gets the files of its own
    build."""
    site = BuiltPage(copy, tmp_path / "builds")
    async with served(play, site) as server:
        before = NAMED.findall((await server.http.get("/")).text)
        assert NAMED.findall((await server.http.get("/")).text) == before
        with (copy / "app/app.js").open("a") as file:
            file.write('\nconsole.log("changed since");\n')
        (copy / "games/another/messages").mkdir(parents=True)
        (copy / "games/another/messages/en.json").write_text("{}\n")
        (copy / "games/another/renderer.js").write_text('export const words = "a game from elsewhere";\n')
        after = NAMED.findall((await server.http.get("/")).text)
        assert dict(after) != dict(before)
        built = site.folder()
        assert any("changed since" in file.read_text("utf-8") for file in built.glob("*.js"))
        assert any("a game from elsewhere" in file.read_text("utf-8") for file in built.glob("renderer-*.js"))
        for name, _ in before:
            assert (await server.http.get(f"/{name}")).status_code == 200


async def test_a_module_that_is_broken_is_said_where_the_page_would_be(
    play: Playground, copy: Path, tmp_path: Path
) -> None:
    async with served(play, BuiltPage(copy, tmp_path / "builds")) as server:
        (copy / "views/parts/tx-status.js").write_text("export const = 1;\n")
        found = await server.http.get("/")
        assert (found.status_code, found.headers["cache-control"]) == (503, "no-store")
        assert "views/parts/tx-status.js:1:13: ERROR: Expected identifier" in found.text
        shutil.copy(SOURCES / "views/parts/tx-status.js", copy / "views/parts/tx-status.js")
        assert (await server.http.get("/")).status_code == 200


def test_without_node_it_says_what_to_install(copy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(BuildError, match="Node is needed to build the page: install Node 20 or newer"):
        BuiltPage(copy, tmp_path / "builds").folder()
