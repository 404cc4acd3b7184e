"""Tests that the HTTP API returns a player's ratings and opponents."""

from __future__ import annotations

import pytest
from pydantic import TypeAdapter

from api.shapes.players import RatingsShape, RivalsShape
from indexer.gamekit.lifecycle import NOBODY
from indexer.model import Json
from indexer.store.opponents import RELIABLE_OPPONENTS
from tests.api.playground import ALICE, BOB, ApiServer, Playground
from tests.api.rest.test_players import CAROL, DAVE, NEVER, get, whole

STRANGERS = [f"0x{number:040d}" for number in range(1, 9)]
"""Addresses that consist only of digits. Their letter case can't vary, so each has only one
spelling."""


async def test_the_ratings_come_match_by_match_the_last_one_first(server: ApiServer, play: Playground) -> None:
    play.block(*whole(3, ALICE, ALICE, BOB))
    play.block(*whole(4, NOBODY, CAROL, ALICE), *whole(5, CAROL, CAROL, ALICE, BOB))
    found = await get(server, f"/players/{ALICE.lower()}/ratings", game="marks")
    TypeAdapter(RatingsShape).validate_python(found)
    assert (found["address"], found["game"], "next" in found) == (ALICE, "marks", False)
    assert [(one["match"], one["seq"], one["time"], one["result"]) for one in found["ratings"]] == [
        ("marks/5", 5, 1_700_000_006, "lost"),
        ("marks/4", 4, 1_700_000_006, "drawn"),
        ("marks/3", 4, 1_700_000_005, "won"),
    ]
    assert [set(one["opponents"]) for one in found["ratings"]] == [{CAROL, BOB}, {CAROL}, {BOB}]
    assert [one["rating"] for one in found["ratings"][1:]] == [1515.26, 1516.0]
    now = (await get(server, f"/players/{ALICE}"))["games"][0]
    assert found["ratings"][0]["rating"] == now["rating"] < 1515.26


@pytest.mark.parametrize("limit", [1, 2, 3, 1000])
async def test_pages_of_ratings_make_the_whole_whatever_ends_meanwhile(
    server: ApiServer, play: Playground, limit: int
) -> None:
    for match in range(3, 8):
        play.block(*whole(match, ALICE, ALICE, BOB))
    expected = (await get(server, f"/players/{ALICE}/ratings", game="marks"))["ratings"]
    found: list[Json] = []
    query: Json = {"game": "marks", "limit": limit}
    for match in range(8, 20):
        page = await get(server, f"/players/{ALICE}/ratings", **query)
        found += page["ratings"]
        play.block(*whole(match, BOB, ALICE, BOB))
        if "next" not in page:
            break
        query["cursor"] = page["next"]
    assert found == expected


async def test_a_page_of_ratings_whose_block_went_is_refused(server: ApiServer, play: Playground) -> None:
    for match in (3, 4):
        last = play.block(*whole(match, ALICE, ALICE, BOB))
    page = await get(server, f"/players/{ALICE}/ratings", game="marks", limit=1)
    play.drop_from(last.height)
    play.block(*whole(4, BOB, ALICE, BOB), fork="other")
    query = {"game": "marks", "limit": 1, "cursor": page["next"]}
    answer = await server.http.get(f"/api/players/{ALICE}/ratings", params=query)
    assert (answer.status_code, answer.json()["code"]) == (409, "stale-cursor")
    again = await get(server, f"/players/{ALICE}/ratings", game="marks")
    assert [one["result"] for one in again["ratings"]] == ["lost", "won"]


async def test_rivals_are_counted_by_who_beat_whom(server: ApiServer, play: Playground) -> None:
    play.block(*whole(3, ALICE, ALICE, BOB), *whole(4, BOB, BOB, ALICE), *whole(5, NOBODY, ALICE, BOB))
    play.block(*whole(6, CAROL, ALICE, BOB, CAROL), *whole(7, DAVE, DAVE, ALICE), *whole(8, ALICE, ALICE))
    found = await get(server, f"/players/{ALICE}/rivals", game="marks")
    TypeAdapter(RivalsShape).validate_python(found)
    counts = [[one[key] for key in ("address", "played", "won", "lost", "drawn")] for one in found["rivals"]]
    both = sorted([[CAROL, 1, 0, 1, 0], [DAVE, 1, 0, 1, 0]])
    assert counts == [[BOB, 4, 1, 1, 1], *both], "a match that a third player won counts only as played"
    assert found["total"] == 3
    games = {who: (await get(server, f"/players/{who}"))["games"][0] for who in (ALICE, BOB)}
    first = found["rivals"][0]
    assert (first["rating"], first["last"]) == (games[BOB]["rating"], 1_700_000_006)
    assert first["difference"] == pytest.approx(games[ALICE]["rating"] - games[BOB]["rating"])
    assert await get(server, f"/players/{ALICE}/rivals") == found
    few = await get(server, f"/players/{ALICE}/rivals", limit=1)
    assert (few["rivals"], few["total"]) == ([first], 3)


async def test_who_never_finished_a_match_has_neither_ratings_nor_rivals(server: ApiServer, play: Playground) -> None:
    play.block(*whole(3, NEVER, NEVER))
    for who, matches in ((NEVER, 1), (STRANGERS[0], 0)):
        assert len((await get(server, f"/players/{who}/ratings", game="marks"))["ratings"]) == matches
        assert await get(server, f"/players/{who}/rivals") == {"address": who, "rivals": [], "total": 0}


async def test_a_rating_has_as_many_rivals_as_were_met_up_to_enough(server: ApiServer, play: Playground) -> None:
    """Tests that a rating counts a player's different opponents up to a limit. All pages of a
    leaderboard refer to the same block, so later opponents don't count."""
    for number, stranger in enumerate(STRANGERS, 1):
        play.block(*whole(2 + number, ALICE, ALICE, stranger))
        best = (await get(server, "/leaderboard", game="marks", limit=1))["players"][0]
        assert (best["address"], best["rivals"]) == (ALICE, min(number, RELIABLE_OPPONENTS))
        assert (await get(server, f"/players/{ALICE}"))["games"][0]["rivals"] == best["rivals"]
    play.block(*whole(20, STRANGERS[0], *STRANGERS[:2]))
    with play.store.read() as snapshot:
        then = snapshot.leaderboard("marks", 6, 10)
    assert {one.result.address: one.opponents for one in then} == {ALICE: 2, STRANGERS[0]: 1, STRANGERS[1]: 1}
