"""Supervises a follower. Also handles a node that is suddenly on a different chain."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace

from chainboard.chain.connect import chain_of
from chainboard.chain.deployment import deploy_contracts
from chainboard.chain.signer_keys import signer
from chainboard.console import console
from chainboard.data_folder import archive_folder
from chainboard.errors import UserError
from chainboard.indexing.database import catch_up
from chainboard.indexing.standby import stand_by
from chainboard.settings import Settings
from chainboard.sharing.facts import announce_facts
from contracts.deploy import DeployError
from indexer.follow.follower import POLL_SECONDS, Follower
from indexer.follow.health import Health
from indexer.model import Deployment, WrongChain
from indexer.node.client import Node, NodeError, NodeUnavailable
from indexer.node.error_text import MAX_OWN_TEXT, public_text
from indexer.store.db.engine import StoreError
from indexer.store.store import NotWriter, Store
from indexer.wakeup import Wakeup

log = logging.getLogger("chainboard")

ARCHIVE = "index.db"


class Supervisor:
    """Indexes one node's chain into one database, even if the chain is replaced.

    When a development chain restarts, the old database is archived, a new one is created, and the
    contracts are deployed again. On any other chain, the supervisor waits, because the data is from
    a real chain and the node might be the wrong one."""

    def __init__(self, settings: Settings, node: Node, store: Store, deployments: Sequence[Deployment]) -> None:
        self._settings, self._node, self._store = settings, node, store
        self._follower = Follower(node, store, deployments)

    @property
    def health(self) -> Health:
        return self._follower.health

    @property
    def height(self) -> int:
        """The height of the last block that was indexed."""
        return self._follower.height

    @property
    def is_empty(self) -> bool:
        """True if no block has been indexed yet."""
        with self._store.read() as snapshot:
            return snapshot.tip() is None

    async def catch_up(self) -> None:
        """Index up to the node's head. Raises NoProgress if indexing fails for too long, and
        UserError if the node is on another chain."""
        try:
            await catch_up(self._follower)
        except NotWriter:
            await self._stand_by()
            await self.catch_up()
        except WrongChain as error:
            if not self._settings.development:
                raise UserError(
                    f"{error}. Choose a different --data folder, or set --rpc to a node on the database's chain"
                ) from error
            await self._reset_when_possible(lambda: None)

    async def run(self, heads: Wakeup, notify: Callable[[], None]) -> None:
        """Index new blocks until cancelled. `heads` wakes the follower when a block arrives, and
        `notify` is called after each change to the database."""
        while True:
            try:
                await self._follower.run(heads, notify)
            except NotWriter:
                await self._stand_by()
            except WrongChain:
                if self._settings.development:
                    await self._reset_when_possible(notify)
                else:
                    await heads.wait(POLL_SECONDS)

    async def _stand_by(self) -> None:
        """Wait until this process is the writer again. Then continue after the blocks that another
        process has stored in the meantime."""
        self._follower.close()
        while True:
            await stand_by(self._store, was_writer=True)
            with suppress(StoreError):
                with self._store.read() as snapshot:
                    deployments = snapshot.deployments()
                self._follower = Follower(self._node, self._store, deployments, self._follower.counters)
                return
            await asyncio.sleep(POLL_SECONDS)

    async def _reset_when_possible(self, notify: Callable[[], None]) -> None:
        """Reset the database. If the reset fails, the cause is temporary, so try again until the
        reset succeeds or the old chain is back."""
        while True:
            try:
                if await self._reset():
                    notify()
                return
            except NotWriter:
                await self._stand_by()
                return
            except (UserError, NodeUnavailable, NodeError, DeployError, StoreError, TimeoutError) as error:
                why = str(error)
                for url in (self._node.url, *self._settings.rpc):  # /api/health shows `why`, but must not show URLs
                    why = why.replace(url, "its address")
                detail = (
                    f"the chain was replaced, and the new chain can't be indexed yet: {public_text(why, MAX_OWN_TEXT)}"
                )
                self._follower.health = replace(self.health, state="degraded", detail=detail)
            await asyncio.sleep(POLL_SECONDS)

    async def _reset(self) -> bool:
        with self._store.read() as snapshot:
            stored, known = snapshot.chain(), {one.identity for one in snapshot.deployments()}
        chain = await chain_of(self._node)
        deployments = await deploy_contracts(self._settings, self._node)
        if chain == stored and {one.identity for one in deployments} == known:
            return False  # the node's earlier answer was wrong, and nothing has changed
        await signer("FAUCET", self._node, self._settings)  # the new chain has no ether for the faucet yet
        archive = archive_folder(self._settings) / ARCHIVE
        log.warning("the chain was replaced (genesis %s)", chain.genesis)
        kept = await asyncio.to_thread(self._store.reset_to, chain, deployments, archive)
        announce_facts(self._store, self._settings)
        console.print(f"The chain restarted. The old database is in {kept}")
        self._node.expect_chain(chain)
        counters = self._follower.counters
        self._follower.close()
        self._follower = Follower(self._node, self._store, deployments, counters)
        counters.resets += 1
        return True
