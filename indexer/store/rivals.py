"""Rivals: whom a player has finished matches with, and how they went."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, case, func, select

from indexer.store.db.schema import BLOCK, RESULT
from indexer.store.results import Result, current_results

ENOUGH = 5
"""So many different rivals make a rating reliable; no more of them are counted for it."""
FIRST_MEETINGS = 4 * ENOUGH
"""A player's, that are counted first: they tell it of nearly everybody. PostgreSQL reads all meetings before it tells
the first different ones; in their order it reads no more of the index than these."""
THEIRS = RESULT.alias("theirs")
SAME_MATCH = (THEIRS.c.game == RESULT.c.game) & (THEIRS.c.match == RESULT.c.match)
LISTED = RESULT.alias("listed")
MEETINGS = RESULT.outerjoin(THEIRS, SAME_MATCH & (THEIRS.c.address != RESULT.c.address))
"""A player's results, each with those of the others in that match. SQLite executes outer joins in written order, so it
never begins with everybody's results."""
HAS_RIVAL = func.coalesce(THEIRS.c.address, "") != ""
"""False for who was alone. A plain comparison with null would let SQLite take the join for an inner one."""


@dataclass(frozen=True, slots=True)
class Rival:
    """Another player of some of a player's finished matches of a game. `won` and `lost`: how many of these the player
    won, and the rival; `drawn`: nobody. One that a third player won is among `played` alone. `last`: when the last one
    ended, in seconds since 1970. `current` and `own`: the rival's last result in this game, and the player's."""

    played: int
    won: int
    lost: int
    drawn: int
    last: int
    current: Result
    own: Result


def counts(connection: Connection, game: str, addresses: Collection[str], height: int | None = None) -> dict[str, int]:
    """How many different rivals each of these players of a game has had up to a block, ENOUGH for more. All have
    finished a match."""
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
        found[who] = connection.execute(select(func.count(every.c.address))).scalar_one()  # null: matches alone
    return {who: min(ENOUGH, number or 0) for who, number in found.items()}


def of_player(connection: Connection, address: str, game: str | None, limit: int) -> tuple[list[Rival], int]:
    """The rivals with the most matches first, among equals the last one met; and how many there are in all. In several
    games one is a rival in each."""
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
    """How many rows of a group fulfil a condition."""
    return func.count().filter(condition)


def _times_of(connection: Connection, heights: set[int]) -> dict[int, int]:
    """When these blocks were made, in seconds since 1970."""
    query = select(BLOCK.c.height, BLOCK.c.time).where(BLOCK.c.height.in_(sorted(heights)))
    return {row.height: row.time for row in connection.execute(query)}
