"""`chainboard sponsor`: ether for visitors who have none, beside the gateways of a data folder or of a database."""

from __future__ import annotations

import asyncio
import contextlib
import os
import time
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from decimal import Decimal

from filelock import FileLock, Timeout

from chainboard.chain.connect import node_at, require_deployed, tell_wrong_clock
from chainboard.chain.signer_keys import named_signer
from chainboard.commands.jobs import running
from chainboard.console import console
from chainboard.data_folder import PRIVATE, running_urls
from chainboard.errors import UserError
from chainboard.indexing.database import existing_store, require_stored_chain
from chainboard.settings import Settings
from chainboard.sharing.facts import announced_facts, own_facts
from chainboard.sharing.sponsor import (
    ANOTHER,
    answer_gateways,
    be_the_only_sponsor,
    keep_the_only_sponsor,
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
"""Events of an address that are looked through for its transactions."""


def budgets_of(day: float, game: float | None, network: float | None, address: float | None) -> Budgets:
    """Of what an operator writes in ether. Raises UserError for a day without any."""
    parts = [None if one is None else int(Decimal(repr(one)) * ETHER) for one in (day, game, network, address)]
    if not parts[0]:
        raise UserError("a sponsor needs a budget: give --per-day in ether, such as 0.01")
    return Budgets.of(parts[0], *parts[1:])


async def run(settings: Settings, budgets: Budgets) -> None:
    """Gives until cancelled."""
    account = named_signer("SPONSOR")
    if account is None:
        raise UserError(
            "a sponsor pays with an account of yours: set CHAINBOARD_SPONSOR_KEYSTORE to its keystore file, and give "
            "it no more ether than you would give away"
        )
    urls = settings.rpc or running_urls(settings)
    with contextlib.ExitStack() as stack:
        store = stack.enter_context(contextlib.closing(existing_store(settings)))
        stack.enter_context(_alone(settings, store))
        async with contextlib.aclosing(node_at(settings, urls)) as node:
            await require_stored_chain(node, store)
            with store.read() as snapshot:
                chain, deployments = snapshot.chain(), snapshot.deployments()
            if chain is None:
                raise UserError(
                    "the database has no chain yet: run `chainboard up` or `chainboard index` with it first"
                )
            await require_deployed(node, chain, deployments)
            identity = f"{chain.chain_id}:{chain.genesis}"
            try:
                journal, ledger = _files(settings, identity, budgets)
            except (JournalError, LedgerError) as error:
                raise UserError(f"{error}. Without it nobody knows what was paid, so nothing is") from error
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
            _tell_paid_ahead(ledger)
            async with running([tell_wrong_clock(node)]):
                await _serve(settings, store, sponsor, budgets)


def _tell_paid_ahead(ledger: Ledger) -> None:
    """Says so where a clock that was ahead has paid from a later day's budget."""
    now = time.time()
    day = ledger.day(now)
    if day > day_of(now):
        date = datetime.fromtimestamp(day * DAY, UTC).date()
        console.print(
            f"The ledger has paid for {date} already, by a clock that was ahead: until then no new day begins, and "
            "what is left of that day's budget is all there is",
            soft_wrap=True,
        )


async def _serve(settings: Settings, store: Store, sponsor: Sponsor, budgets: Budgets) -> None:
    jobs = [sponsor.run(), sponsor.keep_balance()]
    console.print(
        f"Sponsoring from {sponsor.address}: at most {budgets.day / ETHER:g} ether a day, "
        f"{budgets.game / ETHER:g} a game, {budgets.network / ETHER:g} a network address, "
        f"{budgets.address / ETHER:g} an address; Ctrl-C ends it",
        highlight=False,
        soft_wrap=True,
    )
    if store.is_server:
        async with running([*jobs, answer_gateways(store, sponsor), keep_the_only_sponsor(store)]):
            await asyncio.Event().wait()
    async with serving(sponsor, settings.sponsor_socket), running(jobs):
        await asyncio.Event().wait()


@contextlib.contextmanager
def _alone(settings: Settings, store: Store) -> Iterator[None]:
    """Makes this the one sponsor of the folder, and of the database. Raises UserError when there is another."""
    if not store.is_server and len(os.fsencode(settings.sponsor_socket.absolute())) > MAX_PATH:
        raise UserError(f"the path {settings.sponsor_socket} is too long for a socket: choose a shorter --data folder")
    lock = FileLock(settings.data / "sponsor.lock", timeout=0)
    try:
        settings.data.mkdir(parents=True, exist_ok=True)
        lock.acquire()
    except Timeout:
        raise UserError(f"another sponsor runs in {settings.data}: end that one first") from None
    except OSError as error:
        raise UserError(f"the data folder {settings.data} can't be written: {error.strerror or error}") from error
    try:
        if store.is_server:
            if latest_status(store) is not None:
                raise UserError(ANOTHER)
            be_the_only_sponsor(store)
        yield
    except StoreError as error:
        raise UserError(str(error)) from error
    finally:
        store.sponsor_lock.release()
        lock.release()


def _files(settings: Settings, chain: str, budgets: Budgets) -> tuple[Journal, Ledger]:
    """For this user alone. Raises JournalError and LedgerError."""
    for path in (settings.sponsor_journal, settings.sponsor_ledger):
        with contextlib.suppress(OSError):
            os.close(os.open(path, os.O_CREAT | os.O_WRONLY, PRIVATE))
    return Journal(settings.sponsor_journal), Ledger(settings.sponsor_ledger, chain, budgets)


def _contracts(settings: Settings, store: Store) -> list[str]:
    """Addresses to which sponsored ether may go: the games', and what they share."""
    with store.read() as snapshot:
        games = [one.address for one in snapshot.deployments()]
    facts = announced_facts(store) if store.is_server else own_facts(settings)
    return [*games, *(facts.contracts if facts else ())]


def _transactions(store: Store, address: str, height: int) -> list[str]:
    """Hashes of those of which the index has events that name the address."""
    with store.read() as snapshot:
        found = snapshot.search_events(player=address, from_block=height, limit=MAX_INDEXED)
    return list(dict.fromkeys(one.tx for one in found))
