"""Queries for a player's rating history: the rating after each finished match of a game."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Connection, select, tuple_

from indexer.store.db.schema import BLOCK, EVENT, MATCH, RESULT

RATINGS = (
    RESULT.outerjoin(EVENT, (EVENT.c.height == RESULT.c.height) & (EVENT.c.log_index == RESULT.c.log_index))
    .outerjoin(BLOCK, BLOCK.c.height == RESULT.c.height)
    .outerjoin(MATCH, (MATCH.c.game == RESULT.c.game) & (MATCH.c.match == RESULT.c.match))
)
"""Each result with its event, its block and its match. SQLite executes outer joins in the order in
which they are written, so the query starts with the results."""


@dataclass(frozen=True, slots=True)
class RatedMatch:
    """A finished match, as one player sees it. `rating`: the player's rating after the match, in
    hundredths of a point. `seq`, `height`, `log_index` and `time` describe the match's last
    event."""

    game: str
    match: int
    seq: int
    height: int
    log_index: int
    time: int
    outcome: str
    rating: int
    opponents: tuple[str, ...]

    @property
    def position(self) -> tuple[int, int]:
        return self.height, self.log_index


def of_player(
    connection: Connection, address: str, game: str, limit: int, before: tuple[int, int] | None = None
) -> list[RatedMatch]:
    """Return a player's finished matches in a game, the latest first. If `before` is given, return
    only matches that ended before this position."""
    position = (RESULT.c.height, RESULT.c.log_index)
    query = (
        select(RESULT, EVENT.c.seq, BLOCK.c.time, MATCH.c.players)
        .select_from(RATINGS)
        .where(RESULT.c.address == address, RESULT.c.game == game)
        .order_by(*(one.desc() for one in position))
        .limit(limit)
    )
    if before is not None:
        query = query.where(tuple_(*position) < before)
    return [
        RatedMatch(
            row.game,
            row.match,
            row.seq,
            row.height,
            row.log_index,
            row.time,
            row.outcome,
            row.rating,
            tuple(one for one in row.players if one != address),
        )
        for row in connection.execute(query)
    ]
