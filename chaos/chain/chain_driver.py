"""The driver: what happens to the chain. Blocks, reorgs of many kinds, rollbacks, a beginning anew."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from random import Random

from chaos.chain.anvil_chain import Chain, Json, Refused
from chaos.chain.workload import Players
from chaos.faults.counts import Ledger
from chaos.faults.proxy import Proxy

DEEP = 10
TOLD_SECONDS = 1.0
LANDINGS = ("same-block", "other-block", "nowhere")


@dataclass(frozen=True, slots=True)
class Change:
    """A change of the chain: which blocks it took away, and when (time.monotonic)."""

    kinds: tuple[str, ...]
    removed: frozenset[str]
    at: float


class Driver:
    """Drives one chain. `genesis` is told after the chain began anew, so that the contracts can be found again."""

    def __init__(self, chain: Chain, proxy: Proxy, players: Players, ledger: Ledger) -> None:
        self.chain, self._proxy, self.players, self._ledger = chain, proxy, players, ledger
        self._changes: list[Change] = []
        self._old: set[str] = set()

    @property
    def floor(self) -> int:
        """No reorg goes below: the contracts stay."""
        return max((one.height for one in self.players.contracts), default=0) + 1

    async def blocks(self, random: Random, count: int, most: int = 4) -> None:
        for _ in range(count):
            await self.players.block(random, random.randint(0, most))

    async def reorg(
        self, random: Random, depth: int, landing: str, told: bool = True, also: tuple[str, ...] = ()
    ) -> None:
        """Replaces the newest blocks. `told`: waits until our process has heard of the head that goes."""
        head = await self.chain.head()
        if told:
            await self.told(str(head["hash"]))
        height = int(head["number"], 16)
        depth = min(depth, height - self.floor)
        if depth < 1:
            return
        removed = await self.chain.blocks(height - depth + 1, height)
        orders = await self._landing(random, removed, landing)
        landed = f"reorg-{landing}" if orders or landing == "nowhere" else "reorg-nowhere"
        self._note(("deep-reorg" if depth > DEEP else "reorg", landed, *also), removed)
        try:
            await self.chain.request("anvil_reorg", depth, orders)
        except Refused:  # a transaction does not fit the new place; the old blocks have gone all the same
            await self.chain.mine(max(1, height - await self.chain.height()))

    async def _landing(self, random: Random, removed: Iterable[Json], landing: str) -> list[list[object]]:
        """The transactions of these blocks, each with its new place among the new blocks."""
        blocks = list(removed)
        if landing == "nowhere":
            return []
        places = [(place, hash) for place, block in enumerate(blocks) for hash in block["transactions"]]
        raws = await self.chain.requests([("eth_getRawTransactionByHash", (hash,)) for _place, hash in places])
        shift = random.choice((1, 2, 5)) if landing == "other-block" else 0
        last = len(blocks) - 1
        return [[raw, min(place + shift, last)] for (place, _hash), raw in zip(places, raws, strict=True)]

    async def rollback(self, depth: int) -> None:
        """The chain becomes shorter, and nobody is told."""
        head = await self.chain.head()
        await self.told(str(head["hash"]))
        height = int(head["number"], 16)
        depth = min(depth, height - self.floor)
        if depth < 1:
            return
        self._note(("rollback",), await self.chain.blocks(height - depth + 1, height))
        await self.chain.request("anvil_rollback", depth)
        self._old.add((await self.chain.head())["hash"])

    async def leave_old_blocks(self, random: Random) -> None:
        """Blocks until the chain's head is one that never went: a chain that is only shorter, or has empty blocks mined
        again to the same hash, can't be told from a node that lags."""
        while (await self.chain.head())["hash"] in self._old:
            await self.blocks(random, 1)

    async def begin_anew(self, down: float) -> None:
        """A fresh chain behind the same address, which answers nobody for so many seconds."""
        head = await self.chain.head()
        await self.told(str(head["hash"]))
        self._proxy.point_at(None)
        self._proxy.drop_sockets()
        self.players.contracts = []
        await asyncio.gather(self.chain.replace(), asyncio.sleep(down))
        self._note(("genesis",), [head])
        self._proxy.point_at(self.chain.url)

    def _note(self, kinds: tuple[str, ...], removed: Iterable[Json]) -> None:
        for kind in kinds:
            self._ledger.inject(kind)
        change = Change(kinds, frozenset(str(block["hash"]) for block in removed), time.monotonic())
        self._changes.append(change)
        self._old |= change.removed

    async def told(self, hash: str, seconds: float = TOLD_SECONDS) -> bool:
        """Waits until our process has been told of this block, not longer than that."""
        return await until(lambda: hash in self._proxy.told, seconds)

    def observe(self) -> None:
        """Counts the changes that our process could see: it knew a block that went, and was told of a head after."""
        for change in self._changes:
            knew = any(self._proxy.told.get(hash, change.at) < change.at for hash in change.removed)
            if knew and self._proxy.head_told > change.at:
                for kind in change.kinds:
                    self._ledger.observe(kind)
        self._changes.clear()


async def until(wanted: Callable[[], bool], seconds: float, pause: float = 0.01) -> bool:
    """Waits until it is so, not longer than that; whether it is."""
    end = time.monotonic() + seconds
    while not wanted():
        if time.monotonic() > end:
            return False
        await asyncio.sleep(pause)
    return True
