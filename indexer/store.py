"""The store: whole blocks with their events, and what is folded from them; with `view` the one door to SQL."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout
from sqlalchemy import Connection, Row, delete, insert, select, text, update
from sqlalchemy.exc import DBAPIError

from indexer.boards import BadEvent, SeqHole, State, before_first, folded
from indexer.database import StoreDamaged, StoreError, migrate, open_engine, refusal, sqlite_file
from indexer.game import Game
from indexer.model import Block, Chain, Deployment, Event, OtherChain
from indexer.tables import BLOCK, CHAIN, DEPLOYMENT, EVENT, MATCH, MENTION, SEAT
from indexer.view import View

__all__ = ["BadEvent", "OtherChain", "SeqHole", "Store", "StoreDamaged", "StoreError"]

NOBODY = "0x" + "0" * 40


class Store:
    """The database of one chain; threads may share it, one process writes. Raises StoreError if it can't be opened."""

    def __init__(self, url: str, games: Mapping[str, Game]) -> None:
        self._engine = open_engine(url)
        self._games = games
        self._file = sqlite_file(url)
        try:
            migrate(self._engine)
        except StoreError:
            self.close()
            raise

    def close(self) -> None:
        self._engine.dispose()

    @contextmanager
    def sole_writer(self) -> Iterator[None]:
        """Nobody else writes to this SQLite file meanwhile. Raises StoreError when somebody does, in any process."""
        with _locked(self._file) if self._file else nullcontext():  # no file: in memory, or on a server
            yield

    @contextmanager
    def read(self) -> Iterator[View]:
        """A consistent view; writers don't wait for it. Raises StoreError, also later while it is used."""
        try:
            with self._engine.connect() as connection:
                yield View(connection, self._games)
        except DBAPIError as error:
            raise refusal("read", error) from error

    @contextmanager
    def _write(self) -> Iterator[Connection]:
        try:
            with self._engine.connect().execution_options(writing=True) as connection, connection.begin():
                yield connection
        except DBAPIError as error:
            raise refusal("written", error) from error

    def adopt(self, chain: Chain, deployments: Sequence[Deployment]) -> None:
        """Says which chain and contracts this database is about. Raises OtherChain when it is about others."""
        with self._write() as connection:
            view = View(connection, self._games)
            stored, old, tip = view.chain(), view.deployments(), view.tip()
            if stored is not None and (
                stored != chain or not {one.address for one in old} <= {one.address for one in deployments}
            ):
                raise OtherChain(stored, chain)
            _name(connection, chain, deployments)
            known = {one.address for one in old}
            heights = [one.height for one in deployments if one.address not in known]
            if tip is not None and heights and min(heights) <= tip.height:  # passed without looking at the new contract
                self._drop(connection, min(heights))

    def begin_anew(self, chain: Chain, deployments: Sequence[Deployment], archive: Path | None) -> None:
        """Forgets everything and adopts another chain, in one transaction: readers see the old chain or the new one.

        SQLite only. First all is copied to the new file `archive` (None: to nowhere). Raises StoreError when that or
        this can't be done; the database is as it was then."""
        if self._engine.dialect.name != "sqlite":
            raise StoreError("the chain is another one now, and only a SQLite file is begun anew by itself: make an "
                             "empty database, or choose another --database")  # fmt: skip
        if archive is not None:
            self._copy(archive)
        with self._write() as connection:
            for table in (MENTION, SEAT, MATCH, EVENT, BLOCK):  # children first: no row's parents are looked for
                connection.execute(delete(table))
            _name(connection, chain, deployments)

    def _copy(self, archive: Path) -> None:
        """Whole or not at all: under another name until it is on the disk."""
        new = archive.with_name(archive.name + ".new")
        try:
            archive.parent.mkdir(parents=True, exist_ok=True)
            if archive.exists():
                raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST))
            new.unlink(missing_ok=True)
            with self._engine.connect().execution_options(bare=True) as connection:
                connection.execute(text("VACUUM INTO :file"), {"file": str(new)})
            with new.open("rb+") as file:
                os.fsync(file.fileno())
            new.rename(archive)
        except DBAPIError as error:
            new.unlink(missing_ok=True)
            raise refusal(f"kept as {archive}", error) from error
        except OSError as error:
            raise StoreError(f"the database can't be kept as {archive}: {error.strerror or error}") from error

    def append(
        self, blocks: Sequence[Block], events: Sequence[Event], before_commit: Callable[[], None] | None = None
    ) -> None:
        """Stores whole blocks with all their events, in one transaction with what is folded from them; the highest
        block is the cursor. `before_commit` is called in it, last; what that raises comes out, and nothing is stored.

        Raises SeqHole when an event is missing or doubled, BadEvent when its game can't take it, StoreError when it
        can't be written; stores nothing then."""
        if not blocks:
            return
        with self._write() as connection:
            self._store_blocks(connection, blocks)
            self._store_events(connection, events)
            if before_commit is not None:
                before_commit()

    def drop_from(self, height: int) -> list[tuple[str, int]]:
        """Forgets the blocks from this height on; the matches they touched are folded again. Returns these."""
        with self._write() as connection:
            return self._drop(connection, height)

    def query(self, sql: str) -> tuple[list[str], Sequence[Sequence[Any]]]:
        """A read-only query of the user's. Returns the column names and the rows."""
        with self._engine.connect() as connection:
            if self._engine.dialect.name == "sqlite":
                connection.exec_driver_sql("PRAGMA query_only=ON")
            else:
                connection.execute(text("SET TRANSACTION READ ONLY"))
            try:
                result = connection.execute(text(sql))
                return list(result.keys()), result.all() if result.returns_rows else []
            finally:
                connection.rollback()
                if self._engine.dialect.name == "sqlite":
                    connection.exec_driver_sql("PRAGMA query_only=OFF")

    def _store_blocks(self, connection: Connection, blocks: Sequence[Block]) -> None:
        connection.execute(insert(BLOCK), [_values(BLOCK, block) for block in blocks])

    def _store_events(self, connection: Connection, events: Sequence[Event]) -> None:
        if events:
            self._advance(connection, events)
            connection.execute(insert(EVENT), [_values(EVENT, event) for event in events])
            mentions = [row for event in events for row in _mentions(event)]
            if mentions:
                connection.execute(insert(MENTION), mentions)

    def _drop(self, connection: Connection, height: int) -> list[tuple[str, int]]:
        stale = connection.execute(select(EVENT.c.game, EVENT.c.match).where(EVENT.c.height >= height).distinct())
        touched = [(row.game, row.match) for row in stale]
        connection.execute(delete(BLOCK).where(BLOCK.c.height >= height))
        view = View(connection, self._games)
        for game, match in touched:
            self._advance(connection, view.events(game, match))
        return touched

    def _advance(self, connection: Connection, events: Sequence[Event]) -> None:
        """Folds these events onto the stored boards, match by match."""
        by_match: dict[tuple[str, int], list[Event]] = {}
        for event in events:
            by_match.setdefault((event.game, event.match), []).append(event)
        opened, seats = [], []
        for (game, match), new in by_match.items():
            where = (MATCH.c.game == game) & (MATCH.c.match == match)
            stored = connection.execute(select(MATCH).where(where)).first()
            old = _state(stored) if stored else before_first(self._games, new[0])
            state, row = folded(self._games, old, new)
            if stored is None:
                opened.append(row)
            else:
                connection.execute(update(MATCH).where(where), row)
            later = (one for one in state.players if one not in old.players)  # may have an earlier seat
            seats += [{"address": one, "game": game, "match": match} for one in later]
        if opened:
            connection.execute(insert(MATCH), opened)
        if seats:
            connection.execute(insert(SEAT), seats)


