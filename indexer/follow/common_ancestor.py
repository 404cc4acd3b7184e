"""A binary search for the common ancestor of the store's chain and the node's."""

from __future__ import annotations

from indexer.fetch.fetcher import ChainChanged
from indexer.node.client import Node
from indexer.store.store import Store


async def common_ancestor(node: Node, store: Store, low: int, below: int) -> int:
    """Return the height of the highest block up to `below` that the store and the node share.

    Return `low` if they share none. All blocks below a shared block are also shared. The search
    looks only at stored blocks, because history is stored without its empty blocks.

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
