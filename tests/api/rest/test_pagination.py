"""A client pages through a list while the chain grows or is reorganized. Tests that the client gets
each row once, or that the server clearly rejects the request."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest

from indexer.model import Json
from tests.api.playground import ALICE, BOB, ApiServer, Playground, added, created, ended, joined

Row = tuple[Any, ...]
EVENTS = [{}, {"game": "marks"}, {"name": "Added"}, {"game": "marks", "name": "Added"}, {"player": ALICE}]
MATCHES = [{}, {"game": "marks"}, {"status": "open"}, {"game": "marks", "status": "open"}]


async def pages(server: ApiServer, route: str, query: Json) -> AsyncIterator[list[Json]]:
    """Yield the rows of all pages, one page at a time."""
    query = {"limit": 2, **query}
    while True:
        page = (await server.http.get(f"/api/{route}", params=query)).raise_for_status().json()
        yield page[route]
        if "next" not in page:
            return
        query["cursor"] = page["next"]


async def whole(server: ApiServer, route: str, query: Json) -> list[Json]:
    answer = await server.http.get(f"/api/{route}", params={"limit": 100, **query})
    found: list[Json] = answer.raise_for_status().json()[route]
    return found


def many(play: Playground, blocks: int, fork: str = "") -> None:
    """Append blocks, each with a new match and two more events."""
    for _ in range(blocks):
        with play.store.read() as snapshot:
            [*_, newest] = [one.match for one in snapshot.summaries(limit=1)] or [0]
        play.block(created(newest + 1), added(1, "more"), joined(newest + 1, ALICE, 0), fork=fork)


@pytest.mark.parametrize("query", EVENTS, ids=str)
async def test_events_that_come_meanwhile_are_all_seen_once(server: ApiServer, play: Playground, query: Json) -> None:
    many(play, 4)
    found: list[Json] = []
    left = 5
    async for page in pages(server, "events", query):
        found += page
        if left:
            many(play, 1)
            left -= 1
    assert found == await whole(server, "events", query)
    assert len(found) > 8


@pytest.mark.parametrize("query", MATCHES, ids=str)
async def test_matches_that_are_opened_meanwhile_move_no_page(server: ApiServer, play: Playground, query: Json) -> None:
    play.block(*(created(match) for match in range(3, 12)))
    expected = await whole(server, "matches", query)
    found: list[Json] = []
    async for page in pages(server, "matches", query):
        found += page
        many(play, 1)
    assert [one["match"] for one in found] == [one["match"] for one in expected]
    assert len(found) > 8


@pytest.mark.parametrize("query", EVENTS, ids=str)
@pytest.mark.parametrize("height", range(5, 9))
async def test_a_reorg_above_the_cursor_is_gone_through_and_one_below_is_told(
    server: ApiServer, play: Playground, query: Json, height: int
) -> None:
    """The first page ends in block 7 or earlier, and the chain forks at block `height`. Tests that
    pages survive a reorg above the cursor, and that the server reports a reorg below it."""
    many(play, 4)
    answer = await server.http.get("/api/events", params={"limit": 3, "from_block": 5, **query})
    first = answer.json()
    stands = first["events"][-1]["block"]
    play.drop_from(height)
    many(play, 5, fork="b")
    query = {"limit": 100, "from_block": 5, **query}
    rest = await server.http.get("/api/events", params={**query, "cursor": first["next"]})
    if stands < height:
        assert first["events"] + rest.json()["events"] == await whole(server, "events", query)
        assert any(one["block"] >= height for one in rest.json()["events"])
    else:
        refused(rest, stands)


@pytest.mark.parametrize("height", range(5, 10))
async def test_the_same_for_matches_from_the_newest_down(server: ApiServer, play: Playground, height: int) -> None:
    """Tests that the pages of matches, newest first, also survive a reorg above the cursor. The
    rows below the cursor's block are the same before and after the reorg."""
    many(play, 5)
    first = (await server.http.get("/api/matches", params={"limit": 2})).json()
    stands = 8
    play.drop_from(height)
    many(play, 6, fork="b")
    rest = await server.http.get("/api/matches", params={"limit": 100, "cursor": first["next"]})
    if stands < height:
        seen = {one["match"] for one in first["matches"] if one["block"]["height"] < height}
        expected = [
            one for one in await whole(server, "matches", {}) if one["block"]["height"] < stands or one["id"] < 3
        ]
        assert rest.json()["matches"] == expected
        assert not seen & {one["match"] for one in expected}
    else:
        refused(rest, stands)


async def test_a_leaderboard_whose_block_went_is_refused_and_another_goes_on(
    server: ApiServer, play: Playground
) -> None:
    play.block(ended(1, ALICE))
    for height, stale in ((6, False), (5, True)):
        first = (await server.http.get("/api/leaderboard", params={"game": "marks", "limit": 1})).json()
        play.block()
        play.drop_from(height)
        play.block(ended(2, ALICE), fork="b")
        answer = await server.http.get(
            "/api/leaderboard", params={"game": "marks", "limit": 1, "cursor": first["next"]}
        )
        if stale:
            refused(answer, 5)
        else:
            assert [one["address"] for one in answer.json()["players"]] == [BOB]
            play.drop_from(6)


async def test_a_cursor_of_a_chain_that_is_shorter_now_is_refused(server: ApiServer, play: Playground) -> None:
    many(play, 3)
    first = (await server.http.get("/api/events", params={"limit": 12})).json()
    play.drop_from(first["events"][-1]["block"])
    refused(await server.http.get("/api/events", params={"limit": 12, "cursor": first["next"]}), 6)


def refused(answer: Any, block: int) -> None:
    assert answer.status_code == 409, answer.text
    found = answer.json()
    assert (found["code"], found["block"]["height"]) == ("stale-cursor", block)
    assert "a reorg removed" in found["detail"]
