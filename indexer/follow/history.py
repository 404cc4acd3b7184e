"""Handles the history, which is the final part of the chain. Finds its end, compares our counts of
matches and events with the contracts' counts, and finds incomplete blocks.

A block is incomplete if the node's `eth_getLogs` hides some of its events. The receipts of an
incomplete block are read to find these events."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence

from indexer.decode.decoder import Decoder
from indexer.fetch.fetcher import BlockFetcher, BlockRange
from indexer.fetch.history import HistoryFetcher
from indexer.fetch.log_spans import SPAN_BLOCKS
from indexer.follow.match_counts import MatchCounts, MissingMatch
from indexer.follow.recent_matches import RecentMatches
from indexer.follow.seq_check import SeqCheck, SeqMismatch, wait_for_next_block
from indexer.model import Block, Deployment, Event, Header, MatchKey
from indexer.node.client import HEADERS_PER_BATCH, Node, NodeError
from indexer.store.store import SeqGap, Store

log = logging.getLogger("chainboard.indexer")

MIN_BLOCKS = 2_000
"""The minimum number of final blocks for which the history is used. If there are fewer, every block
is fetched."""
CONTIGUOUS_BLOCKS = 256
"""The number of blocks up to the head that are all fetched and stored. They never count as history,
because a node may wrongly report its head as final."""

Inconsistency = SeqGap | SeqMismatch | MissingMatch


class History:
    """The history: the part of the chain that is final, so that no reorg should replace it. Its
    blocks without events are not stored."""

    def __init__(
        self, node: Node, store: Store, fetcher: BlockFetcher, decoder: Decoder, deployments: Sequence[Deployment]
    ) -> None:
        self._node, self._store, self._fetcher, self._decoder = node, store, fetcher, decoder
        self._deployments = deployments
        self._spans = HistoryFetcher(fetcher, node, decoder.addresses)
        self._match_counts, self._seq_check = MatchCounts(node, deployments), SeqCheck(node, deployments)
        self._end, self._no_finality_below = -1, -1
        with store.read() as snapshot:
            self.is_unconfirmed = snapshot.confirmed_height() < snapshot.sparse_height()
            """True until the store has been compared with the contracts' counts. Until then, a
            match might be missing."""

    async def end(self, first: int, head: Header) -> int | None:
        """Return the last height of the history, or None if `first` is after it.

        Also return None if there are too few final blocks, or if this program started the node,
        because fetching all blocks from that node is cheap."""
        if self._node.is_ours or first < 1:
            return None
        if first > self._end and first + MIN_BLOCKS <= head.block.height and first > self._no_finality_below:
            finalized = await self._node.finalized()
            self._end = min(finalized.height, head.block.height - CONTIGUOUS_BLOCKS) if finalized else -1
            if self._end - first < MIN_BLOCKS:
                self._end, self._no_finality_below = -1, head.block.height
        return self._end if first <= min(self._end, head.block.height) else None

    def on_rewind(self) -> None:
        """Forget where the history ends, because blocks were deleted."""
        self._end, self._no_finality_below = -1, -1
        self.cancel()

    def cancel(self) -> None:
        """Cancel prefetched requests."""
        self._spans.cancel()

    def warn_of_reorg(self, shared: int) -> None:
        """Log a warning if a reorg replaces final blocks. The follower accepts this reorg like any
        other. `shared`: the height of the highest block that stays."""
        with self._store.read() as snapshot:
            sparse_height = snapshot.sparse_height()
        if shared < sparse_height:
            log.warning(
                "a reorg replaced blocks %d to %d, which a node had reported as final", shared + 1, sparse_height
            )

    async def next(self, before: int, end: int) -> tuple[Block, BlockRange]:
        return await self._spans.next(before, end)

    async def append(
        self, blocks: Sequence[Block], events: Sequence[Event], is_last: bool, recent: RecentMatches
    ) -> None:
        """Store blocks of the history. If they include its last block, check the contracts' counts
        first.

        Raises MissingMatch, SeqMismatch, or the errors that `Store.append` raises."""
        last, self.is_unconfirmed = blocks[-1], True
        confirmed = is_last and await self._check(events, recent.unconfirmed, last)
        confirm = (lambda: None) if confirmed else None
        await asyncio.to_thread(self._store.append, blocks, events, confirm, sparse_to=last.height)
        recent.record(events, confirmed)

    async def _check(self, events: Sequence[Event], unconfirmed: Mapping[MatchKey, int], at: Block) -> bool:
        """Compare our numbers of matches and events with the contracts' counts at the end of a
        block.

        Return False if the node doesn't have that block's state. In that case, `check_pending`
        compares the numbers later."""
        try:
            await self._check_matches(events, at)
            await self._check_seqs(unconfirmed, events, at)
        except NodeError:
            self.is_unconfirmed = True
            return False
        return True

    async def check_pending(self, events: Sequence[Event], head: Block) -> bool:
        """Compare our numbers of matches and events with the contracts' counts at the head. Do
        nothing if an earlier comparison has succeeded.

        Return False if the node no longer has the head's state. Raises MissingMatch or
        SeqMismatch."""
        try:
            if self.is_unconfirmed:
                await self._check_seqs({}, events, head)
                await self._check_matches(events, head)
        except NodeError:
            return False
        return True

    async def _check_seqs(self, unconfirmed: Mapping[MatchKey, int], events: Sequence[Event], at: Block) -> None:
        """Compare our number of events with the contract's count, for each unfinished match and
        each match in `events`. If `eth_getLogs` hides an event, nothing else reveals that."""
        counts = await asyncio.to_thread(self._unfinished_seqs)
        counts |= unconfirmed
        counts |= {(one.game, one.match): one.seq for one in events}
        await self._seq_check.check(counts, at)

    def _unfinished_seqs(self) -> dict[MatchKey, int]:
        with self._store.read() as snapshot:
            return snapshot.unfinished()

    async def _check_matches(self, events: Sequence[Event], at: Block) -> None:
        try:
            await self._match_counts.check(at, self._store, events)
        except MissingMatch:
            await wait_for_next_block(self._node, at)
            await self._match_counts.check(at, self._store, events)
        self.is_unconfirmed = False

    def may_contain(self, error: Inconsistency) -> bool:
        """Return True if the missing event that caused this error might belong to the history."""
        with self._store.read() as snapshot:
            sparse_height = snapshot.sparse_height()
        return isinstance(error, MissingMatch) or self._first_possible_height(error, ()) <= max(
            sparse_height, self._end
        )

    async def heal(self, error: Inconsistency, new_events: Sequence[Event], last: int) -> set[int]:
        """Find the blocks up to `last` that are incomplete, and return their heights. From now on,
        the fetcher reads their receipts. `new_events`: the events that are not stored yet.

        A binary search in the contract's past states finds the block of the missing event. The
        search for incomplete blocks then covers one span from that block. If the node doesn't keep
        these states, the search starts at the last known event before the missing event.

        Raises `error` if no further incomplete block is found."""
        first = self._first_possible_height(error, new_events)
        at = await self._block_of_missing_event(error, first, last)
        bounds = (first, last) if at is None else (at, min(at + SPAN_BLOCKS - 1, last))
        found = await self._incomplete_blocks(*bounds, new_events)
        if not found - self._fetcher.receipts_at:
            raise error
        self._fetcher.receipts_at |= found
        return found

    def _first_possible_height(self, error: Inconsistency, new_events: Sequence[Event]) -> int:
        """Return the lowest height at which the missing event can be. That is the height of the
        match's last stored event. If the whole match is missing, it is the height at which the
        previous match opened."""
        match = error.match - 1 if isinstance(error, MissingMatch) else error.match
        with self._store.read() as snapshot:
            stored, summary = snapshot.last_event(error.game, match), snapshot.summary(error.game, match)
        if isinstance(error, MissingMatch):
            if summary is not None:
                return summary.created_height
            opened = next((one.height for one in new_events if (one.game, one.match) == (error.game, match)), None)
            return opened if opened is not None else self._deployment_height(error.game, error.match)
        return stored.height if stored else self._deployment_height(error.game, match)

    def _deployment_height(self, game: str, match: int) -> int:
        return next((one.height for one in self._deployments if one.game == game and one.has_match(match)), 0)

    async def _block_of_missing_event(self, error: Inconsistency, first: int, last: int) -> int | None:
        """Return the height of the block with the first missing event, or None if the block can't
        be found. A binary search reads the contract's count at past blocks. Not every node keeps
        their states."""
        if isinstance(error, SeqGap) and error.actual < error.expected:
            return None  # an event appears twice, so no event is missing
        seq, key = _last_known_seq(error), (error.game, error.match)
        low, high = first - 1, last
        try:
            if await self._seq_check.seq_at(key, last) <= seq:
                return None
            while high - low > 1:
                middle = (low + high) // 2
                counted = await self._seq_check.seq_at(key, middle)
                low, high = (low, middle) if counted > seq else (middle, high)
        except NodeError:
            return None
        return high

    async def _incomplete_blocks(self, first: int, last: int, new_events: Sequence[Event]) -> set[int]:
        """Return the heights of blocks whose receipts don't contain the same events as the
        store."""
        found: set[int] = set()
        for start in range(first, last + 1, HEADERS_PER_BATCH):
            end = min(start + HEADERS_PER_BATCH - 1, last)
            known = self._known_events(start, end, new_events)
            for header in await self._fetcher.headers(start, end):
                height, events = header.block.height, list[Event]()
                if self._fetcher.may_have_logs(header):
                    events = self._decoder.events(
                        await self._fetcher.logs_from_receipts(header), {height: header.block}
                    )
                if events != known.get(height, []):
                    found.add(height)
        return found

    def _known_events(self, first: int, last: int, new_events: Sequence[Event]) -> dict[int, list[Event]]:
        with self._store.read() as snapshot:
            stored = snapshot.events_between(first, last)
        known: dict[int, list[Event]] = {}
        for event in (*stored, *_events_within(new_events, first, last)):
            known.setdefault(event.height, []).append(event)
        return known


def _last_known_seq(error: Inconsistency) -> int:
    """Return the `seq` (the number within the match) of the last event before the missing event."""
    if isinstance(error, SeqGap):
        return error.expected - 1
    return error.in_logs if isinstance(error, SeqMismatch) else 0


def _events_within(events: Iterable[Event], first: int, last: int) -> Iterator[Event]:
    return (event for event in events if first <= event.height <= last)
