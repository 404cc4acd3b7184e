"""Tests that the follower keeps the answers to all other requests if one request fails. A model of
a provider counts the requests."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import aclosing, closing
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from chaos.chain.node_chain import NodeChain
from chaos.faults.http_faults import JSON
from chaos.faults.jsonrpc import calls_of, encode_answers
from chaos.provider.plan import Plan
from chaos.provider.provider import Provider
from chaos.provider.rollup import Rollup
from indexer.games import GAMES
from indexer.model import Json
from indexer.node.client import Node
from indexer.node.limits import Limits
from indexer.store.store import Store
from tests.indexer.follow.lying_node import LyingNode, follow, same_but_for_empty_blocks
from tests.support.chain import DeployedChain

ERROR = {"code": -32000, "message": "internal error"}
TIMES = {"error": 1, "cut": 2}
"""The number of failures after which the client reports the failure of a request. The client itself
retries once after a cut connection."""


class FlakyProvider(Provider):
    """A provider that fails the first few times when a call of the given method asks for the given
    block. `answered` counts the provider's answers for each method and block."""

    def __init__(self, it: DeployedChain, method: str = "", height: int = 0, how: str = "cut") -> None:
        super().__init__(Rollup(NodeChain(it.node)), Plan(latency=0))
        self._fails, self._how, self.left = (method, height), how, TIMES[how] if method else 0
        self.answered: Counter[tuple[str, int]] = Counter()

    async def _answer(self, body: bytes) -> web.Response:
        message = calls_of(body)
        asked = [(str(call["method"]), height) for call in message.calls for height in heights(call)]
        if self.left and self._fails in asked:
            self.left -= 1
            if self._how == "cut":
                raise ConnectionResetError
            answers: list[Any] = [{"jsonrpc": "2.0", "id": call["id"], "error": ERROR} for call in message.calls]
            return web.Response(body=encode_answers(answers, message.batch), headers=JSON)
        response = await super()._answer(body)
        self.answered.update(asked)
        return response


def heights(call: Json) -> range:
    """Return the heights of the blocks that a call asks for."""
    asked = call["params"][0] if call["params"] else None
    if call["method"] == "eth_getLogs" and "fromBlock" in asked:
        return range(int(asked["fromBlock"], 16), int(asked["toBlock"], 16) + 1)
    if call["method"] == "eth_getBlockByNumber" and asked.startswith("0x"):
        return range(int(asked, 16), int(asked, 16) + 1)
    return range(0)


async def followed(it: DeployedChain, store: Store, provider: FlakyProvider, limits: Limits) -> None:
    async with provider.running(), aclosing(Node(provider.url, limits=limits)) as node:
        follower = await follow(it, store, node)
    assert (follower.health.state, provider.left) == ("ok", 0)
    assert await same_but_for_empty_blocks(it, store)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """A store in a SQLite file. The tests only count requests, so PostgreSQL would give the same
    results."""
    with closing(Store(f"sqlite:///{tmp_path / 'index.db'}", GAMES)) as it:
        yield it


@pytest.mark.parametrize(("how", "height", "max_range"), [("error", 3, None), ("cut", 21, 8), ("error", 40, 8)])
async def test_of_spans_only_the_failed_one_is_requested_again(
    long: DeployedChain, store: Store, how: str, height: int, max_range: int | None
) -> None:
    provider = FlakyProvider(long, "eth_getLogs", height, how)
    await followed(long, store, provider, Limits(max_range=max_range))
    with store.read() as snapshot:
        end = snapshot.sparse_height()
    assert end > 200
    blocks = range(min(one.height for one in long.deployments), end + 1)
    assert {one: provider.answered["eth_getLogs", one] for one in blocks} == dict.fromkeys(blocks, 1)


async def test_of_headers_only_the_failed_batch_is_requested_again(
    long: DeployedChain, store: Store, tmp_path: Path
) -> None:
    """If a request for headers fails, the follower repeats only this request. Tests that it doesn't
    request the logs again."""
    limits, well = Limits(max_batch=2), FlakyProvider(long)
    with closing(Store(f"sqlite:///{tmp_path / 'well.db'}", GAMES)) as other:
        await followed(long, other, well, limits)
    height = max(one for one in await of_events(long) if one < 100)
    provider = FlakyProvider(long, "eth_getBlockByNumber", height)
    await followed(long, store, provider, limits)
    assert provider.answered == well.answered


async def of_events(it: DeployedChain) -> list[int]:
    """Return the heights of all blocks that contain logs of the game, in order."""
    found = await it.node.logs_between(0, (await it.node.head()).height, [it.game.address])
    return sorted({int(log["blockNumber"], 16) for log in found})


async def test_what_was_answered_wrong_is_not_kept(long: DeployedChain, store: Store) -> None:
    """The node once returns a log that the follower can't read. Tests that the follower doesn't
    keep this answer. Otherwise, every later sync would fail."""
    wrong: list[Json] = []

    def lie(method: str, _params: Any, answer: Any) -> Any:
        if method == "eth_getLogs" and answer and not wrong:
            wrong.append({**answer[0], "blockNumber": None})
            return wrong
        return answer

    async with aclosing(LyingNode(long.node.url, lie)) as node:
        follower = await follow(long, store, node)
    assert (follower.health.state, follower.counters.refused, len(wrong)) == ("ok", 1, 1)
    assert await same_but_for_empty_blocks(long, store)
