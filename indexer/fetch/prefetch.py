"""Reads ahead: several spans asked for at once, each as long as one answer of the node should be."""

from __future__ import annotations

import asyncio
from collections import deque

from indexer.fetch.fetcher import Fetch, Span, follows
from indexer.model import Block

IN_FLIGHT = 4
FIRST_BLOCKS, MOST_BLOCKS = 10, 1000
CALM = 20
"""Good answers in a row, after which spans may become longer again than one that failed."""
LOGS = 1300
"""What one answer should hold: some 1 MB of JSON."""
MOST_LOGS = 3 * LOGS
"""What is handed on at once, about."""


class Ahead:
    """The spans after one another. A failed one makes the next ones shorter: nodes limit blocks, logs and time."""

    def __init__(self, fetch: Fetch) -> None:
        self._fetch = fetch
        self._blocks, self._most = FIRST_BLOCKS, MOST_BLOCKS
        self._calm = 0
        self._asked: deque[tuple[int, int, asyncio.Task[Span]]] = deque()

    async def next(self, first: int, head: int) -> Span:
        """What begins at `first`: a span, and those behind it that are there already, so that one transaction stores
        many of them. The next ones, up to `head`, are being asked for on return."""
        if not self._asked or self._asked[0][0] != first:
            self.drop()
        self._ask(first, head)
        span = await self._take()
        while len(span.logs) < MOST_LOGS and (following := self._there()) and follows(span.blocks[-1], following):
            span += await self._take()
        self._ask(span.blocks[-1].height + 1, head)
        return span

    def _there(self) -> Block | None:
        """The first block of the next span, if that has come, and well."""
        task = self._asked[0][2] if self._asked else None
        if task is None or not task.done() or task.cancelled() or task.exception() is not None:
            return None
        return task.result().blocks[0]

    async def _take(self) -> Span:
        start, last, task = self._asked.popleft()
        try:
            span = await task
        except BaseException:
            self._calm, self._most = 0, max(1, (last - start + 1) // 2)
            self._blocks = min(self._blocks, self._most)
            self.drop()
            raise
        self._fit(last - start + 1, len(span.logs))
        return span

    def drop(self) -> None:
        """Forgets what was asked for."""
        for _first, _last, task in self._asked:
            task.cancel()
        self._asked.clear()

    def _ask(self, first: int, head: int) -> None:
        if self._asked:
            first = self._asked[-1][1] + 1
        while first <= head and len(self._asked) < IN_FLIGHT:
            last = min(head, first + self._blocks - 1)
            task = asyncio.create_task(self._fetch.range(first, last))
            task.add_done_callback(_seen)
            self._asked.append((first, last, task))
            first = last + 1

    def _fit(self, blocks: int, logs: int) -> None:
        self._calm += 1
        if self._calm == CALM:  # what made it shorter may have passed
            self._calm, self._most = 0, min(2 * self._most, MOST_BLOCKS)
        wanted = blocks * LOGS // logs if logs else 2 * blocks
        self._blocks = max(1, min(wanted, 2 * blocks, self._most))


def _seen(done: asyncio.Task[Span]) -> None:
    """Takes note of the failure of a span that nobody waits for any more; asyncio would complain."""
    if not done.cancelled():
        done.exception()
