"""Tests that the HTTP API lists computer players and accepts requests to play against them.
Leaderboards must not contain computer players."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from pydantic import TypeAdapter

from api.rest import opponents
from api.shapes.opponents import OpponentsShape, OpponentTakenShape
from bots.service.messages import ComputerPlayer, RequestRejected, ServiceStatus
from indexer.model import Json
from tests.api.playground import ALICE, BOB, ApiServer, Playground, created, served
from tests.api.rest.test_players import CAROL, DAVE, get, whole
from tests.api.rest.test_refusals import problem
from tests.support.waiting import wait_for_async

NOVICE, CLUB = ComputerPlayer("marks", "novice", 1, (CAROL,)), ComputerPlayer("marks", "club", 2, (DAVE,))
ASKED = {"match": "marks/2", "name": "club"}


class FakeOpponentService:
    """An opponent service that gives the answers that the test has set."""

    def __init__(self) -> None:
        self.available: Sequence[ComputerPlayer] = (NOVICE, CLUB)
        self.reported_status = ServiceStatus(3, 50, 7 * 10**15)
        self.refusal: RequestRejected | None = None
        self.requests: list[tuple[str, str]] = []
        self.may_answer = asyncio.Event()
        self.may_answer.set()

    def opponents(self) -> Sequence[ComputerPlayer]:
        return self.available

    async def wait_until_ready(self) -> bool:
        return bool(self.available)

    def status(self) -> ServiceStatus:
        return self.reported_status

    async def request(self, match: str, name: str) -> str:
        self.requests.append((match, name))
        await self.may_answer.wait()
        if self.refusal:
            raise self.refusal
        return next(one.accounts[0] for one in self.available if one.name == name)


@pytest.fixture
def service() -> FakeOpponentService:
    return FakeOpponentService()


@pytest.fixture
async def server(play: Playground, page: Path, service: FakeOpponentService) -> AsyncIterator[ApiServer]:
    async with served(play, page, opponents=service) as it:
        yield it


async def ask(server: ApiServer, **changed: Any) -> Any:
    return await server.http.post("/api/opponents", json=ASKED | changed)


async def test_lists_them_with_their_ratings(server: ApiServer, play: Playground) -> None:
    play.block(*whole(3, DAVE, ALICE, DAVE))
    found = await get(server, "/opponents")
    TypeAdapter(OpponentsShape).validate_python(found)
    assert (found["matches"], found["limit"], found["why"]) == (3, 50, "")
    assert found["opponents"] == [
        _listed("novice", 1, {"address": CAROL, "rating": None, "rank": None, "rivals": 0}),
        _listed("club", 2, {"address": DAVE, "rating": 1516.0, "rank": 1, "rivals": 1}),
    ]


def _listed(name: str, strength: int, account: Json) -> Json:
    return {"game": "marks", "name": name, "strength": strength, "accounts": [account]}


async def test_one_takes_a_seat(server: ApiServer, service: FakeOpponentService) -> None:
    answer = await ask(server)
    assert answer.status_code == 200, answer.text
    TypeAdapter(OpponentTakenShape).validate_python(answer.json())
    assert answer.json() == {**ASKED, "account": DAVE}
    assert service.requests == [("marks/2", "club")]


async def test_so_it_does_where_it_is_invited(server: ApiServer, play: Playground) -> None:
    play.block(created(3, opponent=DAVE))
    assert (await ask(server, match="marks/3")).status_code == 200


BODIES: list[tuple[Any, int, str, str]] = [
    ([], 422, "bad-parameter", "The body must be"),
    ({"match": "marks/2"}, 422, "bad-parameter", "The body must be"),
    ({"match": 2, "name": "club"}, 422, "bad-parameter", "The body must be"),
    ({**ASKED, "match": "two"}, 422, "bad-parameter", "<game>/<id>"),
    ({**ASKED, "match": "marks/0"}, 422, "bad-parameter", "<game>/<id>"),
    ({**ASKED, "match": "chess/2"}, 404, "unknown-game", "games here are marks"),
    ({**ASKED, "match": "marks/99"}, 404, "unknown-match", "marks/99"),
    ({**ASKED, "name": "fischer"}, 404, "unknown-opponent", "computer players are novice, club"),
    ({**ASKED, "match": "marks/1"}, 409, "match-not-open", "marks/1 is playing"),
    ({**ASKED, "match": "marks/3"}, 409, "seat-reserved", f"reserved for {BOB}"),
]


@pytest.mark.parametrize(("sent", "status", "code", "words"), BODIES)
async def test_refusals(
    server: ApiServer, play: Playground, service: FakeOpponentService, sent: Any, status: int, code: str, words: str
) -> None:
    play.block(created(3, opponent=BOB))
    assert words in problem(await server.http.post("/api/opponents", json=sent), status, code)["detail"]
    assert service.requests == []


async def test_the_body_is_short_json(server: ApiServer) -> None:
    problem(await server.http.post("/api/opponents", content=b"{}"), 415, "not-json")
    kind = {"content-type": "application/json"}
    problem(await server.http.post("/api/opponents", content=b"{", headers=kind), 400, "malformed-json")
    long = b'"' + b"x" * (128 * 1024) + b'"'
    problem(await server.http.post("/api/opponents", content=long, headers=kind), 413, "body-too-large")


@pytest.mark.parametrize(
    "refusal",
    [
        RequestRejected("unknown-opponent.name", name="club"),
        RequestRejected("seat-refused.stake", name="club"),
        RequestRejected("opponents-busy", limit=50),
        RequestRejected("opponents-away.fault"),
        RequestRejected("opponents-broke.budget"),
    ],
    ids=lambda one: one.key,
)
async def test_the_service_s_own_refusals(
    server: ApiServer, service: FakeOpponentService, refusal: RequestRejected
) -> None:
    service.refusal = refusal
    found = problem(await ask(server), opponents.STATUSES[refusal.code], refusal.code)
    assert (found["key"], found["args"]) == (refusal.key, refusal.arguments)


async def test_a_service_that_is_away(server: ApiServer, service: FakeOpponentService) -> None:
    service.available, service.reported_status = (), ServiceStatus(why=("opponents-away.server", {}))
    found = await get(server, "/opponents")
    assert problem(await ask(server), 503, "opponents-away")["detail"] == found["why"]
    assert (found["opponents"], found["key"], found["args"]) == ([], "opponents-away.server", {})


async def test_a_game_without_opponents(server: ApiServer, service: FakeOpponentService) -> None:
    service.available = [ComputerPlayer("chess", "club", 1, (DAVE,))]
    assert "for marks" in problem(await ask(server), 404, "no-opponents")["detail"]


async def test_there_is_no_service(play: Playground, page: Path) -> None:
    async with served(play, page) as server:
        problem(await ask(server), 404, "no-opponents")
        assert await get(server, "/opponents") == {"opponents": [], "matches": 0, "limit": 0, "why": ""}
        assert (await get(server, "/leaderboard", opponents="false"))["players"] == []
        assert "chainboard_opponents_matches" not in (await server.http.get("/api/metrics")).text


async def test_a_service_that_does_not_answer(
    server: ApiServer, service: FakeOpponentService, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opponents, "REQUEST_SECONDS", 0.05)
    service.may_answer.clear()
    assert "did not answer within 0.05 seconds" in problem(await ask(server), 503, "opponents-away")["detail"]
    service.may_answer.set()
    assert (await ask(server)).status_code == 200


async def test_few_requests_are_under_way_at_once(server: ApiServer, service: FakeOpponentService) -> None:
    service.may_answer.clear()
    waiting = [asyncio.create_task(ask(server)) for _ in range(opponents.MAX_PENDING)]
    await wait_for_async(lambda: len(service.requests), lambda asked: asked >= opponents.MAX_PENDING, "all requests")
    assert "at most 8" in problem(await ask(server), 429, "opponents-too-often")["detail"]
    service.may_answer.set()
    assert {one.status_code for one in await asyncio.gather(*waiting)} == {200}
    assert (await ask(server)).status_code == 200


@pytest.mark.parametrize(
    ("name", "words"),
    [("CLIENT_PER_MINUTE", "a minute from one network"), ("ALL_PER_MINUTE", "All players together")],
)
async def test_how_often_is_limited(
    play: Playground, page: Path, service: FakeOpponentService, monkeypatch: pytest.MonkeyPatch, name: str, words: str
) -> None:
    monkeypatch.setattr(opponents, name, 2)
    async with served(play, page, opponents=service) as server:
        assert [(await ask(server)).status_code for _ in range(2)] == [200, 200]
        answer = await ask(server)
        assert words in problem(answer, 429, "opponents-too-often")["detail"]
        assert answer.headers["retry-after"] == "60"
        assert len(service.requests) == 2


async def test_figures(server: ApiServer) -> None:
    await ask(server)
    await ask(server, name="fischer")
    text = (await server.http.get("/api/metrics")).text
    assert "chainboard_opponents_matches 3.0" in text
    assert "chainboard_opponents_spent_wei_total 7e+15" in text
    assert 'chainboard_opponents_requests_total{outcome="seated"} 1.0' in text
    assert 'chainboard_opponents_requests_total{outcome="unknown-opponent"} 1.0' in text


async def test_leaderboards_without_them_rank_the_others(server: ApiServer, play: Playground) -> None:
    play.block(*whole(3, DAVE, ALICE, DAVE), *whole(4, BOB, BOB, CAROL))
    everybody = (await get(server, "/leaderboard", game="marks"))["players"]
    assert {one["address"] for one in everybody} == {ALICE, BOB, CAROL, DAVE}
    query: Json = {"game": "marks", "opponents": "false", "limit": 1}
    first = await get(server, "/leaderboard", **query)
    second = await get(server, "/leaderboard", **query, cursor=first["next"])
    told = [(one["rank"], one["address"]) for one in first["players"] + second["players"]]
    assert told == [(1, BOB), (2, ALICE)]
    assert "next" not in second
    answer = await server.http.get("/api/leaderboard", params={"game": "marks", "cursor": first["next"]})
    assert "another query" in problem(answer, 400, "bad-cursor")["detail"]
