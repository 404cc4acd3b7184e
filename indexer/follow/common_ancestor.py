"""The common ancestor of the store's chain and the node's, by binary search."""

from __future__ import annotations

from indexer.fetch.fetcher import ChainChanged
from indexer.node.client import Node
from indexer.store.store import Store


async def common_ancestor(node: Node, store: Store, low: int, below: int) -> int:
    """The highest block up to `below` that store and node share; `low` when there is none. Blocks below a shared one
    are shared too; where history was stored without its empty blocks, the stored ones decide.

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
            raise ChainChanged(f"the node has no block {stored.height} below its own head")
        if stored.hash == found.hash:
            low = middle
        else:
            high = stored.height - 1
    return low
