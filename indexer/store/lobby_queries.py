"""Queries for the lobby, which lists some of a game's matches and their counts. Listing stays fast,
however many matches there are. Counting scans an index.

The list contains only a few open matches of each account, so one account can't fill it. A person
with many accounts still can. Therefore, the page requests the player's own matches and invitations
separately."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, zip_longest
from typing import Any, NamedTuple

from sqlalchemy import Connection, Row, func, literal_column, select, tuple_

from indexer.store.db.schema import BLOCK, MATCH

MAX_OPEN, MAX_PER_OPENER = 12, 3
"""The maximum number of open matches in the list: of all accounts, and of one account."""
LATEST = {"playing": 6, "finished": 6, "cancelled": 2}
"""For each status except open, the maximum number of listed matches. Those with the latest moves
are chosen."""
STATUSES = ("open", *LATEST)
MAX_LIVE = 6
"""The maximum number of live matches in the list. This is also the maximum number of open matches
whose opener is present."""
READ_LIMITS = 64, 1024
"""The numbers of matches to read, to find those with recent moves. If all of the first 64 have a
recent move, 1,024 are read."""
BATCH = 1000
"""The number of matches in one query."""
POSITION = (MATCH.c.created_height, MATCH.c.created_index)
LAST_MOVED_FIRST = (MATCH.c.height.desc(), *(one.desc() for one in POSITION))


@dataclass(frozen=True, slots=True)
class Listing:
    """The numbers of a game's matches that the lobby lists, and counts of matches.

    - `open`: the open matches, newest first
    - `latest`: for each other status, the matches with that status, latest move first
    - `more`: for each account, how many of its open matches are left out
    - `counts`: for each status, how many matches the game has
    """

    open: list[int]
    more: dict[str, int]
    latest: dict[str, list[int]]
    counts: dict[str, int]

    @property
    def others(self) -> list[int]:
        """All listed matches except the open ones. The latest matches of each status come first."""
        found = chain.from_iterable(zip_longest(*self.latest.values()))
        return [match for match in found if match is not None]


class Live(NamedTuple):
    """The live matches of a game. A match is live if it has a recent move, or if one of its players
    is watching it.

    - `total`: the number of live matches in progress
    - `playing`: those with the latest moves
    - `waiting`: the newest open matches whose opener is watching
    """

    total: int
    playing: list[int]
    waiting: list[int]


def listing(connection: Connection, game: str) -> Listing:
    latest = {status: _latest(connection, game, status) for status in LATEST}
    return Listing(*_open(connection, game), latest, _counts(connection, game))


def refresh(connection: Connection, game: str, before: Listing, statuses: Iterable[str]) -> Listing:
    """Return the listing `before`, updated after new events. `statuses`: the statuses of the
    matches with new events. Call this only if no event changed a status."""
    latest = {status: _latest(connection, game, status) for status in statuses if status in LATEST}
    return replace(before, latest={**before.latest, **latest})


def live(connection: Connection, game: str, since: float, claims: Mapping[int, Collection[str]]) -> Live:
    """Return the live matches in progress, and the open matches whose opener is watching.

    A match in progress is live if it has a move after `since` (seconds since 1970), or if one of
    its players is watching. `claims`: the accounts that are watching each match, as lower-case
    addresses."""
    watched = _watched(connection, game, claims)
    playing = [*_moved_after(connection, game, since), *(row for row in watched if row.status == "playing")]
    latest = sorted({row.match: row for row in playing}.values(), key=_moved_at, reverse=True)
    waiting = [row for row in watched if row.status == "open" and (row.opener or "").lower() in claims[row.match]]
    newest = sorted(waiting, key=lambda row: (row.created_height, row.created_index), reverse=True)
    return Live(len(latest), [row.match for row in latest[:MAX_LIVE]], [row.match for row in newest[:MAX_LIVE]])


def _moved_at(row: Any) -> tuple[int, int, int]:
    return row.height, row.created_height, row.created_index


def _moved_after(connection: Connection, game: str, since: float) -> list[Any]:
    """Return the matches in progress that have a move after `since`. If all matches that were read
    have one, read more."""
    query = select(MATCH.c.match, MATCH.c.height, *POSITION, BLOCK.c.time).join(BLOCK, BLOCK.c.height == MATCH.c.height)
    query = query.where(MATCH.c.game == game, MATCH.c.status == "playing")
    found: list[Any] = []
    for limit in READ_LIMITS:
        rows = connection.execute(query.order_by(*LAST_MOVED_FIRST).limit(limit)).all()
        found = [row for row in rows if row.time > since]
        if len(found) < limit:
            break
    return found


def _watched(connection: Connection, game: str, claims: Mapping[int, Collection[str]]) -> list[Any]:
    """Return the unfinished matches that their opener or one of their players is watching."""
    query = select(MATCH.c.match, MATCH.c.status, MATCH.c.height, *POSITION, MATCH.c.players, MATCH.c.opener)
    query = query.where(MATCH.c.game == game, MATCH.c.status.in_(("open", "playing")))
    matches = [*claims]
    batches = [matches[first : first + BATCH] for first in range(0, len(matches), BATCH)]
    rows = [row for batch in batches for row in connection.execute(query.where(MATCH.c.match.in_(batch)))]
    return [row for row in rows if any(one.lower() in claims[row.match] for one in (row.opener or "", *row.players))]


def _open(connection: Connection, game: str) -> tuple[list[int], dict[str, int]]:
    """Return two fields of a listing: `open` and `more`. This takes one scan of the index, and at
    most one more for each account with too many open matches."""
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
    """Return how many open matches an account has. The status must be a literal, so that the
    database uses an index with this condition."""
    mine = (MATCH.c.game == game, MATCH.c.status == literal_column("'open'"), MATCH.c.opener == opener)
    return int(connection.execute(select(func.count()).select_from(MATCH).where(*mine)).scalar_one())


def _latest(connection: Connection, game: str, status: str) -> list[int]:
    query = select(MATCH.c.match).where(MATCH.c.game == game, MATCH.c.status == status)
    return list(connection.execute(query.order_by(*LAST_MOVED_FIRST).limit(LATEST[status])).scalars())


def _counts(connection: Connection, game: str) -> dict[str, int]:
    query = select(MATCH.c.status, func.count().label("matches")).where(MATCH.c.game == game).group_by(MATCH.c.status)
    found = {row.status: row.matches for row in connection.execute(query)}
    return {status: found.get(status, 0) for status in STATUSES}
