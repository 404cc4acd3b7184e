"""Queries for a player's opponents, and for the outcomes of the matches against them."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, case, func, select

from indexer.store.db.schema import BLOCK, RESULT
from indexer.store.results import Result, current_results

RELIABLE_OPPONENTS = 5
"""The number of different opponents that makes a rating reliable. Counting stops there."""
FIRST_ROWS = 4 * RELIABLE_OPPONENTS
"""The number of a player's rows to read at first. They suffice for almost all players. With
DISTINCT and a limit, PostgreSQL would read all of the player's rows, so the first query sorts and
limits rows without DISTINCT."""
OPPONENT_RESULT = RESULT.alias("opponent_result")
SAME_MATCH = (OPPONENT_RESULT.c.game == RESULT.c.game) & (OPPONENT_RESULT.c.match == RESULT.c.match)
LISTED_RESULT = RESULT.alias("listed")
RESULTS_WITH_OPPONENTS = RESULT.outerjoin(OPPONENT_RESULT, SAME_MATCH & (OPPONENT_RESULT.c.address != RESULT.c.address))
"""Each result of a player, joined with the results of the other players in the same match.

SQLite executes outer joins in the order in which they are written. An inner join could start with
the results of all players, which would be slow."""
HAS_OPPONENT = func.coalesce(OPPONENT_RESULT.c.address, "") != ""
"""The condition that the player had an opponent. If it compared the column with null, SQLite would
replace the outer join by an inner join."""


@dataclass(frozen=True, slots=True)
class OpponentRecord:
    """A player's record against one opponent in a game.

    - `won` and `lost`: how many matches the player won, and how many the opponent won
    - `drawn`: how many matches nobody won
    - `played`: how many matches there were, including those that a third player won
    - `last`: the time when the last match ended, in seconds since 1970
    - `current`: the opponent's last result in this game
    - `own`: the player's last result in this game
    """

    played: int
    won: int
    lost: int
    drawn: int
    last: int
    current: Result
    own: Result


def counts(connection: Connection, game: str, addresses: Collection[str], height: int | None = None) -> dict[str, int]:
    """Return the number of different opponents of each of these players, but at most
    RELIABLE_OPPONENTS.

    Only matches of this game up to the block `height` count. Each of the players must have finished
    a match of the game."""
    upto = () if height is None else (RESULT.c.height <= height,)
    met = select(OPPONENT_RESULT.c.address).select_from(RESULTS_WITH_OPPONENTS).where(RESULT.c.game == game, *upto)
    first = met.where(RESULT.c.address == LISTED_RESULT.c.address).order_by(RESULT.c.height, RESULT.c.log_index)
    some = first.limit(FIRST_ROWS).correlate(LISTED_RESULT).subquery()
    different = func.count(some.c.address.distinct())
    is_known = (different >= RELIABLE_OPPONENTS) | (func.count() < FIRST_ROWS)
    known = select(case((is_known, different))).select_from(some).scalar_subquery().label("known")
    listed = (
        LISTED_RESULT.c.address.in_(addresses),
        LISTED_RESULT.c.game == game,
        LISTED_RESULT.c.until_height.is_(None),
    )
    rows = connection.execute(select(LISTED_RESULT.c.address, known).where(*listed))
    found: dict[str, int | None] = {row.address: row.known for row in rows}
    for who in [who for who, number in found.items() if number is None]:
        every = met.where(RESULT.c.address == who).distinct().limit(RELIABLE_OPPONENTS + 1).subquery()
        found[who] = connection.execute(select(func.count(every.c.address))).scalar_one()  # null if there are none
    return {who: min(RELIABLE_OPPONENTS, number or 0) for who, number in found.items()}


def of_player(connection: Connection, address: str, game: str | None, limit: int) -> tuple[list[OpponentRecord], int]:
    """Return a player's opponents and their total number. An opponent in two games counts twice.

    The opponents are sorted by the number of matches, and then by the last match, latest first."""
    mine = [RESULT.c.address == address] + ([RESULT.c.game == game] if game is not None else [])
    height = func.max(RESULT.c.height)
    played = func.count()
    query = (
        select(
            RESULT.c.game,
            OPPONENT_RESULT.c.address,
            played.label("played"),
            _count_where(RESULT.c.outcome == "won").label("won"),
            _count_where(OPPONENT_RESULT.c.outcome == "won").label("lost"),
            _count_where(RESULT.c.outcome == "drawn").label("drawn"),
            height.label("height"),
            func.count().over().label("opponents"),
        )
        .select_from(RESULTS_WITH_OPPONENTS)
        .where(*mine, HAS_OPPONENT)
        .group_by(RESULT.c.game, OPPONENT_RESULT.c.address)
        .order_by(played.desc(), height.desc(), OPPONENT_RESULT.c.address, RESULT.c.game)
    )
    rows = connection.execute(query.limit(limit)).all()
    players = {(row.game, who) for row in rows for who in (row.address, address)}
    current = current_results(connection, players)
    times = _timestamps(connection, {row.height for row in rows})
    found = [
        OpponentRecord(
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
    return found, rows[0].opponents if rows else 0


def _count_where(condition: Any) -> Any:
    """Return an SQL expression that counts the rows of a group for which the condition is true."""
    return func.count().filter(condition)


def _timestamps(connection: Connection, heights: set[int]) -> dict[int, int]:
    """Return the times of the blocks at these heights, in seconds since 1970."""
    query = select(BLOCK.c.height, BLOCK.c.time).where(BLOCK.c.height.in_(sorted(heights)))
    return {row.height: row.time for row in connection.execute(query)}
