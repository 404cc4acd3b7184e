"""Lists logs in spans of blocks. The spans are sized so that all have about the same number of
logs.

Answers stay in memory until the caller has received them. If the request for one span fails, the
answers for the other spans aren't lost."""

from __future__ import annotations

import asyncio
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field

from indexer.fetch.prefetch import MAX_LOGS, TARGET_LOGS
from indexer.model import Log
from indexer.node.client import Node, NodeError, NodeUnavailable

INITIAL_BLOCKS, SPAN_BLOCKS = 200, 10_000
"""The number of blocks in the first span, and the maximum number of blocks in a span. Most
providers allow 10,000 blocks per `eth_getLogs` request."""
MAX_SPANS, MAX_IN_FLIGHT = 20, 4
"""The maximum number of spans that `fetch` returns, and the maximum number that it requests at a
time."""
GROW_AFTER = 20
"""If a span fails, later spans must be shorter. This is the number of successes in a row after
which spans can be longer again."""


@dataclass(slots=True)
class SpanLogs:
    """The logs in several consecutive spans. `ends`: the height of each span's last block."""

    logs: list[Log] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)


class LogSpans:
    """Lists the logs in consecutive spans of blocks.

    Each span is split into ranges that are short enough for the provider. If a range fails, only
    that range is requested again."""

    def __init__(self, node: Node, addresses: Sequence[str]) -> None:
        self._node, self._addresses = node, addresses
        self._blocks, self._max_blocks, self._successes = INITIAL_BLOCKS, SPAN_BLOCKS, 0
        self._in_flight = 1  # one span at first, because spans stay in memory and may have many logs
        self._answered: dict[int, tuple[int, list[Log]]] = {}

    def discard(self, to: int | None = None) -> None:
        """Discard the cached answers for ranges whose first height is at most `to`. Discard all
        answers if `to` is None."""
        self._answered = {} if to is None else {first: one for first, one in self._answered.items() if first > to}

    async def fetch(self, first: int, last: int) -> SpanLogs:
        """Return the logs of the next spans, which begin at `first`. Stop at `last`, or when there
        are MAX_SPANS spans or MAX_LOGS logs.

        If a span fails, return the spans before it. If that is the first span, raises NodeError or
        NodeUnavailable."""
        self.discard(first - 1)
        listed = SpanLogs()
        while first <= last and len(listed.ends) < MAX_SPANS and len(listed.logs) < MAX_LOGS:
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
        """Return the next spans to request at the same time, each as a list of ranges. The answers
        for some ranges may already be cached."""
        starts, blocks, spans = sorted(self._answered), self._aligned_blocks(), list[list[tuple[int, int]]]()
        while first <= last and len(spans) < self._in_flight:
            spans.append(self._ranges(first, min(first + blocks - 1, last), last, starts))
            first = spans[-1][-1][1] + 1
        return spans

    def _ranges(self, first: int, end: int, last: int, starts: Sequence[int]) -> list[tuple[int, int]]:
        """Split a span into ranges. The span ends at `end`, or later if a range that is already
        cached goes beyond `end`. `starts`: the first heights of all cached ranges, in ascending
        order."""
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
        """Request the ranges of a span that aren't cached yet. Return the first error, or None."""
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
        """Return the number of blocks in the next spans. If the provider's limit for a range is
        known and is below this number, round the number down to a multiple of the limit."""
        allowed = self._node.limits.max_range
        return self._blocks - self._blocks % allowed if allowed and allowed < self._blocks else self._blocks

    def _shorten(self, blocks: int) -> None:
        self._successes, self._max_blocks = 0, max(1, blocks // 2)
        self._blocks = min(self._blocks, self._max_blocks)

    def _adapt(self, blocks: int, logs: int) -> None:
        self._in_flight = MAX_IN_FLIGHT
        self._successes += 1
        if self._successes == GROW_AFTER:
            self._successes, self._max_blocks = 0, min(2 * self._max_blocks, SPAN_BLOCKS)
        target = blocks * TARGET_LOGS // logs if logs else 2 * blocks
        self._blocks = max(1, min(target, 2 * blocks, self._max_blocks))
