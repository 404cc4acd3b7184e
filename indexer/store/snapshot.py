"""Queries that read one consistent snapshot of the database."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Row, Subquery, select

from indexer.gamekit.game import Game, fold
from indexer.model import Block, Chain, Deployment, Event, Json, MatchKey, Summary
from indexer.store import checkpoints, leaderboard, list_queries, lobby_queries, opponents, rating_history, sparse
from indexer.store.db.schema import BLOCK, CHAIN, CONFIRMED, DEPLOYMENT, EVENT, MATCH, MENTION
from indexer.store.leaderboard import PageKey, RankedResult
from indexer.store.lobby_queries import Listing, Live
from indexer.store.opponents import OpponentRecord
from indexer.store.rating_history import RatedMatch

EVENTS = select(EVENT, BLOCK.c.hash, BLOCK.c.time).join(BLOCK, BLOCK.c.height == EVENT.c.height)

CREATED = BLOCK.alias("created_block")
SUMMARIES = (
    select(MATCH, BLOCK.c.hash, BLOCK.c.time, CREATED.c.time.label("created"))
    .join(BLOCK, BLOCK.c.height == MATCH.c.height)
    .join(CREATED, CREATED.c.height == MATCH.c.created_height)
)


class Snapshot:
    """A consistent snapshot of the database. All queries run in the same read transaction."""

    def __init__(self, connection: Connection, games: Mapping[str, Game]) -> None:
        self._connection = connection
        self._games = games

    def _one(self, query: Any) -> Row[Any] | None:
        return self._connection.execute(query).first()

    def _all(self, query: Any) -> Sequence[Row[Any]]:
        return self._connection.execute(query).all()

    def chain(self) -> Chain | None:
        """Return the chain to which this database belongs, or None if the database is empty."""
        row = self._one(select(CHAIN.c.chain_id, CHAIN.c.genesis))
        return Chain(row.chain_id, row.genesis) if row else None

    def deployments(self) -> list[Deployment]:
        """Return the contracts, sorted by game and first match."""
        return [Deployment(**row._mapping) for row in self._all(select(DEPLOYMENT).order_by("game", "first_match"))]

    def tip(self) -> Block | None:
        """Return the highest stored block, or None. Indexing continues after this block."""
        return self.block_up_to(2**63 - 1)

    def block_at(self, height: int) -> Block | None:
        """Return the stored block at this height, or None."""
        row = self._one(select(BLOCK).where(BLOCK.c.height == height))
        return Block(**row._mapping) if row else None

    def block_up_to(self, height: int) -> Block | None:
        """Return the highest stored block up to this height, or None."""
        return sparse.block_up_to(self._connection, height)

    def sparse_height(self) -> int:
        """Return the height up to which blocks without events may be missing, or -1."""
        return sparse.sparse_height(self._connection)

    def matches_between(self, game: str, first: int, end: int) -> set[int]:
        """Return the numbers of a game's stored matches from `first` to `end` - 1."""
        return sparse.matches_between(self._connection, game, first, end)

    def block_by_hash(self, hash: str) -> Block | None:
        """Return the block with this hash, or None if it is unknown or a reorg has removed it."""
        row = self._one(select(BLOCK).where(BLOCK.c.hash == hash))
        return Block(**row._mapping) if row else None

    def blocks_after(self, height: int, limit: int = 1000) -> list[Block]:
        rows = self._all(select(BLOCK).where(BLOCK.c.height > height).order_by(BLOCK.c.height).limit(limit))
        return [Block(**row._mapping) for row in rows]

    def summary(self, game: str, match: int) -> Summary | None:
        """Return a match and its board after the last event. Return None if it is not stored."""
        row = self._one(SUMMARIES.where(MATCH.c.game == game, MATCH.c.match == match))
        return _summary(row) if row else None

    def summaries(
        self,
        game: str | None = None,
        player: str | None = None,
        status: str | None = None,
        limit: int = 50,
        before: tuple[int, int] | None = None,
        opponent: str | None = None,
    ) -> list[Summary]:
        """Return matches, newest first. `before`: the `position` of the last match on the previous
        page. `opponent`: the invited player. It can't be combined with `player`."""
        keys = list_queries.matches(self._connection, game, player, status, limit, before, opponent)
        if keys is None:
            return []
        return [_summary(row) for row in self._all(_summaries_of(keys))]

    def listing(self, game: str) -> Listing:
        """Return the matches of a game that the lobby lists."""
        return lobby_queries.listing(self._connection, game)

    def refresh_listing(self, game: str, before: Listing, statuses: Iterable[str]) -> Listing:
        """Update a listing after new events. No event may have changed a match's status."""
        return lobby_queries.refresh(self._connection, game, before, statuses)

    def live(self, game: str, since: float, claims: Mapping[int, Collection[str]]) -> Live:
        """Return a game's live matches. `lobby_queries.Live` explains which are live."""
        return lobby_queries.live(self._connection, game, since, claims)

    def statuses_of(self, game: str, matches: Collection[int]) -> dict[int, str]:
        """Return the status of each of these matches. Unknown matches are left out."""
        query = select(MATCH.c.match, MATCH.c.status).where(MATCH.c.game == game, MATCH.c.match.in_(matches))
        return {row.match: row.status for row in self._all(query)}

    def summaries_of(self, game: str, matches: Collection[int]) -> dict[int, Summary]:
        """Return the summary of each of these matches. Unknown matches are left out."""
        rows = self._all(SUMMARIES.where(MATCH.c.game == game, MATCH.c.match.in_(matches)))
        return {row.match: _summary(row) for row in rows}

    def latest_matches(self, limit: int) -> dict[MatchKey, int]:
        """Return the matches with the newest events (the newest last), each with its last `seq`."""
        newest = select(MATCH.c.game, MATCH.c.match, MATCH.c.seq).order_by(MATCH.c.height.desc()).limit(limit)
        return {(row.game, row.match): row.seq for row in reversed(self._all(newest))}

    def confirmed_height(self) -> int:
        """Return the last height at which our event counts equalled the contracts', or -1."""
        return next((row.height for row in self._all(select(CONFIRMED.c.height))), -1)

    def unfinished(self) -> dict[MatchKey, int]:
        """Return the matches that are open or in progress, each with its last `seq`."""
        found = select(MATCH.c.game, MATCH.c.match, MATCH.c.seq).where(MATCH.c.status.in_(("open", "playing")))
        return {(row.game, row.match): row.seq for row in self._all(found)}

    def unconfirmed(self) -> dict[MatchKey, int]:
        """Return the matches with events after the confirmed height, each with its last `seq`."""
        later = select(MATCH.c.game, MATCH.c.match, MATCH.c.seq).where(MATCH.c.height > self.confirmed_height())
        return {(found.game, found.match): found.seq for found in self._all(later)}

    def events(
        self, game: str, match: int, after: int = 0, limit: int | None = None, upto_height: int | None = None
    ) -> list[Event]:
        """Return the events of a match after event number `after`, in order."""
        query = EVENTS.where(EVENT.c.game == game, EVENT.c.match == match, EVENT.c.seq > after)
        if upto_height is not None:
            query = query.where(EVENT.c.height <= upto_height)
        return [_event(row) for row in self._all(query.order_by(EVENT.c.seq).limit(limit))]

    def event_at(self, game: str, match: int, seq: int) -> Event | None:
        """Return a match's event with the number `seq` (the first is 1), or None."""
        row = self._one(EVENTS.where(EVENT.c.game == game, EVENT.c.match == match, EVENT.c.seq == seq))
        return _event(row) if row else None

    def latest_named(
        self, game: str, match: int, names: Sequence[str], before: int | None = None, limit: int = 100
    ) -> list[Event]:
        """Return a match's last events with these names, latest first. `before`: a `seq`."""
        query = EVENTS.where(EVENT.c.game == game, EVENT.c.match == match, EVENT.c.name.in_(names))
        if before is not None:
            query = query.where(EVENT.c.seq < before)
        return [_event(row) for row in self._all(query.order_by(EVENT.c.seq.desc()).limit(limit))]

    def last_event(self, game: str, match: int, upto_height: int | None = None) -> Event | None:
        """Return the last event of a match up to this block height, or None."""
        query = EVENTS.where(EVENT.c.game == game, EVENT.c.match == match)
        row = self._one(query.order_by(EVENT.c.seq.desc()).limit(1))
        if row is None or upto_height is None or row.height <= upto_height:
            return _event(row) if row else None
        return self.event_at(game, match, self._seq_at(game, match, upto_height, row.seq))

    def _seq_at(self, game: str, match: int, height: int, last: int) -> int:
        """Return the `seq` of the match's last event up to this height, or 0."""
        query = select(EVENT.c.height).where(EVENT.c.game == game, EVENT.c.match == match)
        return bisect_right(
            range(1, last + 1),
            height,
            key=lambda seq: self._connection.execute(query.where(EVENT.c.seq == seq)).scalar_one(),
        )

    def events_between(self, first: int, last: int) -> list[Event]:
        """Return the events in the blocks from `first` to `last`, both included, in order."""
        query = EVENTS.where(EVENT.c.height.between(first, last)).order_by(EVENT.c.height, EVENT.c.log_index)
        return [_event(row) for row in self._all(query)]

    def search_events(
        self,
        game: str | None = None,
        name: str | None = None,
        player: str | None = None,
        from_block: int | None = None,
        to_block: int | None = None,
        limit: int = 100,
        after: tuple[int, int] | None = None,
    ) -> list[Event]:
        """Return events in the order of the chain, after the position `after`."""
        bounds = (from_block, to_block)
        keys = list_queries.events(self._connection, game, name, player, bounds, limit, after)
        if keys is None:
            return []
        return [_event(row) for row in self._all(_events_of(keys))]

    def board(self, game: str, match: int, seq: int | None = None) -> tuple[Json, Event] | None:
        """Return a board and the event that led to it (by default the last event), or None."""
        event = self.last_event(game, match) if seq is None else self.event_at(game, match, seq)
        if event is None:
            return None
        summary = self.summary(game, match)
        if summary is not None and summary.seq == event.seq:
            return summary.board, event
        rules = self._games[game]
        after, board = checkpoints.latest(self._connection, (game, match), event.seq) or (0, rules.start)
        return fold(rules, board, self.events(game, match, after, limit=event.seq - after)), event

    def is_staked_token(self, token: str) -> bool:
        """Return True if any match had stakes in this token (checksummed address)."""
        mine = list_queries.distinct_pairs(self._connection, list_queries.MENTIONS, [MENTION.c.address == token])
        return any(game in self._games and name == self._games[game].stake_event for game, name in mine)

    def leaderboard(
        self,
        game: str | None,
        height: int,
        limit: int,
        after: PageKey | None = None,
        without: Sequence[str] = (),
    ) -> list[RankedResult]:
        """Return a game's players, or those of all games. The best rating after a block is first.
        `after`: the end of the previous page. `without`: addresses to leave out."""
        return leaderboard.top(self._connection, self._slugs(game), height, limit, after, without)

    def is_too_old(self, game: str | None, height: int) -> bool:
        """Return True if the leaderboard at this block would be too slow, because more than
        MAX_SUPERSEDED results have been replaced since this block."""
        return leaderboard.is_too_old(self._connection, self._slugs(game), height)

    def _slugs(self, game: str | None) -> list[str]:
        return list(self._games) if game is None else [game]

    def ranks_of(self, address: str) -> dict[str, RankedResult]:
        """Return a player's current rank in each game in which the player has a result."""
        return leaderboard.ranks_of(self._connection, address, self._games)

    def rating_history(
        self, address: str, game: str, limit: int, before: tuple[int, int] | None = None
    ) -> list[RatedMatch]:
        """Return a player's rating after each finished match of a game, latest match first.
        `before`: the `position` of the last match on the previous page."""
        return rating_history.of_player(self._connection, address, game, limit, before)

    def opponents(self, address: str, game: str | None, limit: int) -> tuple[list[OpponentRecord], int]:
        """Return the opponents whom a player has met most often in a game or, if `game` is None, in
        all games. Also return their total number."""
        return opponents.of_player(self._connection, address, game, limit)

    def seat_counts(self, address: str) -> dict[tuple[str, str], int]:
        """Return, for each game and status, how many matches a player takes part in."""
        return list_queries.seat_counts(self._connection, address)

    def first_and_last_seen(self, address: str) -> tuple[int, int] | None:
        """Return when events first and last mentioned this address, in seconds since 1970."""
        heights = list_queries.first_and_last_heights(self._connection, address)
        times = [block.time for block in map(self.block_at, (min(heights), max(heights))) if block] if heights else []
        return (times[0], times[-1]) if times else None

    def waiting_for_block_after(self, height: int) -> bool:
        """Return True if a match waits for the chain to pass this height or a higher one."""
        return self._one(select(MATCH.c.match).where(MATCH.c.waits_for >= height).limit(1)) is not None


