"""Tests the guard that checks Host, Origin and Fetch Metadata, and rejects requests that fail a
check. The guard adds security headers to every answer."""

from __future__ import annotations

from pathlib import Path

import pytest

from indexer.model import Json
from tests.api.playground import ApiServer, Playground, served
from tests.api.rest.test_refusals import problem

pytestmark = pytest.mark.asyncio(loop_scope="module")

PATHS = ("/", "/main.js", "/api/health", "/api/nothing")


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "127.0.0.1.evil.example", "a b", "10.0.0.1"])
async def test_unknown_hosts(still: ApiServer, path: str, host: str) -> None:
    problem(await still.http.get(path, headers={"host": host}), 403, "unknown-host")


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:99", "127.0.0.1", "[::1]:8000"])
async def test_loopback_by_any_name(still: ApiServer, host: str) -> None:
    assert (await still.http.get("/api/health", headers={"host": host})).status_code == 200


@pytest.mark.parametrize(
    ("hosts", "host", "good"),
    [
        (["play.example"], "play.example", True),
        (["play.example"], "PLAY.example:444", True),
        (["play.example"], "other.example", False),
        (["0.0.0.0"], "192.168.1.7:8000", True),
        (["::"], "[fe80::1]:8000", True),
        (["0.0.0.0"], "rebound.example", False),
        (["*"], "any.example", True),
    ],
)
async def test_hosts_that_were_given(play: Playground, page: Path, hosts: list[str], host: str, good: bool) -> None:
    async with served(play, page, hosts=hosts) as server:
        assert (await server.http.get("/api/health", headers={"host": host})).status_code == (200 if good else 403)


@pytest.mark.parametrize(
    ("host", "origin", "good"),
    [
        ("localhost:8000", "http://localhost:8000", True),
        ("localhost", "http://localhost", True),
        ("localhost", "https://localhost", True),
        ("localhost:443", "https://localhost", True),
        ("localhost:8000", "http://localhost:8001", False),
        ("localhost:8000", "http://127.0.0.1:8000", False),
        ("localhost:8000", "http://evil.example", False),
        ("localhost:8000", "null", False),
        ("localhost:8000", "http://localhost:8000.evil.example", False),
        ("localhost:8000", "http://x@localhost:8000", False),
        ("localhost:8000", "chrome-extension://abc", False),
    ],
)
async def test_origins(still: ApiServer, host: str, origin: str, good: bool) -> None:
    for path in PATHS[:3]:
        answer = await still.http.get(path, headers={"host": host, "origin": origin})
        if good:
            assert answer.status_code == 200
        else:
            problem(answer, 403, "foreign-origin")
        assert "access-control-allow-origin" not in answer.headers


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
@pytest.mark.parametrize(
    ("path", "mode", "target", "good"),
    [
        ("/api/health", "no-cors", "empty", False),
        ("/m/marks/1.png", "no-cors", "image", False),
        ("/main.js", "no-cors", "script", False),
        ("/embed/marks/1", "no-cors", "empty", False),
        ("/api/health", "navigate", "iframe", False),
        ("/", "navigate", "document", True),
        ("/m/marks/1", "navigate", "document", True),
    ],
)
async def test_other_sites_only_link_and_frame(
    still: ApiServer, site: str, path: str, mode: str, target: str, good: bool
) -> None:
    metadata = {"sec-fetch-site": site, "sec-fetch-mode": mode, "sec-fetch-dest": target}
    found = await still.http.get(path, headers=metadata)
    if good:
        assert found.status_code == 200
    else:
        assert problem(found, 403, "foreign-origin")["key"] == "foreign-origin.load"


@pytest.mark.parametrize("site", ["same-origin", "none"])
async def test_the_page_and_its_frames_load_what_they_need(still: ApiServer, site: str) -> None:
    for path in ("/api/health", "/main.js"):
        metadata = {"sec-fetch-site": site, "sec-fetch-mode": "cors", "sec-fetch-dest": "empty"}
        assert (await still.http.get(path, headers=metadata)).status_code == 200


@pytest.mark.parametrize("scheme", ["chrome-extension", "moz-extension", "safari-web-extension"])
async def test_extensions_may_ask_the_node_only(still: ApiServer, scheme: str) -> None:
    headers = {"origin": f"{scheme}://abcdef", "sec-fetch-site": "cross-site", "sec-fetch-mode": "cors"}
    call = {"jsonrpc": "2.0", "id": 1, "method": "admin_x", "params": []}
    answer = await still.http.post("/api/rpc", json=call, headers=headers)
    assert (answer.status_code, answer.json()["error"]["code"]) == (200, -32601)
    assert answer.headers["access-control-allow-origin"] == headers["origin"]
    asked = await still.http.options("/api/rpc", headers={**headers, "access-control-request-method": "POST"})
    assert (asked.status_code, asked.headers["access-control-allow-headers"]) == (204, "content-type")
    for path in ("/api/faucet", "/api/health", "/"):
        problem(await still.http.post(path, json={}, headers=headers), 403, "foreign-origin")


@pytest.mark.parametrize("path", [*PATHS, "/api/matches/chess/1"])
async def test_every_answer_carries_the_security_headers(still: ApiServer, path: str) -> None:
    headers = (await still.http.get(path)).headers
    policy = headers["content-security-policy"]
    own = f"ws://127.0.0.1:{still.port} wss://127.0.0.1:{still.port}"
    of_a_page = (f"connect-src 'self' {own} https: http://127.0.0.1:* http://localhost:*", "img-src 'self' data:")
    for part in (
        "default-src 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
        *(of_a_page if path == "/" else ()),
    ):
        assert part in policy.split("; ")
    assert ("cross-origin-opener-policy" in headers) == (path == "/")
    wanted: Json = {
        "x-content-type-options": "nosniff",
        "cache-control": "no-cache",
        "cross-origin-resource-policy": "same-origin",
    }
    assert {name: headers[name] for name in wanted} == wanted
