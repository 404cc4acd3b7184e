"""Watches a database that another process writes. `serve`, which has no follower, uses it."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from dataclasses import replace

from chainboard.errors import UserError
from chainboard.sharing.status import StatusReader
from indexer.follow.health import Health
from indexer.model import Block
from indexer.node.client import Node, NodeError, NodeUnavailable, is_local
from indexer.store.db.engine import StoreError
from indexer.store.store import Store

log = logging.getLogger("chainboard")

POLL_SECONDS = 0.2
LISTENING_POLL_SECONDS = 1.0
"""The seconds between two polls if the writer sends notifications. Polling finds changes whose
notification was lost with a connection."""
REMOTE_NODE_SECONDS = 5.0
"""The seconds between two requests for the head of a remote node. Each request counts towards the
provider's quota, so they are rare."""
UNREADABLE = "the database can't be read at the moment"
NO_WRITER = "no `chainboard up` or `chainboard index` is writing to the database"


class Watcher:
    """Notifies a gateway when the database has advanced. `health` comes from the process that
    writes the database. If no process writes, the watcher computes it by comparing the database
    with the node."""

    def __init__(self, store: Store, node: Node, status: StatusReader) -> None:
        self._store, self._node, self._status = store, node, status
        self.health = Health()
        self._next_head = 0.0

    async def listen(self, notify: Callable[[], None]) -> None:
        """Call `notify` when the writer announces a change, until cancelled. On SQLite, return
        immediately, because there are no announcements. Raises UserError if it can't listen."""
        try:
            await self._store.listen(notify)
        except StoreError as error:
            raise UserError(str(error)) from error

    async def run(self, notify: Callable[[], None]) -> None:
        """Call `notify` whenever the newest block in the database changes, until cancelled."""
        last = None
        seconds = LISTENING_POLL_SECONDS if self._store.is_server else POLL_SECONDS
        while True:
            try:
                tip = await asyncio.to_thread(self._tip)
                height = tip.height if tip else -1
                self.health = await self._status.health(height) or await self._compare(height)
                if tip != last:
                    notify()
                last = tip
            except StoreError as error:
                if self.health.detail != UNREADABLE:
                    log.warning("%s", error)
                # visitors see this text, so it contains no addresses
                self.health = replace(self.health, state="degraded", detail=UNREADABLE)
            await asyncio.sleep(seconds)

    def _tip(self) -> Block | None:
        self._store.check_version()
        with self._store.read() as snapshot:
            return snapshot.tip()

    async def _compare(self, height: int) -> Health:
        if time.monotonic() < self._next_head and self.health.node_head is not None:
            head = self.health.node_head
        else:
            try:
                head = (await self._node.head()).height
            except (NodeUnavailable, NodeError):
                return Health("node-lost", self.health.node_head, "the node does not answer")
            self._next_head = time.monotonic() + (0 if is_local(self._node.url) else REMOTE_NODE_SECONDS)
        if height < head and self._store.is_server:
            return Health("degraded", head, NO_WRITER)
        return Health("ok" if height == head else "catching-up" if height < head else "node-behind", head)
