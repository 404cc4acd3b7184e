"""What follows next on the node's chain: blocks with the logs of our contracts, checked, and healed from receipts."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from indexer.fetch import bloom, receipts
from indexer.model import Block, Header, Log
from indexer.node.client import BAD_ANSWER, Node, NodeError

RECEIPTS_AT_ONCE = 8
NEAR = 50
"""Blocks below the head that are looked at as closely as the head itself."""


class Changed(Exception):
    """The node's answers don't fit each other: its chain changed between them, or another node gave one of them."""


@dataclass(frozen=True, slots=True)
class Span:
    """Blocks one after the other with all logs of our contracts in them. `healed`: how many of these blocks had more
    logs than the node listed."""

    blocks: list[Block]
    logs: list[Log]
    healed: int = 0

    def __add__(self, other: Span) -> Span:
        return Span(self.blocks + other.blocks, self.logs + other.logs, self.healed + other.healed)


class Fetch:
    """Reads spans. What the blooms don't allow is read from the receipts, as are all blocks up to `careful_until`,
    and all blocks of a chain without blooms. From block `near` on all are looked at closely: searched for the topics
    that `matches` gives, too. `also` is what else is to hold of a block's receipts."""

    def __init__(self, node: Node, addresses: Sequence[str], topics: Mapping[str, Iterable[str]]) -> None:
        self._node, self._addresses, self._topics = node, addresses, topics
        self.careful_until = -1
        self.near = 0
        self.matches: Callable[[], Collection[str]] = tuple
        self.also: Callable[[Header, list[Any]], None] = lambda _header, _receipts: None
        self.blooms = True

    async def block(self, header: Header) -> Span:
        """One block, its logs asked for by its hash. Raises BadReceipts when what is missing can't be had."""
        logs: list[Log] = []
        if not self._careful(header):
            try:
                logs = await self._node.logs_of_block(header.block.hash, self._addresses)
            except NodeError as error:  # in words of its own, each node says so when it has dropped the block
                raise Changed(f"the node does not give the logs of block {header.block.height}: {error}") from error
        with _readable():
            return await self._checked([header], _by_block([header], logs))

    async def range(self, first: int, last: int) -> Span:
        """The blocks from `first` to `last`. Raises Changed, or BadReceipts when what is missing can't be had."""
        headers, logs = await asyncio.gather(
            self.headers(first, last), self._node.logs_between(first, last, self._addresses)
        )
        with _readable():
            return await self._checked(headers, _by_block(headers, logs))

    async def headers(self, first: int, last: int) -> list[Header]:
        """All headers from `first` to `last`, each the parent of the next. Raises Changed."""
        headers = await self._node.headers(first, last)
        if [one.block.height for one in headers] != list(range(first, last + 1)):
            raise Changed(f"the node did not give all blocks from {first} to {last}")
        for parent, child in pairwise(headers):
            if not follows(parent.block, child.block):
                raise Changed(f"block {child.block.height} does not follow the one before: the chain changed meanwhile")
        return headers

    async def _checked(self, headers: Sequence[Header], logs: dict[int, list[Log]]) -> Span:
        doubtful = [one for one in headers if self._careful(one) or not self._fits(one, logs[one.block.height])]
        healed = 0
        for header, found in zip(doubtful, await self.all_by_receipts(doubtful), strict=True):
            healed += len(found) > len(logs[header.block.height]) and not self._careful(header)
            logs[header.block.height] = found
        return Span([one.block for one in headers], [log for some in logs.values() for log in some], healed)

    async def all_by_receipts(self, headers: Sequence[Header]) -> list[list[Log]]:
        """As `by_receipts`, for each of several blocks; some at a time."""
        found: list[list[Log]] = []
        for start in range(0, len(headers), RECEIPTS_AT_ONCE):
            found += await asyncio.gather(*map(self.by_receipts, headers[start : start + RECEIPTS_AT_ONCE]))
        return found

    async def by_receipts(self, header: Header) -> list[Log]:
        """The logs of our contracts in a block, from its receipts. Raises BadReceipts."""
        if not header.transactions:
            return []
        told = await self._node.receipts(header)
        found = receipts.logs_of(header, told, self._topics)
        self.also(header, told)
        if found and not header.bloom:
            self.blooms = False
        return found

    def may_concern(self, header: Header) -> bool:
        """Whether the block may hold logs of our contracts."""
        return bloom.may_concern(header.bloom, self._topics) if self.blooms else bool(header.transactions)

    def _careful(self, header: Header) -> bool:
        if self.blooms and header.block.height > self.careful_until:
            return False
        return self.may_concern(header)

    def _fits(self, header: Header, logs: Sequence[Log]) -> bool:
        """Whether the bloom allows these logs to be all. Looking closely searches it for the matches, too, and asks the
        receipts also where a full bloom may promise what is another contract's; for the head that costs one request,
        for a long range of busy blocks thousands."""
        if not self.blooms:
            return True  # read from the receipts anyway
        if header.block.height >= self.near:
            return bloom.fits(header.bloom, logs, self._topics, self.matches())
        return bloom.fits(header.bloom, logs, self._topics if bloom.sparse(header.bloom) else {})


def follows(parent: Block, child: Block) -> bool:
    return child.height == parent.height + 1 and child.parent == parent.hash


def _by_block(headers: Sequence[Header], logs: Sequence[Log]) -> dict[int, list[Log]]:
    found: dict[int, list[Log]] = {one.block.height: [] for one in headers}
    names = {hex(one.block.height): one for one in headers}
    for log in logs:
        header = names.get(log["blockNumber"])
        if header is None or log["blockHash"] != header.block.hash:
            raise Changed(f"the node gave a log of another block: {str(log)[:200]}")
        found[header.block.height].append(log)
    return found


@contextmanager
def _readable() -> Iterator[None]:
    try:
        yield
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise NodeError(BAD_ANSWER, f"the node gave a log that can't be read: {error!r}") from error
