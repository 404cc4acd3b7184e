"""The follower: one bounded step that brings the store nearer to the node's chain, and the loop around it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from indexer.decode.decoder import BadLog, Decoder
from indexer.fetch.fetcher import NEAR, Changed, Fetch, Span, follows
from indexer.fetch.prefetch import Ahead
from indexer.fetch.receipts import BadReceipts
from indexer.follow.health import Health, State, Tally
from indexer.follow.phases import Phases
from indexer.follow.recent_matches import MOST as ROLL
from indexer.follow.recent_matches import Roll
from indexer.follow.recheck import first_difference
from indexer.follow.seq_check import Counts, Unconfirmed
from indexer.model import Block, Deployment, Event, Header, MatchKey, OtherChain
from indexer.node.client import Node, NodeError, NodeLost
from indexer.node.identity import Identity
from indexer.store.db.engine import StoreError
from indexer.store.store import BadEvent, SeqHole, Store
from indexer.wakeup import Bell

log = logging.getLogger("chainboard.indexer")

POLL_SECONDS = 1.0
RETRY_SECONDS, LONGEST_RETRY_SECONDS = 0.1, 5.0
FINE: tuple[State, ...] = ("ok", "catching-up")
PATIENCE = 3
"""Steps in a row that may find the chain changed under them, before that is told as a trouble."""


@dataclass(frozen=True, slots=True)
class Step:
    """What one step did. `more`: another one would find work at once. `tending`: one would, but it has time: a
    checkpoint is missing. `failed`: the node's word or the store could not be had, as health tells."""

    appended: int = 0
    events: int = 0
    dropped: int = 0
    more: bool = False
    tending: bool = False
    failed: bool = False


