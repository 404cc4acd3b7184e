"""Opens a chain's database and indexes the chain into it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, closing
from time import monotonic
from typing import TypeAlias

from chainboard.console import console, progress_bar
from chainboard.data_folder import archive, archive_folder, database_files, existing_database
from chainboard.errors import UserError
from chainboard.indexing.standby import stand_by
from chainboard.settings import Settings
from chainboard.sharing.facts import announce_facts
from indexer.follow.follower import Follower
from indexer.follow.health import BUSY
from indexer.games import GAMES
from indexer.model import Chain, Deployment, WrongChain
from indexer.node.client import Node, NodeError, NodeUnavailable
from indexer.node.identity import ChainIdentity
from indexer.sql.reader_role import grant_reader
from indexer.store.db.engine import StoreCorrupt, StoreError
from indexer.store.store import Store

Deployed: TypeAlias = tuple[Chain, Sequence[Deployment]]
"""A chain and its indexed contracts."""
IDENTITY_SECONDS = 2
"""The number of seconds for which a gateway waits for the node to identify its chain. After that,
it starts to serve anyway."""
PATIENCE_SECONDS = 20
"""The number of seconds for which indexing may make no progress before it counts as failed. A node
that is busy or starting recovers within this time."""

BUSY_SECONDS = 100
"""While the node is rate-limiting us, this number of seconds is added to `PATIENCE_SECONDS`. A node
that rejects requests and says how long to wait is still working."""


class NoProgress(UserError):
    """Indexing has made no progress for too long. The node doesn't answer or contradicts itself."""


@asynccontextmanager
async def open_store(
    settings: Settings,
    chain: Chain,
    deployments: Sequence[Deployment],
    standby: Callable[[], Awaitable[Deployed]] | None = None,
) -> AsyncIterator[Store]:
    """Open this chain's database for writing, and make this process its only writer.

    A SQLite file is archived and rebuilt from the chain if it is corrupt, or if its development
    chain has restarted. Nicknames and blocked words are not on the chain, so they are lost with a
    corrupt file. If the chain has restarted, only nicknames that were signed for a different chain
    id are lost. Raises UserError if the database is from another chain.

    If `standby` is given, wait while another process writes to the database on a server. After
    that, the database can have newer contracts than `deployments`. If the database is from another
    chain, `standby` is called to get the current deployments."""
    with closing(_open(settings)) as store:
        try:
            if standby:
                await stand_by(store)
            with store.exclusive_writer():
                if standby is None or not _follows_more(store, chain, deployments):
                    if standby and _is_of_another_chain(store, chain):
                        chain, deployments = await standby()
                    _set_chain(settings, store, chain, deployments)
                    announce_facts(store, settings)
                grant_reader(settings.database_url)
                yield store
        except StoreError as error:
            raise UserError(str(error)) from error


def _is_of_another_chain(store: Store, chain: Chain) -> bool:
    with store.read() as snapshot:
        return snapshot.chain() not in (None, chain)


def _follows_more(store: Store, chain: Chain, deployments: Sequence[Deployment]) -> bool:
    """Return True if the database is from this chain, and contains all contracts in this manifest
    and at least one more."""
    with store.read() as snapshot:
        stored, known = snapshot.chain(), {one.address for one in snapshot.deployments()}
    if chain != stored or not {one.address for one in deployments} < known:
        return False
    console.print(
        "The database has contracts that are missing from this deployment manifest. Chainboard still indexes them"
    )
    return True


def _open(settings: Settings) -> Store:
    try:
        return Store(settings.database_url, GAMES)
    except StoreCorrupt as error:
        archived = archive(settings, database_files(settings))
        if archived is None:
            raise UserError(f"{error}. Choose a different --database") from error
        _print_new_database(error, archived)
    except StoreError as error:
        raise UserError(str(error)) from error
    return Store(settings.database_url, GAMES)


def _print_new_database(error: Exception, old: object) -> None:
    why = str(error)
    console.print(f"{why[:1].upper()}{why[1:]}. Created a new database. The old database is in {old}")


def _set_chain(settings: Settings, store: Store, chain: Chain, deployments: Sequence[Deployment]) -> None:
    try:
        store.set_chain(chain, deployments)
    except WrongChain as error:
        if not settings.development:
            raise UserError(
                f"{error}. Nothing was changed. Choose a different --data folder, or set --rpc to a node on the "
                "database's chain"
            ) from error
        kept = store.reset_to(chain, deployments, archive_folder(settings) / "index.db")
        _print_new_database(error, kept)


def existing_store(settings: Settings) -> Store:
    """Open a database that another command has created. Raises UserError if it doesn't exist or
    can't be read."""
    existing_database(settings)
    try:
        store = Store(settings.database_url, GAMES)
        with store.read():
            return store
    except StoreError as error:
        raise UserError(str(error)) from error


async def require_stored_chain(node: Node, store: Store) -> None:
    """Check that the node is on the database's chain. Otherwise, players would sign transactions
    for the wrong chain.

    Raises UserError if the node is on a different chain. A node that doesn't answer in time is
    accepted, because it might answer later, and until then players can at least see the boards."""
    with store.read() as snapshot:
        chain = snapshot.chain()
    try:
        async with asyncio.timeout(IDENTITY_SECONDS):
            await ChainIdentity(node, chain, ()).check_chain()
    except WrongChain as error:
        raise UserError(
            f"{error}. Choose a different --database, or set --rpc to a node on the database's chain"
        ) from error
    except (NodeUnavailable, NodeError, TimeoutError):
        pass


async def catch_up(follower: Follower) -> None:
    """Index up to the node's head. If the head is far away, show a progress bar. If the node is
    behind the index, return immediately.

    Raises NoProgress if indexing fails for too long, and WrongChain if the node is on another
    chain."""
    with progress_bar("Indexing") as progress:
        await _sync_to_head(follower, progress)


async def _sync_to_head(follower: Follower, progress: Callable[[int, int], None]) -> None:
    first, patience = follower.height, monotonic() + PATIENCE_SECONDS
    while True:
        result = await follower.try_sync()
        done = max(0, follower.height - first)
        progress(done, done + follower.blocks_behind)
        if result.failed:
            if monotonic() > patience + (BUSY_SECONDS if follower.health.detail == BUSY else 0):
                raise NoProgress(f"can't index the chain: {follower.health.detail}")
            await asyncio.sleep(follower.retry_seconds)
        elif not result.more:
            return
        else:
            patience = monotonic() + PATIENCE_SECONDS
