"""Keeps a follower at work, also when the node is on another chain suddenly."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from dataclasses import replace

from chainboard.chain.connect import identified
from chainboard.chain.deployment import deployed
from chainboard.chain.signer_keys import account
from chainboard.console import console
from chainboard.data_folder import aside_folder
from chainboard.errors import Trouble
from chainboard.indexing.database import catch_up
from chainboard.settings import Settings
from contracts.deploy import DeployError
from indexer.follow.follower import POLL_SECONDS, Follower
from indexer.follow.health import Health
from indexer.model import Deployment, OtherChain
from indexer.node.client import Node, NodeError, NodeLost
from indexer.store.db.engine import StoreError
from indexer.store.store import Store
from indexer.wakeup import Bell

log = logging.getLogger("chainboard")

ARCHIVE = "index.db"


class Following:
    """One store and one node, whatever becomes of its chain. A development chain that began anew is begun anew here,
    too: the old database is kept beside, the contracts are deployed again. Any other chain is waited for: a node may
    have been mistaken for another, and the data are of a real one."""

    def __init__(self, settings: Settings, node: Node, store: Store, deployments: Sequence[Deployment]) -> None:
        self._settings, self._node, self._store = settings, node, store
        self._follower = Follower(node, store, deployments)

    @property
    def health(self) -> Health:
        return self._follower.health

    @property
    def height(self) -> int:
        """Of the last indexed block."""
        return self._follower.height

    @property
    def empty(self) -> bool:
        """Whether no block is indexed."""
        with self._store.read() as view:
            return view.tip() is None

    async def catch_up(self) -> None:
        """To the node's head. Raises Stuck when its word can't be had for long, Trouble when it is about another
        chain."""
        try:
            await catch_up(self._follower)
        except OtherChain as error:
            if not self._settings.development:
                raise Trouble(f"{error}. Choose another --data folder, or the node of that chain with --rpc") from error
            await self._anew(lambda: None)

    async def run(self, heads: Bell, ring: Callable[[], None]) -> None:
        """Follows until cancelled. `heads` wakes it early, `ring` is called after each change of the store."""
        while True:
            try:
                await self._follower.run(heads, ring)
            except OtherChain:
                if self._settings.development:
                    await self._anew(ring)
                else:
                    await heads.wait(POLL_SECONDS)

    async def _anew(self, ring: Callable[[], None]) -> None:
        """Until it is done, or the old chain is back: what fails here fails for reasons that pass."""
        while True:
            try:
                if await self._begin_anew():
                    ring()
                return
            except (Trouble, NodeLost, NodeError, DeployError, StoreError, TimeoutError) as error:
                why = str(error)
                for url in (self._node.url, *self._settings.rpc):  # which health does not tell the world
                    why = why.replace(url, "its address")
                detail = f"the chain is another one now; it can't be taken up yet: {why}"
                self._follower.health = replace(self.health, state="degraded", detail=detail)
            await asyncio.sleep(POLL_SECONDS)

    async def _begin_anew(self) -> bool:
        with self._store.read() as view:
            stored, known = view.chain(), {one.place for one in view.deployments()}
        chain = await identified(self._node)
        deployments = await deployed(self._settings, self._node)
        if chain == stored and {one.place for one in deployments} == known:
            return False  # it was a wrong answer
        await account("FAUCET", self._node, self._settings)  # its ether is gone, too
        archive = aside_folder(self._settings) / ARCHIVE
        log.warning("the chain is another one now (genesis %s)", chain.genesis)
        await asyncio.to_thread(self._store.begin_anew, chain, deployments, archive)
        console.print(f"The chain began anew; the old database is kept in {archive}")
        self._node.expect(chain)
        tally = self._follower.tally
        self._follower.close()
        self._follower = Follower(self._node, self._store, deployments, tally)
        tally.resets += 1
        return True
