"""Gives gateways that share a database server access to the sponsor. Requests and responses go
through the database."""

from __future__ import annotations

import asyncio
import logging
import time

from chainboard.settings import Settings
from chainboard.sharing.content import parse
from chainboard.sharing.requests import REQUEST_POLL_SECONDS, request_from_writer
from indexer.model import Json
from indexer.store.db.engine import StoreError
from indexer.store.store import NotWriter, Store
from sponsor.channel import STATUS, SocketSponsor, encode_status, handle_request, parse_answer
from sponsor.messages import Sponsored, SponsorRejected, SponsorService, SponsorStatus

log = logging.getLogger("chainboard")

SPONSOR = "sponsor"
GRANT_SECONDS, ANNOUNCE_SECONDS, STALE_SECONDS = 25.0, 1.0, 5.0
MAX_PENDING = 16
LOCK_SECONDS = 6.0
"""The number of seconds to wait for the sponsor lock. This must be longer than the time after which
the database server ends a silent session."""
SPONSOR_ALREADY_RUNNING = (
    "another sponsor is serving this database's gateways, or was serving them less than five seconds ago. Stop it "
    "first, because each sponsor has its own budgets"
)


class SponsorAlreadyRunning(StoreError):
    """The database already has a sponsor, and only one is allowed."""


class RemoteSponsor:
    """A gateway's SponsorService. It passes requests through the database to the sponsor."""

    def __init__(self, store: Store) -> None:
        self._store, self._pending = store, 0
        self._status: SponsorStatus | None = None

    def status(self) -> SponsorStatus | None:
        return self._status

    async def grant(self, address: str, network: str, game: str) -> Sponsored:
        if self._status is None:
            raise SponsorRejected("sponsor-away", wait=10)
        if self._pending >= MAX_PENDING:
            raise SponsorRejected("sponsor-busy.at-once", {"n": MAX_PENDING}, wait=1)
        self._pending += 1
        try:
            async with asyncio.timeout(GRANT_SECONDS):
                request = {"address": address, "network": network, "game": game}
                return parse_answer(await request_from_writer(self._store, SPONSOR, request))
        except (TimeoutError, StoreError):
            raise SponsorRejected("sponsor-away", wait=10) from None
        finally:
            self._pending -= 1

    async def run(self) -> None:
        """Read the sponsor's status from the database at regular intervals, until cancelled."""
        while True:
            try:
                self._status = await asyncio.to_thread(latest_status, self._store)
            except StoreError as error:
                log.debug("can't read the sponsor's status at the moment: %s", error)
            await asyncio.sleep(ANNOUNCE_SECONDS)


def latest_status(store: Store) -> SponsorStatus | None:
    """Return the status that the sponsor announced last. Return None if no sponsor is running.
    Raises StoreError."""
    found = store.announcements.latest(SPONSOR)
    return parse(STATUS, found.content) if found and found.age < STALE_SECONDS else None


def gateway_sponsor(settings: Settings, store: Store) -> RemoteSponsor | SocketSponsor:
    """Return a gateway's SponsorService. While no sponsor is running, it rejects all requests."""
    return RemoteSponsor(store) if store.is_server else SocketSponsor(settings.sponsor_socket)


def acquire_sponsor_lock(store: Store) -> None:
    """Take a database server's sponsor lock, or take it again if it was lost. Wait a few seconds if
    necessary, because the server might first have to end a silent session that holds the lock.
    Raises SponsorAlreadyRunning or StoreError."""
    deadline = time.monotonic() + LOCK_SECONDS
    while True:
        try:
            return store.sponsor_lock.acquire()
        except NotWriter as error:
            if time.monotonic() > deadline:
                raise SponsorAlreadyRunning(SPONSOR_ALREADY_RUNNING) from error
        time.sleep(ANNOUNCE_SECONDS)


async def hold_sponsor_lock(store: Store) -> None:
    """Keep the sponsor lock until cancelled. If the connection that holds the lock has closed, take
    the lock again. Raises SponsorAlreadyRunning if another process has taken it in the meantime."""
    while True:
        await asyncio.sleep(ANNOUNCE_SECONDS)
        try:
            await asyncio.to_thread(acquire_sponsor_lock, store)
        except SponsorAlreadyRunning:
            raise
        except StoreError as error:
            log.debug("can't take the sponsor's lock at the moment: %s", error)


def _take_requests(store: Store) -> list[tuple[str, str, Json]]:
    """Return the gateways' pending requests. Raises StoreError if they can't be read or the sponsor
    lock is lost."""
    store.sponsor_lock.check()
    return store.requests.claim([SPONSOR])


def _announce(store: Store, status: Json) -> None:
    """Announce the sponsor's status to gateways. Raises StoreError if this fails or the lock is
    lost."""
    store.sponsor_lock.check()
    store.announcements.announce(SPONSOR, status)


async def answer_gateways(store: Store, service: SponsorService) -> None:
    """Answer requests from all gateways and announce the sponsor's status to them, until
    cancelled."""

    async def execute(request: str, content: dict[str, str]) -> None:
        try:
            await asyncio.to_thread(store.requests.answer, request, await handle_request(service, content))
        except StoreError as error:
            log.warning("can't answer a gateway: %s", error)

    async def announce() -> None:
        while True:
            try:
                await asyncio.to_thread(_announce, store, encode_status(service.status()))
            except StoreError as error:
                log.debug("can't announce the sponsor's status at the moment: %s", error)
            await asyncio.sleep(ANNOUNCE_SECONDS)

    async with asyncio.TaskGroup() as group:
        group.create_task(announce())
        while True:
            try:
                for request, _kind, content in await asyncio.to_thread(_take_requests, store):
                    group.create_task(execute(request, content))
            except StoreError as error:
                log.debug("can't read the gateways' requests at the moment: %s", error)
            await asyncio.sleep(REQUEST_POLL_SECONDS)
