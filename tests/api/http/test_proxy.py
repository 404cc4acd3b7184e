"""Tests a server behind a proxy. The server knows the address of the client behind the proxy, and
uses the public origin that browsers see."""

from __future__ import annotations

from pathlib import Path

import pytest

from api.net.client_address import with_mapped
from api.net.connection_limits import ConnectionLimits
from api.net.origin import Origin, parse_origin, parse_site
from indexer.model import Json
from tests.api.playground import Playground, served
from tests.api.rest.test_refusals import problem

PROXY = {"proxy_headers": True, "forwarded_allow_ips": ["127.0.0.1"]}
AWAY = {"x-forwarded-for": "192.0.2.1"}
PUBLIC = "https://play.example.org"


@pytest.mark.parametrize(
    ("text", "origin"),
    [
        ("https://play.example.org", Origin("https", "play.example.org", 443)),
        ("HTTPS://Play.Example.org:443", Origin("https", "play.example.org", 443)),
        ("http://[2001:db8::1]:8080", Origin("http", "[2001:db8::1]", 8080)),
        *((bad, None) for bad in ("null", "play.example.org", "ftp://a", "https://a/", "https://u@a", "https://a:0")),
        *((bad, None) for bad in ("https://", "https://a:65536", "https://a?b", "https://a b", "https://2001:db8::1")),
    ],
)
def test_what_an_origin_is(text: str, origin: Origin | None) -> None:
    assert parse_origin(text) == origin
    assert origin is None or parse_origin(str(origin)) == origin


@pytest.mark.parametrize(
    ("text", "site"),
    [
        (PUBLIC, PUBLIC),
        (f"{PUBLIC}/", PUBLIC),
        ("HTTPS://Play.Example.org/Games/", f"{PUBLIC}/Games"),
        (f"{PUBLIC}/our/board.games", f"{PUBLIC}/our/board.games"),
        *((bad, None) for bad in (f"{PUBLIC}//", f"{PUBLIC}/a//b", f"{PUBLIC}/..", f"{PUBLIC}/a/./b", f"{PUBLIC}/a?b")),
        *((bad, None) for bad in (f'{PUBLIC}/"', f"{PUBLIC}/a b", f"{PUBLIC}/#a", "/games", "https:///games", "")),
    ],
)
def test_what_a_site_is(text: str, site: str | None) -> None:
    found = parse_site(text)
    assert (str(found) if found else None) == site


async def test_links_below_a_path_name_it(play: Playground, page: Path) -> None:
    """Tests links behind a proxy that strips the path prefix from requests. The links contain the
    configured prefix, and no header can change this prefix."""
    forged = {"host": "play.example.org", "x-forwarded-prefix": '/"><script>', "x-script-name": "//evil.example"}
    async with served(play, page, PROXY, public=parse_site(f"{PUBLIC}/games/")) as server:
        link = await server.http.get("/m/marks/1", headers=forged)
        assert f'<link rel="canonical" href="{PUBLIC}/games/m/marks/1">' in link.text
        assert 'content="0; url=../../#/match/marks/1"' in link.text
        assert 'href="../../style.css"' in link.text
        missing = await server.http.get("/m/marks/1/2/3", headers=forged)
        assert (missing.status_code, '<a href="../../../../">' in missing.text) == (404, True)
        for answer in (link, missing):
            assert not [one for one in ("evil", "<script", 'href="/') if one in answer.text]
            assert "connect-src 'self' wss://play.example.org https:" in answer.headers["content-security-policy"]


