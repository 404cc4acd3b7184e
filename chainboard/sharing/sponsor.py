"""The sponsor of a database server's gateways: requests and answers go by the database, which all reach anyhow."""

from __future__ import annotations

import asyncio
import logging
import time

from chainboard.settings import Settings
from chainboard.sharing.content import parse
from chainboard.sharing.requests import TAKE_SECONDS, ask
from indexer.model import Json
from indexer.store.db.engine import StoreError
from indexer.store.store import NotWriter, Store
from sponsor.channel import STATUS, SocketSponsor, answered, parse_answer, status_words
from sponsor.messages import Sponsored, SponsorRefused, SponsorService, SponsorStatus

log = logging.getLogger("chainboard")

SPONSOR = "sponsor"
GIVE_SECONDS, ANNOUNCE_SECONDS, STALE_SECONDS = 25.0, 1.0, 5.0
MAX_AT_ONCE = 16
LOCK_SECONDS = 6.0
"""Longer than a session must be silent to be ended."""
ANOTHER = (
    "another sponsor answers this database's gateways, or did so five seconds ago: end that one first, as each has "
    "budgets of its own"
)


class AnotherSponsor(StoreError):
    """The database has a sponsor already."""


class RemoteSponsor:
    """Implements SponsorService at a gateway."""

    def __init__(self, store: Store) -> None:
        self._store, self._under_way = store, 0
        self._status: SponsorStatus | None = None

    def status(self) -> SponsorStatus | None:
        return self._status

    async def give(self, address: str, network: str, game: str) -> Sponsored:
        if self._status is None:
            raise SponsorRefused("sponsor-away", wait=10)
        if self._under_way >= MAX_AT_ONCE:
            raise SponsorRefused("sponsor-busy.at-once", {"n": MAX_AT_ONCE}, wait=1)
        self._under_way += 1
        try:
            async with asyncio.timeout(GIVE_SECONDS):
                request = {"address": address, "network": network, "game": game}
                return parse_answer(await ask(self._store, SPONSOR, request))
        except (TimeoutError, StoreError):
            raise SponsorRefused("sponsor-away", wait=10) from None
        finally:
            self._under_way -= 1

    async def run(self) -> None:
        """Reads the sponsor's status, until cancelled."""
        while True:
            try:
                self._status = await asyncio.to_thread(latest_status, self._store)
            except StoreError as error:
                log.debug("the sponsor's status can't be read now: %s", error)
            await asyncio.sleep(ANNOUNCE_SECONDS)


def latest_status(store: Store) -> SponsorStatus | None:
    """None while no sponsor announces any. Raises StoreError."""
    found = store.announcements.latest(SPONSOR)
    return parse(STATUS, found.content) if found and found.age < STALE_SECONDS else None


def gateway_sponsor(settings: Settings, store: Store) -> RemoteSponsor | SocketSponsor:
    """The sponsor as a gateway reaches it, if one runs."""
    return RemoteSponsor(store) if store.is_server else SocketSponsor(settings.sponsor_socket)


def be_the_only_sponsor(store: Store) -> None:
    """Takes the sponsor's lock of a database server, or the lost one again; waits some seconds, in which a session that
    says nothing any more is ended. Raises AnotherSponsor, StoreError."""
    deadline = time.monotonic() + LOCK_SECONDS
    while True:
        try:
            return store.sponsor_lock.acquire()
        except NotWriter as error:
            if time.monotonic() > deadline:
                raise AnotherSponsor(ANOTHER) from error
        time.sleep(ANNOUNCE_SECONDS)


async def keep_the_only_sponsor(store: Store) -> None:
    """Takes the lock again after its connection ended, until cancelled. Raises AnotherSponsor when another was
    quicker."""
    while True:
        await asyncio.sleep(ANNOUNCE_SECONDS)
        try:
            await asyncio.to_thread(be_the_only_sponsor, store)
        except AnotherSponsor:
            raise
        except StoreError as error:
            log.debug("the sponsor's lock can't be taken now: %s", error)


def _take(store: Store) -> list[tuple[str, str, Json]]:
    """The pending requests. Raises StoreError, also while the lock is lost."""
    store.sponsor_lock.check()
    return store.requests.take([SPONSOR])


def _announce(store: Store, status: Json) -> None:
    """Announces the status. Raises StoreError, also while the lock is lost."""
    store.sponsor_lock.check()
    store.announcements.announce(SPONSOR, status)


async def answer_gateways(store: Store, service: SponsorService) -> None:
    """Answers the requests of all gateways, and announces the sponsor to them, until cancelled."""

    async def execute(request: str, content: dict[str, str]) -> None:
        try:
            await asyncio.to_thread(store.requests.answer, request, await answered(service, content))
        except StoreError as error:
            log.warning("a gateway could not be answered: %s", error)

    async def announce() -> None:
        while True:
            try:
                await asyncio.to_thread(_announce, store, status_words(service.status()))
            except StoreError as error:
                log.debug("the sponsor can't be announced now: %s", error)
            await asyncio.sleep(ANNOUNCE_SECONDS)

    async with asyncio.TaskGroup() as group:
        group.create_task(announce())
        while True:
            try:
                for request, _kind, content in await asyncio.to_thread(_take, store):
                    group.create_task(execute(request, content))
            except StoreError as error:
                log.debug("requests can't be read now: %s", error)
            await asyncio.sleep(TAKE_SECONDS)
