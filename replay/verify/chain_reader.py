"""What a chain says about one match: its events out of complete receipts, and the board that follows from each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from contracts.abi import decode_result, encode_call
from indexer.decode.decoder import Decoder
from indexer.fetch.block_hash import sealed
from indexer.fetch.fetcher import Changed, Fetch, follows
from indexer.follow.seq_check import COUNT
from indexer.model import Block, Deployment, Event, Header, Json, Log
from indexer.node.client import Node, NodeError

LOGS_AT_ONCE = 2_000
"""Blocks whose logs are asked for together; nodes bound it."""
BLOCKS_AT_ONCE = 200
TOPIC = "0x{:064x}"

Show = Callable[[int, int], None]


@dataclass(slots=True)
class Chronicle:
    """The contract's events of all matches in the blocks that were read. `blocks`: those, by their height;
    `sealed`: the heights of those whose hash was made again from header and receipts."""

    blocks: dict[int, Block] = field(default_factory=dict)
    sealed: set[int] = field(default_factory=set)
    events: list[Event] = field(default_factory=list)

    def of(self, match: int) -> dict[int, Event]:
        """The events of one match, by number."""
        return {one.seq: one for one in self.events if one.match == match}


class Truth:
    """Reads one contract's events. Raises NodeLost, NodeError, Changed, BadReceipts or BadLog when the node's word
    can't be had, or does not fit."""

    def __init__(self, node: Node, deployment: Deployment, show: Show = lambda _done, _whole: None) -> None:
        self._node, self._deployment, self._show = node, deployment, show
        self._decoder = Decoder([deployment])
        self._fetch = Fetch(node, self._decoder.addresses, self._decoder.topics)
        self._fetch.also = self._seal
        self._whole: dict[int, Json] = {}
        self.chronicle = Chronicle()

    async def read(self, heights: Iterable[int]) -> None:
        """Reads the receipts of these blocks, whole; those beyond the head are left out."""
        wanted = sorted(set(heights) - self.chronicle.blocks.keys())
        for start in range(0, len(wanted), BLOCKS_AT_ONCE):
            self._show(start, len(wanted))
            await self._take(await self._node.whole_headers_at(wanted[start : start + BLOCKS_AT_ONCE]))
        self._joined()

    def _joined(self) -> None:
        """Raises Changed unless those that follow each other by height do so by their hashes, too."""
        for height, block in self.chronicle.blocks.items():
            after = self.chronicle.blocks.get(height + 1)
            if after is not None and not follows(block, after):
                raise Changed(f"block {after.height} does not follow the one before: the chain changed meanwhile")

    async def _take(self, told: Sequence[tuple[Header, Json]]) -> None:
        headers = [header for header, _whole in told]
        blocks = {one.block.height: one.block for one in headers}
        self._whole = {header.block.height: whole for header, whole in told}
        logs = [log for some in await self._fetch.all_by_receipts(headers) for log in some]
        self.chronicle.blocks |= blocks
        self.chronicle.events += self._decoder.events(logs, blocks)

    def _seal(self, header: Header, receipts: list[Any]) -> None:
        if sealed(self._whole[header.block.height], receipts):
            self.chronicle.sealed.add(header.block.height)

    async def fill(self, match: int, last: int, head: Block) -> None:
        """Looks for events of the match, up to number `last`, that are in none of the blocks read so far: by the
        node's index of logs, which only says in which blocks they may be."""
        known = self.chronicle.of(match)
        missing = [seq for seq in range(1, last + 1) if seq not in known]
        while missing:
            seq = missing[0]
            low = known[seq - 1].height if seq - 1 in known else self._deployment.height
            later = [one.height for number, one in known.items() if number > seq]
            await self._search(match, seq, low, min(later, default=head.height))
            known = self.chronicle.of(match)
            if seq not in known:
                return
            missing = [one for one in missing if one not in known]

    async def _search(self, match: int, seq: int, low: int, high: int) -> None:
        for start in range(low, high + 1, LOGS_AT_ONCE):
            end = min(start + LOGS_AT_ONCE - 1, high)
            logs = await self._node.logs_between(start, end, [self._deployment.address])
            await self.read(int(log["blockNumber"], 16) for log in logs if _names(log, match))
            if seq in self.chronicle.of(match):
                return

    async def counted(self, match: int, at: Block) -> int | None:
        """How many events the contract itself has counted at the end of a block; None where that can't be had."""
        abi = self._deployment.abi
        if not any(entry.get("name") == COUNT for entry in abi):
            return None
        call = {"to": self._deployment.address, "data": encode_call(abi, COUNT, (match,))}
        try:
            answer = await self._node.request("eth_call", (call, {"blockHash": at.hash}))
            return int(decode_result(abi, COUNT, 1, answer))
        except (NodeError, ValueError, OverflowError):  # a match that was never opened is refused
            return None


def _names(log: Log, match: int) -> bool:
    return TOPIC.format(match) in log["topics"]
