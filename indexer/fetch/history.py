"""Fetches the final part of the chain's history. It lists our contracts' logs with `eth_getLogs`,
in long spans of blocks.

Only the blocks with logs and the last block of each span are fetched."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise

from indexer.fetch.block_hash import header_hash_matches
from indexer.fetch.fetcher import BlockFetcher, BlockRange, ChainChanged, log_errors, logs_by_height
from indexer.fetch.log_spans import MAX_IN_FLIGHT, LogSpans
from indexer.fetch.prefetch import retrieve_exception
from indexer.model import Block, Header, Json, is_parent
from indexer.node.client import HEADERS_PER_BATCH, Node, NodeUnavailable


class HistoryFetcher:
    """Fetches final blocks, but skips blocks without logs of our contracts.

    If a node's `eth_getLogs` hides all logs in a block, no header reveals that. Therefore, the
    follower must compare its counts of matches and events with the contracts' counts."""

    def __init__(self, fetcher: BlockFetcher, node: Node, addresses: Sequence[str]) -> None:
        self._fetcher, self._node = fetcher, node
        self._spans = LogSpans(node, addresses)
        self._answered: dict[int, tuple[Header, Json]] = {}
        self._has_ethereum_headers: bool | None = None
        self._prefetched: tuple[int, int, asyncio.Task[tuple[Block, BlockRange]]] | None = None

    async def next(self, before: int, last: int) -> tuple[Block, BlockRange]:
        """Return two values: the block at height `before`, and the blocks of the next spans after
        it. A span contributes its blocks with logs and its last block. The spans end at `last` at
        the latest.

        Raises NodeUnavailable or NodeError if the node fails. In that case, the next call repeats
        only the failed requests, in shorter spans. Raises ChainChanged if answers contradict each
        other, and BadReceipts if logs are missing and the receipts are wrong too."""
        if self._prefetched is not None and self._prefetched[:2] != (before, last):
            self.cancel()
        if self._prefetched is None:
            self._request(before, last)
        assert self._prefetched is not None
        task, self._prefetched = self._prefetched[2], None
        found = await task
        if (end := found[1].blocks[-1].height) < last:
            self._request(end, last)  # this request runs while the caller stores `found`
        return found

    def cancel(self) -> None:
        """Cancel the request that was sent in advance, and discard the cached answers."""
        self._discard()
        if self._prefetched is not None:
            self._prefetched[2].cancel()
            self._prefetched = None

    def _request(self, before: int, last: int) -> None:
        task = asyncio.create_task(self._fetch(before, last))
        task.add_done_callback(retrieve_exception)
        self._prefetched = before, last, task

    async def _fetch(self, before: int, last: int) -> tuple[Block, BlockRange]:
        listed = await self._spans.fetch(before + 1, last)
        end = listed.ends[-1]
        with self._discarding_on_error(), log_errors():
            heights = {int(log["blockNumber"], 16) for log in listed.logs}
            if not heights <= set(range(before + 1, end + 1)):
                raise ChainChanged(f"the node returned logs from blocks outside the range {before + 1} to {end}")
        hidden = {height for height in self._fetcher.receipts_at if before < height <= end}
        first, *headers = await self._headers(sorted({before, *heights, *listed.ends, *hidden}))
        with self._discarding_on_error(), log_errors():
            found = first.block, await self._fetcher.check_logs(headers, logs_by_height(headers, listed.logs))
        self._spans.discard(end)
        self._answered.clear()
        return found

    @contextmanager
    def _discarding_on_error(self) -> Iterator[None]:
        """If the `with` block raises an error, discard all cached answers, so that the next call
        requests them again. Keep the answers only if the error is NodeUnavailable."""
        try:
            yield
        except NodeUnavailable:
            raise  # the receipts are missing, but the cached answers may be right
        except Exception:
            self._discard()
            raise

    def _discard(self) -> None:
        self._spans.discard()
        self._answered.clear()

    async def _headers(self, heights: Sequence[int]) -> list[Header]:
        """Return the headers at these heights, in ascending order. Raises ChainChanged."""
        found = await self._raw_headers(heights)
        headers = [header for header, _raw in found]
        with self._discarding_on_error():
            if [one.block.height for one in headers] != list(heights):
                raise ChainChanged(f"the node did not return all blocks from {heights[0]} to {heights[-1]}")
            for parent, child in pairwise(headers):
                if parent.block.height + 1 == child.block.height and not is_parent(parent.block, child.block):
                    raise ChainChanged(f"block {child.block.height} does not follow the previous block")
            self._check_hashes(found)
        return headers

    async def _raw_headers(self, heights: Sequence[int]) -> list[tuple[Header, Json]]:
        """Return the header and its JSON at each of these heights. The headers are requested in
        batches. If a batch fails, the answers to the other batches stay cached for the next
        call."""
        self._answered = {height: self._answered[height] for height in heights if height in self._answered}
        missing = [height for height in heights if height not in self._answered]
        size = min(HEADERS_PER_BATCH, self._node.batch_size or HEADERS_PER_BATCH)
        batches = [missing[start : start + size] for start in range(0, len(missing), size)]
        parallel_batches = MAX_IN_FLIGHT * HEADERS_PER_BATCH // size
        for start in range(0, len(batches), parallel_batches):
            jobs = map(self._node.raw_headers_at, batches[start : start + parallel_batches])
            answers = await asyncio.gather(*jobs, return_exceptions=True)
            for some in answers:
                if not isinstance(some, BaseException):
                    self._answered |= {header.block.height: (header, raw) for header, raw in some}
            for some in answers:
                if isinstance(some, BaseException):
                    raise some
        return [self._answered[height] for height in heights if height in self._answered]

    def _check_hashes(self, found: Sequence[tuple[Header, Json]]) -> None:
        """If the hash of a header's fields isn't the block's hash, add the block's height to
        `receipts_at`, so that the block's receipts are read.

        If the very first check failed, the chain's headers don't have Ethereum's format, so no
        height is added. A block whose successor is also in `found` doesn't need a check, because
        the successor contains its hash."""
        parents = {header.block.height - 1 for header, _raw in found}
        for header, raw in found:
            if header.block.height in parents:
                continue
            matches = header_hash_matches(raw)
            if self._has_ethereum_headers is None:
                self._has_ethereum_headers = matches
            if self._has_ethereum_headers and not matches:
                self._fetcher.receipts_at.add(header.block.height)
