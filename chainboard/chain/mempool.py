"""Carries pending transactions over to a restarted Anvil node. Anvil's saved state doesn't include
them."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

from indexer.node.client import Node, NodeError, NodeUnavailable

log = logging.getLogger("chainboard")


@asynccontextmanager
async def mining_paused(node: Node, block_time: int) -> AsyncIterator[None]:
    """Pause mining during the `with` block. Resume mining only if the code in the `with` block
    raises an error. Otherwise, a new node takes over, so mining stays paused."""
    await _set_mining(node, block_time, False)
    try:
        yield
    except BaseException:
        with suppress(NodeUnavailable, NodeError):  # don't hide the first error (it can be a cancellation)
            await _set_mining(node, block_time, True)
        raise


async def pending_transactions(node: Node) -> list[str]:
    """Return the signed transactions that the node hasn't mined yet, ordered by nonce."""
    pool: dict[str, dict[str, dict[str, Any]]] = await node.request("txpool_content")
    found = [
        (int(nonce), tx["hash"])
        for kind in pool.values()
        for by_nonce in kind.values()
        for nonce, tx in by_nonce.items()
    ]
    return await node.requests([("eth_getRawTransactionByHash", (hash,)) for _nonce, hash in sorted(found)])


async def resend(node: Node, transactions: list[str]) -> None:
    """Send signed transactions again, in this order. Log those that the node rejects."""
    for raw in transactions:
        try:
            await node.request("eth_sendRawTransaction", (raw,))
        except NodeError as error:
            log.warning("the node rejected a pending transaction after the restart: %s", error.message)


async def _set_mining(node: Node, block_time: int, on: bool) -> None:
    if block_time:
        await node.request("evm_setIntervalMining", (block_time if on else 0,))
    else:
        await node.request("evm_setAutomine", (on,))
