"""Finds the common ancestor: the newest block that is both in the store and in the node's chain."""

from __future__ import annotations

from indexer.fetch.fetcher import ChainChanged
from indexer.node.client import Node
from indexer.store.store import Store


async def common_ancestor(node: Node, store: Store, low: int, below: int) -> int:
    """Return the height of the highest block that the store and the node share, up to the height
    `below`.

    Return `low` if they share no block above it. This is a binary search, because all blocks below
    a shared block are shared too. It looks only at stored blocks, because the store skips empty
    blocks in the history.

    Raises ChainChanged, NodeUnavailable or NodeError."""
    low, high = min(low, below), below
    while low < high:
        middle = (low + high + 1) // 2
        with store.read() as snapshot:
            stored = snapshot.block_up_to(middle)
        if stored is None or stored.height <= low:
            low = middle
            continue
        found = await node.block(stored.height)
        if found is None:
            raise ChainChanged(f"the node lacks block {stored.height}, although its head is higher")
        if stored.hash == found.hash:
            low = middle
        else:
            high = stored.height - 1
    return low
