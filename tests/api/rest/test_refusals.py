"""Tests that the gateway answers a rejected HTTP request with a problem document, which has the
right status and a helpful sentence."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from indexer.model import Json
from tests.api.playground import ALICE, BOB, ApiServer, Playground, digest, served

pytestmark = pytest.mark.asyncio(loop_scope="module")


def problem(answer: Any, status: int, code: str) -> Json:
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    found: Json = answer.json()
    assert (found["status"], found["code"], found["type"]) == (status, code, "about:blank")
    assert found["title"]
    assert "Traceback" not in answer.text
    return found


GETS: list[tuple[str, int, str, str]] = [
    ("/api/nothing", 404, "not-found", "/api/nothing"),
    ("/nothing.js", 404, "not-found", "/nothing.js"),
    ("/../../etc/passwd", 404, "not-found", "passwd"),
    ("/api/rpc", 405, "method-not-allowed", "POST"),
    ("/api/faucet", 405, "method-not-allowed", "POST"),
    ("/api/matches/chess/1", 404, "unknown-game", "marks"),
    ("/api/matches?game=chess", 404, "unknown-game", "marks"),
    ("/api/events?game=chess", 404, "unknown-game", "marks"),
    ("/api/matches/marks/3", 404, "unknown-match", "marks/3"),
    ("/api/matches/marks/3/events", 404, "unknown-match", "marks/3"),
    ("/api/matches/marks/3/deltas", 404, "unknown-match", "marks/3"),
    ("/api/matches/marks/1?seq=7", 404, "unknown-seq", "1 to 6"),
    ("/api/matches/marks/1?block=5", 404, "unknown-block", "last indexed block is 4"),
    ("/api/matches/marks/2?block=2", 404, "unknown-block", "begins in block 3"),
    (f"/api/matches/marks/1?block={digest('?')}", 404, "unknown-block", "last indexed block is 4"),
    ("/api/matches/marks/1?block=latest", 422, "bad-parameter", "height or a hash"),
    ("/api/matches/marks/1?seq=2&block=2", 422, "bad-parameter", "not both"),
    ("/api/matches/marks/1?seq=0", 422, "bad-parameter", "seq"),
    ("/api/matches/marks/1?seq=x", 422, "bad-parameter", "not a whole number"),
    ("/api/matches/marks/one", 422, "bad-parameter", "'one' is not a whole number"),
    ("/api/matches/marks/1.5", 422, "bad-parameter", "not a whole number"),
    ("/api/matches/marks/1_0", 422, "bad-parameter", "not a whole number"),
    ("/api/matches/marks/-1", 422, "bad-parameter", "not a whole number"),
    ("/api/matches/marks/0", 422, "bad-parameter", "greater than or equal to 1"),
    (f"/api/matches/marks/{2**48}", 422, "bad-parameter", str(2**48 - 1)),
    (f"/api/matches/marks/{10**400}", 422, "bad-parameter", "not a whole number"),
    ("/api/matches?limit=0", 422, "bad-parameter", "limit"),
    ("/api/matches?limit=1000000", 422, "bad-parameter", "100"),
    ("/api/events?limit=99999999999999999999999", 422, "bad-parameter", "limit"),
    ("/api/events?from_block=-3", 422, "bad-parameter", "from_block"),
    ("/api/matches?status=lost", 422, "bad-parameter", "open, playing, finished, cancelled"),
    ("/api/matches?player=0x12", 422, "bad-parameter", "not an address"),
    ("/api/matches?opponent=0x12", 422, "bad-parameter", "not an address"),
    (f"/api/matches?player={ALICE}&opponent={ALICE}", 422, "bad-parameter", "not both"),
    (f"/api/matches?player={ALICE[:-2]}c8", 422, "bad-parameter", "checksum"),
    ("/api/nicknames", 422, "bad-parameter", "not both"),
    (f"/api/nicknames?account={ALICE}&name=Ann", 422, "bad-parameter", "not both"),
    ("/api/nicknames?account=0x12", 422, "bad-parameter", "not an address"),
    ("/api/nicknames?" + "&".join([f"account={ALICE}"] * 101), 422, "bad-parameter", "the limit is 100"),
    ("/api/nicknames?" + "&".join(["account="] * 7_000), 422, "bad-parameter", "the limit is 100"),
    (f"/api/matches?account={ALICE}&account={ALICE}", 422, "bad-parameter", "“account” appears 2 times"),
    (f"/api/nicknames?name={'x' * 101}", 422, "bad-parameter", "name"),
    ("/api/players/alice", 422, "bad-parameter", "not an address"),
    ("/api/players/0x12", 422, "bad-parameter", "not an address"),
    (f"/api/players/{BOB}/ratings", 422, "bad-parameter", "game"),
    ("/api/games?abi=0", 422, "bad-parameter", "'0' is neither true nor false"),
    ("/api/abis/0x12", 422, "bad-parameter", "hash"),
    (f"/api/abis/0x{'5f' * 32}", 404, "unknown-abi", "5f5f5f"),
    (f"/api/players/{BOB}/ratings?game=chess", 404, "unknown-game", "marks"),
    (f"/api/players/{BOB}/ratings?game=marks&limit=1001", 422, "bad-parameter", "limit"),
    (f"/api/players/{BOB}/ratings?game=marks&cursor=rubbish", 400, "bad-cursor", "omit it to start again"),
    (f"/api/players/{BOB}/rivals?game=chess", 404, "unknown-game", "marks"),
    ("/api/players/0x12/rivals", 422, "bad-parameter", "not an address"),
    ("/api/leaderboard?game=chess", 404, "unknown-game", "marks"),
    ("/api/leaderboard?game=marks&limit=0", 422, "bad-parameter", "limit"),
    ("/api/leaderboard?game=marks&cursor=rubbish", 400, "bad-cursor", "omit it to start again"),
    ("/api/leaderboard?opponents=1", 422, "bad-parameter", "'1' is neither true nor false"),
    ("/api/leaderboard?opponents=", 422, "bad-parameter", "neither true nor false"),
    ("/api/matches?cursor=rubbish", 400, "bad-cursor", "omit it to start again"),
    ("/api/matches?cursor=%F0%9F%8E%B2", 400, "bad-cursor", "omit it to start again"),
    ("/api/matches?cursor=", 400, "bad-cursor", "omit it to start again"),
    ("/api/events?cursor=%00", 400, "bad-cursor", "omit it to start again"),
    (f"/api/events?cursor={'A' * 401}", 422, "bad-parameter", "at most 400 characters"),
    (f"/api/events?cursor={'W1tbW1tbW1tb' * 16}", 400, "bad-cursor", "omit it to start again"),
    ("/api/matches?limit=-1", 422, "bad-parameter", "'-1' is not a whole number"),
    ("/api/matches?limit=", 422, "bad-parameter", "'' is not a whole number"),
    ("/api/matches?limit=%D9%A3", 422, "bad-parameter", "not a whole number"),
    ("/api/matches?limit=1e1", 422, "bad-parameter", "not a whole number"),
    ("/api/matches?limit=5%00", 422, "bad-parameter", "not a whole number"),
    ("/api/matches?limit=%205", 422, "bad-parameter", "not a whole number"),
    ("/api/matches?limit=5&limit=6", 422, "bad-parameter", "“limit” appears 2 times, but it can appear only once"),
    ("/api/events?game=marks&game=marks", 422, "bad-parameter", "“game” appears 2 times"),
    ("/api/matches/marks/1?seq=1&seq=2", 422, "bad-parameter", "“seq” appears 2 times"),
    ("/api/health?x=1&x=2", 422, "bad-parameter", "“x” appears 2 times"),
    ("/api/matches?game=%00", 404, "unknown-game", "marks"),
    ("/api/matches?game=", 404, "unknown-game", "marks"),
    ("/api/matches?player=", 422, "bad-parameter", "not an address"),
    ("/api/matches?player=%00", 422, "bad-parameter", "not an address"),
    (f"/api/matches?player={ALICE}%00", 422, "bad-parameter", "not an address"),
    ("/api/matches?status=Open", 422, "bad-parameter", "open, playing, finished, cancelled"),
    ("/api/matches?status=%00", 422, "bad-parameter", "open, playing, finished, cancelled"),
    ("/api/matches/marks%00/1", 404, "unknown-game", "marks"),
    ("/api/matches/marks/%D9%A1", 422, "bad-parameter", "not a whole number"),
    ("/api/matches/marks/1%00", 422, "bad-parameter", "not a whole number"),
    ("/api/matches/marks/1?seq=-1", 422, "bad-parameter", "not a whole number"),
    (f"/api/matches/marks/1?seq={2**32}", 422, "bad-parameter", str(2**32 - 1)),
    (f"/api/matches/marks/1?seq={2**32 - 1}", 404, "unknown-seq", "1 to 6"),
    ("/api/matches/marks/1?block=-1", 422, "bad-parameter", "height or a hash"),
    ("/api/matches/marks/1?block=", 422, "bad-parameter", "height or a hash"),
    ("/api/matches/marks/1?block=%D9%A1", 422, "bad-parameter", "height or a hash"),
    ("/api/matches/marks/1?block=1%0A", 422, "bad-parameter", "height or a hash"),
    (f"/api/matches/marks/1?block=0x{'g' * 64}", 422, "bad-parameter", "height or a hash"),
    (f"/api/matches/marks/1?block={10**15}", 404, "unknown-block", "last indexed block is 4"),
    (f"/api/matches/marks/1?block={10**30}", 422, "bad-parameter", "height or a hash"),
    ("/api/matches/marks/1?block=0", 404, "unknown-block", "begins in block 1"),
    ("/api/matches/marks/1/events?after=-1", 422, "bad-parameter", "not a whole number"),
    (f"/api/matches/marks/1/events?after={2**32}", 422, "bad-parameter", str(2**32 - 1)),
    ("/api/matches/marks/1/deltas?limit=1001", 422, "bad-parameter", "1000"),
    ("/api/matches/marks/3/replay", 404, "unknown-match", "marks/3"),
    ("/api/matches/chess/1/replay", 404, "unknown-game", "marks"),
    (f"/api/events?to_block={2**53}", 422, "bad-parameter", str(2**53 - 1)),
    ("/api/events?name=a&name=b", 422, "bad-parameter", "2 times"),
    (f"/api/events?{'&'.join(f'{at:x}' for at in range(13_000))}", 422, "bad-parameter", "the limit is 50"),
    (f"/api/events?name={'x' * 101}", 422, "bad-parameter", "at most 100 characters"),
]
FINDS_NOTHING = [
    "/api/events?name=%00",
    "/api/events?name=",
    "/api/events?name=%FF",
    f"/api/events?name=&{'&'.join(map(str, range(49)))}",
    "/api/events?from_block=9&to_block=2",
    f"/api/events?from_block={2**53 - 1}",
    f"/api/matches/marks/1/events?after={2**32 - 1}",
    f"/api/matches/marks/1/deltas?after={2**32 - 1}",
]


@pytest.mark.parametrize(("path", "status", "code", "words"), GETS)
async def test_refused_gets(still: ApiServer, path: str, status: int, code: str, words: str) -> None:
    assert words in problem(await still.http.get(path), status, code)["detail"]


@pytest.mark.parametrize("path", FINDS_NOTHING)
async def test_what_is_nowhere_is_an_empty_list(still: ApiServer, path: str) -> None:
    answer = await still.http.get(path)
    assert answer.status_code == 200, answer.text
    assert [value for value in answer.json().values() if isinstance(value, list)] == [[]]


async def test_a_parameter_that_a_route_does_not_know_is_ignored(still: ApiServer) -> None:
    plain = await still.http.get("/api/matches")
    assert (await still.http.get("/api/matches?colour=red")).json() == plain.json()


async def test_405_says_what_is_possible(still: ApiServer) -> None:
    answer = await still.http.post("/api/health", json={})
    problem(answer, 405, "method-not-allowed")
    assert answer.headers["allow"] == "GET"
    problem(await still.http.post("/", json={}), 405, "method-not-allowed")


async def test_a_cursor_of_another_query_is_refused(still: ApiServer) -> None:
    cursor = (await still.http.get("/api/matches", params={"limit": 1})).json()["next"]
    answer = await still.http.get("/api/matches", params={"limit": 1, "status": "open", "cursor": cursor})
    assert "another query" in problem(answer, 400, "bad-cursor")["detail"]
    answer = await still.http.get("/api/leaderboard", params={"game": "marks", "cursor": cursor})
    assert "another query" in problem(answer, 400, "bad-cursor")["detail"]
    answer = await still.http.get("/api/events", params={"cursor": cursor})
    assert "another query" in problem(answer, 400, "bad-cursor")["detail"]


@pytest.mark.parametrize("path", ["/api/rpc", "/api/faucet"])
async def test_posts_must_be_json_and_short(play: Playground, page: Path, path: str) -> None:
    async with served(play, page, development=True, faucet=object()) as server:
        for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""):
            answer = await server.http.post(path, content=b"{}", headers={"content-type": kind} if kind else {})
            assert "application/json" in problem(answer, 415, "not-json")["detail"]
        kind = {"content-type": "application/json; charset=utf-8"}
        answer = await server.http.post(path, content=b"{", headers=kind)
        assert "not JSON" in problem(answer, 400, "malformed-json")["detail"]
        answer = await server.http.post(path, content=b'"' + b"x" * (128 * 1024) + b'"', headers=kind)
        assert "131072" in problem(answer, 413, "body-too-large")["detail"]


@pytest.mark.parametrize("sent", [{}, [], {"address": 7}, {"address": "0x12"}, {"address": ALICE[:-2] + "c8"}])
async def test_the_faucet_wants_an_address(play: Playground, page: Path, sent: Any) -> None:
    async with served(play, page, development=True, faucet=object()) as server:
        problem(await server.http.post("/api/faucet", json=sent), 422, "bad-parameter")


async def test_no_faucet_off_a_development_chain(play: Playground, page: Path) -> None:
    async with served(play, page, development=False, faucet=object()) as server:
        answer = await server.http.post("/api/faucet", json={"address": ALICE})
        assert "development" in problem(answer, 404, "no-faucet")["detail"]


FILES = ("index.db", "index.db-wal", "index.db-shm")


async def test_an_unreadable_database_is_503_everywhere_until_it_is_back(
    play: Playground, page: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with served(play, page) as server:
        play.store.close()
        for name in FILES:
            (tmp_path / name).rename(tmp_path / f"away-{name}") if (tmp_path / name).exists() else None
        (tmp_path / "index.db").mkdir()
        problem(await server.http.get("/api/health"), 503, "unreadable")
        problem(await server.http.get("/api/ready"), 503, "unreadable")
        problem(await server.http.get("/api/matches"), 503, "unreadable")
        assert "Traceback" not in caplog.text
        play.store.close()
        (tmp_path / "index.db").rmdir()
        # also restore the old log (WAL): if the hub was reading, the log still contains data
        for name in FILES:
            (tmp_path / f"away-{name}").rename(tmp_path / name) if (tmp_path / f"away-{name}").exists() else None
        assert (await server.http.get("/api/health")).status_code == 200
