"""Tests that an indexer that restarts after a pause finds all new events of old matches, even if
the node hides them."""

from __future__ import annotations

from contextlib import aclosing

import pytest

from indexer.store.store import Store
from tests.indexer.conftest import MATCH
from tests.indexer.follow.conftest import EMPTY, NOT_FINAL
from tests.indexer.follow.lying_node import LyingNode, follow, same_but_for_empty_blocks
from tests.indexer.follow.test_history import hides
from tests.support.chain import DeployedChain


async def test_what_is_hidden_of_an_old_match_is_found(
    long: DeployedChain, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Tests a match that is so old that the follower no longer keeps its event count in memory."""
    monkeypatch.setattr("indexer.follow.recent_matches.MAX_MATCHES", 2)
    monkeypatch.setattr("indexer.follow.follower.MAX_MATCHES", 2)
    for _ in range(3):
        await long.play(0, "create", 64, 64, False)
    await long.mine(2 * NOT_FINAL)
    async with aclosing(LyingNode(long.node.url)) as node:
        await follow(long, store, node)
        assert await same_but_for_empty_blocks(long, store)
    receipt = await long.turn(1, MATCH, 3)
    await long.mine(3 * EMPTY)
    await long.play(0, "create", 64, 64, False)
    await long.mine(2 * NOT_FINAL)
    liar = LyingNode(long.node.url, hides(lambda log: log["blockNumber"] == receipt["blockNumber"]))
    async with aclosing(liar) as node:
        follower = await follow(long, store, node)
    assert follower.counters.healed == 1
    assert await same_but_for_empty_blocks(long, store)
