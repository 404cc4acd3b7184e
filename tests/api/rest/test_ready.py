"""Tests that /ready reports to load balancers whether this server accepts requests."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from api.rest import status
from indexer.follow.health import Health
from tests.api.playground import Playground, served
from tests.api.rest.test_refusals import problem


async def test_at_the_head_it_is_ready(play: Playground, page: Path) -> None:
    async with served(play, page) as server:
        answer = await server.http.get("/api/ready")
    assert (answer.status_code, answer.json()) == (200, {"ready": True, "lag": {"blocks": 0, "seconds": 0}})


async def test_behind_by_more_than_is_allowed_it_is_not(play: Playground, page: Path) -> None:
    """Tests an index that has never reached the head. Its lag in seconds is the age of the last
    indexed block."""
    play.health = Health("catching-up", 9, "")
    async with served(play, page, max_lag=30) as server:
        told = problem(await server.http.get("/api/ready"), 503, "not-ready")
    assert (told["key"], told["lag"]["blocks"], told["args"]["maximum"]) == ("not-ready.behind", 5, "30")
    assert told["args"]["seconds"] == told["lag"]["seconds"] > 10**6
    async with served(play, page, max_lag=10**10) as server:
        assert (await server.http.get("/api/ready")).json()["lag"]["blocks"] == 5


async def test_a_block_after_a_quiet_hour_is_not_an_hour_late(
    play: Playground, page: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = time.time()
    monkeypatch.setattr(status, "time", lambda: now)
    async with served(play, page, max_lag=30) as server:
        for later, head, code in ((0, 4, 200), (3600, 4, 200), (3610, 5, 200), (3631, 5, 503), (3632, 4, 200)):
            monkeypatch.setattr(status, "time", lambda later=later: now + later)
            play.health = Health("ok", head, "")
            assert (await server.http.get("/api/ready")).status_code == code, later


@pytest.mark.parametrize("head", [None, 4])
async def test_a_lost_node_alone_is_no_reason(play: Playground, page: Path, head: int | None) -> None:
    play.health = Health("node-lost", head, "the node does not answer")
    async with served(play, page) as server:
        assert (await server.http.get("/api/ready")).status_code == 200


async def test_with_nothing_indexed_it_is_not(tmp_path: Path, page: Path) -> None:
    play = Playground(tmp_path)
    async with served(play, page) as server:
        assert problem(await server.http.get("/api/ready"), 503, "not-ready")["key"] == "not-ready.empty"
    play.close()
