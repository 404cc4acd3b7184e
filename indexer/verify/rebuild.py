"""Builds a fresh index from the receipts of the chain's blocks, to check an existing index."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Sequence

from indexer.decode.decoder import Decoder
from indexer.fetch import bloom
from indexer.fetch.fetcher import BlockFetcher, BlockRange, ChainChanged
from indexer.fetch.prefetch import Prefetcher
from indexer.model import Block, Deployment, Header, MatchKey, is_parent
from indexer.node.client import Node
from indexer.store.store import Store

REMEMBERED_BLOCKS = 256
"""The number of newest blocks that are kept in memory. After a deeper reorg, the fresh index is
built from the start."""


class ReceiptFetcher(BlockFetcher):
    """Fetches ranges of blocks, and reads their logs from receipts. It doesn't use `eth_getLogs`.

    If a block's Bloom filter shows that it has no logs of our contracts, or no log with `topic`,
    its receipts aren't read. Until the first Bloom filter has been seen, the receipts of all blocks
    with transactions are read."""

    def __init__(self, node: Node, decoder: Decoder, topic: str | None = None) -> None:
        super().__init__(node, decoder.addresses, decoder.topics)
        self._topic, self._bloom_seen = topic, False

    async def range(self, first: int, last: int) -> BlockRange:
        """Return the blocks from `first` to `last` with their logs. Raises ChainChanged or
        BadReceipts."""
        headers = await self.headers(first, last)
        self._bloom_seen = self._bloom_seen or any(one.bloom for one in headers)
        found = await self.all_logs_from_receipts([one for one in headers if self.may_have_logs(one)])
        return BlockRange([one.block for one in headers], [log for logs in found for log in logs])

    def may_have_logs(self, header: Header) -> bool:
        if not self._bloom_seen or not self.has_blooms:
            return bool(header.transactions)
        return super().may_have_logs(header) and (self._topic is None or bloom.may_contain(header.bloom, self._topic))


class FreshIndex:
    """A fresh index, which is built in an empty store from the chain's blocks and events. If `only`
    is given, it contains only this match's events and their blocks."""

    def __init__(
        self,
        node: Node,
        store: Store,
        deployments: Sequence[Deployment],
        only: MatchKey | None = None,
        progress: Callable[[int, int], None] = lambda _done, _total: None,
    ) -> None:
        self._node, self._store, self._only, self._progress = node, store, only, progress
        self._decoder = Decoder(deployments)
        self._prefetcher = Prefetcher(ReceiptFetcher(node, self._decoder, f"0x{only[1]:064x}" if only else None))
        self.first = min((one.height for one in deployments), default=0)
        self._recent: deque[Block] = deque(maxlen=REMEMBERED_BLOCKS)

    @property
    def height(self) -> int:
        """The height of the last block that was read, or one below the first contract's height."""
        return self._recent[-1].height if self._recent else self.first - 1

    def recent(self, height: int) -> Block | None:
        """Return the block at this height if it is one of the newest that were read, or None."""
        at = height - self._recent[0].height if self._recent else -1
        return self._recent[at] if 0 <= at < len(self._recent) else None

    async def read_to(self, height: int) -> None:
        """Read blocks, or delete them, until the store ends at exactly this height. The node's
        chain must reach this height. Raises ChainChanged if the chain changes meanwhile. If the
        node doesn't answer or contradicts itself, raises NodeUnavailable, NodeError, BadReceipts,
        BadLog, SeqGap or BadEvent. After an error, another call continues."""
        await self._rewind(height)
        while self.height < height:
            span = await self._prefetcher.next(self.height + 1, height)
            if self._recent and not is_parent(self._recent[-1], span.blocks[0]):
                raise ChainChanged(f"block {span.blocks[0].height} does not follow the previous block")
            await asyncio.to_thread(self._append, span)
            self._recent.extend(span.blocks)
            self._progress(self.height - self.first + 1, height - self.first + 1)

    def _append(self, span: BlockRange) -> None:
        events = self._decoder.events(span.logs, {block.height: block for block in span.blocks})
        if self._only is None:
            self._store.append(span.blocks, events)
            return
        mine = [event for event in events if (event.game, event.match) == self._only]
        heights = {event.height for event in mine}
        self._store.append([block for block in span.blocks if block.height in heights], mine, contiguous=False)

    async def _rewind(self, height: int) -> None:
        """Delete the blocks above this height, and those that a reorg has replaced."""
        before = self.height
        while self._recent:
            tip = self._recent[-1]
            if tip.height <= height and await self._node.block(tip.height) == tip:
                break
            self._recent.pop()
        if self.height < before:
            self._prefetcher.cancel()
            await asyncio.to_thread(self._store.delete_blocks_from, self.height + 1)

    def close(self) -> None:
        """Cancel pending requests."""
        self._prefetcher.cancel()
