"""Which matches of a game the lobby lists, by few steps through an index however many there are, and how many it has,
by a walk through an index.

Of the open ones no opener has more than a few on the list, so that no one account's push out the others'. Who makes
many accounts fills it all the same: one's own matches and invitations are asked for besides."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain, zip_longest
from typing import Any

from sqlalchemy import Connection, Row, func, literal_column, select, tuple_

from indexer.store.db.schema import MATCH

MAX_OPEN, MAX_PER_OPENER = 20, 3
"""The newest open matches on the list, and how many of them may be of one opener."""
LATEST = {"playing": 6, "finished": 6, "cancelled": 2}
"""The others, by their last events."""
STATUSES = ("open", *LATEST)
POSITION = (MATCH.c.created_height, MATCH.c.created_index)


@dataclass(frozen=True, slots=True)
class Listing:
    """The matches of a game by their numbers: the open ones, the newest first; the others by status, those that moved
    last first. `more`: how many open ones are left out of those openers who have as many on the list as they may."""

    open: list[int]
    more: dict[str, int]
    latest: dict[str, list[int]]
    counts: dict[str, int]

    @property
    def featured(self) -> int | None:
        """The match that represents the game: one in progress, else the one finished last, else an open one."""
        latest = self.latest
        candidates = chain(latest["playing"], latest["finished"], self.open, latest["cancelled"])
        return next(candidates, None)

    @property
    def matches(self) -> list[int]:
        """The listed matches without duplicates, the most important first."""
        first = () if self.featured is None else (self.featured,)
        others = chain.from_iterable(zip_longest(*self.latest.values()))
        return list(dict.fromkeys(match for match in (*first, *self.open, *others) if match is not None))


def listing(connection: Connection, game: str) -> Listing:
    latest = {status: _latest(connection, game, status) for status in LATEST}
    return Listing(*_open(connection, game), latest, _counts(connection, game))


def refreshed(connection: Connection, game: str, before: Listing, statuses: Iterable[str]) -> Listing:
    """The listing after events in matches of these statuses, none of which changed its status."""
    latest = {status: _latest(connection, game, status) for status in statuses if status in LATEST}
    return replace(before, latest={**before.latest, **latest})


def _open(connection: Connection, game: str) -> tuple[list[int], dict[str, int]]:
    """One scan for each opener that is skipped, and one more."""
    found: list[int] = []
    by = Counter[str]()
    before: tuple[int, int] | None = None
    while len(found) < MAX_OPEN:
        full = [opener for opener, n in by.items() if n == MAX_PER_OPENER]
        newest = _newest_open(connection, game, full, before)
        for row in newest:
            if len(found) < MAX_OPEN and by[row.opener] < MAX_PER_OPENER:
                by[row.opener] += 1
                found.append(row.match)
        if len(newest) < MAX_OPEN:
            break
        before = (newest[-1].created_height, newest[-1].created_index)
    full = [opener for opener, n in by.items() if n == MAX_PER_OPENER]
    more = {opener: _count_open(connection, game, opener) - MAX_PER_OPENER for opener in full}
    return found, {opener: n for opener, n in more.items() if n}


def _newest_open(
    connection: Connection, game: str, without: Sequence[str], before: tuple[int, int] | None
) -> Sequence[Row[Any]]:
    query = select(MATCH.c.match, MATCH.c.opener, *POSITION).where(MATCH.c.game == game, MATCH.c.status == "open")
    if without:
        query = query.where(MATCH.c.opener.not_in(without))
    if before is not None:
        query = query.where(tuple_(*POSITION) < before)
    return connection.execute(query.order_by(*(one.desc() for one in POSITION)).limit(MAX_OPEN)).all()


def _count_open(connection: Connection, game: str, opener: str) -> int:
    """Counts an opener's open matches. Their index is partial: the status must be a literal in the query."""
    mine = (MATCH.c.game == game, MATCH.c.status == literal_column("'open'"), MATCH.c.opener == opener)
    return int(connection.execute(select(func.count()).select_from(MATCH).where(*mine)).scalar_one())


def _latest(connection: Connection, game: str, status: str) -> list[int]:
    query = select(MATCH.c.match).where(MATCH.c.game == game, MATCH.c.status == status)
    order = (MATCH.c.height.desc(), *(one.desc() for one in POSITION))
    return list(connection.execute(query.order_by(*order).limit(LATEST[status])).scalars())


def _counts(connection: Connection, game: str) -> dict[str, int]:
    query = select(MATCH.c.status, func.count().label("matches")).where(MATCH.c.game == game).group_by(MATCH.c.status)
    found = {row.status: row.matches for row in connection.execute(query)}
    return {status: found.get(status, 0) for status in STATUSES}
