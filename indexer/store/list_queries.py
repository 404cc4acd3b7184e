"""Queries for lists of matches and events. They stay fast, however many rows there are.

Each index sorts rows by two columns (game and event name, or game and status) and then by position
in the chain. If a query sets both columns, it scans the index once. Otherwise, it scans the index
once for each pair of values that exists, and merges the scans by position. A loose index scan finds
each existing pair in one step: https://wiki.postgresql.org/wiki/Loose_indexscan"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, cast

from sqlalchemy import CTE, ColumnElement, Connection, Subquery, func, literal, select, tuple_, union_all

from indexer.gamekit.lifecycle import FINISHED
from indexer.store.db.schema import EVENT, MATCH, MENTION, RESULT, SEAT

Pair: TypeAlias = tuple[str, str]
Position: TypeAlias = tuple[int, int]
"""A position in the chain: the block height and the log index."""
Condition: TypeAlias = ColumnElement[bool]
POSITION_NAMES = ("at", "behind")
"""The names of the two columns in a query's result that contain a position."""


@dataclass(frozen=True, slots=True)
class Index:
    """The columns of an index: the two that come first, and the position that sorts the
    rows. `key`: the columns that identify a listed match or event."""

    first: Any
    second: Any
    position: tuple[Any, Any]
    key: tuple[Any, Any]


EVENTS, MENTIONS = (
    Index(one.game, one.name, (one.height, one.log_index), (one.height, one.log_index)) for one in (EVENT.c, MENTION.c)
)
MATCHES, SEATS = (
    Index(one.game, one.status, (one.created_height, one.created_index), (one.game, one.match))
    for one in (MATCH.c, SEAT.c)
)


def matches(
    connection: Connection,
    game: str | None,
    player: str | None,
    status: str | None,
    limit: int,
    before: Position | None,
    opponent: str | None = None,
) -> Subquery | None:
    """Return a query for the newest matches before the position `before`. Its rows are keys (game
    and number).

    Return None if no match meets the conditions. `player` and `opponent` can't both be given."""
    index, conditions = (MATCHES, ()) if player is None else (SEATS, (SEAT.c.address == player,))
    if opponent is not None:
        conditions = (MATCH.c.opponent == opponent,)
    older = () if before is None else (tuple_(*index.position) < before,)
    if not conditions and game is None and status is None:
        return _merged_scans(connection, index, [older], limit, newest=True)
    return _merged_scans(
        connection, index, _scan_conditions(connection, index, conditions, (game, status), older), limit, newest=True
    )


def events(
    connection: Connection,
    game: str | None,
    name: str | None,
    player: str | None,
    bounds: Sequence[int | None],
    limit: int,
    after: Position | None,
) -> Subquery | None:
    """Return a query for the first events after the position `after`. Its rows are keys (height and
    log index).

    `bounds`: the first and the last block height. Return None if no event meets the conditions."""
    index, conditions = (EVENTS, ()) if player is None else (MENTIONS, (MENTION.c.address == player,))
    (height, _), (lowest, highest) = index.position, bounds
    within = () if after is None else (tuple_(*index.position) > after,)
    within += () if lowest is None else (height >= lowest,)
    within += () if highest is None else (height <= highest,)
    if player is None and game is None and name is None:
        return _merged_scans(connection, index, [within], limit)
    return _merged_scans(
        connection, index, _scan_conditions(connection, index, conditions, (game, name), within), limit
    )


def distinct_pairs(
    connection: Connection, index: Index, conditions: Sequence[Condition] = (), game: str | None = None
) -> list[Pair]:
    """Return the different pairs of values in an index's two columns, for one game or for all. If
    the index has other columns before these two, `conditions` must set them."""
    firsts = (
        _loose_index_scan(index.first, conditions)
        if game is None
        else select(literal(game, index.first.type).label("a")).cte("firsts")
    )
    begin = select(firsts.c.a, _minimum(index.second, *conditions, index.first == firsts.c.a).label("b"))
    scan = begin.where(firsts.c.a.is_not(None)).cte("walk", recursive=True)
    next_value = _minimum(index.second, *conditions, index.first == scan.c.a, index.second > scan.c.b)
    scan = scan.union_all(select(scan.c.a, next_value).where(scan.c.b.is_not(None)))
    found = connection.execute(select(scan.c.a, scan.c.b).where(scan.c.b.is_not(None)))
    return [(row.a, row.b) for row in found]


