"""Which matches of a game the lobby lists, by few steps through an index however many there are, and how many it has,
by a walk through an index.

Of the open ones no opener has more than a few on the list, so that no one account's push out the others'. Who makes
many accounts fills it all the same: one's own matches and invitations are asked for besides."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, zip_longest
from typing import Any, NamedTuple

from sqlalchemy import Connection, Row, func, literal_column, select, tuple_

from indexer.store.db.schema import BLOCK, MATCH

MAX_OPEN, MAX_PER_OPENER = 12, 3
"""The newest open matches on the list, and how many of them may be of one opener."""
LATEST = {"playing": 6, "finished": 6, "cancelled": 2}
"""The others, by their last events."""
STATUSES = ("open", *LATEST)
MAX_LIVE = 6
"""The live matches on the list; and so many that wait, with their openers there."""
COUNTED = 64, 1024
"""How many matches are read, those that moved last: first so many, and when all of them moved lately, so many."""
BATCH = 1000
"""Watched matches that one query reads."""
POSITION = (MATCH.c.created_height, MATCH.c.created_index)
LAST_MOVED_FIRST = (MATCH.c.height.desc(), *(one.desc() for one in POSITION))


@dataclass(frozen=True, slots=True)
class Listing:
    """The matches of a game by their numbers: the open ones, the newest first; the others by status, those that moved
    last first. `more`: how many open ones are left out of those openers who have as many on the list as they may."""

    open: list[int]
    more: dict[str, int]
    latest: dict[str, list[int]]
    counts: dict[str, int]

    @property
    def others(self) -> list[int]:
        """All but the open ones, the latest of each status first."""
        found = chain.from_iterable(zip_longest(*self.latest.values()))
        return [match for match in found if match is not None]


class Live(NamedTuple):
    """The matches of a game where somebody is: how many in progress are live, and the numbers of those that moved last;
    and the newest that wait for players, with their opener there."""

    total: int
    playing: list[int]
    waiting: list[int]


def listing(connection: Connection, game: str) -> Listing:
    latest = {status: _latest(connection, game, status) for status in LATEST}
    return Listing(*_open(connection, game), latest, _counts(connection, game))


def refreshed(connection: Connection, game: str, before: Listing, statuses: Iterable[str]) -> Listing:
    """The listing after events in matches of these statuses, none of which changed its status."""
    latest = {status: _latest(connection, game, status) for status in statuses if status in LATEST}
    return replace(before, latest={**before.latest, **latest})


def live(connection: Connection, game: str, since: float, claims: Mapping[int, Collection[str]]) -> Live:
    """The matches in progress that moved after `since`, in seconds since 1970, or that a player of theirs is looking
    at; and those whose opener waits there. `claims`: by match, the accounts, in lower case, for which somebody looks
    on."""
    attended = _attended(connection, game, claims)
    playing = [*_moved_after(connection, game, since), *(row for row in attended if row.status == "playing")]
    latest = sorted({row.match: row for row in playing}.values(), key=_moved_at, reverse=True)
    waiting = [row for row in attended if row.status == "open" and (row.opener or "").lower() in claims[row.match]]
    newest = sorted(waiting, key=lambda row: (row.created_height, row.created_index), reverse=True)
    return Live(len(latest), [row.match for row in latest[:MAX_LIVE]], [row.match for row in newest[:MAX_LIVE]])


def _moved_at(row: Any) -> tuple[int, int, int]:
    return row.height, row.created_height, row.created_index


def _moved_after(connection: Connection, game: str, since: float) -> list[Any]:
    """Stops early: the first few are enough, unless all of them moved lately."""
    query = select(MATCH.c.match, MATCH.c.height, *POSITION, BLOCK.c.time).join(BLOCK, BLOCK.c.height == MATCH.c.height)
    query = query.where(MATCH.c.game == game, MATCH.c.status == "playing")
    found: list[Any] = []
    for limit in COUNTED:
        rows = connection.execute(query.order_by(*LAST_MOVED_FIRST).limit(limit)).all()
        found = [row for row in rows if row.time > since]
        if len(found) < limit:
            break
    return found


def _attended(connection: Connection, game: str, claims: Mapping[int, Collection[str]]) -> list[Any]:
    """The unfinished matches that are watched for one of their players, or for their opener."""
    query = select(MATCH.c.match, MATCH.c.status, MATCH.c.height, *POSITION, MATCH.c.players, MATCH.c.opener)
    query = query.where(MATCH.c.game == game, MATCH.c.status.in_(("open", "playing")))
    matches = [*claims]
    batches = [matches[first : first + BATCH] for first in range(0, len(matches), BATCH)]
    rows = [row for batch in batches for row in connection.execute(query.where(MATCH.c.match.in_(batch)))]
    return [row for row in rows if any(one.lower() in claims[row.match] for one in (row.opener or "", *row.players))]


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
    return list(connection.execute(query.order_by(*LAST_MOVED_FIRST).limit(LATEST[status])).scalars())


def _counts(connection: Connection, game: str) -> dict[str, int]:
    query = select(MATCH.c.status, func.count().label("matches")).where(MATCH.c.game == game).group_by(MATCH.c.status)
    found = {row.status: row.matches for row in connection.execute(query)}
    return {status: found.get(status, 0) for status in STATUSES}
