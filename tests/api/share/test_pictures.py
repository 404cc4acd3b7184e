"""Tests the pictures of shared links. The gateway draws each board once, in a separate process, and
at most two boards at a time. Other requests wait or are rejected. The cache has a maximum size."""

from __future__ import annotations

import asyncio
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from operator import not_
from pathlib import Path

import pytest

from api.app import create_app
from api.share import pictures
from api.share.pictures import QUOTA, Busy, PictureCache, PictureError
from indexer.model import Json
from tests.api.playground import Playground, added, served
from tests.api.share.rasterise import rasterise
from tests.support.waiting import PATIENCE_SECONDS, wait_for_async

PNG = b"\x89PNG "
HERE = "127.0.0.1"
PATIENT = replace(QUOTA, queue_timeout=120)
"""A quota with a long timeout. A process with low priority starts late on a busy machine."""
DRAWING = '<svg xmlns="http://www.w3.org/2000/svg" width="{0}" height="{0}"><circle r="{0}"/></svg>'


class FakeRenderer:
    """A renderer that draws only when the test allows it. The renderer counts its drawings."""

    def __init__(self) -> None:
        self.drawn: Counter[str] = Counter()
        self.inputs: list[Json] = []
        self.max_concurrent = self._now = 0
        self.may_draw = threading.Event()
        self._lock = threading.Lock()

    def __call__(self, slug: str, still_input: Json, language: str) -> bytes:
        with self._lock:
            self._now += 1
            self.max_concurrent = max(self.max_concurrent, self._now)
            self.drawn[f"{still_input['match']} {len(still_input['before'])} {language}"] += 1
            self.inputs.append(still_input)
        assert self.may_draw.wait(PATIENCE_SECONDS)
        with self._lock:
            self._now -= 1
        if still_input["board"].get("marks", {}).get("3") == "broken":
            raise PictureError("the position can't be drawn")
        return PNG + slug.encode()


@pytest.fixture
def renderer(monkeypatch: pytest.MonkeyPatch) -> FakeRenderer:
    """Return a renderer that runs in threads instead of processes, so that the test can observe
    it."""
    monkeypatch.setattr(pictures, "drawing_process", lambda: ThreadPoolExecutor(1))
    return FakeRenderer()


async def test_a_hundred_requests_start_one_renderer_a_board(
    play: Playground, page: Path, renderer: FakeRenderer
) -> None:
    async with served(play, page, draw_picture=renderer) as server:
        paths = [f"/m/marks/1@{1 + at % 5}.png?language=en" for at in range(100)]
        asking = [asyncio.create_task(server.http.get(path)) for path in paths]
        await wait_for_async(lambda: renderer.max_concurrent, lambda most: most >= QUOTA.total, "the first renderers")
        await wait_for_async(lambda: len(server.connections), lambda count: count >= len(asking), "all requests")
        renderer.may_draw.set()
        found = await asyncio.gather(*asking)
        assert {one.status_code for one in found} == {200}
        assert {one.content for one in found} == {PNG + b"marks"}
        assert len(renderer.drawn) == 5
        assert set(renderer.drawn.values()) == {1}
        assert renderer.max_concurrent == QUOTA.total
        again = await server.http.get(paths[0])
        assert again.headers["content-type"] == "image/png"
        assert sum(renderer.drawn.values()) == 5
        known = {"if-none-match": again.headers["etag"]}
        assert (await server.http.get(paths[0], headers=known)).status_code == 304
        link = await server.http.get("/m/marks/1@2")
        assert f'content="http://127.0.0.1:{server.port}/m/marks/1@2.png?language=en"' in link.text