def first_and_last_heights(connection: Connection, address: str) -> list[int]:
    """Return the heights at which an address is first and last mentioned. There are two heights for
    each game and event name."""
    conditions, height = MENTION.c.address == address, MENTION.c.height
    ends = [
        select(select(height).where(conditions, *of_pair).order_by(end).limit(1).scalar_subquery())
        for game, name in distinct_pairs(connection, MENTIONS, [conditions])
        for of_pair in [(MENTION.c.game == game, MENTION.c.name == name)]
        for end in (height, height.desc())
    ]
    return list(connection.execute(union_all(*ends)).scalars()) if ends else []


def seat_counts(connection: Connection, address: str) -> dict[Pair, int]:
    """Return, for each game and status, how many matches a player takes part in.

    The numbers of finished matches are read from the player's last results, because counting these
    matches could take a long time."""
    conditions = SEAT.c.address == address
    last = RESULT.c.address == address, RESULT.c.until_height.is_(None)
    pairs = distinct_pairs(connection, SEATS, [conditions])
    counts = [
        select(RESULT.c.played).where(*last, RESULT.c.game == game)
        if status == FINISHED
        else select(func.count()).where(conditions, SEAT.c.game == game, SEAT.c.status == status)
        for game, status in pairs
    ]
    found = connection.execute(select(*(one.scalar_subquery() for one in counts))).one() if counts else ()
    return dict(zip(pairs, found, strict=True))


def _loose_index_scan(column: Any, conditions: Sequence[Condition]) -> CTE:
    """Return a query for the different values in a column of an index. The last row is null."""
    scan = select(_minimum(column, *conditions).label("a")).cte("firsts", recursive=True)
    return scan.union_all(select(_minimum(column, *conditions, column > scan.c.a)).where(scan.c.a.is_not(None)))


def _minimum(column: Any, *where: Condition) -> Any:
    return select(column).where(*where).order_by(column).limit(1).scalar_subquery()


def _scan_conditions(
    connection: Connection,
    index: Index,
    conditions: tuple[Condition, ...],
    values: tuple[str | None, str | None],
    within: tuple[Condition, ...],
) -> list[tuple[Condition, ...]]:
    """Return the conditions for each scan of the index. There is one scan per pair of values."""
    first, second = values
    if first is not None and second is not None:
        found = [(first, second)]
    else:
        found = [pair for pair in distinct_pairs(connection, index, conditions, first) if second in (None, pair[1])]
    return [(*conditions, index.first == one, index.second == other, *within) for one, other in found]


def _merged_scans(
    connection: Connection, index: Index, terms: Sequence[tuple[Condition, ...]], limit: int, newest: bool = False
) -> Subquery | None:
    if not terms:
        return None
    columns = [
        one.label(name) for one, name in zip(index.key + index.position, ("one", "two", *POSITION_NAMES), strict=True)
    ]
    scans = [select(*columns).where(*term) for term in terms]
    if len(scans) > 1 and connection.dialect.name == "postgresql":
        # PostgreSQL would read and sort all rows if only the merged scans had a limit
        scans = [select(_page(scan, index.position, limit, newest).subquery()) for scan in scans]
    merged: Any = union_all(*scans) if len(scans) > 1 else scans[0]
    return cast(
        Subquery, _page(merged, [merged.selected_columns[one] for one in POSITION_NAMES], limit, newest).subquery()
    )


def _page(rows: Any, position: Sequence[Any], limit: int, newest: bool) -> Any:
    return rows.order_by(*(one.desc() if newest else one for one in position)).limit(limit)
