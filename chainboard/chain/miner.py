"""Mines a block whenever a match on a development chain can't continue without a new block. The
decision depends only on the indexed state, so errors and restarts don't matter."""

from __future__ import annotations

import asyncio

from indexer.node.client import Node, NodeError, NodeUnavailable
from indexer.store.db.engine import StoreError
from indexer.store.store import Store
from indexer.wakeup import Wakeup

RETRY_SECONDS, CHECK_SECONDS = 1.0, 10.0
"""The seconds to wait after an error, and between two checks if no new block is indexed."""
BLOCK_DISPLAY_SECONDS = 0.02
"""The seconds to wait before a block is mined. During this time, the page shows the state after the
previous block."""


async def mine_on_demand(store: Store, node: Node, wakeup: Wakeup) -> None:
    """Mine a block whenever an unfinished match waits for a block after the newest indexed block.
    This runs until cancelled."""
    while True:
        await asyncio.sleep(BLOCK_DISPLAY_SECONDS)
        try:
            if await asyncio.to_thread(_is_block_needed, store):
                await node.request("evm_mine")
        except (NodeUnavailable, NodeError, StoreError):
            await asyncio.sleep(RETRY_SECONDS)  # the follower logs the error
        await wakeup.wait(CHECK_SECONDS)


def _is_block_needed(store: Store) -> bool:
    with store.read() as snapshot:
        tip = snapshot.tip()
        return tip is not None and snapshot.waiting_for_block_after(tip.height)