async def test_a_picture_is_of_its_board(play: Playground, page: Path, renderer: FakeRenderer) -> None:
    renderer.may_draw.set()
    async with served(play, page, draw_picture=renderer) as server:
        await server.http.get("/m/marks/1@4.png", headers={"accept-language": "fr"})
        made = renderer.inputs[0]
        assert (made["match"], made["title"], made["last"]) == ("marks/1", "Marks", 6)
        assert made["board"] == play.board(1, 4)
        assert [one["seq"] for one in made["before"]] == [1, 2, 3]
        assert [one["seq"] for one in made["events"]] == [4]
        before = await server.http.get("/m/marks/1.png?language=zh")
        play.block(added(1, "d"))
        after = await server.http.get("/m/marks/1.png?language=zh")
        assert before.headers["etag"] != after.headers["etag"]
        assert renderer.inputs[-1]["board"] == play.board(1)


async def test_too_many_boards_are_told_to_come_back(
    play: Playground, page: Path, renderer: FakeRenderer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        pictures.PictureCache.__init__, "__defaults__", (1000, replace(QUOTA, waiting=1, queue_timeout=0.3))
    )
    async with served(play, page, draw_picture=renderer) as server:
        found = await asyncio.gather(*(server.http.get(f"/m/marks/1@{seq}.png") for seq in range(1, 7)))
        assert {one.status_code for one in found} == {503}
        assert {one.json()["code"] for one in found} == {"busy"}
        assert {one.headers["retry-after"] for one in found} == {"5"}
        renderer.may_draw.set()
        # a request waits for an unfinished picture no longer than the quota allows
        await wait_for_async(
            lambda: server.http.get("/m/marks/1@1.png"), lambda answer: answer.status_code == 200, "the picture"
        )
        assert (await server.http.get("/m/marks/1")).status_code == 200


async def test_what_can_not_be_drawn_is_a_problem(play: Playground, page: Path, renderer: FakeRenderer) -> None:
    renderer.may_draw.set()
    play.block(added(2, "x"), added(2, "broken"))
    async with served(play, page, draw_picture=renderer) as server:
        found = await server.http.get("/m/marks/2.png")
        assert (found.status_code, found.json()["code"], found.headers["retry-after"]) == (503, "no-picture", "60")
        for path, code in (
            ("/m/marks/9.png", 404),
            ("/m/chess/1.png", 404),
            ("/m/marks/1@99.png", 404),
            ("/m/.png", 404),
            (f"/m/{'x' * 20_000}.png", 404),
        ):
            found = await server.http.get(path)
            assert (found.status_code, len(found.content) < 500) == (code, True)


async def test_a_hundred_requests_try_a_failing_board_once(
    play: Playground, page: Path, renderer: FakeRenderer
) -> None:
    renderer.may_draw.set()
    play.block(added(2, "x"), added(2, "broken"))
    async with served(play, page, draw_picture=renderer) as server:
        for at_once in (1, 49, 50):
            found = await asyncio.gather(*(server.http.get("/m/marks/2.png") for _ in range(at_once)))
            assert {(one.status_code, one.json()["code"]) for one in found} == {(503, "no-picture")}
        assert sum(renderer.drawn.values()) == 1
        assert (await server.http.get("/m/marks/2@1.png")).status_code == 200
        play.block(added(2, "y"))  # this request is for a different board
        await server.http.get("/m/marks/2.png")
        assert sum(renderer.drawn.values()) == 3


async def test_a_failing_board_is_tried_again_later(renderer: FakeRenderer, monkeypatch: pytest.MonkeyPatch) -> None:
    renderer.may_draw.set()
    monkeypatch.setattr(pictures, "FAILED_SECONDS", 0)
    monkeypatch.setattr(pictures, "MAX_FAILED", 2)
    cache = PictureCache(renderer)
    broken: Json = {"match": "marks/1", "before": [], "board": {"marks": {"3": "broken"}}}
    for key in ("a", "b", "c", "a"):
        with pytest.raises(PictureError, match="can't be drawn"):
            await cache.get(key, "marks", broken, "en", HERE)
    assert sum(renderer.drawn.values()) == 4
    assert list(cache._failed) == ["c", "a"]
    cache.stop()


