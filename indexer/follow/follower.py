"""The follower. It keeps the store up to date with the chain, one short sync after another."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from indexer.decode.decoder import BadLog, Decoder
from indexer.fetch.fetcher import STRICT_BLOCKS, BlockFetcher, BlockRange, ChainChanged
from indexer.fetch.prefetch import Prefetcher
from indexer.fetch.receipts import BadReceipts
from indexer.follow.common_ancestor import common_ancestor
from indexer.follow.health import BUSY, Counters, Health, HealthState, public_detail
from indexer.follow.history import History, Inconsistency
from indexer.follow.match_counts import MissingMatch
from indexer.follow.poll_schedule import PollSchedule
from indexer.follow.recent_matches import MAX_MATCHES, RecentMatches
from indexer.follow.recheck import first_incomplete_block
from indexer.follow.seq_check import SeqCheck, SeqMismatch
from indexer.follow.sync_result import SyncResult
from indexer.model import Block, Deployment, Event, Header, MatchKey, WrongChain, is_parent
from indexer.node.client import Node, NodeError, NodeUnavailable
from indexer.node.error_text import readable
from indexer.node.identity import ChainIdentity
from indexer.store.db.engine import StoreError
from indexer.store.store import BadEvent, NotWriter, SeqGap, Store, WrongParent
from indexer.wakeup import Wakeup

log = logging.getLogger("chainboard.indexer")

POLL_SECONDS = 1.0
RETRY_SECONDS, MAX_RETRY_SECONDS = 0.1, 5.0
HEALTHY: tuple[HealthState, ...] = ("ok", "catching-up")
TOLERATED_CHANGES = 3
"""The health becomes `degraded` after more than this number of ChainChanged errors in a row."""


class Follower:
    """Keeps one store up to date with one chain. Nothing else writes blocks to this store."""

    def __init__(
        self, node: Node, store: Store, deployments: Iterable[Deployment], counters: Counters | None = None
    ) -> None:
        self._node, self._store = node, store
        known = list(deployments)
        self._decoder = Decoder(known)
        self._first_height = min((one.height for one in known), default=0)
        self._fetcher = BlockFetcher(node, self._decoder.addresses, self._decoder.topics)
        self._prefetcher = Prefetcher(self._fetcher)
        self._seq_check = SeqCheck(node, known)
        self._history = History(node, store, self._fetcher, self._decoder, known)
        self._polls, self._failures = PollSchedule(), 0
        self.counters = counters or Counters()
        self.health = Health(counters=self.counters)
        self._reload_tip()
        with store.read() as snapshot:
            chain = snapshot.chain()
        self._identity = ChainIdentity(node, chain, known)

    def _reload_tip(self) -> None:
        """Read the tip (the last block) and the recent matches from the store again."""
        with self._store.read() as snapshot:
            self._tip = snapshot.tip()
            self._recent = RecentMatches(snapshot.latest_matches(MAX_MATCHES), snapshot.unconfirmed())
        self._fetcher.recent_topics = self._recent.topics

    @property
    def blocks_behind(self) -> int:
        """The number of blocks from the store's last block to the node's last known head."""
        return max(0, (self.health.node_head or 0) - self.height)

    @property
    def height(self) -> int:
        """The last stored block's height, or one below the first deployment if there is none."""
        return self._tip.height if self._tip else self._first_height - 1

    async def sync(self) -> SyncResult:
        """Delete stored blocks that the node no longer has, or append the node's next blocks.

        A block is stored as a whole or not at all. Raises NodeUnavailable or NodeError if the node
        fails, WrongChain if it is on a different chain than the store, and StoreError if the store
        fails. If the node's answers contradict each other, raises ChainChanged, BadLog,
        BadReceipts, BadEvent, MissingMatch, SeqGap or SeqMismatch."""
        head = await self._node.head_header()
        self._set_health("catching-up" if head.block.height > self.height else self.health.state, head)
        tip = self._tip
        if tip is not None and tip.hash == head.block.hash:
            return await self._at_head()
        if tip is not None and head.block.height <= tip.height:
            return await self._handle_shorter_chain(head)
        if head.block.height < self._first_height:
            return await self._node_below_deployment(head)
        return await self._extend(head)

    def _set_health(self, state: HealthState, head: Header, detail: str = "") -> None:
        self.health = Health(state, head.block.height, detail, self.counters)

    async def _at_head(self) -> SyncResult:
        self.health = replace(self.health, state="ok", detail="")
        return SyncResult(maintenance=await asyncio.to_thread(self._store.maintain))

    async def _handle_shorter_chain(self, head: Header) -> SyncResult:
        at = head.block.height
        with self._store.read() as snapshot:
            stored = snapshot.block_up_to(at)
        if (at < self._first_height or stored is None) and not self._node.is_ours:
            return await self._node_below_deployment(head)
        at_stored = head.block if stored is None or stored.height == at else await self._node.block(stored.height)
        if stored is None or at_stored is None or stored.hash != at_stored.hash:
            return await self._reorg(at - 1)
        if self._node.is_ours:
            return await self._rewind(at + 1)
        return self._wait_for_node(head)

    async def _node_below_deployment(self, head: Header) -> SyncResult:
        """Wait for the block of our first contract. Raises WrongChain if the chain restarted."""
        await self._identity.check_chain()
        return self._wait_for_node(head)

    def _wait_for_node(self, head: Header) -> SyncResult:
        detail = f"the node is at block {head.block.height}, but the index is at {self.height}: waiting for the node"
        self._set_health("node-behind", head, detail)
        self._node.failover()
        return SyncResult()

    async def _reorg(self, below: int) -> SyncResult:
        """Check that the chain is the same. Then delete the blocks above the common ancestor."""
        self._prefetcher.cancel()
        await self._identity.check()
        self.counters.reorgs += 1
        shared = await common_ancestor(self._node, self._store, self._first_height - 1, below)
        self._history.warn_of_reorg(shared)
        return await self._rewind(shared + 1)

    async def _rewind(self, height: int) -> SyncResult:
        before = self.height
        await asyncio.to_thread(self._store.delete_blocks_from, height)
        self._history.on_rewind()
        self._reload_tip()
        self.counters.dropped += before - self.height
        return SyncResult(dropped=before - self.height, more=True)

    async def _extend(self, head: Header) -> SyncResult:
        first = self.height + 1
        end = await self._history.end(first, head)
        if end is None:
            span = await self._fetch_next(first, head)
            follows = self._tip is None or is_parent(self._tip, span.blocks[0])
        else:
            self._set_strict_from(first, head)
            before, span = await self._history.next(first - 1, end)
            follows = self._tip is None or self._tip == before
        if self._tip is not None and not follows:
            return await self._reorg(self._tip.height - 1)
        events = self._decoder.events(span.logs, {block.height: block for block in span.blocks})
        last = span.blocks[-1]
        try:
            if end is None:
                await self._commit(span.blocks, events, last == head.block)
            else:
                await self._history.append(span.blocks, events, last.height == end, self._recent)
        except (SeqGap, SeqMismatch, MissingMatch) as error:
            return await self._recheck(error, head, events, last)
        self._tip = last
        if not self._node.is_ours:
            self._polls.record_blocks(span.blocks)
        self.counters.blocks += len(span.blocks)
        self.counters.events += len(events)
        self.counters.healed += span.healed
        more = last.height < head.block.height
        self._set_health("catching-up" if more else "ok", head)
        return SyncResult(len(span.blocks), len(events), more=more)

    async def _fetch_next(self, first: int, head: Header) -> BlockRange:
        if first < head.block.height:
            self._set_strict_from(first, head)
            return await self._prefetcher.next(first, head.block.height)
        self._prefetcher.cancel()
        return await self._fetcher.block(head)

    def _set_strict_from(self, first: int, head: Header) -> None:
        self._fetcher.strict_from = head.block.height - STRICT_BLOCKS
        self._recent.skipped_blocks |= first < self._fetcher.strict_from

    async def _commit(self, blocks: Sequence[Block], events: Sequence[Event], at_head: bool) -> None:
        """Store the blocks. At the head, first compare our event counts with the contracts'."""
        counted = not at_head or await self._history.check_pending(events, blocks[-1])
        seqs = self._recent.seqs_to_check(events) if at_head and counted else {}
        confirmed = bool(seqs) and await self._append_confirmed(blocks, events, seqs)
        if not confirmed:
            await asyncio.to_thread(self._store.append, blocks, events)
        if events or confirmed:
            self._recent.record(events, confirmed)

    async def _append_confirmed(
        self, blocks: Sequence[Block], events: Sequence[Event], seqs: Mapping[MatchKey, int]
    ) -> bool:
        """Store the blocks if the contracts' event counts (`seqOf`) equal ours. Return False if the
        head has moved and the node keeps no past states. The next sync repeats the comparison."""
        comparison = self._seq_check.check(seqs, blocks[-1])
        confirming = asyncio.run_coroutine_threadsafe(comparison, asyncio.get_running_loop())
        try:
            await asyncio.to_thread(self._store.append, blocks, events, confirming.result)
        except NodeError:
            head = blocks[-1]
            if (await self._node.head_header()).block == head or await self._node.block(head.height) != head:
                raise  # the next sync retries, or handles a reorg
            return False
        finally:
            confirming.cancel()
        return True

    async def _recheck(self, error: Inconsistency, head: Header, events: Sequence[Event], last: Block) -> SyncResult:
        """Read receipts to find an event that the node left out of the logs of new or stored
        blocks. Raises `error` if these receipts were already read and don't contain the event."""
        self._prefetcher.cancel()
        if isinstance(error, MissingMatch) or self._history.may_contain(error):
            self.counters.refused += 1
            log.warning("%s; reading the receipts of older blocks to find what is missing", error)
            hidden = await self._history.heal(error, events, last.height)
            self.counters.healed += len(hidden)
            return await self._rewind(min(hidden)) if min(hidden) <= self.height else SyncResult(more=True)
        if self._fetcher.use_receipts_until >= head.block.height:
            raise error
        self.counters.refused += 1
        log.warning("%s; reading the receipts to find what is missing", error)
        wrong = await first_incomplete_block(self._fetcher, self._node, self._decoder, self._store, error, self.height)
        self._fetcher.use_receipts_until = head.block.height
        if wrong is None:
            return SyncResult(more=True)
        self.counters.healed += 1
        return await self._rewind(wrong)

    async def try_sync(self) -> SyncResult:
        """Run one sync. If it fails, report the error in `health` and leave the store unchanged.
        Raises only WrongChain, and NotWriter if another process might be writing to the store."""
        try:
            result = await self.sync()
        except ChainChanged as error:
            return self._report_failure(error, "degraded" if self._failures >= TOLERATED_CHANGES else self.health.state)
        except NodeUnavailable as error:
            if self.health.state != "node-lost":
                log.warning("%s", error)  # the error contains the node's address, so /api/health must not show it
            if error.busy:  # the rate limit has outlasted the request's timeout
                return self._report_failure(BUSY, "degraded", keep_requests=True)
            return self._report_failure("the node does not answer", "node-lost", keep_requests=True)
        except (NodeError, BadLog, BadReceipts, BadEvent, SeqGap, SeqMismatch, MissingMatch) as error:
            self.counters.refused += 1
            another = self._node.failover()
            return self._report_failure(error, "degraded", keep_requests=isinstance(error, NodeError) and not another)
        except (NotWriter, WrongChain) as error:
            self._report_failure(error, "degraded")
            raise
        except StoreError as error:
            if isinstance(error, WrongParent):
                self._reload_tip()
            return self._report_failure(error, "degraded")
        except Exception as error:  # after a bug in this program or a game, readers must still be served
            log.exception("an indexing step failed")
            return self._report_failure(f"unexpected error: {error!r}", "degraded")
        self._failures = 0
        return result

    def _report_failure(self, why: object, state: HealthState, keep_requests: bool = False) -> SyncResult:
        self._failures += 1
        if not keep_requests:
            self.close()
        detail = "" if state in HEALTHY else public_detail(why)
        if isinstance(why, Exception) and detail not in ("", self.health.detail):
            log.warning("%s", readable(str(why)))
        self.health = replace(self.health, state=state, detail=detail)
        return SyncResult(failed=True)

    async def run(self, heads: Wakeup, notify: Callable[[], None]) -> None:
        """Follow the chain until cancelled. Call `notify` after each change to the store. Poll the
        head as often as the chain makes blocks, or once per second if that is unknown. Poll less
        often after failures. Poll at once when `heads` announces a block. Raises WrongChain, or
        NotWriter if another process might be writing to the store."""
        was_woken = False
        while True:
            result = await self.try_sync()
            if result.appended or result.dropped:
                notify()
            if result.failed:
                await asyncio.sleep(self.retry_seconds)
            elif not result.more:
                self._polls.record_poll(result.appended > 0, not was_woken)
                was_woken = await self._polls.wait(heads, self._store, self._node.is_listening, POLL_SECONDS)

    @property
    def retry_seconds(self) -> float:
        """The number of seconds to wait after a failure. It doubles with each failure in a row."""
        return float(min(RETRY_SECONDS * 2 ** min(self._failures - 1, 10), MAX_RETRY_SECONDS))

    def close(self) -> None:
        """Cancel pending requests."""
        self._prefetcher.cancel()
        self._history.cancel()
