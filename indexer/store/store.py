"""Writes the database: blocks, events, and the rows computed from them. `snapshot` reads it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from dataclasses import asdict
from itertools import pairwise
from pathlib import Path

from sqlalchemy import Connection, delete, insert, select, tuple_, update

from indexer.gamekit.game import Game
from indexer.model import Block, Chain, Deployment, Event, MatchKey, WrongChain, is_parent
from indexer.store import sparse
from indexer.store.db import bulk_insert, codes, postgresql
from indexer.store.db.advisory_lock import NotWriter, require_session
from indexer.store.db.bulk_insert import execute_many
from indexer.store.db.engine import StoreError, backup, close_engine, open_engine, sqlite_file, store_errors
from indexer.store.db.notifications import listen
from indexer.store.db.revisions import OtherVersion, check_readable, migrate
from indexer.store.db.schema import (
    BLOCK,
    CHAIN,
    CHECKPOINT,
    CONFIRMED,
    DEPLOYMENT,
    EVENT,
    MATCH,
    MENTION,
    NICKNAME,
    RESULT,
    SEAT,
    SPARSE,
)
from indexer.store.db.sqlite_lock import sqlite_lock
from indexer.store.db.writer import Writer
from indexer.store.match_state import BadEvent, SeqGap
from indexer.store.projections import Projections
from indexer.store.shared.announcements import Announcements
from indexer.store.shared.gateways import Gateways
from indexer.store.shared.nicknames import Nicknames
from indexer.store.shared.requests import Requests
from indexer.store.shared.seeks import Seeks
from indexer.store.shared.sponsor_lock import SponsorLock
from indexer.store.snapshot import Snapshot

__all__ = ["BadEvent", "NotWriter", "SeqGap", "Store", "StoreError", "WrongChain", "WrongParent"]


class WrongParent(StoreError):
    """The parent of a block is not the last stored block."""

    def __init__(self, parent: Block, child: Block) -> None:
        self.parent, self.child = parent, child
        super().__init__(f"block {child.height} ({child.hash}) does not follow block {parent.height} ({parent.hash})")


BLOCK_TABLES = (RESULT, CHECKPOINT, MATCH, MENTION, EVENT, BLOCK)
"""The tables whose rows belong to a block and are deleted with it. The block comes last."""
DELETE_ORDER = (CONFIRMED, SPARSE, SEAT, *BLOCK_TABLES)


class Store:
    """The database of one chain. Several threads can use it, but only one process can write. Raises
    StoreError if the database can't be opened."""

    def __init__(self, url: str, games: Mapping[str, Game]) -> None:
        self._engine, self._games, self._file = open_engine(url), games, sqlite_file(url)
        self._writer, self._projections = Writer(self._engine), Projections(games)
        self.is_server = self._engine.dialect.name != "sqlite"
        """True if the database is on a server, so that other machines can use it too."""
        self._readable, self._has_codes = False, not self.is_server
        codes.register(name for game in games.values() for name in (game.slug, *game.reducers))
        self.announcements, self.requests = Announcements(self._engine), Requests(self._engine)
        self.gateways, self.seeks = Gateways(self._engine), Seeks(self._engine)
        self.sponsor_lock, self.nicknames = SponsorLock(self._engine), Nicknames(self._engine)
        try:
            self._open()
        except BaseException:
            self.close()
            raise

    def _open(self) -> None:
        if self.is_server:
            with suppress(OtherVersion):  # if this process will be the writer, it will upgrade the tables
                check_readable(self._engine)
                self._readable = True
        else:
            migrate(self._engine, self._upgrade)
            self._readable = True

    @contextmanager
    def _upgrade(self) -> Iterator[Connection]:
        with self.exclusive_writer(), self.transaction() as connection:
            yield connection

    def close(self) -> None:
        self._writer.close()
        close_engine(self._engine)

    @contextmanager
    def exclusive_writer(self) -> Iterator[None]:
        """Make this process the only writer during the `with` block. On a server, also upgrade the
        tables. Raises StoreError (on a server, NotWriter) if another process is the writer."""
        with sqlite_lock(self._file) if self._file else nullcontext():  # None: in memory or on a server
            self.acquire()
            try:
                yield
            finally:
                self._writer.release()

    def check_writer(self) -> None:
        """Raise NotWriter if this process has lost its right to write to a server."""
        self._writer.check()

    def acquire(self) -> None:
        """On a server, make this process the only writer, also after its connection was lost. If
        another process is the writer, replace it if it has been silent since an earlier call. If it
        has not, raises NotWriter."""
        if self.is_server:
            self._writer.acquire()
            try:
                migrate(self._engine, self.transaction)
            except BaseException:
                self._writer.release()
                raise
            self._readable = True

    @contextmanager
    def read(self) -> Iterator[Snapshot]:
        """Yield a snapshot of the database. It doesn't block writers. Raises StoreError, even while
        the `with` block runs."""
        if not self._readable:
            check_readable(self._engine)
            self._readable = True
        with store_errors("read"), self._engine.connect() as connection:
            snapshot = Snapshot(connection, self._games)
            if not self._has_codes:
                codes.register(codes.names_in(snapshot.deployments()))
                self._has_codes = True
            try:
                yield snapshot
            except codes.UnknownCode:
                self._has_codes = False
                raise

    def check_version(self) -> None:
        """On a server, check whether this program can still read the tables after the writer has
        upgraded them. If it can't, this method and all later reads raise StoreError."""
        if self.is_server:
            try:
                check_readable(self._engine)
                self._readable = True
            except OtherVersion:
                self._readable = False
                raise

    async def listen(self, wake: Callable[[], None]) -> None:
        """Call `wake` after each write by another process, until cancelled. Do nothing on SQLite.

        Raises StoreError if a pooler in transaction mode would lose the notifications."""
        if self.is_server:
            await asyncio.to_thread(require_session, self._engine)
            await listen(self._engine, wake)

    def transaction(self) -> AbstractContextManager[Connection]:
        """Return a transaction that can write, as a context manager."""
        return self._writer.transaction()

    def set_chain(self, chain: Chain, deployments: Sequence[Deployment]) -> None:
        """Store the chain and its contracts. Raises WrongChain if they contradict the database."""
        with self.transaction() as connection:
            snapshot = Snapshot(connection, self._games)
            stored, old, tip = snapshot.chain(), snapshot.deployments(), snapshot.tip()
            if stored is not None and (
                stored != chain or not {one.address for one in old} <= {one.address for one in deployments}
            ):
                raise WrongChain(stored, chain)
            _write_chain(connection, chain, deployments)
            identities, before = {one.identity for one in deployments}, {one.identity for one in old}
            heights = [one.height for one in [*old, *deployments] if one.identity in identities ^ before]
            if tip is not None and heights and min(heights) <= tip.height:  # blocks were indexed with other contracts
                self._delete_blocks_from(connection, min(heights))

    def reset_to(self, chain: Chain, deployments: Sequence[Deployment], archive: Path | None) -> str:
        """Delete everything that came from the old chain and set the new chain, in one transaction.
        Blocked words stay. Nicknames stay if the new chain has the same id, because their
        signatures contain the chain id.

        Before that, copy a SQLite database to the new file `archive`, unless it is None. On a
        server, copy the tables to a new schema named after the file's folder. Return where the copy
        is. If a step fails, change nothing and raise StoreError."""
        archived_to = "" if archive is None else str(archive)
        if archive is not None and not self.is_server:
            backup(self._engine, archive)
        with self.transaction() as connection:
            if archive is not None and self.is_server:
                archived_to = postgresql.archive_tables(connection, archive.parent.name)
            stored = Snapshot(connection, self._games).chain()
            is_signed_for = stored is not None and stored.chain_id == chain.chain_id  # signatures contain the chain id
            for table in DELETE_ORDER if is_signed_for else (*DELETE_ORDER, NICKNAME):
                connection.execute(delete(table))
            _write_chain(connection, chain, deployments)
        return archived_to

    def append(
        self,
        blocks: Sequence[Block],
        events: Sequence[Event],
        before_commit: Callable[[], None] | None = None,
        contiguous: bool = True,
        sparse_to: int | None = None,
    ) -> None:
        """Store blocks, all their events, and the rows computed from them, in one transaction.

        `before_commit` is called before the commit. It compares each match's last `seq` with the
        contract's, and its errors stop the transaction. `sparse_to`: up to this height, blocks
        without events are left out, so parents can't be checked there.

        Raises WrongParent if a block doesn't follow the previous block (only if `contiguous`).
        Raises SeqGap if an event is missing or appears twice, BadEvent if a game can't apply an
        event, NotWriter if another process writes, and StoreError if writing fails. In each case,
        nothing is stored."""
        if not blocks:
            return
        if not {event.height for event in events} <= {block.height for block in blocks}:
            raise ValueError("some events are not in these blocks")
        with self.transaction() as connection:
            tip = Snapshot(connection, self._games).tip()
            if contiguous:
                _check_parents(tip, blocks, -1 if sparse_to is None else sparse_to)
            if sparse_to is not None:
                sparse.set_sparse_height(connection, sparse_to)
            self._projections.begin(tip)
            self._store_blocks(connection, blocks)
            self._store_events(connection, events)
            if before_commit is not None:
                before_commit()
                _set_confirmed(connection, blocks[-1].height)
        self._projections.commit(blocks[-1])

    def delete_blocks_from(self, height: int) -> list[MatchKey]:
        """Delete the blocks from this height up. Fold their matches again, and return these."""
        with self.transaction() as connection:
            return self._delete_blocks_from(connection, height)

    def maintain(self) -> bool:
        """Add one missing checkpoint of a long match. Return True if others might be missing.
        Raises NotWriter if another process might be the writer now."""
        self._writer.check()
        if self._projections.is_complete:
            return False
        with self.transaction() as connection:
            return self._projections.maintain(connection)

    def _store_blocks(self, connection: Connection, blocks: Sequence[Block]) -> None:
        execute_many(connection, bulk_insert.INSERT_BLOCK, [bulk_insert.block_row(block) for block in blocks])

    def _store_events(self, connection: Connection, events: Sequence[Event]) -> None:
        if events:
            self._projections.apply(connection, events)
            execute_many(connection, bulk_insert.INSERT_EVENT, bulk_insert.event_rows(events))
            execute_many(connection, bulk_insert.INSERT_MENTION, bulk_insert.mention_rows(events))

    def _delete_blocks_from(self, connection: Connection, height: int) -> list[MatchKey]:
        stale = connection.execute(select(EVENT.c.game, EVENT.c.match).where(EVENT.c.height >= height).distinct())
        changed_matches = [(row.game, row.match) for row in stale]
        deleted_matches = select(MATCH.c.game, MATCH.c.match).where(MATCH.c.height >= height)
        connection.execute(delete(SEAT).where(tuple_(SEAT.c.game, SEAT.c.match).in_(deleted_matches)))
        for table in BLOCK_TABLES:
            connection.execute(delete(table).where(table.c.height >= height))
        sparse.rewind(connection, height)
        connection.execute(update(CONFIRMED).where(CONFIRMED.c.height >= height).values(height=height - 1))
        self._projections.rewind(connection, height, changed_matches)
        return changed_matches


def _check_parents(tip: Block | None, blocks: Sequence[Block], sparse_to: int) -> None:
    """Raise WrongParent unless each block follows the one before. Up to `sparse_to`, allow gaps."""
    for parent, child in pairwise(blocks if tip is None else [tip, *blocks]):
        has_hole = parent.height + 1 < child.height <= sparse_to
        if not has_hole and not is_parent(parent, child):
            raise WrongParent(parent, child)


def _set_confirmed(connection: Connection, height: int) -> None:
    connection.execute(delete(CONFIRMED))
    connection.execute(insert(CONFIRMED), [{"height": height}])


def _write_chain(connection: Connection, chain: Chain, deployments: Sequence[Deployment]) -> None:
    connection.execute(delete(CHAIN))
    connection.execute(insert(CHAIN), [asdict(chain)])
    connection.execute(delete(DEPLOYMENT))
    codes.register(codes.names_in(deployments))
    if deployments:
        connection.execute(insert(DEPLOYMENT), [asdict(one) for one in deployments])
