"""Tests reads over HTTP from a real server. The shapes match the OpenAPI document, boards can be
read at any event or block, and lists come in pages."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import TypeAdapter

from api.shapes.events import AllEventsShape, DeltasShape, EventsShape
from api.shapes.games import GamesShape
from api.shapes.matches import MatchesShape, MatchShape
from api.shapes.replay import ReplayShape
from api.shapes.status import HealthShape
from api.static.files import FOREVER
from indexer.gamekit.game import board_hash
from indexer.model import Json
from tests.api.playground import ABI, ALICE, BOB, CHAIN, CONTRACT, MARKS, ApiServer, Playground, added, created, digest
from tests.support.merge_patch import merged


async def get(server: ApiServer, path: str, **query: Any) -> Json:
    answer = await server.http.get(f"/api{path}", params=query)
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "application/json"
    found: Json = answer.json()
    return found


async def test_health(server: ApiServer, play: Playground) -> None:
    found = await get(server, "/health")
    TypeAdapter(HealthShape).validate_python(found)
    assert found["chainId"] == CHAIN.chain_id
    assert found["genesis"] == CHAIN.genesis
    assert (found["nodeHead"], found["indexedHead"], found["lag"]) == (4, 4, {"blocks": 0, "seconds": 0})
    play.health = type(play.health)("catching-up", 9, "five to go")
    found = await get(server, "/health")
    assert (found["state"], found["detail"], found["lag"]["blocks"]) == ("catching-up", "five to go", 5)
    assert found["lag"]["seconds"] > 0


async def test_games(server: ApiServer) -> None:
    found = await get(server, "/games")
    TypeAdapter(GamesShape).validate_python(found)
    (game,) = found["games"]
    assert (game["slug"], game["address"], game["firstBlock"]) == ("marks", CONTRACT, 1)
    assert game["deployments"] == [{"address": CONTRACT, "firstBlock": 1, "firstMatch": 1}]
    assert game["companions"] == []
    assert game["actions"][0]["gas"] == {"base": 50_000, "each": 10, "of": "ply", "usual": 0, "words": 0}
    assert game["actions"][0]["inputs"][0]["kind"] == "int"


async def test_an_abi_by_its_hash(server: ApiServer) -> None:
    ((full,), (brief,)) = [(await get(server, "/games", abi=abi))["games"] for abi in ("true", "false")]
    TypeAdapter(GamesShape).validate_python({"games": [brief]})
    assert full["abi"] == ABI
    assert {**brief, "abi": ABI} == full
    answer = await server.http.get(f"/api/abis/{full['abiHash']}")
    assert answer.json() == {"abi": ABI}
    assert answer.headers["cache-control"] == FOREVER


async def test_matches_newest_first_and_filtered(server: ApiServer, play: Playground) -> None:
    found = await get(server, "/matches")
    TypeAdapter(MatchesShape).validate_python(found)
    assert [one["match"] for one in found["matches"]] == ["marks/2", "marks/1"]
    first = found["matches"][1]
    assert (first["seq"], first["status"], first["ply"], first["players"]) == (6, "playing", 3, [ALICE, BOB])
    assert (first["created"], first["time"], first["block"]["height"]) == (1_700_000_001, 1_700_000_004, 4)
    for query, names in (
        ({"game": "marks"}, ["marks/2", "marks/1"]),
        ({"status": "open"}, ["marks/2"]),
        ({"player": ALICE}, ["marks/1"]),
        ({"player": ALICE.lower()}, ["marks/1"]),
        ({"status": "finished"}, []),
    ):
        assert [one["match"] for one in (await get(server, "/matches", **query))["matches"]] == names
    play.block(*(created(match) for match in range(3, 8)))
    names, query = [], {"limit": 3}
    while True:
        page = await get(server, "/matches", **query)
        names += [one["match"] for one in page["matches"]]
        if "next" not in page:
            break
        query["cursor"] = page["next"]
    assert names == [f"marks/{match}" for match in range(7, 0, -1)]


async def test_a_match_at_its_head(server: ApiServer, play: Playground) -> None:
    found = await get(server, "/matches/marks/1")
    TypeAdapter(MatchShape).validate_python(found)
    assert found["board"] == play.board(1)
    assert found["hash"] == board_hash(play.board(1))
    assert (found["match"], found["seq"], found["settled"], found["address"]) == ("marks/1", 6, True, CONTRACT)


@pytest.mark.parametrize(("seq", "settled"), [(1, True), (2, False), (3, True), (4, False), (5, True), (6, True)])
async def test_a_match_after_an_event(server: ApiServer, play: Playground, seq: int, settled: bool) -> None:
    found = await get(server, "/matches/marks/1", seq=seq)
    assert (found["seq"], found["settled"]) == (seq, settled)
    assert found["board"] == play.board(1, seq)


@pytest.mark.parametrize(("height", "seq"), [(1, 1), (2, 3), (3, 5), (4, 6)])
async def test_a_match_as_of_a_block(server: ApiServer, play: Playground, height: int, seq: int) -> None:
    with play.store.read() as snapshot:
        block = snapshot.block_at(height)
    assert block is not None
    for name in (height, block.hash):
        found = await get(server, "/matches/marks/1", block=name)
        assert (found["seq"], found["settled"]) == (seq, True)


async def test_a_block_without_events_shows_the_board_before(server: ApiServer, play: Playground) -> None:
    block = play.block()
    for name in (block.height, block.hash):
        found = await get(server, "/matches/marks/2", block=name)
        assert (found["seq"], found["block"]["height"]) == (1, 3)


async def test_events_and_deltas_of_a_match_rebuild_its_board(server: ApiServer, play: Playground) -> None:
    found = await get(server, "/matches/marks/1/events")
    TypeAdapter(EventsShape).validate_python(found)
    assert [one["seq"] for one in found["events"]] == [1, 2, 3, 4, 5, 6]
    assert "next" not in found
    page = await get(server, "/matches/marks/1/events", after=1, limit=2)
    assert ([one["seq"] for one in page["events"]], page["next"]) == ([2, 3], 3)
    board, after = MARKS.start, 0
    while True:
        page = await get(server, "/matches/marks/1/deltas", after=after, limit=2)
        TypeAdapter(DeltasShape).validate_python(page)
        for one in page["deltas"]:
            board = merged(board, one["patch"])
            assert board == play.board(1, one["seq"])
        if "next" not in page:
            break
        after = page["next"]
    assert board == play.board(1)
    assert (await get(server, "/matches/marks/1/deltas", after=6))["deltas"] == []


async def test_events_across_matches(server: ApiServer) -> None:
    found = await get(server, "/events")
    TypeAdapter(AllEventsShape).validate_python(found)
    assert len(found["events"]) == 7
    for query, places in (
        ({"name": "Added"}, [(3, 0), (3, 2), (4, 0)]),
        ({"from_block": 2, "to_block": 2}, [(2, 0), (2, 1)]),
        ({"player": BOB}, [(2, 1)]),
        ({"game": "marks", "name": "MatchCreated"}, [(1, 0), (3, 1)]),
    ):
        events = (await get(server, "/events", **query))["events"]
        assert [(one["block"], one["logIndex"]) for one in events] == places
    first = await get(server, "/events", name="Added", limit=2)
    rest = await get(server, "/events", name="Added", limit=2, cursor=first["next"])
    assert [one["args"]["text"] for one in first["events"] + rest["events"]] == ["a", "b", "c"]
    assert "next" not in rest


async def test_openapi_names_every_route(server: ApiServer) -> None:
    paths = (await get(server, "/openapi.json"))["paths"]
    assert set(paths) == {
        "/health",
        "/ready",
        "/games",
        "/abis/{hash}",
        "/deployment",
        "/matches",
        "/matches/{game}/{id}",
        "/matches/{game}/{id}/events",
        "/matches/{game}/{id}/deltas",
        "/matches/{game}/{id}/replay",
        "/matches/conquest/{id}/commands",
        "/matches/conquest/{id}/state",
        "/matches/conquest/{id}/prepare",
        "/events",
        "/players/{address}",
        "/players/{address}/ratings",
        "/players/{address}/rivals",
        "/leaderboard",
        "/nicknames",
        "/opponents",
        "/metrics",
        "/rpc",
        "/faucet",
        "/sponsor",
    }
    assert "requestBody" in paths["/faucet"]["post"]


async def test_the_page_is_served_beside(server: ApiServer) -> None:
    for path, kind in (("/", "text/html"), ("/main.js", "text/javascript")):
        answer = await server.http.get(path)
        assert (answer.status_code, answer.headers["content-type"].split(";")[0]) == (200, kind)
        assert answer.headers["cache-control"] == "no-cache"
        again = await server.http.get(path, headers={"if-none-match": answer.headers["etag"]})
        assert again.status_code == 304


async def test_a_reorg_is_seen_over_http(server: ApiServer, play: Playground) -> None:
    play.drop_from(4)
    play.block(added(1, "z"), fork="b")
    found = await get(server, "/matches/marks/1")
    assert (found["seq"], found["board"]["marks"]["6"]) == (6, "z")
    assert found["block"]["hash"] != digest("c")


async def test_a_replay_is_the_whole_match(server: ApiServer) -> None:
    found = await get(server, "/matches/marks/1/replay")
    TypeAdapter(ReplayShape).validate_python(found)
    assert (found["match"], found["chain"]["genesis"], found["deployment"]["address"]) == (
        "marks/1",
        CHAIN.genesis,
        CONTRACT,
    )
    told = (await get(server, "/matches/marks/1/events"))["events"]
    assert [{key: value for key, value in event.items() if key != "patch"} for event in found["events"]] == told
    board = found["start"]
    for event in found["events"]:
        board = merged(board, event["patch"])
    assert board == found["board"]
    assert found["boardHash"] == board_hash(board)
    assert (await server.http.get("/api/matches/marks/9/replay")).status_code == 404
