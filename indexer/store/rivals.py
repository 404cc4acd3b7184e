"""Rivals: the players with whom a player has finished matches, and the outcomes."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, case, func, select

from indexer.store.db.schema import BLOCK, RESULT
from indexer.store.results import Result, current_results

ENOUGH = 5
"""Number of different rivals that make a rating reliable. Counting stops here."""
FIRST_MEETINGS = 4 * ENOUGH
"""Meetings of a player that are counted first. They settle the count for almost all players.

PostgreSQL reads all meetings before it returns the first distinct rivals. An order and
this limit bound how much of the index it reads."""
THEIRS = RESULT.alias("theirs")
SAME_MATCH = (THEIRS.c.game == RESULT.c.game) & (THEIRS.c.match == RESULT.c.match)
LISTED = RESULT.alias("listed")
MEETINGS = RESULT.outerjoin(THEIRS, SAME_MATCH & (THEIRS.c.address != RESULT.c.address))
"""A player's results, each joined with the other players' results in the same match.

SQLite executes outer joins in the written order, so it never starts with the results of all
players."""
HAS_RIVAL = func.coalesce(THEIRS.c.address, "") != ""
"""False for a player without others. With a plain comparison to null, SQLite would use an inner
join."""


@dataclass(frozen=True, slots=True)
class Rival:
    """A player with whom another player has finished matches of a game.

    `won` and `lost`: matches that the player won, and that the rival won. `drawn`: matches without
    a winner. A match that a third player won counts only in `played`. `last`: end of the last
    match, in seconds since 1970. `current` and `own`: the last result in this game of the rival,
    and of the player."""

    played: int
    won: int
    lost: int
    drawn: int
    last: int
    current: Result
    own: Result


def counts(connection: Connection, game: str, addresses: Collection[str], height: int | None = None) -> dict[str, int]:
    """Return the number of different rivals of each of these players of a game, at most ENOUGH.

    Counts matches up to the block `height`. All these players must have finished a match."""
    upto = () if height is None else (RESULT.c.height <= height,)
    met = select(THEIRS.c.address).select_from(MEETINGS).where(RESULT.c.game == game, *upto)
    first = met.where(RESULT.c.address == LISTED.c.address).order_by(RESULT.c.height, RESULT.c.log_index)
    some = first.limit(FIRST_MEETINGS).correlate(LISTED).subquery()
    different = func.count(some.c.address.distinct())
    is_known = (different >= ENOUGH) | (func.count() < FIRST_MEETINGS)
    known = select(case((is_known, different))).select_from(some).scalar_subquery().label("known")
    listed = LISTED.c.address.in_(addresses), LISTED.c.game == game, LISTED.c.until_height.is_(None)
    rows = connection.execute(select(LISTED.c.address, known).where(*listed))
    found: dict[str, int | None] = {row.address: row.known for row in rows}
    for who in [who for who, number in found.items() if number is None]:
        every = met.where(RESULT.c.address == who).distinct().limit(ENOUGH + 1).subquery()
        found[who] = connection.execute(select(func.count(every.c.address))).scalar_one()  # null: no rivals
    return {who: min(ENOUGH, number or 0) for who, number in found.items()}


def of_player(connection: Connection, address: str, game: str | None, limit: int) -> tuple[list[Rival], int]:
    """Return a player's rivals and their total number. A rival in several games counts once per
    game.

    The most frequent rivals come first, then those met last."""
    mine = [RESULT.c.address == address] + ([RESULT.c.game == game] if game is not None else [])
    height = func.max(RESULT.c.height)
    played = func.count()
    query = (
        select(
            RESULT.c.game,
            THEIRS.c.address,
            played.label("played"),
            _times(RESULT.c.outcome == "won").label("won"),
            _times(THEIRS.c.outcome == "won").label("lost"),
            _times(RESULT.c.outcome == "drawn").label("drawn"),
            height.label("height"),
            func.count().over().label("rivals"),
        )
        .select_from(MEETINGS)
        .where(*mine, HAS_RIVAL)
        .group_by(RESULT.c.game, THEIRS.c.address)
        .order_by(played.desc(), height.desc(), THEIRS.c.address, RESULT.c.game)
    )
    rows = connection.execute(query.limit(limit)).all()
    players = {(row.game, who) for row in rows for who in (row.address, address)}
    current = current_results(connection, players)
    times = _times_of(connection, {row.height for row in rows})
    found = [
        Rival(
            row.played,
            row.won,
            row.lost,
            row.drawn,
            times[row.height],
            current[row.game, row.address],
            current[row.game, address],
        )
        for row in rows
    ]
    return found, rows[0].rivals if rows else 0


def _times(condition: Any) -> Any:
    """Count the rows of a group that fulfil a condition."""
    return func.count().filter(condition)


def _times_of(connection: Connection, heights: set[int]) -> dict[int, int]:
    """Return the timestamps of these blocks, in seconds since 1970."""
    query = select(BLOCK.c.height, BLOCK.c.time).where(BLOCK.c.height.in_(sorted(heights)))
    return {row.height: row.time for row in connection.execute(query)}
