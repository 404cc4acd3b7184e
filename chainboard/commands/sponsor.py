"""`chainboard sponsor`: gives ether to visitors who have none. It serves the gateway of a data
folder, or all gateways that use the same database server."""

from __future__ import annotations

import asyncio
import contextlib
import os
import time
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from decimal import Decimal

from filelock import FileLock, Timeout

from chainboard.chain.connect import node_at, require_deployed, warn_about_clock
from chainboard.chain.signer_keys import named_signer
from chainboard.commands.jobs import running
from chainboard.console import console
from chainboard.data_folder import PRIVATE, running_urls
from chainboard.errors import UserError
from chainboard.indexing.database import existing_store, require_stored_chain
from chainboard.settings import Settings
from chainboard.sharing.facts import announced_facts, own_facts
from chainboard.sharing.sponsor import (
    SPONSOR_ALREADY_RUNNING,
    acquire_sponsor_lock,
    answer_gateways,
    hold_sponsor_lock,
    latest_status,
)
from indexer.games import GAMES
from indexer.store.db.engine import StoreError
from indexer.store.store import Store
from sponsor.budgets import DAY, Budgets, day_of
from sponsor.channel import MAX_PATH, serving
from sponsor.ledger import Ledger, LedgerError
from sponsor.prices import moves_gas
from sponsor.sponsor import ETHER, Sponsor
from transactions.journal import Journal, JournalError

MAX_INDEXED = 200
"""The maximum number of indexed events that a search for an address's transactions reads."""


def budgets_of(day: float, game: float | None, network: float | None, address: float | None) -> Budgets:
    """Return the budgets. The arguments are in ether, and the budgets are in wei. Raises UserError
    if the budget per day is 0."""
    parts = [None if one is None else int(Decimal(repr(one)) * ETHER) for one in (day, game, network, address)]
    if not parts[0]:
        raise UserError("--per-day must be more than 0 ether, for example 0.01")
    return Budgets.of(parts[0], *parts[1:])


async def run(settings: Settings, budgets: Budgets) -> None:
    """Give ether to visitors until cancelled."""
    account = named_signer("SPONSOR")
    if account is None:
        raise UserError(
            "the sponsor pays from your account: set CHAINBOARD_SPONSOR_KEYSTORE to its keystore file. Keep only as "
            "much ether in it as you want to give away"
        )
    urls = settings.rpc or running_urls(settings)
    with contextlib.ExitStack() as stack:
        store = stack.enter_context(contextlib.closing(existing_store(settings)))
        stack.enter_context(_sponsor_locks(settings, store))
        async with contextlib.aclosing(node_at(settings, urls)) as node:
            await require_stored_chain(node, store)
            with store.read() as snapshot:
                chain, deployments = snapshot.chain(), snapshot.deployments()
            if chain is None:
                raise UserError("the database is empty: run `chainboard up` or `chainboard index` on it first")
            await require_deployed(node, chain, deployments)
            identity = f"{chain.chain_id}:{chain.genesis}"
            try:
                journal, ledger = _files(settings, identity, budgets)
            except (JournalError, LedgerError) as error:
                raise UserError(
                    f"{error}. The sponsor doesn't pay without this file, because it contains all past payments"
                ) from error
            stack.enter_context(contextlib.closing(journal))
            stack.enter_context(contextlib.closing(ledger))
            gas = {slug: moves_gas(game) for slug, game in GAMES.items()}

            async def current() -> str:
                found = await node.chain()
                return f"{found.chain_id}:{found.genesis}"

            async def indexed(address: str, height: int) -> Sequence[str]:
                return await asyncio.to_thread(_transactions, store, address, height)

            sponsor = Sponsor(
                node.request, current, account, journal, ledger, lambda: _contracts(settings, store), gas, indexed
            )
            _warn_about_future_payments(ledger)
            async with running([warn_about_clock(node)]):
                await _serve(settings, store, sponsor, budgets)


def _warn_about_future_payments(ledger: Ledger) -> None:
    """Print a notice if the ledger has payments for a later day than today. This happens if a clock
    was ahead."""
    now = time.time()
    day = ledger.day(now)
    if day > day_of(now):
        date = datetime.fromtimestamp(day * DAY, UTC).date()
        console.print(
            f"The ledger already has payments for {date}, because a clock was ahead. Until the end of {date}, the "
            "sponsor spends only what is left of that day's budget.",
            soft_wrap=True,
        )


async def _serve(settings: Settings, store: Store, sponsor: Sponsor, budgets: Budgets) -> None:
    jobs = [sponsor.run(), sponsor.poll_balance()]
    console.print(
        f"Sponsoring from {sponsor.address}. Maximum ether per day: {budgets.day / ETHER:g} in total, "
        f"{budgets.game / ETHER:g} per game, {budgets.network / ETHER:g} per network address, "
        f"{budgets.address / ETHER:g} per account. Press Ctrl-C to stop",
        highlight=False,
        soft_wrap=True,
    )
    if store.is_server:
        async with running([*jobs, answer_gateways(store, sponsor), hold_sponsor_lock(store)]):
            await asyncio.Event().wait()
    async with serving(sponsor, settings.sponsor_socket), running(jobs):
        await asyncio.Event().wait()


@contextlib.contextmanager
def _sponsor_locks(settings: Settings, store: Store) -> Iterator[None]:
    """Make this process the only sponsor for the data folder and the database server. Raises
    UserError if another sponsor is running."""
    if not store.is_server and len(os.fsencode(settings.sponsor_socket.absolute())) > MAX_PATH:
        raise UserError(f"the path {settings.sponsor_socket} is too long for a socket: choose a shorter --data folder")
    lock = FileLock(settings.data / "sponsor.lock", timeout=0)
    try:
        settings.data.mkdir(parents=True, exist_ok=True)
        lock.acquire()
    except Timeout:
        raise UserError(f"another sponsor is running in {settings.data}: stop it first") from None
    except OSError as error:
        raise UserError(f"can't write to the data folder {settings.data}: {error.strerror or error}") from error
    try:
        if store.is_server:
            if latest_status(store) is not None:
                raise UserError(SPONSOR_ALREADY_RUNNING)
            acquire_sponsor_lock(store)
        yield
    except StoreError as error:
        raise UserError(str(error)) from error
    finally:
        store.sponsor_lock.release()
        lock.release()


def _files(settings: Settings, chain: str, budgets: Budgets) -> tuple[Journal, Ledger]:
    """Open the sponsor's journal and ledger as files that only their owner can read. Raises
    JournalError or LedgerError."""
    for path in (settings.sponsor_journal, settings.sponsor_ledger):
        with contextlib.suppress(OSError):
            os.close(os.open(path, os.O_CREAT | os.O_WRONLY, PRIVATE))
    return Journal(settings.sponsor_journal), Ledger(settings.sponsor_ledger, chain, budgets)


def _contracts(settings: Settings, store: Store) -> list[str]:
    """Return the addresses to which visitors may send sponsored ether: the games' contracts, and
    the contracts that all games share."""
    with store.read() as snapshot:
        games = [one.address for one in snapshot.deployments()]
    facts = announced_facts(store) if store.is_server else own_facts(settings)
    return [*games, *(facts.contracts if facts else ())]


def _transactions(store: Store, address: str, height: int) -> list[str]:
    """Return the hashes of transactions that emitted events in which this address is a player.
    Search only the indexed events from this block height on."""
    with store.read() as snapshot:
        found = snapshot.search_events(player=address, from_block=height, limit=MAX_INDEXED)
    return list(dict.fromkeys(one.tx for one in found))
