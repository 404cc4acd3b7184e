"""Tests that the HTTP API returns players and leaderboards."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import TypeAdapter

from api.shapes.players import LeaderboardShape, PlayerShape
from indexer.gamekit.lifecycle import NOBODY
from indexer.model import Json
from tests.api.playground import ALICE, BOB, ApiServer, EventSpec, Playground, created, ended, joined

CAROL, DAVE = "0x90F79bf6EB2c4f870365E785982E1f101E93b906", "0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65"
NEVER = "0x9965507D1a55bcC2695C58ba16FB37d819B0A4dc"


async def get(server: ApiServer, path: str, **query: Any) -> Json:
    answer = await server.http.get(f"/api{path}", params=query)
    assert answer.status_code == 200, answer.text
    found: Json = answer.json()
    return found


def whole(match: int, winner: str, *players: str) -> list[EventSpec]:
    """Return all events of a match, from the first to the last."""
    seats = [joined(match, player, seat) for seat, player in enumerate(players)]
    return [created(match), *seats, ended(match, winner)]


async def test_a_player_has_its_games_with_ranks_and_counts(server: ApiServer, play: Playground) -> None:
    play.block(*whole(3, ALICE, ALICE, BOB), *whole(4, NOBODY, ALICE, CAROL))
    found = await get(server, f"/players/{ALICE.lower()}")
    TypeAdapter(PlayerShape).validate_python(found)
    counts = {"played": 2, "won": 1, "lost": 0, "drawn": 1, "open": 0, "running": 1, "over": 2}
    [game] = found.pop("games")
    assert found == {"address": ALICE, **counts, "first": 1_700_000_001, "last": 1_700_000_005}
    assert game == {"game": "marks", "rank": 1, "rating": 1515.26, "rivals": 2, **counts}
    assert (await get(server, f"/players/{BOB}"))["games"][0]["rank"] == 3


async def test_who_has_not_finished_a_match_is_not_ranked(server: ApiServer) -> None:
    [game] = (await get(server, f"/players/{BOB}"))["games"]
    assert (game["rank"], game["rating"], game["running"], game["played"]) == (None, None, 1, 0)


async def test_an_address_that_never_played_has_zeros(server: ApiServer) -> None:
    found = await get(server, f"/players/{NEVER}")
    TypeAdapter(PlayerShape).validate_python(found)
    assert found.pop("address") == NEVER
    assert (found.pop("games"), found.pop("first"), found.pop("last")) == ([], None, None)
    assert set(found.values()) == {0}


async def test_the_best_come_first_and_equals_share_their_rank(server: ApiServer, play: Playground) -> None:
    play.block(*whole(3, DAVE, ALICE, DAVE), *whole(4, CAROL, CAROL, BOB))
    found = await get(server, "/leaderboard", game="marks")
    TypeAdapter(LeaderboardShape).validate_python(found)
    best, rest = sorted((CAROL, DAVE)), sorted((ALICE, BOB))
    told = [(one["rank"], one["address"], one["rating"]) for one in found["players"]]
    assert told == [*((1, one, 1516.0) for one in best), *((3, one, 1484.0) for one in rest)]
    assert found["players"][0] | {"address": ""} == {
        "rank": 1,
        "address": "",
        "game": "marks",
        "rating": 1516.0,
        "played": 1,
        "won": 1,
        "lost": 0,
        "drawn": 0,
        "rivals": 1,
    }
    assert found["block"]["height"] == 5


async def test_nobody_has_finished_a_match(server: ApiServer) -> None:
    found = await get(server, "/leaderboard", game="marks")
    assert (found["players"], found["block"]["height"]) == ([], 4)


async def test_pages_are_as_of_the_first_ones_block_whatever_ends_meanwhile(
    server: ApiServer, play: Playground
) -> None:
    """While a client reads the pages, the last player rises to the top and a listed player falls.
    Tests that all pages together show each player once, with the old values."""
    play.block(*whole(3, DAVE, ALICE, DAVE), *whole(4, CAROL, CAROL, BOB))
    expected = (await get(server, "/leaderboard", game="marks"))["players"]
    found: list[Json] = []
    query: Json = {"game": "marks", "limit": 1}
    for match in range(5, 10):
        page = await get(server, "/leaderboard", **query)
        assert page["block"]["height"] == 5
        found += page["players"]
        if "next" not in page:
            break
        query["cursor"] = page["next"]
        loser = found[0]["address"]
        play.block(*whole(match, expected[-1]["address"], expected[-1]["address"], loser))
    assert found == expected
    assert (await get(server, "/leaderboard", game="marks"))["players"][0]["address"] == expected[-1]["address"]


async def test_pages_as_of_long_ago_are_refused(
    server: ApiServer, play: Playground, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Tests that the server rejects pages that refer to a block long ago. Otherwise, a client could
    forge a cursor that makes the server read all events."""
    monkeypatch.setattr("indexer.store.leaderboard.MAX_SUPERSEDED", 3)
    play.block(*whole(3, DAVE, ALICE, DAVE), *whole(4, CAROL, CAROL, BOB))
    query = {"game": "marks", "limit": 1}
    query["cursor"] = (await get(server, "/leaderboard", **query))["next"]
    for match, winner, loser, status in ((5, ALICE, DAVE, 200), (6, BOB, CAROL, 409)):
        play.block(*whole(match, winner, winner, loser))
        answer = await server.http.get("/api/leaderboard", params=query)
        assert answer.status_code == status, answer.text
    assert answer.json()["code"] == "stale-cursor"
    assert "too many matches have ended since block 5" in answer.json()["detail"]


@pytest.mark.parametrize("limit", [1, 2, 3, 100])
async def test_pages_of_any_size_make_the_whole(server: ApiServer, play: Playground, limit: int) -> None:
    play.block(*whole(3, DAVE, ALICE, DAVE), *whole(4, CAROL, CAROL, BOB), *whole(5, NOBODY, NEVER))
    expected = (await get(server, "/leaderboard", game="marks"))["players"]
    assert [one["rank"] for one in expected] == [1, 1, 3, 4, 4]
    found: list[Json] = []
    query: Json = {"game": "marks", "limit": limit}
    while True:
        page = await get(server, "/leaderboard", **query)
        found += page["players"]
        if "next" not in page:
            break
        query["cursor"] = page["next"]
    assert found == expected
