"""Reads the receipts of stored blocks to find events that the node left out of the logs."""

from __future__ import annotations

from indexer.decode.decoder import Decoder
from indexer.fetch.fetcher import BlockFetcher
from indexer.follow.seq_check import SeqMismatch
from indexer.model import Event
from indexer.node.client import Node
from indexer.store.store import SeqGap, Store

BATCH_BLOCKS = 200


async def first_incomplete_block(
    fetcher: BlockFetcher, node: Node, decoder: Decoder, store: Store, error: SeqGap | SeqMismatch, last: int
) -> int | None:
    """Return the height of the first block up to `last` whose stored events differ from those in
    its receipts. Return None if there is no such block.

    The search starts at the last stored event of the match, because no event is missing before
    it."""
    with store.read() as snapshot:
        event = snapshot.last_event(error.game, error.match)
        oldest = min((one.height for one in snapshot.deployments()), default=0)
    first = event.height if event else oldest
    for start in range(first, last + 1, BATCH_BLOCKS):
        for header in await node.headers(start, min(start + BATCH_BLOCKS - 1, last)):
            height, found = header.block.height, list[Event]()
            if fetcher.may_have_logs(header):
                found = decoder.events(await fetcher.logs_from_receipts(header), {height: header.block})
            with store.read() as snapshot:
                if snapshot.block_at(height) != header.block or snapshot.events_between(height, height) != found:
                    return height
    return None
