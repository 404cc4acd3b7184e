"""The follower: one bounded step that brings the store nearer to the node's chain, and the loop around it."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal, TypeAlias

from indexer.database import StoreError
from indexer.decode import BadLog, Decoder
from indexer.model import Block, Deployment, Event
from indexer.node import Node, NodeError, NodeLost
from indexer.store import SeqHole, Store

log = logging.getLogger("chainboard.indexer")

RANGE_BLOCKS = 500
POLL_SECONDS = 1.0

State: TypeAlias = Literal["ok", "catching-up", "degraded", "node-behind", "node-lost"]


class Bell:
    """Says that there is something new, never what. For one listener; rings between two waits are not lost."""

    def __init__(self) -> None:
        self._rung = asyncio.Event()

    def ring(self) -> None:
        self._rung.set()

    async def wait(self, seconds: float) -> bool:
        """Waits for a ring, at most this long; whether there was one."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._rung.wait()
        rung = self._rung.is_set()
        self._rung.clear()
        return rung


@dataclass(frozen=True, slots=True)
class Health:
    """How the follower is doing; `node_head` is the newest block it has heard of."""

    state: State = "catching-up"
    node_head: int | None = None
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Step:
    """What one step did. `more`: another one would find work at once."""

    appended: int = 0
    events: int = 0
    dropped: int = 0
    more: bool = False


class Follower:
    """Brings one store up to one node. Nothing else writes to the store meanwhile."""

    def __init__(self, node: Node, store: Store, deployments: Iterable[Deployment]) -> None:
        self._node, self._store = node, store
        known = list(deployments)
        self._decoder = Decoder(known)
        self._first = min((one.height for one in known), default=0)
        self.health = Health()
        with store.read() as view:
            self._tip = view.tip()

    @property
    def behind(self) -> int:
        """Blocks between the store's last one and the newest that the node told of."""
        return max(0, (self.health.node_head or 0) - self.height)

    @property
    def height(self) -> int:
        """Height of the store's last block; one below the first deployment when there is none yet."""
        return self._tip.height if self._tip else self._first - 1

    async def step(self) -> Step:
        """Compares the store's last block with the node's chain: drops what is stale, or appends what comes next.

        Raises NodeLost, NodeError, BadLog or SeqHole when the node's word can't be had or does not fit, StoreError
        when the store can't be used; it is unchanged then."""
        head = await self._node.head()
        self.health = replace(self.health, node_head=head.height)
        tip = self._tip
        if tip is not None and tip.hash == head.hash:
            return self._idle()
        if tip is not None and head.height <= tip.height:
            return await self._shorter(head, tip)
        if head.height < self._first:
            return self._idle()
        return await self._extend(head)

    def _idle(self) -> Step:
        self.health = replace(self.health, state="ok", detail="")
        return Step()

    async def _shorter(self, head: Block, tip: Block) -> Step:
        with self._store.read() as view:
            stored = view.block_at(head.height)
        forked = stored is not None and stored.hash != head.hash
        if forked:
            return await self._drop(await self._agreement(head.height - 1) + 1)
        if self._node.ours:
            return await self._drop(head.height + 1)
        detail = f"the node is at block {head.height}, the index at {tip.height}: waiting for it to come back"
        self.health = replace(self.health, state="node-behind", detail=detail)
        return Step()

    async def _agreement(self, below: int) -> int:
        """The highest block up to `below` that store and node share. Blocks below a shared one are shared too."""
        low, high = self._first - 1, below
        while low < high:
            middle = (low + high + 1) // 2
            with self._store.read() as view:
                stored = view.block_at(middle)
            found = await self._node.block(middle)
            if found is None:
                raise BadLog(f"the node has no block {middle} below its own head")
            if stored is not None and stored.hash == found.hash:
                low = middle
            else:
                high = middle - 1
        return low

    async def _drop(self, height: int) -> Step:
        before = self._tip.height if self._tip else height - 1
        await asyncio.to_thread(self._store.drop_from, height)
        with self._store.read() as view:
            self._tip = view.tip()
        return Step(dropped=before - height + 1, more=True)

    async def _extend(self, head: Block) -> Step:
        first = self._tip.height + 1 if self._tip else self._first
        last = min(head.height, first + RANGE_BLOCKS - 1)
        blocks, events = await (self._next(head) if first == head.height else self._range(first, last))
        if self._tip is not None and blocks[0].parent != self._tip.hash:
            return await self._drop(await self._agreement(self._tip.height - 1) + 1)
        await asyncio.to_thread(self._store.append, blocks, events)
        self._tip = blocks[-1]
        more = last < head.height
        self.health = replace(self.health, state="catching-up" if more else "ok", detail="")
        return Step(appended=len(blocks), events=len(events), more=more)

    async def _next(self, head: Block) -> tuple[list[Block], list[Event]]:
        logs = await self._node.logs_of_block(head.hash, self._decoder.addresses)
        return [head], self._decoder.events(logs, {head.height: head})

    async def _range(self, first: int, last: int) -> tuple[list[Block], list[Event]]:
        blocks = await self._node.blocks(first, last)
        if [block.height for block in blocks] != list(range(first, last + 1)):
            raise BadLog(f"the node did not give all blocks from {first} to {last}")
        for parent, child in pairwise(blocks):
            if child.parent != parent.hash:
                raise BadLog(f"block {child.height} does not follow block {parent.height}: the chain changed meanwhile")
        logs = await self._node.logs_between(first, last, self._decoder.addresses)
        return blocks, self._decoder.events(logs, {block.height: block for block in blocks})

    async def attempt(self) -> Step:
        """One step; what went wrong is told in `health` and leaves the store as it was."""
        try:
            return await self.step()
        except NodeLost as error:
            if self.health.state != "node-lost":
                log.warning("%s", error)  # with the address, which health does not tell the world
            self.health = replace(self.health, state="node-lost", detail="the node does not answer")
        except (NodeError, BadLog, SeqHole, StoreError) as error:
            self.health = replace(self.health, state="degraded", detail=str(error))
        return Step()

    async def run(self, heads: Bell, ring: Callable[[], None]) -> None:
        """Follows until cancelled. `heads` wakes it early; the head is asked for once a second besides."""
        while True:
            step = await self.attempt()
            if step != Step():
                ring()
            if not step.more:
                await heads.wait(POLL_SECONDS)
