"""Fetches final history: spans of the node's log index, and of blocks only those with logs and each span's last."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise

from indexer.fetch.block_hash import header_hash_matches
from indexer.fetch.fetcher import BlockFetcher, BlockRange, ChainChanged, by_height, reading_logs
from indexer.fetch.log_spans import IN_FLIGHT, LogSpans
from indexer.fetch.prefetch import retrieve_exception
from indexer.model import Block, Header, Json, is_parent
from indexer.node.client import HEADERS_PER_BATCH, Node, NodeUnavailable


class HistoryFetcher:
    """Fetches blocks that the chain can't lose any more, without those that have no logs of our contracts. What the log
    index hides altogether shows in no header: who follows must compare the contracts' counts."""

    def __init__(self, fetcher: BlockFetcher, node: Node, addresses: Sequence[str]) -> None:
        self._fetcher, self._node = fetcher, node
        self._spans = LogSpans(node, addresses)
        self._answered: dict[int, tuple[Header, Json]] = {}
        self._has_ethereum_headers: bool | None = None
        self._ahead: tuple[int, int, asyncio.Task[tuple[Block, BlockRange]]] | None = None

    async def next(self, before: int, last: int) -> tuple[Block, BlockRange]:
        """The block `before`, and the next spans behind it: their blocks with logs and the last of each, up to `last`
        or less far.

        Raises NodeUnavailable or NodeError when the node refuses, after which spans are shorter and only what failed is
        requested again; ChainChanged, or BadReceipts when missing logs can't be completed."""
        if self._ahead is not None and self._ahead[:2] != (before, last):
            self.drop()
        if self._ahead is None:
            self._request(before, last)
        assert self._ahead is not None
        task, self._ahead = self._ahead[2], None
        found = await task
        if (end := found[1].blocks[-1].height) < last:
            self._request(end, last)  # while this is stored
        return found

    def drop(self) -> None:
        """Cancels what was requested ahead, and forgets what was answered."""
        self._forget()
        if self._ahead is not None:
            self._ahead[2].cancel()
            self._ahead = None

    def _request(self, before: int, last: int) -> None:
        task = asyncio.create_task(self._fetch(before, last))
        task.add_done_callback(retrieve_exception)
        self._ahead = before, last, task

    async def _fetch(self, before: int, last: int) -> tuple[Block, BlockRange]:
        listed = await self._spans.fetch(before + 1, last)
        end = listed.ends[-1]
        with self._forgetting(), reading_logs():
            heights = {int(log["blockNumber"], 16) for log in listed.logs}
            if not heights <= set(range(before + 1, end + 1)):
                raise ChainChanged(f"the node gave logs of other blocks than {before + 1} to {end}")
        hidden = {height for height in self._fetcher.receipts_at if before < height <= end}
        first, *headers = await self._headers(sorted({before, *heights, *listed.ends, *hidden}))
        with self._forgetting(), reading_logs():
            found = first.block, await self._fetcher.checked(headers, by_height(headers, listed.logs))
        self._spans.forget(end)
        self._answered.clear()
        return found

    @contextmanager
    def _forgetting(self) -> Iterator[None]:
        """Forgets what was answered where it turns out to be wrong: it must be asked for again."""
        try:
            yield
        except NodeUnavailable:
            raise  # of receipts, which say nothing against the rest
        except Exception:
            self._forget()
            raise

    def _forget(self) -> None:
        self._spans.forget()
        self._answered.clear()

    async def _headers(self, heights: Sequence[int]) -> list[Header]:
        """The headers at these heights, ascending. Raises ChainChanged."""
        found = await self._raw_headers(heights)
        headers = [header for header, _raw in found]
        with self._forgetting():
            if [one.block.height for one in headers] != list(heights):
                raise ChainChanged(f"the node did not give all blocks from {heights[0]} to {heights[-1]}")
            for parent, child in pairwise(headers):
                if parent.block.height + 1 == child.block.height and not is_parent(parent.block, child.block):
                    raise ChainChanged(f"block {child.block.height} does not follow the one before")
            self._check_hashes(found)
        return headers

    async def _raw_headers(self, heights: Sequence[int]) -> list[tuple[Header, Json]]:
        """The headers at these heights; when a batch fails, those of the others are kept for the next time."""
        self._answered = {height: self._answered[height] for height in heights if height in self._answered}
        missing = [height for height in heights if height not in self._answered]
        size = min(HEADERS_PER_BATCH, self._node.batch_size or HEADERS_PER_BATCH)
        batches = [missing[start : start + size] for start in range(0, len(missing), size)]
        together = IN_FLIGHT * HEADERS_PER_BATCH // size
        for start in range(0, len(batches), together):
            jobs = map(self._node.raw_headers_at, batches[start : start + together])
            answers = await asyncio.gather(*jobs, return_exceptions=True)
            for some in answers:
                if not isinstance(some, BaseException):
                    self._answered |= {header.block.height: (header, raw) for header, raw in some}
            for some in answers:
                if isinstance(some, BaseException):
                    raise some
        return [self._answered[height] for height in heights if height in self._answered]

    def _check_hashes(self, found: Sequence[tuple[Header, Json]]) -> None:
        """Marks blocks whose header does not make its hash, on a chain where others do: of these the receipts are
        read. Where the next block is there too, that names its parent's hash."""
        parents = {header.block.height - 1 for header, _raw in found}
        for header, raw in found:
            if header.block.height in parents:
                continue
            matches = header_hash_matches(raw)
            if self._has_ethereum_headers is None:
                self._has_ethereum_headers = matches
            if self._has_ethereum_headers and not matches:
                self._fetcher.receipts_at.add(header.block.height)