ASKED: list[tuple[str, Json, str]] = [
    ("/api/games", {"host": "play.example.org", **AWAY}, ""),
    ("/api/games", {"host": "PLAY.example.org:443", "origin": PUBLIC, **AWAY}, ""),
    ("/api/games", {"host": "play.example.org:444", **AWAY}, "unknown-host"),
    ("/api/games", {"host": "other.example.org", **AWAY}, "unknown-host"),
    ("/api/games", {"host": "bound.example.org", **AWAY}, "unknown-host"),
    ("/api/games", {"host": "127.0.0.1", **AWAY}, "unknown-host"),
    ("/api/games", {"host": "10.0.0.7:8001", **AWAY}, "unknown-host"),
    ("/api/games", {"host": "play.example.org", "origin": "http://play.example.org", **AWAY}, "foreign-origin"),
    ("/api/games", {"host": "play.example.org", "origin": "https://evil.example", **AWAY}, "foreign-origin"),
    ("/api/games", {"host": "127.0.0.1:8001"}, ""),
    ("/api/games", {"host": "localhost:8001", "origin": PUBLIC}, "foreign-origin"),
    ("/api/games", {"host": "rebound.example"}, "unknown-host"),
    ("/api/ready", {"host": "10.0.0.7:8001", **AWAY}, ""),
    ("/api/metrics", {"host": "[2001:db8::7]:8001", **AWAY}, ""),
    ("/api/metrics", {"host": "rebound.example", **AWAY}, "unknown-host"),
]


async def test_a_public_origin_decides(play: Playground, page: Path) -> None:
    """Tests that clients must use the name in the public origin instead of the server's own host
    names. Programs on this machine can use loopback names, and monitors can use any address."""
    async with served(play, page, PROXY, hosts=["bound.example.org"], public=parse_site(PUBLIC)) as server:
        for path, headers, code in ASKED:
            answer = await server.http.get(path, headers=headers)
            if code:
                problem(answer, 403, code)
            assert (answer.status_code == 200) == (not code), headers
        page_itself = await server.http.get("/", headers={"host": "play.example.org", **AWAY})
        assert "connect-src 'self' wss://play.example.org https:" in page_itself.headers["content-security-policy"]
        (page / "embed.html").write_text("<!doctype html><title>frame</title>")
        framed = await server.http.get("/embed/marks/1")
        (page / "embed.html").unlink()
        assert "connect-src 'self' wss://play.example.org;" in framed.headers["content-security-policy"]
        link = await server.http.get("/m/marks/1", headers={"host": "localhost"})
        assert f'<link rel="canonical" href="{PUBLIC}/m/marks/1">' in link.text
        assert "localhost" not in link.text


FORWARDED: list[tuple[list[str], bool]] = [
    (["192.0.2.1"], False),
    (["192.0.2.9, 192.0.2.1"], False),
    (["192.0.2.9", "192.0.2.1, 10.1.2.3"], False),
    (["192.0.2.1, 192.0.2.9"], True),
    (["192.0.2.1:4711"], False),
    (["::ffff:192.0.2.1"], False),
    (["192.0.2.2"], True),
    (["2001:db8::1"], False),
    (["2001:db8:0:0:ffff::2"], False),
    (["[2001:db8::3]:4711"], False),
    (["2001:db8:0:1::1"], True),
    (["192.0.2.1, 2001:db8::4, ::ffff:10.1.2.3"], False),
    ([], True),
]


async def test_the_rightmost_address_that_is_no_proxys_counts(play: Playground, page: Path) -> None:
    """Tests that the client's address is the rightmost forwarded address that isn't a proxy's. An
    IPv6 network counts as a single address."""
    limits = ConnectionLimits(1)
    for taken in ("192.0.2.1", "2001:db8::"):
        assert limits.enter(taken)
    options = {"proxy_headers": True, "forwarded_allow_ips": with_mapped(["127.0.0.0/8", "10.0.0.0/8"])}
    async with served(play, page, options, forwarded=limits) as server:
        for forwarded, allowed in FORWARDED:
            headers = [("x-forwarded-for", one) for one in forwarded]
            answer = await server.http.get("/api/games", headers=headers)
            assert answer.status_code == (200 if allowed else 429), forwarded


async def test_nobody_but_a_proxy_stands_for_others(play: Playground, page: Path) -> None:
    limits = ConnectionLimits(1)
    assert limits.enter("127.0.0.1")
    async with served(play, page, {**PROXY, "forwarded_allow_ips": ["10.0.0.0/8"]}, forwarded=limits) as server:
        assert (await server.http.get("/api/games", headers=AWAY)).status_code == 429
