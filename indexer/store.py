"""The store: whole blocks with their events, and what is folded from them. The one door to SQL."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Connection, Row, delete, insert, select, text, tuple_, update
from sqlalchemy.exc import DBAPIError
from sqlmodel import SQLModel

from indexer.database import StoreError, migrate, open_engine
from indexer.game import Game, fold
from indexer.model import Block, Chain, Deployment, Event, Json, Summary
from indexer.tables import BlockRow, ChainRow, DeploymentRow, EventRow, MatchRow, MentionRow, SeatRow

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


def table(model: type[SQLModel]) -> Any:
    """The Core table of a model: rows through the ORM are several times slower."""
    return model.__table__  # type: ignore[attr-defined]


CHAIN, DEPLOYMENT, BLOCK = table(ChainRow), table(DeploymentRow), table(BlockRow)
EVENT, MENTION, MATCH, SEAT = table(EventRow), table(MentionRow), table(MatchRow), table(SeatRow)
EVENTS = select(EVENT, BLOCK.c.hash, BLOCK.c.time).join(BLOCK, BLOCK.c.height == EVENT.c.height)
CREATED = BLOCK.alias("created_block")
SUMMARIES = (
    select(MATCH, BLOCK.c.hash, BLOCK.c.time, CREATED.c.time.label("created"))
    .join(BLOCK, BLOCK.c.height == MATCH.c.height)
    .join(CREATED, CREATED.c.height == MATCH.c.created_height)
)


class View:
    """One consistent look at the store: everything read through it is of the same moment."""

    def __init__(self, connection: Connection, games: Mapping[str, Game]) -> None:
        self._connection = connection
        self._games = games

    def _one(self, query: Any) -> Row[Any] | None:
        return self._connection.execute(query).first()

    def _all(self, query: Any) -> Sequence[Row[Any]]:
        return self._connection.execute(query).all()

    def chain(self) -> Chain | None:
        row = self._one(select(CHAIN.c.chain_id, CHAIN.c.genesis))
        return Chain(row.chain_id, row.genesis) if row else None

    def deployments(self) -> list[Deployment]:
        """In the order of their first matches, games by name."""
        return [Deployment(**row._mapping) for row in self._all(select(DEPLOYMENT).order_by("game", "first_match"))]

    def tip(self) -> Block | None:
        """The highest stored block: the cursor."""
        row = self._one(select(BLOCK).order_by(BLOCK.c.height.desc()).limit(1))
        return Block(**row._mapping) if row else None

    def block_at(self, height: int) -> Block | None:
        row = self._one(select(BLOCK).where(BLOCK.c.height == height))
        return Block(**row._mapping) if row else None

    def block_by_hash(self, hash: str) -> Block | None:
        row = self._one(select(BLOCK).where(BLOCK.c.hash == hash))
        return Block(**row._mapping) if row else None

    def blocks_after(self, height: int, limit: int = 1000) -> list[Block]:
        rows = self._all(select(BLOCK).where(BLOCK.c.height > height).order_by(BLOCK.c.height).limit(limit))
        return [Block(**row._mapping) for row in rows]

    def summary(self, game: str, match: int) -> Summary | None:
        """The match with its board after the last event."""
        row = self._one(SUMMARIES.where(MATCH.c.game == game, MATCH.c.match == match))
        return _summary(row) if row else None

    def summaries(
        self,
        game: str | None = None,
        player: str | None = None,
        status: str | None = None,
        limit: int = 50,
        before: tuple[int, int] | None = None,
    ) -> list[Summary]:
        """The newest matches first. `before` is the `key` of the last one seen."""
        query = SUMMARIES.order_by(MATCH.c.created_height.desc(), MATCH.c.created_index.desc()).limit(limit)
        if game is not None:
            query = query.where(MATCH.c.game == game)
        if status is not None:
            query = query.where(MATCH.c.status == status)
        if player is not None:
            seats = select(SEAT.c.game, SEAT.c.match).where(SEAT.c.address == player)
            query = query.where(tuple_(MATCH.c.game, MATCH.c.match).in_(seats))
        if before is not None:
            query = query.where(tuple_(MATCH.c.created_height, MATCH.c.created_index) < before)
        return [_summary(row) for row in self._all(query)]

    def events(
        self, game: str, match: int, after: int = 0, limit: int | None = None, upto_height: int | None = None
    ) -> list[Event]:
        """The events of a match by `seq`, from the one after `after`."""
        query = EVENTS.where(EVENT.c.game == game, EVENT.c.match == match, EVENT.c.seq > after)
        if upto_height is not None:
            query = query.where(EVENT.c.height <= upto_height)
        return [_event(row) for row in self._all(query.order_by(EVENT.c.seq).limit(limit))]

    def event_at(self, game: str, match: int, seq: int) -> Event | None:
        row = self._one(EVENTS.where(EVENT.c.game == game, EVENT.c.match == match, EVENT.c.seq == seq))
        return _event(row) if row else None

    def last_event(self, game: str, match: int, upto_height: int | None = None) -> Event | None:
        """The last event of a match in this block or before."""
        query = EVENTS.where(EVENT.c.game == game, EVENT.c.match == match)
        if upto_height is not None:
            query = query.where(EVENT.c.height <= upto_height)
        row = self._one(query.order_by(EVENT.c.seq.desc()).limit(1))
        return _event(row) if row else None

    def events_between(self, first: int, last: int) -> list[Event]:
        """The events of all matches in these blocks, both included, in the chain's order."""
        query = EVENTS.where(EVENT.c.height.between(first, last)).order_by(EVENT.c.height, EVENT.c.log_index)
        return [_event(row) for row in self._all(query)]

    def search(
        self,
        game: str | None = None,
        name: str | None = None,
        player: str | None = None,
        from_block: int | None = None,
        to_block: int | None = None,
        limit: int = 100,
        after: tuple[int, int] | None = None,
    ) -> list[Event]:
        """Events across matches in the chain's order. `after` is the (height, log_index) of the last one seen."""
        query = EVENTS.order_by(EVENT.c.height, EVENT.c.log_index).limit(limit)
        if player is not None:
            same = (MENTION.c.height == EVENT.c.height) & (MENTION.c.log_index == EVENT.c.log_index)
            query = query.join(MENTION, same).where(MENTION.c.address == player)
        if game is not None:
            query = query.where(EVENT.c.game == game)
        if name is not None:
            query = query.where(EVENT.c.name == name)
        if from_block is not None:
            query = query.where(EVENT.c.height >= from_block)
        if to_block is not None:
            query = query.where(EVENT.c.height <= to_block)
        if after is not None:
            query = query.where(tuple_(EVENT.c.height, EVENT.c.log_index) > after)
        return [_event(row) for row in self._all(query)]

    def board(self, game: str, match: int, seq: int | None = None) -> tuple[Json, Event] | None:
        """The board after event `seq` (the last one: None), with that event; None when there is no such event."""
        event = self.last_event(game, match) if seq is None else self.event_at(game, match, seq)
        if event is None:
            return None
        summary = self.summary(game, match)
        if summary is not None and summary.seq == event.seq:
            return summary.board, event
        rules = self._games[game]
        return fold(rules, rules.start, self.events(game, match, limit=event.seq)), event

    def waiting_for_block_after(self, height: int) -> bool:
        """Whether a match can go on only when the chain has passed this height."""
        return self._one(select(MATCH.c.match).where(MATCH.c.waits_for >= height).limit(1)) is not None


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
            seated = len(old.players) if old else 0
            seats += [{"address": one, "game": game, "match": match} for one in row["players"][seated:]]
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


def _event(row: Row[Any]) -> Event:
    return Event(**row._mapping)


def _summary(row: Row[Any]) -> Summary:
    values = dict(row._mapping)
    values.pop("waits_for")
    return Summary(**values)
