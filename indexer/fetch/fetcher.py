"""Fetches blocks with our contracts' logs. If logs are missing, reads the receipts instead."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from contracts.rpc_errors import BAD_ANSWER
from indexer.fetch import bloom, receipts
from indexer.fetch.block_hash import header_hash_matches
from indexer.model import Block, Header, Log, is_parent
from indexer.node.client import Node, NodeError

PARALLEL_RECEIPTS = 8
RANGE_SECONDS = 2.0
"""The time, in seconds, that fetching a range's headers should take if the provider limits the
rate. It is short so that users see progress."""
STRICT_BLOCKS = 50
"""The number of blocks below the head whose logs are checked as strictly as the head's logs."""


class ChainChanged(Exception):
    """The node's answers contradict each other. Either the chain changed between two answers, or
    the answers come from different nodes."""


@dataclass(frozen=True, slots=True)
class BlockRange:
    """A range of consecutive blocks, and all logs of our contracts in these blocks. `healed`: the
    number of blocks for which the node had listed too few logs."""

    blocks: list[Block]
    logs: list[Log]
    healed: int = 0

    def __add__(self, other: BlockRange) -> BlockRange:
        return BlockRange(self.blocks + other.blocks, self.logs + other.logs, self.healed + other.healed)


class BlockFetcher:
    """Fetches blocks with their logs. If the logs contradict the Bloom filter in a block's header,
    reads the block's receipts.

    - `use_receipts_until`: up to this height, reads the receipts of every block that might have
      logs of our contracts
    - `receipts_at`: the heights of other blocks whose receipts are also read
    - `strict_from`: from this height on, also looks for the topics in `recent_topics`
    - `on_receipts`: a function that is called with the header and receipts of each block whose
      receipts were read
    - `has_blooms`: False on a chain whose headers have no Bloom filters. The receipts of all blocks
      with transactions are read on that chain
    """

    def __init__(self, node: Node, addresses: Sequence[str], topics: Mapping[str, Iterable[str]]) -> None:
        self._node, self._addresses, self._topics = node, addresses, topics
        self.use_receipts_until = -1
        self.receipts_at: set[int] = set()
        self.strict_from = 0
        self.recent_topics: Callable[[], Collection[str]] = tuple
        self.on_receipts: Callable[[Header, list[Any]], None] = lambda _header, _receipts: None
        self.has_blooms = True

    @property
    def paced_blocks(self) -> int | None:
        """The maximum number of blocks in a range if the provider limits the rate of requests,
        otherwise None."""
        rate = self._node.pacer.rate
        return None if rate is None else max(1, int(rate * RANGE_SECONDS))

    async def block(self, header: Header) -> BlockRange:
        """Return one block with its logs. If the Bloom filter shows that there are none, don't
        request logs.

        Raises ChainChanged if the node doesn't return the logs of this block, NodeError if a log
        can't be read, and BadReceipts if logs are missing and the receipts are wrong too."""
        logs: list[Log] = []
        if not (self._needs_receipts(header) or self._is_provably_empty(header)):
            try:
                logs = await self._node.logs_of_block(header.block.hash, self._addresses)
            except NodeError as error:  # nodes report different errors for a block that was dropped in a reorg
                raise ChainChanged(
                    f"the node does not return the logs of block {header.block.height}: {error}"
                ) from error
        with log_errors():
            return await self.check_logs([header], logs_by_height([header], logs))

    async def range(self, first: int, last: int) -> BlockRange:
        """Return the blocks from `first` to `last` with their logs. Raises ChainChanged, NodeError
        if a log can't be read, and BadReceipts if logs are missing and the receipts are wrong
        too."""
        headers, logs = await asyncio.gather(
            self.headers(first, last), self._node.logs_between(first, last, self._addresses)
        )
        with log_errors():
            return await self.check_logs(headers, logs_by_height(headers, logs))

    async def headers(self, first: int, last: int) -> list[Header]:
        """Return all headers from `first` to `last`. Raises ChainChanged if a header is missing, or
        if a header doesn't contain the hash of the block before."""
        headers = await self._node.headers(first, last)
        if [one.block.height for one in headers] != list(range(first, last + 1)):
            raise ChainChanged(f"the node did not return all blocks from {first} to {last}")
        for parent, child in pairwise(headers):
            if not is_parent(parent.block, child.block):
                raise ChainChanged(
                    f"block {child.block.height} does not follow the previous block: the chain changed in the meantime"
                )
        return headers

    async def check_logs(self, headers: Sequence[Header], logs: dict[int, list[Log]]) -> BlockRange:
        """Return these blocks with their logs. `logs`: for each height, the logs that the node
        listed. If a block's header shows that the list is wrong, read the block's receipts instead.
        Raises BadReceipts."""
        suspect = [
            one for one in headers if self._needs_receipts(one) or not self._fits_bloom(one, logs[one.block.height])
        ]
        healed = 0
        for header, found in zip(suspect, await self.all_logs_from_receipts(suspect), strict=True):
            healed += len(found) > len(logs[header.block.height]) and not self._needs_receipts(header)
            logs[header.block.height] = found
        return BlockRange([one.block for one in headers], [log for some in logs.values() for log in some], healed)

    async def all_logs_from_receipts(self, headers: Sequence[Header]) -> list[list[Log]]:
        """Call `logs_from_receipts` for each of these headers, several at a time."""
        found: list[list[Log]] = []
        for start in range(0, len(headers), PARALLEL_RECEIPTS):
            found += await asyncio.gather(*map(self.logs_from_receipts, headers[start : start + PARALLEL_RECEIPTS]))
        return found

    async def logs_from_receipts(self, header: Header) -> list[Log]:
        """Return the logs of our contracts in a block, read from its receipts. Raises
        BadReceipts."""
        if not header.transactions:
            return []
        found_receipts = await self._node.receipts(header)
        found = receipts.logs_of(header, found_receipts, self._topics)
        self.on_receipts(header, found_receipts)
        if found and not header.bloom:
            self.has_blooms = False
        return found

    def may_have_logs(self, header: Header) -> bool:
        """Return True if the block might have logs of our contracts."""
        return bloom.may_contain_any(header.bloom, self._topics) if self.has_blooms else bool(header.transactions)

    def _is_provably_empty(self, header: Header) -> bool:
        """Return True if the block certainly has no log of our contracts. The Bloom filter must not
        contain our contracts. The header must have the block's hash, which proves that the filter
        is genuine."""
        if self.may_have_logs(header) or header.json is None:
            return False
        return header_hash_matches(header.json)

    def _needs_receipts(self, header: Header) -> bool:
        if header.block.height in self.receipts_at:
            return True
        if self.has_blooms and header.block.height > self.use_receipts_until:
            return False
        return self.may_have_logs(header)

    def _fits_bloom(self, header: Header, logs: Sequence[Log]) -> bool:
        """Return False if the Bloom filter shows that `logs` are not all of our logs in the block.

        From the height `strict_from` on, the check is strict: it also looks for recent matches. In
        a full filter, other contracts' logs can make the check fail too. Each failure costs a
        request for receipts. At the head, that is one request. In a long range of busy blocks, it
        would be thousands."""
        if not self.has_blooms:
            return True  # the receipts of the block are read anyway
        if header.block.height >= self.strict_from:
            return bloom.consistent_with(header.bloom, logs, self._topics, self.recent_topics())
        return bloom.consistent_with(header.bloom, logs, self._topics if bloom.is_sparse(header.bloom) else {})


def logs_by_height(headers: Sequence[Header], logs: Sequence[Log]) -> dict[int, list[Log]]:
    """Group these blocks' logs by height. Raises ChainChanged if a log is from any other block."""
    found: dict[int, list[Log]] = {one.block.height: [] for one in headers}
    names = {hex(one.block.height): one for one in headers}
    for log in logs:
        header = names.get(log["blockNumber"])
        if header is None or log["blockHash"] != header.block.hash:
            raise ChainChanged(f"the node returned a log from a different block: {str(log)[:200]}")
        found[header.block.height].append(log)
    return found


@contextmanager
def log_errors() -> Iterator[None]:
    """Raise NodeError instead of the errors that an unreadable log causes in the `with` block."""
    try:
        yield
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise NodeError(BAD_ANSWER, f"the node returned a log that can't be read: {error!r}") from error
