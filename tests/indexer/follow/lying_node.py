"""A node that can change the answers of a real node before it returns them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from indexer.follow.follower import Follower
from indexer.follow.sync_result import SyncResult
from indexer.node.client import Node
from indexer.store.store import Store
from tests.support.chain import DeployedChain, rows

Lie: TypeAlias = Callable[[str, Any, Any], Any]


def honest(_method: str, _params: Any, answer: Any) -> Any:
    return answer


class LyingNode(Node):
    """A node that returns `lie(method, params, answer)` instead of the real node's answer. It
    counts how many headers the follower requests."""

    def __init__(self, url: str, lie: Lie = honest) -> None:
        super().__init__(url)
        self.lie, self.headers_read = lie, 0

    async def request(self, method: str, params: Sequence[Any] = ()) -> Any:
        return self.lie(method, params, await super().request(method, params))

    async def requests(self, calls: Sequence[tuple[str, Sequence[Any]]]) -> list[Any]:
        self.headers_read += sum(method == "eth_getBlockByNumber" for method, _params in calls)
        answers = await super().requests(calls)
        return [self.lie(method, params, one) for (method, params), one in zip(calls, answers, strict=True)]


async def follow(it: DeployedChain, store: Store, node: Node, max_syncs: int = 80) -> Follower:
    """Follow the chain until there is nothing left to do, or until the follower fails."""
    store.set_chain(await it.node.chain(), it.deployments)
    follower = Follower(node, store, it.deployments)
    for _ in range(max_syncs):
        if (await follower.try_sync()) == SyncResult():
            break
    return follower


async def same_but_for_empty_blocks(it: DeployedChain, store: Store) -> bool:
    """Return True if the store equals an index of the whole chain. The store may lack blocks that
    the follower doesn't need to store, such as empty blocks."""
    found, expected = rows(store), await it.fresh_rows()
    blocks, all_blocks = found.pop("block"), expected.pop("block")
    heights = {row[0] for row in expected["event"]}
    with store.read() as snapshot:
        needed = {row for row in all_blocks if row[0] in heights or row[0] > snapshot.sparse_height()}
    return found == expected and needed <= set(blocks) <= set(all_blocks)
