"""An index made anew beside the one that is there, from the chain's receipts alone."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Sequence

from indexer.decode.decoder import Decoder
from indexer.fetch import bloom
from indexer.fetch.fetcher import Changed, Fetch, Span, follows
from indexer.fetch.prefetch import Ahead
from indexer.model import Block, Deployment, Header, MatchKey
from indexer.node.client import Node
from indexer.store.store import Store

KEPT = 256
"""Newest blocks that are remembered: a reorg that goes deeper has everything read again."""


class ByReceipts(Fetch):
    """Reads spans without the node's log index. Of the blocks whose bloom allows logs of our contracts, and this topic
    if one is given, it reads the receipts; while no bloom was seen, of all blocks with transactions."""

    def __init__(self, node: Node, decoder: Decoder, topic: str | None = None) -> None:
        super().__init__(node, decoder.addresses, decoder.topics)
        self._topic, self._bloomed = topic, False

    async def range(self, first: int, last: int) -> Span:
        """The blocks from `first` to `last`. Raises Changed or BadReceipts."""
        headers = await self.headers(first, last)
        self._bloomed = self._bloomed or any(one.bloom for one in headers)
        found = await self.all_by_receipts([one for one in headers if self.may_concern(one)])
        return Span([one.block for one in headers], [log for logs in found for log in logs])

    def may_concern(self, header: Header) -> bool:
        if not self._bloomed or not self.blooms:
            return bool(header.transactions)
        return super().may_concern(header) and (self._topic is None or bloom.holds(header.bloom, self._topic))


class Rebuild:
    """Fills an empty store with the chain's blocks and events; with `only`, with those of one match."""

    def __init__(
        self,
        node: Node,
        store: Store,
        deployments: Sequence[Deployment],
        only: MatchKey | None = None,
        show: Callable[[int, int], None] = lambda _done, _whole: None,
    ) -> None:
        self._node, self._store, self._only, self._show = node, store, only, show
        self._decoder = Decoder(deployments)
        self._ahead = Ahead(ByReceipts(node, self._decoder, f"0x{only[1]:064x}" if only else None))
        self.first = min((one.height for one in deployments), default=0)
        self._recent: deque[Block] = deque(maxlen=KEPT)

    @property
    def height(self) -> int:
        """Of the last block that was read; one below the first before that."""
        return self._recent[-1].height if self._recent else self.first - 1

    def recent(self, height: int) -> Block | None:
        """One of the newest blocks that were read."""
        at = height - self._recent[0].height if self._recent else -1
        return self._recent[at] if 0 <= at < len(self._recent) else None

    async def to(self, height: int) -> None:
        """Brings the store to exactly this height of the node's chain, which must have it.

        Raises Changed when the chain changed meanwhile; NodeLost, NodeError, BadReceipts, BadLog, SeqHole or BadEvent
        when the node's word can't be had or does not fit. Called again, it goes on where it was."""
        await self._agree(height)
        while self.height < height:
            span = await self._ahead.next(self.height + 1, height)
            if self._recent and not follows(self._recent[-1], span.blocks[0]):
                raise Changed(f"block {span.blocks[0].height} does not follow the one before")
            await asyncio.to_thread(self._append, span)
            self._recent.extend(span.blocks)
            self._show(self.height - self.first + 1, height - self.first + 1)

    def _append(self, span: Span) -> None:
        events = self._decoder.events(span.logs, {block.height: block for block in span.blocks})
        if self._only is None:
            self._store.append(span.blocks, events)
            return
        mine = [event for event in events if (event.game, event.match) == self._only]
        heights = {event.height for event in mine}
        self._store.append([block for block in span.blocks if block.height in heights], mine)

    async def _agree(self, height: int) -> None:
        """Forgets what is above the height, and what is not on the node's chain any more."""
        before = self.height
        while self._recent:
            tip = self._recent[-1]
            if tip.height <= height and await self._node.block(tip.height) == tip:
                break
            self._recent.pop()
        if self.height < before:
            self._ahead.drop()
            await asyncio.to_thread(self._store.drop_from, self.height + 1)

    def close(self) -> None:
        """Ends what is still being asked for."""
        self._ahead.drop()
