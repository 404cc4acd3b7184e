"""Measures the number of requests that indexing 3,000 blocks takes if the provider allows 50
calls/s.

It compares indexing by history queries with indexing block by block, and a configured call rate
with a rate that the indexer learns.
"""

from __future__ import annotations

import asyncio
import contextlib
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from unittest import mock

from bench.backfill.flood import GAME, flooded
from chainboard.indexing.database import catch_up
from chaos.chain.node_chain import NodeChain
from chaos.provider.plan import Plan
from chaos.provider.provider import Provider
from chaos.provider.rollup import Rollup
from indexer.follow import history
from indexer.follow.follower import Follower
from indexer.model import Deployment
from indexer.node.client import Node
from indexer.node.limits import Limits
from indexer.node.pacer import Pacer
from indexer.store.store import Store

BLOCKS, EVENT_BLOCKS, EVENTS = 3_000, 100, 400
MINED = 100
"""The number of blocks that Anvil mines per request while the benchmark makes the chain."""
RATE = 50.0
PLAN = Plan(latency=0.08, max_range=500, max_results=2_000, max_batch=20, rate=RATE)
NEVER = 10**9
MOST_REQUESTS, MOST_REFUSED = 1.1, 0.02


@contextlib.contextmanager
def block_by_block() -> Iterator[None]:
    with mock.patch.object(history, "MIN_BLOCKS", NEVER):
        yield


def empty_store(folder: str) -> contextlib.closing[Store]:
    return contextlib.closing(Store(f"sqlite:///{folder}/index.db", {GAME.slug: GAME}))


@dataclass(frozen=True, slots=True)
class Figures:
    """The cost of indexing the chain.

    - `calls`: the number of answered calls. `least` is the smallest number with which indexing is
      possible.
    - `posts`: the number of HTTP requests that carried the calls.
    - `refused`: the number of these requests that the provider rejected."""

    calls: int
    least: int
    posts: int
    refused: int
    seconds: float

    @property
    def is_met(self) -> bool:
        return self.calls <= MOST_REQUESTS * self.least and self.refused <= MOST_REFUSED * self.posts

    def __str__(self) -> str:
        return (
            f"{self.calls:5,} calls in {self.posts:4,} posts, {self.seconds:5.1f} s   "
            f"of the minimum {self.least:5,}: {self.calls / self.least:4.2f} (target: {MOST_REQUESTS})   "
            f"rejected {self.refused / self.posts:5.1%} (target: {MOST_REFUSED:.0%})"
        )


async def measure(upstream: Node, deployment: Deployment, rate: float | None) -> Figures:
    """Index the chain from its beginning through a provider with the limits of `PLAN`."""
    limits = Limits()
    async with Provider(Rollup(NodeChain(upstream)), PLAN).running() as provider:
        node = Node(provider.url, limits=limits, pacer=Pacer(limits, rate, slow_start=True))
        with tempfile.TemporaryDirectory() as folder, empty_store(folder) as store, store.exclusive_writer():
            store.set_chain(await node.chain(), [deployment])
            before, begin = provider.calls.total(), time.perf_counter()
            await catch_up(follower := Follower(node, store, [deployment]))
            seconds = time.perf_counter() - begin
        await node.aclose()
        assert follower.counters.events == EVENTS
        # `+ 2`: one call fetches the head, and one call fetches the contracts' match counts.
        least = follower.counters.blocks + -(-BLOCKS // (PLAN.max_range or 1)) + 2
        return Figures(provider.calls.total() - before, least, provider.posts, provider.refused, seconds)


@contextlib.asynccontextmanager
async def long_chain(folder: Path) -> AsyncIterator[tuple[Node, Deployment]]:
    """Start a chain of BLOCKS blocks. Only the first EVENT_BLOCKS blocks have events."""
    async with flooded(folder, EVENTS, EVENT_BLOCKS) as (upstream, deployment):
        for _ in range(EVENT_BLOCKS, BLOCKS, MINED):
            await upstream.request("anvil_mine", (hex(MINED),))
        yield upstream, deployment


async def _main() -> bool:
    met = True
    with tempfile.TemporaryDirectory() as folder:
        async with long_chain(Path(folder) / "chain") as chain:
            for name, (way, rate) in WAYS.items():
                with way():
                    figures = await measure(*chain, rate)
                print(f"  {name:32} {figures}", flush=True)
                met &= figures.is_met
    return met


WAYS: dict[str, tuple[Callable[[], AbstractContextManager[None]], float | None]] = {
    "history, --rpc-rate 50": (contextlib.nullcontext, RATE),
    "block by block, --rpc-rate 50": (block_by_block, RATE),
    "block by block, a learned rate": (block_by_block, None),
}
"""The measured methods of indexing. The key is the method's name, and the value is a pair: a
function and a call rate. The function returns a context in which the method is used. The call rate
is None if the indexer learns it."""


def main() -> None:
    limits = f"{PLAN.max_range} blocks per range, {PLAN.max_batch} calls per batch, {PLAN.rate:g} calls per second"
    print(f"{BLOCKS:,} blocks behind a provider's limits: {limits}")
    if not asyncio.run(_main()):
        sys.exit("At least one target was missed.")
