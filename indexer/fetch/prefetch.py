"""Prefetches block ranges: several are requested at once, each about as large as one answer of the node should be."""

from __future__ import annotations

import asyncio
from collections import deque

from indexer.fetch.fetcher import BlockFetcher, BlockRange
from indexer.model import Block, is_parent

IN_FLIGHT = 4
INITIAL_BLOCKS, MAX_BLOCKS = 10, 1000
GROW_AFTER = 20
"""Successes in a row after which ranges may grow again beyond one that failed."""
TARGET_LOGS = 1300
"""Logs that one answer should hold: some 1 MB of JSON."""
MAX_LOGS = 3 * TARGET_LOGS
"""Logs that are passed on together, about."""


class Prefetcher:
    """Consecutive block ranges. A failure shortens the next ones: nodes limit blocks, logs and time."""

    def __init__(self, fetcher: BlockFetcher) -> None:
        self._fetcher = fetcher
        self._blocks, self._max_blocks = INITIAL_BLOCKS, MAX_BLOCKS
        self._successes = 0
        self._requested: deque[tuple[int, int, asyncio.Task[BlockRange]]] = deque()

    async def next(self, first: int, head: int) -> BlockRange:
        """The range that begins at `first`, joined with those behind it that have arrived, so that one transaction
        stores many. The next ones, up to `head`, are requested on return."""
        if not self._requested or self._requested[0][0] != first:
            self.drop()
        self._request(first, head)
        span = await self._take()
        while (
            len(span.logs) < MAX_LOGS
            and (next_block := self._next_fetched())
            and is_parent(span.blocks[-1], next_block)
        ):
            span += await self._take()
        self._request(span.blocks[-1].height + 1, head)
        return span

    def _next_fetched(self) -> Block | None:
        """The first block of the next range, if that has arrived without an error."""
        task = self._requested[0][2] if self._requested else None
        if task is None or not task.done() or task.cancelled() or task.exception() is not None:
            return None
        return task.result().blocks[0]

    async def _take(self) -> BlockRange:
        start, last, task = self._requested.popleft()
        try:
            span = await task
        except BaseException:
            self._successes, self._max_blocks = 0, max(1, (last - start + 1) // 2)
            self._blocks = min(self._blocks, self._max_blocks)
            self.drop()
            raise
        self._adapt(last - start + 1, len(span.logs))
        return span

    def drop(self) -> None:
        """Cancels what was requested."""
        for _first, _last, task in self._requested:
            task.cancel()
        self._requested.clear()

    def _request(self, first: int, head: int) -> None:
        if self._requested:
            first = self._requested[-1][1] + 1
        while first <= head and len(self._requested) < IN_FLIGHT:
            last = min(head, first + self._blocks - 1)
            task = asyncio.create_task(self._fetcher.range(first, last))
            task.add_done_callback(_retrieve_exception)
            self._requested.append((first, last, task))
            first = last + 1

    def _adapt(self, blocks: int, logs: int) -> None:
        self._successes += 1
        if self._successes == GROW_AFTER:  # what made it shorter may have passed
            self._successes, self._max_blocks = 0, min(2 * self._max_blocks, MAX_BLOCKS)
        target = blocks * TARGET_LOGS // logs if logs else 2 * blocks
        self._blocks = max(1, min(target, 2 * blocks, self._max_blocks))


def _retrieve_exception(done: asyncio.Task[BlockRange]) -> None:
    """Retrieves the exception of a range that nobody awaits any more; asyncio would log it."""
    if not done.cancelled():
        done.exception()
