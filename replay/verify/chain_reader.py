"""Reads the events of one contract from the chain. It reads all receipts of a block, so it notices
if the node leaves out an event."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from contracts.abi import decode_result, encode_call
from indexer.decode.decoder import Decoder
from indexer.fetch.block_hash import hash_matches
from indexer.fetch.fetcher import BlockFetcher, ChainChanged
from indexer.follow.seq_check import SEQ_OF
from indexer.model import Block, Deployment, Event, Header, Json, Log, is_parent
from indexer.node.client import Node, NodeError

LOGS_AT_ONCE = 2_000
"""The number of blocks in one request for logs. Nodes limit this number."""
BLOCKS_AT_ONCE = 200
TOPIC = "0x{:064x}"

Progress = Callable[[int, int], None]


@dataclass(slots=True)
class ChainEvents:
    """The events of one contract, in all its matches, from the blocks that have been read. `blocks`
    maps heights to these blocks. `hash_verified` contains the heights of the blocks whose hash
    could be recomputed from the header and receipts."""

    blocks: dict[int, Block] = field(default_factory=dict)
    hash_verified: set[int] = field(default_factory=set)
    events: list[Event] = field(default_factory=list)

    def of_match(self, match: int) -> dict[int, Event]:
        """Return the events of one match. The keys are the events' numbers."""
        return {one.seq: one for one in self.events if one.match == match}


class ChainReader:
    """Reads the events of one contract. Raises NodeUnavailable, NodeError, ChainChanged,
    BadReceipts or BadLog if the node doesn't answer or contradicts itself."""

    def __init__(self, node: Node, deployment: Deployment, progress: Progress = lambda _done, _total: None) -> None:
        self._node, self._deployment, self._progress = node, deployment, progress
        self._decoder = Decoder([deployment])
        self._fetcher = BlockFetcher(node, self._decoder.addresses, self._decoder.topics)
        self._fetcher.on_receipts = self._verify_hash
        self._raw_headers: dict[int, Json] = {}
        self.chain_events = ChainEvents()

    async def read(self, heights: Iterable[int]) -> None:
        """Read all receipts in the blocks at these heights. Skip heights above the head."""
        missing = sorted(set(heights) - self.chain_events.blocks.keys())
        for start in range(0, len(missing), BLOCKS_AT_ONCE):
            self._progress(start, len(missing))
            await self._add(await self._node.raw_headers_at(missing[start : start + BLOCKS_AT_ONCE]))
        self._require_linked()

    def _require_linked(self) -> None:
        """Check that blocks at consecutive heights are linked by their hashes. Raises ChainChanged
        if they aren't."""
        for height, block in self.chain_events.blocks.items():
            after = self.chain_events.blocks.get(height + 1)
            if after is not None and not is_parent(block, after):
                raise ChainChanged(
                    f"block {after.height} does not follow block {height}, because the chain changed in the meantime"
                )

    async def _add(self, raw_headers: Sequence[tuple[Header, Json]]) -> None:
        headers = [header for header, _raw in raw_headers]
        blocks = {one.block.height: one.block for one in headers}
        self._raw_headers = {header.block.height: raw for header, raw in raw_headers}
        logs = [log for some in await self._fetcher.all_logs_from_receipts(headers) for log in some]
        self.chain_events.blocks |= blocks
        self.chain_events.events += self._decoder.events(logs, blocks)

    def _verify_hash(self, header: Header, receipts: list[Any]) -> None:
        if hash_matches(self._raw_headers[header.block.height], receipts):
            self.chain_events.hash_verified.add(header.block.height)

    async def find_missing(self, match: int, last: int, head: Block) -> None:
        """Find the match's events up to number `last`, except those that are known already. Search
        the node's logs for the blocks that contain these events, and read the blocks."""
        known = self.chain_events.of_match(match)
        missing = [seq for seq in range(1, last + 1) if seq not in known]
        while missing:
            seq = missing[0]
            low = known[seq - 1].height if seq - 1 in known else self._deployment.height
            later = [one.height for number, one in known.items() if number > seq]
            await self._search(match, seq, low, min(later, default=head.height))
            known = self.chain_events.of_match(match)
            if seq not in known:
                return
            missing = [one for one in missing if one not in known]

    async def _search(self, match: int, seq: int, low: int, high: int) -> None:
        for start in range(low, high + 1, LOGS_AT_ONCE):
            end = min(start + LOGS_AT_ONCE - 1, high)
            logs = await self._node.logs_between(start, end, [self._deployment.address])
            await self.read(int(log["blockNumber"], 16) for log in logs if _names(log, match))
            if seq in self.chain_events.of_match(match):
                return

    async def event_count(self, match: int, at: Block) -> int | None:
        """Return how many events of the match the contract has counted up to the end of a block.
        Return None if the number can't be read."""
        abi = self._deployment.abi
        if not any(entry.get("name") == SEQ_OF for entry in abi):
            return None
        call = {"to": self._deployment.address, "data": encode_call(abi, SEQ_OF, (match,))}
        try:
            answer = await self._node.request("eth_call", (call, {"blockHash": at.hash}))
            return int(decode_result(abi, SEQ_OF, 1, answer))
        except (NodeError, ValueError, OverflowError):  # the contract rejects a match that was not opened
            return None


def _names(log: Log, match: int) -> bool:
    return TOPIC.format(match) in log["topics"]
