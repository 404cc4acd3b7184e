"""Makes changes to the chain: new blocks, reorgs of many kinds, rollbacks and restarts."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from random import Random

from chaos.chain.anvil_chain import AnvilChain
from chaos.chain.workload import Workload
from chaos.faults.counts import FaultCounts
from chaos.faults.proxy import FaultProxy
from indexer.model import Json
from indexer.node.client import NodeError

DEEP_REORG = 10
SEEN_SECONDS = 1.0
REINCLUSIONS = ("same-block", "other-block", "nowhere")


@dataclass(frozen=True, slots=True)
class Change:
    """A change to the chain. `removed` contains the hashes of the blocks that the change removed.
    `at` is the value of time.monotonic() at the change."""

    kinds: tuple[str, ...]
    removed: frozenset[str]
    at: float


class ChainDriver:
    """Changes a chain, and counts the changes that the tested process noticed."""

    def __init__(self, chain: AnvilChain, proxy: FaultProxy, workload: Workload, counts: FaultCounts) -> None:
        self.chain, self._proxy, self.workload, self._counts = chain, proxy, workload, counts
        self._changes: list[Change] = []
        self._old: set[str] = set()

    @property
    def floor(self) -> int:
        """The lowest height at which a reorg may remove a block. The contracts are in lower blocks,
        so they survive every reorg."""
        return max((one.height for one in self.workload.contracts), default=0) + 1

    async def blocks(self, random: Random, count: int, max_moves: int = 4) -> None:
        for _ in range(count):
            await self.workload.mine_moves(random, random.randint(0, max_moves))

    async def reorg(
        self, random: Random, depth: int, reinclusion: str, seen: bool = True, also: tuple[str, ...] = ()
    ) -> None:
        """Replace the newest blocks by other blocks.

        If `seen`, wait until the tested process has seen the head, so that it notices the reorg."""
        removed = await self._newest(depth, seen)
        if not removed:
            return
        depth, height = len(removed), int(removed[-1]["number"], 16)
        reincluded = await self._reincluded(random, removed, reinclusion)
        reorg_kind = f"reorg-{reinclusion}" if reincluded or reinclusion == "nowhere" else "reorg-nowhere"
        self._record(("deep-reorg" if depth > DEEP_REORG else "reorg", reorg_kind, *also), removed)
        try:
            await self.chain.request("anvil_reorg", depth, reincluded)
        except NodeError:  # the old blocks are gone, but one of their transactions is invalid in its new block
            await self.chain.mine(max(1, height - await self.chain.height()))

    async def _newest(self, depth: int, seen: bool = True) -> list[Json]:
        """Return the newest `depth` blocks, without those that no reorg may remove. The last one is
        the head."""
        head = await self.chain.head()
        if seen:
            await self.wait_until_seen(str(head["hash"]))
        height = int(head["number"], 16)
        depth = min(depth, height - self.floor)
        return await self.chain.blocks(height - depth + 1, height) if depth > 0 else []

    async def _reincluded(self, random: Random, blocks: Sequence[Json], reinclusion: str) -> list[list[object]]:
        """Return the transactions of these blocks, each with the index of the new block into which
        it is mined again."""
        if reinclusion == "nowhere":
            return []
        positions = [(position, hash) for position, block in enumerate(blocks) for hash in block["transactions"]]
        raws = await self.chain.node.requests(
            [("eth_getRawTransactionByHash", (hash,)) for _position, hash in positions]
        )
        shift = random.choice((1, 2, 5)) if reinclusion == "other-block" else 0
        last = len(blocks) - 1
        return [[raw, min(position + shift, last)] for (position, _hash), raw in zip(positions, raws, strict=True)]

    async def rollback(self, depth: int) -> None:
        """Remove the newest blocks without replacing them. The tested process isn't notified."""
        if removed := await self._newest(depth):
            self._record(("rollback",), removed)
            await self.chain.request("anvil_rollback", len(removed))
            self._old.add((await self.chain.head())["hash"])

    async def leave_old_blocks(self, random: Random) -> None:
        """Mine blocks until the head is a block that was never removed.

        Without such a head, the tested process could not distinguish this chain from the chain of a
        lagging node. After a rollback, the chain is only shorter. An empty block that is mined
        again can even have the same hash as before."""
        while (await self.chain.head())["hash"] in self._old:
            await self.blocks(random, 1)

    async def replace_chain(self, down: float) -> None:
        """Replace the chain by a new one at the same address. The address is unreachable for at
        least `down` seconds."""
        head = await self.chain.head()
        await self.wait_until_seen(str(head["hash"]))
        with self._unreachable():
            self.workload.contracts = []
            await asyncio.gather(self.chain.replace(), asyncio.sleep(down))
            self._record(("genesis",), [head])

    async def lose_node(self, seconds: float) -> None:
        """Make the node unreachable for this number of seconds."""
        self._counts.inject("node-lost")
        with self._unreachable():
            await asyncio.sleep(seconds)
        self._counts.observe("node-lost")

    @contextmanager
    def _unreachable(self) -> Iterator[None]:
        self._proxy.point_at(None)
        self._proxy.drop_sockets()
        yield
        self._proxy.point_at(self.chain.url)

    def _record(self, kinds: tuple[str, ...], removed: Iterable[Json]) -> None:
        for kind in kinds:
            self._counts.inject(kind)
        change = Change(kinds, frozenset(str(block["hash"]) for block in removed), time.monotonic())
        self._changes.append(change)
        self._old |= change.removed

    async def wait_until_seen(self, hash: str, seconds: float = SEEN_SECONDS) -> bool:
        """Wait at most `seconds` until the tested process has seen this block. Return True if it
        has seen the block."""
        return await wait_until(lambda: hash in self._proxy.seen_blocks, seconds)

    def observe(self) -> None:
        """Count the changes to the chain that the tested process noticed.

        The process noticed a change if it saw one of the removed blocks before the change, and saw
        a head after the change."""
        for change in self._changes:
            had_seen = any(self._proxy.seen_blocks.get(hash, change.at) < change.at for hash in change.removed)
            if had_seen and self._proxy.head_seen_at > change.at:
                for kind in change.kinds:
                    self._counts.observe(kind)
        self._changes.clear()


async def wait_until(wanted: Callable[[], bool], seconds: float, pause: float = 0.01) -> bool:
    """Wait at most `seconds` until the condition is true. Return True if it became true."""
    async for _ in polls(seconds, pause):
        if wanted():
            return True
    return False


async def polls(seconds: float, pause: float) -> AsyncIterator[None]:
    """Yield at once, and then after every pause, until the given number of seconds is over."""
    end = time.monotonic() + seconds
    yield
    while time.monotonic() <= end:
        await asyncio.sleep(pause)
        yield
