"""Leaderboards: a game's players, the highest rating first, after any block."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, func, or_, select

from indexer.store import opponents
from indexer.store.db.schema import RESULT
from indexer.store.results import Result

CURRENT = RESULT.c.until_height.is_(None)
MAX_SUPERSEDED = 10_000
"""The maximum number of a game's results that newer results have replaced since the block of a past
leaderboard. To compute the leaderboard, all replaced results must be read."""
BEST_FIRST = (RESULT.c.rating.desc(), RESULT.c.address)


@dataclass(frozen=True, slots=True)
class RankedResult:
    """A player's last result, with the player's rank. The rank is one more than the number of
    players with a higher rating.

    `opponents`: the number of different players with whom this player has finished a match of the
    game. Counting stops at RELIABLE_OPPONENTS."""

    rank: int
    result: Result
    opponents: int


@dataclass(frozen=True, slots=True)
class PageKey:
    """The end of a page of a leaderboard, after which the next page starts.

    `count`: the number of entries so far. The other fields describe the last of these entries."""

    count: int
    rank: int
    rating: int
    address: str
    game: str


def top(
    connection: Connection,
    games: Iterable[str],
    height: int,
    limit: int,
    after: PageKey | None = None,
    without: Sequence[str] = (),
) -> list[RankedResult]:
    """Return the players with the highest ratings in these games, after the block `height`.

    Players with the same rating are sorted by address. Addresses in `without` are skipped and don't
    count in ranks."""
    found = [one for game in games for one in _top_of_game(connection, game, height, limit, after, without)]
    found.sort(key=lambda one: (-one.rating, one.address, one.game))
    return _ranked(connection, found[:limit], height, after or PageKey(0, 0, 0, "", ""))


def _top_of_game(
    connection: Connection, game: str, height: int, limit: int, after: PageKey | None, without: Sequence[str]
) -> list[Result]:
    query = select(RESULT).where(RESULT.c.game == game, RESULT.c.height <= height)
    if without:
        query = query.where(RESULT.c.address.not_in(without))
    if after is not None:
        query = query.where(RESULT.c.rating <= after.rating, _after_key(after, game))
    query = query.order_by(*BEST_FIRST).limit(limit)
    since = RESULT.c.until_height > height  # results that were replaced after this height
    return [*_results(connection, query.where(CURRENT)), *_results(connection, query.where(since))]


def is_too_old(connection: Connection, games: Iterable[str], height: int) -> bool:
    """Return True if a leaderboard at this block would be too slow, because newer results
    have since replaced more than MAX_SUPERSEDED results of one of the games."""
    for game in games:
        since = select(RESULT.c.match).where(RESULT.c.game == game, RESULT.c.until_height > height)
        if connection.execute(since.limit(1).offset(MAX_SUPERSEDED)).first() is not None:
            return True
    return False


def ranks_of(connection: Connection, address: str, games: Iterable[str]) -> dict[str, RankedResult]:
    """Return a player's current rank in each game in which the player has finished a match."""
    mine = select(RESULT).where(RESULT.c.address == address, RESULT.c.game.in_(list(games)), CURRENT)
    return {
        one.game: RankedResult(
            _count_above(connection, one) + 1, one, opponents.counts(connection, one.game, [address])[address]
        )
        for one in _results(connection, mine)
    }


def _after_key(after: PageKey, game: str) -> ColumnElement[bool]:
    """Return a condition for the rows that come after a page's last entry. If the leaderboard is
    for several games, a player has a row in each game."""
    address = RESULT.c.address
    later = address >= after.address if game > after.game else address > after.address
    return or_(RESULT.c.rating < after.rating, later)


def _ranked(connection: Connection, found: list[Result], height: int, passed: PageKey) -> list[RankedResult]:
    ranked: list[RankedResult] = []
    opponents_of = {
        game: opponents.counts(connection, game, [one.address for one in found if one.game == game], height)
        for game in {one.game for one in found}
    }
    rank, rating = passed.rank, passed.rating
    for count, one in enumerate(found, passed.count + 1):
        rank = rank if count > 1 and one.rating == rating else count
        rating = one.rating
        ranked.append(RankedResult(rank, one, opponents_of[one.game][one.address]))
    return ranked


def _count_above(connection: Connection, one: Result) -> int:
    higher = (RESULT.c.game == one.game, CURRENT, RESULT.c.rating > one.rating)
    return int(connection.execute(select(func.count()).select_from(RESULT).where(*higher)).scalar_one())


def _results(connection: Connection, query: Select[Any]) -> list[Result]:
    return [Result(**row._mapping) for row in connection.execute(query)]