@contextmanager
def _locked(file: Path) -> Iterator[None]:
    lock = FileLock(file.with_name(file.name + ".lock"), timeout=0)
    try:
        lock.acquire()
    except Timeout:
        raise StoreError(
            f"another chainboard follows a chain into the database {file}: end that one, or choose another --database"
        ) from None
    except OSError as error:
        raise StoreError(
            f"the database {file} can't be written: {error.strerror or error}. Make its folder writable, or choose "
            "another --database"
        ) from error
    try:
        yield
    finally:
        lock.release()


def _name(connection: Connection, chain: Chain, deployments: Sequence[Deployment]) -> None:
    connection.execute(delete(CHAIN))
    connection.execute(insert(CHAIN), [{"chain_id": chain.chain_id, "genesis": chain.genesis}])
    connection.execute(delete(DEPLOYMENT))
    if deployments:
        connection.execute(insert(DEPLOYMENT), [_values(DEPLOYMENT, one) for one in deployments])


def _state(row: Row[Any]) -> State:
    return State(row.seq, row.board, tuple(row.players), row.created_height, row.created_index)


def _values(target: Any, value: Any) -> dict[str, Any]:
    return {column.key: getattr(value, column.key) for column in target.c}


def _mentions(event: Event) -> list[dict[str, Any]]:
    values = {value for value in event.args.values() if isinstance(value, str) and len(value) == len(NOBODY)}
    return [
        {"address": value, "height": event.height, "log_index": event.log_index}
        for value in sorted(values - {NOBODY})
        if value.startswith("0x")
    ]