class Follower:
    """Brings one store up to one chain. Nothing else writes to the store meanwhile."""

    def __init__(self, node: Node, store: Store, deployments: Iterable[Deployment], tally: Tally | None = None) -> None:
        self._node, self._store = node, store
        known = list(deployments)
        self._decoder = Decoder(known)
        self._first = min((one.height for one in known), default=0)
        self._fetch = Fetch(node, self._decoder.addresses, self._decoder.topics)
        self._ahead = Ahead(self._fetch)
        self._counts = Counts(node, known)
        self._failures = 0
        self.tally, self.phases = tally or Tally(), Phases()
        self.health = Health(tally=self.tally)
        self._look()
        with store.read() as view:
            chain = view.chain()
        self._identity = Identity(node, chain, known)

    def _look(self) -> None:
        """What the store holds, after a change that was not made here event by event."""
        with self._store.read() as view:
            self._tip = view.tip()
            self._roll = Roll(view.latest(ROLL), view.unconfirmed())
        self._fetch.matches = self._roll.topics

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

        Raises NodeLost, NodeError, Changed, BadLog, BadReceipts, BadEvent, SeqHole or Unconfirmed when the node's word
        can't be had or does not fit, OtherChain when it is on another chain than the store, StoreError when the store
        can't be used; the store holds no part of a block then."""
        self.phases.enter("fetch")
        head = await self._node.newest()
        self._tell("catching-up" if head.block.height > self.height else self.health.state, head)
        tip = self._tip
        if tip is not None and tip.hash == head.block.hash:
            return await self._idle()
        if tip is not None and head.block.height <= tip.height:
            return await self._shorter(head)
        if head.block.height < self._first:
            return await self._below(head)
        return await self._extend(head)

    def _tell(self, state: State, head: Header, detail: str = "") -> None:
        self.health = Health(state, head.block.height, detail, self.tally)

    async def _idle(self) -> Step:
        self.health = replace(self.health, state="ok", detail="")
        return Step(tending=await asyncio.to_thread(self._store.tend))

    async def _shorter(self, head: Header) -> Step:
        at = head.block.height
        with self._store.read() as view:
            stored = view.block_at(at)
        if at < self._first and not self._node.ours:
            return await self._below(head)
        if stored is None or stored.hash != head.block.hash:
            return await self._fork(at - 1)
        if self._node.ours:
            return await self._drop(at + 1)
        return self._behind(head)

    async def _below(self, head: Header) -> Step:
        """The node is not even where our first contract is: it syncs from its beginning, or its chain began anew."""
        await self._identity.check_chain()
        return self._behind(head)

    def _behind(self, head: Header) -> Step:
        detail = f"the node is at block {head.block.height}, the index at {self.height}: waiting for it"
        self._tell("node-behind", head, detail)
        self._node.turn()
        return Step()

    async def _fork(self, below: int) -> Step:
        """The node's chain leaves ours: back to the last block that both have, unless it is another chain."""
        self._ahead.drop()
        await self._identity.check()
        self.tally.reorgs += 1
        return await self._drop(await self._agreement(below) + 1)

    async def _agreement(self, below: int) -> int:
        """The highest block up to `below` that store and node share. Blocks below a shared one are shared too."""
        low, high = min(self._first - 1, below), below
        while low < high:
            middle = (low + high + 1) // 2
            with self._store.read() as view:
                stored = view.block_at(middle)
            found = await self._node.block(middle)
            if found is None:
                raise Changed(f"the node has no block {middle} below its own head")
            if stored is not None and stored.hash == found.hash:
                low = middle
            else:
                high = middle - 1
        return low

    async def _drop(self, height: int) -> Step:
        before = self.height
        self.phases.enter("commit")
        await asyncio.to_thread(self._store.drop_from, height)
        self._look()
        self.tally.dropped += before - self.height
        return Step(dropped=before - self.height, more=True)

    async def _extend(self, head: Header) -> Step:
        first = self.height + 1
        span = await self._next(first, head)
        if self._tip is not None and not follows(self._tip, span.blocks[0]):
            return await self._fork(self._tip.height - 1)
        self.phases.enter("decode")
        events = self._decoder.events(span.logs, {block.height: block for block in span.blocks})
        last = span.blocks[-1]
        try:
            await self._commit(span.blocks, events, last == head.block)
        except (SeqHole, Unconfirmed) as doubt:
            return await self._reread(doubt, head)
        self._tip = last
        self.tally.blocks += len(span.blocks)
        self.tally.events += len(events)
        self.tally.healed += span.healed
        more = last.height < head.block.height
        self._tell("catching-up" if more else "ok", head)
        return Step(len(span.blocks), len(events), more=more)

    async def _next(self, first: int, head: Header) -> Span:
        if first < head.block.height:
            self._fetch.near = head.block.height - NEAR
            self._roll.far |= first < self._fetch.near
            return await self._ahead.next(first, head.block.height)
        self._ahead.drop()
        return await self._fetch.block(head)

    async def _commit(self, blocks: Sequence[Block], events: Sequence[Event], at_head: bool) -> None:
        """Stores the span. At the head the contracts' own counts are asked meanwhile, and compared before it is
        kept."""
        self.phases.enter("commit")
        seqs = self._roll.in_question(events) if at_head else {}
        asked = bool(seqs) and await self._confirmed(blocks, events, seqs)
        if not asked:
            await asyncio.to_thread(self._store.append, blocks, events)
        if events or asked:
            self._roll.stored(events, asked)

    async def _confirmed(self, blocks: Sequence[Block], events: Sequence[Event], seqs: Mapping[MatchKey, int]) -> bool:
        """Stores the span if the contracts' counts are the same. False where they can't be had any more: the head has
        moved on, and the node keeps no past states. The next head is asked about these matches, too."""
        confirming = asyncio.run_coroutine_threadsafe(
            self._counts.confirm(seqs, blocks[-1]), asyncio.get_running_loop()
        )
        try:
            await asyncio.to_thread(self._store.append, blocks, events, confirming.result)
        except NodeError:
            head = blocks[-1]
            if (await self._node.newest()).block == head or await self._node.block(head.height) != head:
                raise  # it is asked again, or a reorg took it
            return False
        finally:
            confirming.cancel()
        return True

    async def _reread(self, doubt: SeqHole | Unconfirmed, head: Header) -> Step:
        """The numbers of a match don't fit: an event was left out, in the blocks that come now or in an earlier one.
        All are read again from the receipts; if they don't help either, the doubt stands."""
        self._ahead.drop()
        if self._fetch.careful_until >= head.block.height:
            raise doubt
        self.tally.refused += 1
        log.warning("%s; reading the receipts", doubt)
        self.phases.enter("fetch")
        wrong = await first_difference(self._fetch, self._node, self._decoder, self._store, doubt, self.height)
        self._fetch.careful_until = head.block.height
        if wrong is None:
            return Step(more=True)
        self.tally.healed += 1
        return await self._drop(wrong)

    async def attempt(self) -> Step:
        """One step; what went wrong is told in `health` and leaves the store as it was. Raises OtherChain alone."""
        try:
            step = await self.step()
        except Changed as error:
            return self._failed(error, "degraded" if self._failures >= PATIENCE else self.health.state)
        except NodeLost as error:
            if self.health.state != "node-lost":
                log.warning("%s", error)  # with the address, which health does not tell the world
            if error.busy:
                return self._failed("the node asks for fewer requests", "degraded")
            return self._failed("the node does not answer", "node-lost")
        except (NodeError, BadLog, BadReceipts, BadEvent, SeqHole, Unconfirmed) as error:
            self.tally.refused += 1
            self._node.turn()
            return self._failed(error, "degraded")
        except StoreError as error:
            return self._failed(error, "degraded")
        except OtherChain as error:
            self._failed(error, "degraded")
            raise
        except Exception as error:  # a defect of ours, or of a game: those who read must not go down with it
            log.exception("a step failed")
            return self._failed(f"something unforeseen: {error!r}", "degraded")
        self._failures = 0
        return step

    def _failed(self, why: object, state: State) -> Step:
        self._failures += 1
        self._ahead.drop()
        self.health = replace(self.health, state=state, detail="" if state in FINE else str(why))
        return Step(failed=True)

    async def run(self, heads: Bell, ring: Callable[[], None]) -> None:
        """Follows until cancelled, or until the node is on another chain (OtherChain). `heads` wakes it early; the
        head is asked for once a second besides, and after a failure a little later each time."""
        while True:
            step = await self.attempt()
            if step.appended or step.dropped:
                self.phases.enter("ring")
                ring()
            if step.failed:
                await asyncio.sleep(self.pause)
            elif not (step.more or step.tending):
                self.phases.enter("idle")
                await heads.wait(POLL_SECONDS)

    @property
    def pause(self) -> float:
        """Seconds to wait after a failure: twice as long after each."""
        return float(min(RETRY_SECONDS * 2 ** min(self._failures - 1, 10), LONGEST_RETRY_SECONDS))

    def close(self) -> None:
        """Ends what is still being asked for."""
        self._ahead.drop()
