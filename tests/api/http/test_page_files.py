"""What is packed is served in place of the page's files, with an ETag."""

from __future__ import annotations

from pathlib import Path

from tests.api.playground import Playground, served


async def test_what_is_packed_stands_before_the_file_and_is_not_sent_twice(play: Playground, page: Path) -> None:
    packed = {"main.js": b"packed", "main.js.map": b"{}"}
    (page / "board.js").write_text("export const board = 1;")
    async with served(play, page, bundled=lambda: packed) as server:
        found = await server.http.get("/main.js")
        assert (found.content, found.headers["content-type"]) == (b"packed", "text/javascript; charset=utf-8")
        assert (await server.http.get("/main.js.map")).headers["content-type"] == "application/json"
        known = {"If-None-Match": found.headers["etag"]}
        assert (await server.http.get("/main.js", headers=known)).status_code == 304
        assert (await server.http.head("/main.js")).headers["content-length"] == "6"
        assert (await server.http.post("/main.js")).status_code == 405
        assert (await server.http.get("/board.js")).content == (page / "board.js").read_bytes()
        packed["main.js"] = b"changed"
        assert (await server.http.get("/main.js", headers=known)).content == b"changed"
        packed.clear()
        assert (await server.http.get("/main.js")).content == (page / "main.js").read_bytes()