async def test_pictures_are_kept_within_a_bound(renderer: FakeRenderer) -> None:
    renderer.may_draw.set()
    cache = PictureCache(renderer, max_bytes=25)
    board: Json = {"match": "marks/1", "before": [], "board": {}}
    for key in ("a", "b", "a", "c"):
        await cache.get(key, "marks", board, "en", HERE)
    assert (cache.size, sum(renderer.drawn.values())) == (22 - 2, 3)
    assert cache.cached("a") and cache.cached("c") and cache.cached("b") is None  # noqa: PT018
    cache.stop()


async def test_who_goes_away_leaves_the_picture_to_others(renderer: FakeRenderer) -> None:
    cache = PictureCache(renderer, quota=replace(QUOTA, queue_timeout=0.1))
    board: Json = {"match": "marks/1", "before": [], "board": {}}
    first = asyncio.create_task(cache.get("a", "marks", board, "en", HERE))
    await asyncio.sleep(0)
    first.cancel()
    with pytest.raises(Busy):
        await cache.get("a", "marks", board, "en", HERE)
    renderer.may_draw.set()
    assert await wait_for_async(lambda: cache.cached("a"), bool, "the picture") == PNG + b"marks"
    assert sum(renderer.drawn.values()) == 1
    cache.stop()


async def test_nobody_takes_all_turns_and_what_nobody_waits_for_is_dropped(renderer: FakeRenderer) -> None:
    cache = PictureCache(renderer)

    def ask(name: str, address: str) -> asyncio.Task[bytes]:
        board: Json = {"match": name, "before": [], "board": {}}
        return asyncio.create_task(cache.get(name, "marks", board, "en", address))

    greedy = [ask(f"greedy/{at}", HERE) for at in range(20)]
    limit = QUOTA.total + QUOTA.waiting_per_address
    refused = await asyncio.gather(*greedy[limit:], return_exceptions=True)
    assert {type(one) for one in refused} == {Busy}
    others = [ask("others/1", "192.0.2.1"), ask("greedy/3", "192.0.2.1")]
    await asyncio.sleep(0)
    for one in greedy[:limit]:
        one.cancel()
    renderer.may_draw.set()
    await asyncio.gather(*others)
    assert sorted(renderer.drawn) == [f"{name} 0 en" for name in ("greedy/0", "greedy/1", "greedy/3", "others/1")]
    cache.stop()


async def test_a_client_that_leaves_gives_up_its_turn(play: Playground, page: Path, renderer: FakeRenderer) -> None:
    async with served(play, page, draw_picture=renderer) as server:
        asking = [asyncio.create_task(server.http.get(f"/m/marks/1@{seq}.png")) for seq in range(1, 6)]
        await wait_for_async(lambda: renderer.max_concurrent, lambda most: most >= QUOTA.total, "the first renderers")
        await wait_for_async(lambda: len(server.requests), lambda count: count >= len(asking), "all requests")
        for one in asking:
            one.cancel()
        await wait_for_async(lambda: len(server.requests), not_, "the end of all requests")
        renderer.may_draw.set()
        assert (await server.http.get("/m/marks/1@6.png")).status_code == 200
        assert len(renderer.drawn) == QUOTA.total + 1


async def test_the_gateway_goes_on_while_a_board_is_drawn() -> None:
    cache, ticks = PictureCache(rasterise, quota=PATIENT), 0
    # draw a first picture, which starts the worker process
    await cache.get("small", "marks", {"match": DRAWING.format(1)}, "en", HERE)
    drawing = asyncio.create_task(cache.get("large", "marks", {"match": DRAWING.format(2000)}, "en", HERE))
    while not drawing.done():
        await asyncio.sleep(0)
        ticks += 1
    assert (await drawing).startswith(PNG[:4])
    assert ticks > 50
    cache.stop()


async def test_a_process_that_dies_is_replaced() -> None:
    cache = PictureCache(rasterise, quota=PATIENT)
    with pytest.raises(PictureError, match="has died"):
        await cache.get("killer", "marks", {"match": "killer"}, "en", HERE)
    assert (await cache.get("small", "marks", {"match": DRAWING.format(1)}, "en", HERE)).startswith(PNG[:4])
    cache.stop()


def test_the_renderer_is_a_parameter() -> None:
    assert create_app.__kwdefaults__["draw_picture"] is None
