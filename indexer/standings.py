"""Where players stand in a game: by rating, as of a block."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, func, or_, select

from indexer.results import Result
from indexer.tables import RESULT

STANDING = RESULT.c.until_height.is_(None)
MOST_SINCE = 10_000
"""Results that may have been superseded since a block, for the standings as of it to be told: each is looked at."""
BEST_FIRST = (RESULT.c.rating.desc(), RESULT.c.address)


@dataclass(frozen=True, slots=True)
class Standing:
    """A player's last result, and its rank: one more than there are players with a higher rating."""

    rank: int
    result: Result


@dataclass(frozen=True, slots=True)
class Passed:
    """Where a list of standings goes on: after so many players, of whom the last had this rank, rating and address."""

    count: int
    rank: int
    rating: int
    address: str


def best(connection: Connection, game: str, height: int, limit: int, after: Passed | None = None) -> list[Standing]:
    """The players with the highest ratings after the block `height`, among equals by address."""
    query = select(RESULT).where(RESULT.c.game == game, RESULT.c.height <= height)
    if after is not None:
        query = query.where(RESULT.c.rating <= after.rating, _behind(after))
    query = query.order_by(*BEST_FIRST).limit(limit)
    since = RESULT.c.until_height > height  # superseded by what came after that block
    found = [*_results(connection, query.where(STANDING)), *_results(connection, query.where(since))]
    found.sort(key=lambda one: (-one.rating, one.address))
    return _ranked(found[:limit], after or Passed(0, 0, 0, ""))


def past(connection: Connection, game: str, height: int) -> bool:
    """Whether too much has happened since this block to tell the standings as of it."""
    since = select(RESULT.c.match).where(RESULT.c.game == game, RESULT.c.until_height > height)
    return connection.execute(since.limit(1).offset(MOST_SINCE)).first() is not None


def of_player(connection: Connection, address: str, games: Iterable[str]) -> dict[str, Standing]:
    """Where a player stands now, by game, where it has finished a match."""
    mine = select(RESULT).where(RESULT.c.address == address, RESULT.c.game.in_(list(games)), STANDING)
    return {one.game: Standing(_above(connection, one) + 1, one) for one in _results(connection, mine)}


def _behind(after: Passed) -> ColumnElement[bool]:
    return or_(RESULT.c.rating < after.rating, RESULT.c.address > after.address)


def _ranked(found: list[Result], passed: Passed) -> list[Standing]:
    ranked: list[Standing] = []
    rank, rating = passed.rank, passed.rating
    for count, one in enumerate(found, passed.count + 1):
        rank = rank if count > 1 and one.rating == rating else count
        rating = one.rating
        ranked.append(Standing(rank, one))
    return ranked


def _above(connection: Connection, one: Result) -> int:
    higher = (RESULT.c.game == one.game, STANDING, RESULT.c.rating > one.rating)
    return int(connection.execute(select(func.count()).select_from(RESULT).where(*higher)).scalar_one())


def _results(connection: Connection, query: Select[Any]) -> list[Result]:
    return [Result(**row._mapping) for row in connection.execute(query)]
