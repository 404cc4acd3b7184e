"""Pending transactions, which Anvil's saved state does not have."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

from indexer.node.client import Node, NodeError, NodeUnavailable

log = logging.getLogger("chainboard")


@asynccontextmanager
async def mining_paused(node: Node, block_time: int) -> AsyncIterator[None]:
    """Pauses mining, also afterwards: a new node takes over there. An error inside resumes it."""
    await _set_mining(node, block_time, False)
    try:
        yield
    except BaseException:
        with suppress(NodeUnavailable, NodeError):  # what was raised first is what matters: it may be a cancellation
            await _set_mining(node, block_time, True)
        raise


async def pending_transactions(node: Node) -> list[str]:
    """The signed transactions that are not in a block yet, by nonce."""
    pool: dict[str, dict[str, dict[str, Any]]] = await node.request("txpool_content")
    found = [
        (int(nonce), tx["hash"])
        for kind in pool.values()
        for by_nonce in kind.values()
        for nonce, tx in by_nonce.items()
    ]
    return await node.requests([("eth_getRawTransactionByHash", (hash,)) for _nonce, hash in sorted(found)])


async def resend(node: Node, transactions: list[str]) -> None:
    """Sends raw transactions again, in this order; a refusal is logged."""
    for raw in transactions:
        try:
            await node.request("eth_sendRawTransaction", (raw,))
        except NodeError as error:
            log.warning("a transaction that waited was not taken again: %s", error.message)


async def _set_mining(node: Node, block_time: int, on: bool) -> None:
    if block_time:
        await node.request("evm_setIntervalMining", (block_time if on else 0,))
    else:
        await node.request("evm_setAutomine", (on,))
