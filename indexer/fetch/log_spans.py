"""Spans of the node's log index, long enough for answers of about one size. What was answered is kept until it is
passed on: a span that fails takes none of its neighbours with it."""

from __future__ import annotations

import asyncio
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field

from indexer.fetch.prefetch import MAX_LOGS, TARGET_LOGS
from indexer.model import Log
from indexer.node.client import Node, NodeError, NodeUnavailable

INITIAL_BLOCKS, SPAN_BLOCKS = 200, 10_000
"""Blocks of the first span, and of the largest: what most providers allow in one `eth_getLogs`."""
SPANS_AT_ONCE, IN_FLIGHT = 20, 4
"""Spans of one list, and how many of them are under way together."""
GROW_AFTER = 20
"""Successes in a row after which spans may grow again beyond one that failed."""


@dataclass(slots=True)
class Listed:
    """What the log index lists up to a height; `ends` are the last heights of the spans."""

    logs: list[Log] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)


class LogSpans:
    """Lists consecutive spans. Each is requested in the ranges that the provider allows at once, and of those each by
    itself: one that failed is requested again, no other."""

    def __init__(self, node: Node, addresses: Sequence[str]) -> None:
        self._node, self._addresses = node, addresses
        self._blocks, self._max_blocks, self._successes = INITIAL_BLOCKS, SPAN_BLOCKS, 0
        self._in_flight = 1  # until it is known how many logs a block has: those of all spans are in memory together
        self._answered: dict[int, tuple[int, list[Log]]] = {}

    def forget(self, to: int | None = None) -> None:
        """Forgets what was answered, up to a height or all of it."""
        self._answered = {} if to is None else {first: one for first, one in self._answered.items() if first > to}

    async def fetch(self, first: int, last: int) -> Listed:
        """Lists spans until there are enough of them, or of their logs. One that fails ends the list; raises its error,
        a NodeError or NodeUnavailable, when it is the first."""
        self.forget(first - 1)
        listed = Listed()
        while first <= last and len(listed.ends) < SPANS_AT_ONCE and len(listed.logs) < MAX_LOGS:
            spans = self._next(first, last)
            for span, error in zip(spans, await asyncio.gather(*map(self._request, spans)), strict=True):
                if error is not None:
                    if not listed.ends:
                        raise error
                    return listed
                listed.logs.extend(log for start, _end in span for log in self._answered[start][1])
                listed.ends.append(span[-1][1])
            first = listed.ends[-1] + 1
        return listed

    def _next(self, first: int, last: int) -> list[list[tuple[int, int]]]:
        """The next spans, each as the ranges that it is requested in, or was."""
        starts, blocks, spans = sorted(self._answered), self._aligned_blocks(), list[list[tuple[int, int]]]()
        while first <= last and len(spans) < self._in_flight:
            spans.append(self._ranges(first, min(first + blocks - 1, last), last, starts))
            first = spans[-1][-1][1] + 1
        return spans

    def _ranges(self, first: int, end: int, last: int, starts: Sequence[int]) -> list[tuple[int, int]]:
        """The ranges of a span up to `end`, or as far as one goes that was answered. `starts`: of all of those."""
        ranges: list[tuple[int, int]] = []
        while first <= end:
            answered = self._answered.get(first)
            if answered is not None and answered[0] <= last:
                ranges.append((first, answered[0]))
            else:
                behind = bisect_right(starts, first)
                gap = min(end, starts[behind] - 1) if behind < len(starts) else end
                ranges += self._node.limits.chunks(first, gap)
            first = ranges[-1][1] + 1
        return ranges

    async def _request(self, span: Sequence[tuple[int, int]]) -> NodeError | NodeUnavailable | None:
        """Requests what was not answered yet; the first error of it."""
        missing = [one for one in span if one[0] not in self._answered or self._answered[one[0]][0] != one[1]]
        jobs = (self._node.logs_between(*one, self._addresses) for one in missing)
        errors, blocks = list[NodeError | NodeUnavailable](), span[-1][1] - span[0][0] + 1
        for (first, last), answer in zip(missing, await asyncio.gather(*jobs, return_exceptions=True), strict=True):
            if isinstance(answer, NodeError | NodeUnavailable):
                errors.append(answer)
            elif isinstance(answer, BaseException):
                raise answer
            else:
                self._answered[first] = last, answer
        if errors:
            self._shorten(blocks)
            return errors[0]
        if missing:
            self._adapt(blocks, sum(len(self._answered[first][1]) for first, _last in span))
        return None

    def _aligned_blocks(self) -> int:
        """Blocks of the next spans: a multiple of what the provider allows at once, as far as that is known."""
        allowed = self._node.limits.max_range
        return self._blocks - self._blocks % allowed if allowed and allowed < self._blocks else self._blocks

    def _shorten(self, blocks: int) -> None:
        self._successes, self._max_blocks = 0, max(1, blocks // 2)
        self._blocks = min(self._blocks, self._max_blocks)

    def _adapt(self, blocks: int, logs: int) -> None:
        self._in_flight = IN_FLIGHT
        self._successes += 1
        if self._successes == GROW_AFTER:
            self._successes, self._max_blocks = 0, min(2 * self._max_blocks, SPAN_BLOCKS)
        target = blocks * TARGET_LOGS // logs if logs else 2 * blocks
        self._blocks = max(1, min(target, 2 * blocks, self._max_blocks))
