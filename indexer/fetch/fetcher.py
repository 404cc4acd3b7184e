"""Fetches blocks with our contracts' logs, and reads the receipts if logs are missing."""

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
"""The target time, in seconds, for fetching a range's headers from a provider with a rate limit. It
is short so that users see progress."""
STRICT_BLOCKS = 50
"""The number of blocks below the head that are checked as strictly as the head itself."""


class ChainChanged(Exception):
    """The node's answers contradict each other.
    The chain changed between the answers, or the answers come from different nodes."""


@dataclass(frozen=True, slots=True)
class BlockRange:
    """Consecutive blocks and all logs of our contracts in these blocks.
    `healed`: the number of these blocks that had more logs than the node listed."""

    blocks: list[Block]
    logs: list[Log]
    healed: int = 0

    def __add__(self, other: BlockRange) -> BlockRange:
        return BlockRange(self.blocks + other.blocks, self.logs + other.logs, self.healed + other.healed)


class BlockFetcher:
    """Fetches blocks with their logs. If a block's logs contradict the Bloom filter in its header,
    reads the block's receipts.

    - `use_receipts_until`: up to this height, the receipts of every block that might have logs are
      read. On a chain without Bloom filters, that is every block
    - `receipts_at`: the heights of single blocks whose receipts are also read
    - `strict_from`: from this height on, the topics in `recent_topics` are also tested
    - `on_receipts`: an extra check for each block whose receipts are read
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
        """The number of blocks that a range should have at the provider's rate, or None if the rate
        is not limited."""
        rate = self._node.pacer.rate
        return None if rate is None else max(1, int(rate * RANGE_SECONDS))

    async def block(self, header: Header) -> BlockRange:
        """Return one block with its logs. Don't request the logs if the bloom shows that there are
        none.

        Raises ChainChanged if the node rejects the block's hash, NodeError if a log can't be read,
        and BadReceipts if missing logs can't be completed."""
        logs: list[Log] = []
        if not (self._needs_receipts(header) or self._is_provably_empty(header)):
            try:
                logs = await self._node.logs_of_block(header.block.hash, self._addresses)
            except NodeError as error:  # the error for a dropped block differs from node to node
                raise ChainChanged(
                    f"the node does not return the logs of block {header.block.height}: {error}"
                ) from error
        with log_errors():
            return await self.check_logs([header], logs_by_height([header], logs))

    async def range(self, first: int, last: int) -> BlockRange:
        """Return the blocks from `first` to `last` with their logs. Raises ChainChanged, NodeError
        if a log can't be read, or BadReceipts if missing logs can't be completed."""
        headers, logs = await asyncio.gather(
            self.headers(first, last), self._node.logs_between(first, last, self._addresses)
        )
        with log_errors():
            return await self.check_logs(headers, logs_by_height(headers, logs))

    async def headers(self, first: int, last: int) -> list[Header]:
        """Return all headers from `first` to `last`. Raises ChainChanged if a header is missing, or
        is not the parent of the next."""
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
        """Return these blocks with their logs. `logs`: the logs that the node listed, by height. If
        a block must have more logs than these, read its receipts instead. Raises BadReceipts."""
        suspect = [
            one for one in headers if self._needs_receipts(one) or not self._fits_bloom(one, logs[one.block.height])
        ]
        healed = 0
        for header, found in zip(suspect, await self.all_logs_from_receipts(suspect), strict=True):
            healed += len(found) > len(logs[header.block.height]) and not self._needs_receipts(header)
            logs[header.block.height] = found
        return BlockRange([one.block for one in headers], [log for some in logs.values() for log in some], healed)

    async def all_logs_from_receipts(self, headers: Sequence[Header]) -> list[list[Log]]:
        """Call `logs_from_receipts` for each of these blocks, a few at a time."""
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
        """Return True if the bloom shows that the block has no log of our contracts and the header
        has the block's hash. The hash proves that the node did not invent the bloom."""
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
        """Return True if, according to the bloom, `logs` may be all of our logs in the block.

        The strict check also looks for recent matches. It can also fail because other contracts'
        logs have set the bits of a full bloom. Each failure costs a request for receipts. At the
        head, that is one request. In a long range of busy blocks, it would be thousands."""
        if not self.has_blooms:
            return True  # the logs will be read from the receipts
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
    """Convert errors about unreadable logs to NodeError."""
    try:
        yield
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise NodeError(BAD_ANSWER, f"the node returned a log that can't be read: {error!r}") from error
