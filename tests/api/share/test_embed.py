"""Tests that any site can show `/embed/GAME/ID` in a frame, but no other page of ours. The embedded
page requests data only from its own server."""

from __future__ import annotations

import re
from pathlib import Path

import httpx

from api.static import page as page_module
from tests.api.playground import Playground, served


def policy(found: httpx.Response) -> dict[str, str]:
    parts = (part.partition(" ") for part in found.headers["content-security-policy"].split("; "))
    return {name: value for name, _, value in parts}


async def test_only_a_match_may_be_framed(play: Playground) -> None:
    async with served(play, page_module.page_to_serve().folder()) as server:
        metadata = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "iframe"}
        framed = await server.http.get("/embed/marks/1", headers=metadata)
        assert framed.status_code == 200
        assert re.search(r'<script type="module" src="../../embed-[0-9A-Z]{8}.js" integrity="sha384-', framed.text)
        assert policy(framed) == {
            "default-src": "'none'",
            "script-src": "'self'",
            "style-src": "'self'",
            "img-src": "'self' data:",
            "connect-src": f"'self' ws://127.0.0.1:{server.port} wss://127.0.0.1:{server.port}",
            "base-uri": "'none'",
            "form-action": "'none'",
            "frame-ancestors": "*",
        }
        assert framed.headers["cross-origin-resource-policy"] == "cross-origin"
        for path in ("/", "/embed.html", "/icon.svg", "/embed", "/m/marks/1", "/api/health", "/manifest.webmanifest"):
            assert (await server.http.get(path, headers=metadata)).status_code == 403, path
            found = await server.http.get(path)
            assert policy(found)["frame-ancestors"] == "'none'", path
            assert found.headers["cross-origin-resource-policy"] == "same-origin", path


async def test_the_page_can_be_installed(play: Playground) -> None:
    async with served(play, page_module.page_to_serve().folder()) as server:
        found = await server.http.get("/manifest.webmanifest")
        assert found.headers["content-type"].startswith("application/manifest+json")
        manifest = found.json()
        assert (manifest["start_url"], manifest["display"], manifest["name"]) == (".", "standalone", "Chainboard")
        kinds = {(one["sizes"], one["purpose"]) for one in manifest["icons"]}
        assert kinds >= {(f"{size}x{size}", use) for size in (192, 512) for use in ("any", "maskable")}
        for icon in manifest["icons"]:
            got = await server.http.get(f"/{icon['src']}")
            assert (got.status_code, got.headers["content-type"]) == (200, icon["type"])
        index = (await server.http.get("/")).text
        assert index.count('name="theme-color"') == 2
        assert 'rel="manifest" href="manifest.webmanifest"' in index


async def test_a_framed_page_without_its_file_is_a_problem(play: Playground, page: Path) -> None:
    assert not (page / "embed.html").exists()
    async with served(play, page) as server:
        assert (await server.http.get("/embed/marks/1")).status_code == 404
