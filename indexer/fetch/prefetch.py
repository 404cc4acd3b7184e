"""Requests ranges of blocks in advance, several at a time. The ranges are sized so that the answers
have about the same length."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Any

from indexer.fetch.fetcher import BlockFetcher, BlockRange
from indexer.model import Block, is_parent
from indexer.node.client import NodeError, NodeUnavailable

MAX_IN_FLIGHT = 4
INITIAL_BLOCKS, MAX_BLOCKS = 10, 1000
GROW_AFTER = 20
"""If a range fails, later ranges must be shorter. This is the number of successes in a row after
which ranges can be longer again."""
TARGET_LOGS = 1300
"""The number of logs to aim for in one answer. This many logs are about 1 MB of JSON."""
MAX_LOGS = 3 * TARGET_LOGS
"""The approximate number of logs at which `Prefetcher.next` stops joining ranges."""


class Prefetcher:
    """Requests consecutive ranges of blocks in advance. If a range fails, requests shorter ranges
    in its place, and keeps the answers for the ranges behind it."""

    def __init__(self, fetcher: BlockFetcher) -> None:
        self._fetcher = fetcher
        self._blocks, self._max_blocks = INITIAL_BLOCKS, MAX_BLOCKS
        self._successes = 0
        self._failed: tuple[int, int] | None = None
        self._requested: deque[tuple[int, int, asyncio.Task[BlockRange]]] = deque()

    async def next(self, first: int, head: int) -> BlockRange:
        """Return the range of blocks that begins at `first`. If the ranges behind it have also
        arrived, return them too, so that one database transaction can store all of them. Then
        request more ranges, up to `head`."""
        if self._failed is not None and self._failed[0] == first:
            self._request_again(*self._failed)
        elif not self._requested or self._requested[0][0] != first:
            self.cancel()
        self._failed = None
        self._request(first, head)
        span = await self._pop_result()
        while (
            len(span.logs) < MAX_LOGS
            and (next_block := self._next_fetched())
            and is_parent(span.blocks[-1], next_block)
        ):
            span += await self._pop_result()
        self._request(span.blocks[-1].height + 1, head)
        return span

    def _next_fetched(self) -> Block | None:
        """Return the first block of the next range, or None if that range isn't available yet."""
        task = self._requested[0][2] if self._requested else None
        if task is None or not task.done() or task.cancelled() or task.exception() is not None:
            return None
        return task.result().blocks[0]

    async def _pop_result(self) -> BlockRange:
        start, last, task = self._requested.popleft()
        try:
            span = await task
        except BaseException as error:
            self._successes, self._max_blocks = 0, max(1, (last - start + 1) // 2)
            self._blocks = min(self._blocks, self._max_blocks)
            if isinstance(error, NodeError | NodeUnavailable):
                self._failed = (start, last)
            else:
                self.cancel()
            raise
        self._adapt(last - start + 1, len(span.logs))
        return span

    def cancel(self) -> None:
        """Cancel the pending requests."""
        self._failed = None
        for _first, _last, task in self._requested:
            task.cancel()
        self._requested.clear()

    def _request(self, first: int, head: int) -> None:
        if self._requested:
            first = self._requested[-1][1] + 1
        while first <= head and len(self._requested) < MAX_IN_FLIGHT:
            last = min(head, first + self._blocks - 1)
            self._requested.append(self._start_request(first, last))
            first = last + 1

    def _request_again(self, first: int, last: int) -> None:
        """Request a failed range again, in shorter ranges. Put them at the front of the queue."""
        starts = range(first, last + 1, self._blocks)
        again = [self._start_request(start, min(last, start + self._blocks - 1)) for start in starts]
        self._requested.extendleft(reversed(again))

    def _start_request(self, first: int, last: int) -> tuple[int, int, asyncio.Task[BlockRange]]:
        task = asyncio.create_task(self._fetcher.range(first, last))
        task.add_done_callback(retrieve_exception)
        return first, last, task

    def _adapt(self, blocks: int, logs: int) -> None:
        self._successes += 1
        if self._successes == GROW_AFTER:  # the cause of the last failure may no longer exist
            self._successes, self._max_blocks = 0, min(2 * self._max_blocks, MAX_BLOCKS)
        target = blocks * TARGET_LOGS // logs if logs else 2 * blocks
        self._blocks = max(1, min(target, 2 * blocks, self._max_blocks, self._fetcher.paced_blocks or MAX_BLOCKS))


def retrieve_exception(done: asyncio.Task[Any]) -> None:
    """Retrieve the exception of a task that nobody awaits. Otherwise, asyncio logs it."""
    if not done.cancelled():
        done.exception()
