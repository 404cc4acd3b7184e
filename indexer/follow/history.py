"""Final history: how far it goes, whether the contracts' counts confirm it, and which blocks must be read by their
receipts because the node's log index hides something."""

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
"""Blocks behind the head from which history is worth its questions: below, a chain is followed block by block."""
KEPT_BLOCKS = 256
"""Newest blocks that are stored each, final or not: a node that calls its head final may be wrong."""

Doubt = SeqGap | SeqMismatch | MissingMatch


class History:
    """The part of a chain that it can't lose any more."""

    def __init__(
        self, node: Node, store: Store, fetcher: BlockFetcher, decoder: Decoder, deployments: Sequence[Deployment]
    ) -> None:
        self._node, self._store, self._fetcher, self._decoder = node, store, fetcher, decoder
        self._deployments = deployments
        self._spans = HistoryFetcher(fetcher, node, decoder.addresses)
        self._match_counts, self._seq_check = MatchCounts(node, deployments), SeqCheck(node, deployments)
        self._end, self._unasked_below = -1, -1
        with store.read() as snapshot:
            self.is_unconfirmed = snapshot.confirmed_height() < snapshot.sparse_height()
            """Whether the contracts have not confirmed yet that no match is missing."""

    async def end(self, first: int, head: Header) -> int | None:
        """The last height of the history that begins at `first`; None where there is none, or too little of it, or the
        node is ours: its blocks cost nothing."""
        if self._node.is_ours or first < 1:
            return None
        if first > self._end and first + MIN_BLOCKS <= head.block.height and first > self._unasked_below:
            finalized = await self._node.finalized()
            self._end = min(finalized.height, head.block.height - KEPT_BLOCKS) if finalized else -1
            if self._end - first < MIN_BLOCKS:
                self._end, self._unasked_below = -1, head.block.height
        return self._end if first <= min(self._end, head.block.height) else None

    def rewound(self) -> None:
        """Blocks were deleted: how far history goes is asked for again."""
        self._end, self._unasked_below = -1, -1
        self.drop()

    def drop(self) -> None:
        """Cancels what was requested ahead."""
        self._spans.drop()

    def warn_of_reorg(self, shared: int) -> None:
        """Warns when a reorg goes on above `shared`, where blocks were final. It is followed all the same."""
        with self._store.read() as snapshot:
            sparse_height = snapshot.sparse_height()
        if shared < sparse_height:
            log.warning("a reorg replaced blocks %d to %d, which a node had called final", shared + 1, sparse_height)

    async def next(self, before: int, end: int) -> tuple[Block, BlockRange]:
        """As `HistoryFetcher.next`."""
        return await self._spans.next(before, end)

    async def append(
        self, blocks: Sequence[Block], events: Sequence[Event], is_last: bool, recent: RecentMatches
    ) -> None:
        """Stores blocks of the history; its last ones after the contracts' counts confirm it.

        Raises as `Store.append`; MissingMatch or SeqMismatch."""
        last, self.is_unconfirmed = blocks[-1], True
        confirmed = is_last and await self._check(events, recent.unconfirmed, last)
        confirm = (lambda: None) if confirmed else None
        await asyncio.to_thread(self._store.append, blocks, events, confirm, sparse_to=last.height)
        recent.record(events, confirmed)

    async def _check(self, events: Sequence[Event], unconfirmed: Mapping[MatchKey, int], at: Block) -> bool:
        """Compares the number of matches, and that of each match's events, with the contracts' at the end of a block.
        False where the node keeps no state of it: they are compared at the head."""
        try:
            await self._check_matches(events, at)
            await self._check_seqs(unconfirmed, events, at)
        except NodeError:
            self.is_unconfirmed = True
            return False
        return True

    async def check_pending(self, events: Sequence[Event], head: Block) -> bool:
        """Compares the number of matches at the head, if it was not yet. False where the node keeps no state of it any
        more. Raises MissingMatch."""
        try:
            if self.is_unconfirmed:
                await self._check_seqs({}, events, head)
                await self._check_matches(events, head)
        except NodeError:
            return False
        return True

    async def _check_seqs(self, unconfirmed: Mapping[MatchKey, int], events: Sequence[Event], at: Block) -> None:
        """Of each match that may have gone on: what the log index hides of one shows nowhere else."""
        counts = await asyncio.to_thread(self._unfinished)
        counts |= unconfirmed
        counts |= {(one.game, one.match): one.seq for one in events}
        await self._seq_check.check(counts, at)

    def _unfinished(self) -> dict[MatchKey, int]:
        with self._store.read() as snapshot:
            return snapshot.unfinished()

    async def _check_matches(self, events: Sequence[Event], at: Block) -> None:
        try:
            await self._match_counts.check(at, self._store, events)
        except MissingMatch:
            await wait_for_next_block(self._node, at)
            await self._match_counts.check(at, self._store, events)
        self.is_unconfirmed = False

    def concerns(self, doubt: Doubt) -> bool:
        """True when what is missing may be missing in history."""
        with self._store.read() as snapshot:
            sparse_height = snapshot.sparse_height()
        return isinstance(doubt, MissingMatch) or self._first(doubt, ()) <= max(sparse_height, self._end)

    async def heal(self, doubt: Doubt, coming: Sequence[Event], last: int) -> set[int]:
        """The blocks that hold what is missing, up to `last`; from now on their receipts are read. Looked at is a span
        from the missing event on, where the contract can tell which block that is, else all from the last event before
        it. `coming`: events that are not stored yet.

        Raises the doubt when there are no such blocks."""
        first = self._first(doubt, coming)
        at = await self._first_counted(doubt, first, last)
        bounds = (first, last) if at is None else (at, min(at + SPAN_BLOCKS - 1, last))
        found = await self._incomplete(*bounds, coming)
        if not found - self._fetcher.receipts_at:
            raise doubt
        self._fetcher.receipts_at |= found
        return found

    def _first(self, doubt: Doubt, coming: Sequence[Event]) -> int:
        """The lowest block that may hold what is missing: that of the match's last event, or of the opening of the
        match before it."""
        match = doubt.match - 1 if isinstance(doubt, MissingMatch) else doubt.match
        with self._store.read() as snapshot:
            stored, summary = snapshot.last_event(doubt.game, match), snapshot.summary(doubt.game, match)
        if isinstance(doubt, MissingMatch):
            if summary is not None:
                return summary.created_height
            opened = next((one.height for one in coming if (one.game, one.match) == (doubt.game, match)), None)
            return opened if opened is not None else self._deployed(doubt.game, doubt.match)
        return stored.height if stored else self._deployed(doubt.game, match)

    def _deployed(self, game: str, match: int) -> int:
        return next((one.height for one in self._deployments if one.game == game and one.holds(match)), 0)

    async def _first_counted(self, doubt: Doubt, first: int, last: int) -> int | None:
        """The block in which the contract counted the first event that may be missing, by halves; None where the node
        keeps no such old states."""
        if isinstance(doubt, SeqGap) and doubt.actual < doubt.expected:
            return None  # doubled
        seq, key = _last_known(doubt), (doubt.game, doubt.match)
        low, high = first - 1, last
        try:
            if await self._seq_check.counted_at(key, last) <= seq:
                return None
            while high - low > 1:
                middle = (low + high) // 2
                counted = await self._seq_check.counted_at(key, middle)
                low, high = (low, middle) if counted > seq else (middle, high)
        except NodeError:
            return None
        return high

    async def _incomplete(self, first: int, last: int, coming: Sequence[Event]) -> set[int]:
        """The heights of the blocks whose receipts hold other events than the stored and coming ones."""
        found: set[int] = set()
        for start in range(first, last + 1, HEADERS_PER_BATCH):
            end = min(start + HEADERS_PER_BATCH - 1, last)
            known = self._known(start, end, coming)
            for header in await self._fetcher.headers(start, end):
                height, events = header.block.height, list[Event]()
                if self._fetcher.may_concern(header):
                    events = self._decoder.events(await self._fetcher.by_receipts(header), {height: header.block})
                if events != known.get(height, []):
                    found.add(height)
        return found

    def _known(self, first: int, last: int, coming: Sequence[Event]) -> dict[int, list[Event]]:
        with self._store.read() as snapshot:
            stored = snapshot.events_between(first, last)
        known: dict[int, list[Event]] = {}
        for event in (*stored, *_within(coming, first, last)):
            known.setdefault(event.height, []).append(event)
        return known


def _last_known(doubt: Doubt) -> int:
    """The `seq` after which an event is missing."""
    if isinstance(doubt, SeqGap):
        return doubt.expected - 1
    return doubt.in_logs if isinstance(doubt, SeqMismatch) else 0


def _within(events: Iterable[Event], first: int, last: int) -> Iterator[Event]:
    return (event for event in events if first <= event.height <= last)
