"""The store: whole blocks with their events, and what is folded from them; with `view` the one door to SQL."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Connection, Row, delete, insert, select, text, update
from sqlalchemy.exc import DBAPIError

from indexer.database import StoreError, migrate, open_engine
from indexer.game import Game, fold
from indexer.model import Block, Chain, Deployment, Event
from indexer.tables import BLOCK, CHAIN, DEPLOYMENT, EVENT, MATCH, MENTION, SEAT
from indexer.view import View

NOBODY = "0x" + "0" * 40


class SeqHole(Exception):
    """An event is missing or doubled: the match's numbers do not go on where they stopped."""

    def __init__(self, game: str, match: int, expected: int, given: int) -> None:
        super().__init__(f"{game}/{match}: event {expected} should come next, the node gave {given}")
        self.game, self.match, self.expected, self.given = game, match, expected, given


class OtherChain(Exception):
    """The database is about another chain than the node's."""

    def __init__(self, stored: Chain, given: Chain) -> None:
        super().__init__(
            f"the database is about chain {stored.chain_id} (genesis {stored.genesis}) and its contracts, "
            f"not about chain {given.chain_id} (genesis {given.genesis})"
        )
        self.stored, self.given = stored, given


class Store:
    """The database of one chain; threads may share it, one process writes. Raises StoreError if it can't be opened."""

    def __init__(self, url: str, games: Mapping[str, Game]) -> None:
        self._engine = open_engine(url)
        self._games = games
        try:
            migrate(self._engine)
        except StoreError:
            self.close()
            raise

    def close(self) -> None:
        self._engine.dispose()

    @contextmanager
    def read(self) -> Iterator[View]:
        """A consistent view; writers don't wait for it. Raises StoreError, also later while it is used."""
        try:
            with self._engine.connect() as connection:
                yield View(connection, self._games)
        except DBAPIError as error:
            raise StoreError(f"the database can't be read: {error.orig}") from error

    @contextmanager
    def _write(self) -> Iterator[Connection]:
        try:
            with self._engine.connect().execution_options(writing=True) as connection, connection.begin():
                yield connection
        except DBAPIError as error:
            raise StoreError(f"the database can't be written: {error.orig}") from error

    def adopt(self, chain: Chain, deployments: Sequence[Deployment]) -> None:
        """Says which chain and contracts this database is about. Raises OtherChain when it is about others."""
        with self._write() as connection:
            view = View(connection, self._games)
            stored, old, tip = view.chain(), view.deployments(), view.tip()
            if stored is None:
                connection.execute(insert(CHAIN), [{"chain_id": chain.chain_id, "genesis": chain.genesis}])
            elif stored != chain or not {one.address for one in old} <= {one.address for one in deployments}:
                raise OtherChain(stored, chain)
            connection.execute(delete(DEPLOYMENT))
            if deployments:
                connection.execute(insert(DEPLOYMENT), [_values(DEPLOYMENT, one) for one in deployments])
        known = {one.address for one in old}
        heights = [one.height for one in deployments if one.address not in known]
        if tip is not None and heights and min(heights) <= tip.height:  # passed without looking at the new contract
            self.drop_from(min(heights))

    def append(self, blocks: Sequence[Block], events: Sequence[Event]) -> None:
        """Stores whole blocks with all their events, in one transaction with what is folded from them.

        Raises SeqHole when an event is missing or doubled, StoreError when it can't be written; stores nothing then."""
        if not blocks:
            return
        with self._write() as connection:
            connection.execute(insert(BLOCK), [_values(BLOCK, block) for block in blocks])
            if events:
                self._advance(connection, events)
                connection.execute(insert(EVENT), [_values(EVENT, event) for event in events])
                mentions = [row for event in events for row in _mentions(event)]
                if mentions:
                    connection.execute(insert(MENTION), mentions)

    def drop_from(self, height: int) -> list[tuple[str, int]]:
        """Forgets the blocks from this height on; the matches they touched are folded again. Returns these."""
        with self._write() as connection:
            stale = connection.execute(select(EVENT.c.game, EVENT.c.match).where(EVENT.c.height >= height).distinct())
            touched = [(row.game, row.match) for row in stale]
            connection.execute(delete(BLOCK).where(BLOCK.c.height >= height))
            view = View(connection, self._games)
            for game, match in touched:
                self._advance(connection, view.events(game, match))
            return touched

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

    def _advance(self, connection: Connection, events: Sequence[Event]) -> None:
        """Folds these events onto the stored boards, match by match."""
        by_match: dict[tuple[str, int], list[Event]] = {}
        for event in events:
            by_match.setdefault((event.game, event.match), []).append(event)
        opened, seats = [], []
        for (game, match), new in by_match.items():
            where = (MATCH.c.game == game) & (MATCH.c.match == match)
            old = connection.execute(select(MATCH).where(where)).first()
            row = self._folded(old, new)
            if old is None:
                opened.append(row)
            else:
                connection.execute(update(MATCH).where(where), row)
            seated = set(old.players) if old else set()  # a later player may have an earlier seat
            seats += [{"address": one, "game": game, "match": match} for one in row["players"] if one not in seated]
        if opened:
            connection.execute(insert(MATCH), opened)
        if seats:
            connection.execute(insert(SEAT), seats)

    def _folded(self, old: Row[Any] | None, events: Sequence[Event]) -> dict[str, Any]:
        first, last = events[0], events[-1]
        expected = (old.seq if old else 0) + 1
        for event in events:
            if event.seq != expected:
                raise SeqHole(event.game, event.match, expected, event.seq)
            expected += 1
        rules = self._games[first.game]
        board = fold(rules, old.board if old else rules.start, events)
        return {
            "game": first.game,
            "match": first.match,
            "seq": last.seq,
            "status": board["status"],
            "ply": board["ply"],
            "players": sorted(board["players"], key=lambda address: board["players"][address]["seat"]),
            "height": last.height,
            "created_height": old.created_height if old else first.height,
            "created_index": old.created_index if old else first.log_index,
            "waits_for": rules.waits_for_block_after(board),
            "board": board,
        }


def _values(target: Any, value: Any) -> dict[str, Any]:
    return {column.key: getattr(value, column.key) for column in target.c}


def _mentions(event: Event) -> list[dict[str, Any]]:
    values = {value for value in event.args.values() if isinstance(value, str) and len(value) == len(NOBODY)}
    return [
        {"address": value, "height": event.height, "log_index": event.log_index}
        for value in sorted(values - {NOBODY})
        if value.startswith("0x")
    ]