def _events_of(keys: Subquery) -> Any:
    """Return a query for the events with these keys. Outer joins are used, because SQLite executes
    them in the order in which they are written."""
    same = (EVENT.c.height == keys.c.one) & (EVENT.c.log_index == keys.c.two)
    query = select(EVENT, BLOCK.c.hash, BLOCK.c.time).select_from(keys)
    query = query.outerjoin(EVENT, same).outerjoin(BLOCK, BLOCK.c.height == EVENT.c.height)
    return query.order_by(keys.c.at, keys.c.behind)


def _summaries_of(keys: Subquery) -> Any:
    """Return a query for the matches with these keys. The joins are like those in `_events_of`."""
    same = (MATCH.c.game == keys.c.one) & (MATCH.c.match == keys.c.two)
    query = select(MATCH, BLOCK.c.hash, BLOCK.c.time, CREATED.c.time.label("created")).select_from(keys)
    query = query.outerjoin(MATCH, same).outerjoin(BLOCK, BLOCK.c.height == MATCH.c.height)
    query = query.outerjoin(CREATED, CREATED.c.height == MATCH.c.created_height)
    return query.order_by(keys.c.at.desc(), keys.c.behind.desc())


def _event(row: Row[Any]) -> Event:
    return Event(**row._mapping)


def _summary(row: Row[Any]) -> Summary:
    values = dict(row._mapping)
    for column in ("waits_for", "opponent"):
        values.pop(column)
    return Summary(**values)
