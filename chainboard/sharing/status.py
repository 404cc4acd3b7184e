"""The status of a database's writer. Once per second, the writer announces the state of its node,
so that gateways don't need to query the node themselves."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace

from pydantic import TypeAdapter

from bots.service.messages import ComputerPlayer, OpponentService, ServiceStatus
from chainboard.sharing.content import parse
from indexer.follow.follower import HEALTHY
from indexer.follow.health import Health
from indexer.store.db.engine import StoreError
from indexer.store.store import Store

log = logging.getLogger("chainboard")

TOPIC = "status"
ANNOUNCE_SECONDS = 1.0
STALE_SECONDS = 5.0
"""The age, in seconds, at which a status is out of date. From then on, the writer counts as
stopped."""


@dataclass(frozen=True, slots=True)
class WriterStatus:
    """The status that a writer announces. `final` is the height up to which blocks can't be
    reverted, or None if it is unknown. `embedded` contains figures about the embedded chain.
    `faucet` is True if the writer has a faucet. `opponents` and `service` describe the computer
    players of the writer's process. If it has none, `service` is None."""

    health: Health = field(default_factory=Health)
    final: int | None = None
    embedded: Mapping[str, float] = field(default_factory=dict)
    faucet: bool = False
    opponents: Sequence[ComputerPlayer] = ()
    service: ServiceStatus | None = None


STATUS = TypeAdapter(WriterStatus)


def status_of(
    health: Health,
    final: int | None = None,
    embedded: Mapping[str, float] | None = None,
    faucet: bool = False,
    opponents: OpponentService | None = None,
) -> WriterStatus:
    """Combine these parts into the writer's status."""
    found = (tuple(opponents.opponents()), opponents.status()) if opponents else ((), None)
    return WriterStatus(health, final, embedded or {}, faucet, *found)


async def announce_status(store: Store, status: Callable[[], WriterStatus]) -> None:
    """Announce the writer's status to the gateways through the database server, until the task is
    cancelled. Announce nothing in a SQLite file: its readers compare the file with the node
    themselves, and an idle laptop shouldn't write to its disk."""
    while store.is_server:
        try:
            store.check_writer()
            await asyncio.to_thread(store.announcements.announce, TOPIC, asdict(status()))
        except StoreError as error:
            log.debug("can't announce the writer's status at the moment: %s", error)
        await asyncio.sleep(ANNOUNCE_SECONDS)


class StatusReader:
    """Reads the status that the writer announced last. Gateways use this class."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._latest: WriterStatus | None = None

    @property
    def latest(self) -> WriterStatus:
        """The status that was read last. While no writer is running, it is an empty status."""
        return self._latest or WriterStatus()

    @property
    def writer_runs(self) -> bool:
        return self._latest is not None

    async def health(self, height: int) -> Health | None:
        """Return the writer's health for an index at this height, or None if no writer is running.
        The index can be ahead of the status, because blocks can arrive after the status was
        announced. Raises StoreError."""
        if not self._store.is_server:
            return None
        self._latest = await asyncio.to_thread(self._read)
        if self._latest is None:
            return None
        health = self._latest.health
        if health.state in HEALTHY and health.node_head is not None:
            return replace(health, node_head=max(health.node_head, height))
        return health

    def _read(self) -> WriterStatus | None:
        found = self._store.announcements.latest(TOPIC)
        return parse(STATUS, found.content) if found and found.age < STALE_SECONDS else None
