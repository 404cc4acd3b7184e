"""Tests of mining on demand. The miner decides by the state of the matches alone, and mines a block
only when a match needs it."""

from __future__ import annotations

import asyncio
import contextlib
from pathlib import Path

from chainboard.chain.miner import mine_on_demand
from indexer.follow.follower import Follower
from indexer.games import GAMES
from indexer.store.store import Store
from indexer.wakeup import Wakeup
from tests.support.chain import deployed_chain
from tests.support.waiting import wait_for_async


async def test_one_block_is_mined_when_a_match_needs_it_and_none_otherwise(tmp_path: Path) -> None:
    async with deployed_chain(tmp_path) as it:
        with contextlib.closing(Store(f"sqlite:///{tmp_path / 'index.db'}", GAMES)) as store:
            store.set_chain(await it.node.chain(), it.deployments)
            follower, heads, wakeup = Follower(it.node, store, it.deployments), Wakeup(), Wakeup()
            tasks = [
                asyncio.create_task(it.node.listen(heads.notify)),
                asyncio.create_task(follower.run(heads, wakeup.notify)),
                asyncio.create_task(mine_on_demand(store, it.node, wakeup)),
            ]
            await it.play(1, "create", 9, 9, False)
            before = (await it.node.head()).height
            await asyncio.sleep(1.5)
            assert (await it.node.head()).height == before
            await it.begin(2, ships=1)
            anchor = (await asyncio.to_thread(it.chain_board, 2))["anchor"]
            await wait_for_async(lambda: follower.height, lambda height: height > anchor, "the block after the anchor")
            await asyncio.sleep(1.5)
            assert (await it.node.head()).height == anchor + 1
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
