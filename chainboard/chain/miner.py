"""Mines a block when a match can't go on without one: a rule about a development chain's state, so it heals."""

from __future__ import annotations

import asyncio

from indexer.node.client import Node, NodeError, NodeUnavailable
from indexer.store.db.engine import StoreError
from indexer.store.store import Store
from indexer.wakeup import Wakeup

RETRY_SECONDS, CHECK_SECONDS = 1.0, 10.0
"""After an error, and without a new block."""
COURTESY_SECONDS = 0.02
"""The block that was just stored is shown before the machine is busy with the next one."""


async def mine_on_need(store: Store, node: Node, wakeup: Wakeup) -> None:
    """Until cancelled: whenever the indexed head is a block that an unfinished match must see passed, mines one."""
    while True:
        await asyncio.sleep(COURTESY_SECONDS)
        try:
            if await asyncio.to_thread(_needed, store):
                await node.request("evm_mine")
        except (NodeUnavailable, NodeError, StoreError):
            await asyncio.sleep(RETRY_SECONDS)  # the follower logs it; mining goes on
        await wakeup.wait(CHECK_SECONDS)


def _needed(store: Store) -> bool:
    with store.read() as snapshot:
        tip = snapshot.tip()
        return tip is not None and snapshot.waiting_for_block_after(tip.height)
