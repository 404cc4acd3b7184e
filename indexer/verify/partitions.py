"""Divides two databases into the same slices, so that each slice fits into memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, TypeAlias

from sqlalchemy import ColumnElement, tuple_

from indexer.model import MatchKey
from indexer.verify.raw_tables import (
    BARE_TABLES,
    CROSS_MATCH_TABLE,
    DERIVED_TABLES,
    FACT_TABLES,
    OPTIONAL_TABLE,
    RawSnapshot,
    TableSlice,
)

Bounds: TypeAlias = tuple[int | None, int | None]
"""The range of values in a slice: from the first number up to, but not including, the second. None
means that there is no limit, so that values of a wrong type are included too."""

BLOCKS, EVENTS, MATCHES, CHECKPOINTS = 10_000, 2_000, 500, 200
"""The maximum numbers of blocks, events, matches and checkpoints in a slice.

A block and its events are never in different slices. Neither are a match and its checkpoints."""
MAX_POSITIONS = 300


def partitions(chain: RawSnapshot, database: RawSnapshot, only: MatchKey | None = None) -> Iterator[TableSlice]:
    """Yield slices of tables. Together, they contain all rows of both databases or, if `only` is
    given, all rows of this match."""
    both = (chain, database)
    if only is not None:
        return _of_match(both, only)
    return _of_database(both, chain.games())


def _of_database(both: Sequence[RawSnapshot], games: Sequence[str]) -> Iterator[TableSlice]:
    yield TableSlice("chain")
    yield TableSlice("deployment")
    for bounds in _bounds(partial(_next, both, (("block", BLOCKS), ("event", EVENTS)), "height")):
        yield from (TableSlice(name, _within(BARE_TABLES[name].c.height, bounds)) for name in FACT_TABLES)
    strides = (("match", MATCHES), (OPTIONAL_TABLE, CHECKPOINTS))
    for game in games:
        for bounds in _bounds(partial(_next, both, strides, "match", game=game)):
            yield from (
                TableSlice(name, (BARE_TABLES[name].c.game == game) & _within(BARE_TABLES[name].c.match, bounds))
                for name in DERIVED_TABLES
            )
    yield from (TableSlice(name, BARE_TABLES[name].c.game.not_in(games)) for name in DERIVED_TABLES)


def _of_match(both: Sequence[RawSnapshot], match: MatchKey) -> Iterator[TableSlice]:
    positions = sorted({position for rows in both for position in rows.event_positions(match)})
    for start in range(0, len(positions), MAX_POSITIONS):
        batch = positions[start : start + MAX_POSITIONS]
        yield TableSlice("block", BARE_TABLES["block"].c.height.in_({height for height, _index in batch}))
        for name in ("event", "mention"):
            yield TableSlice(name, tuple_(BARE_TABLES[name].c.height, BARE_TABLES[name].c.log_index).in_(batch))
    for name in DERIVED_TABLES:
        if name == CROSS_MATCH_TABLE:
            continue
        yield TableSlice(name, (BARE_TABLES[name].c.game == match[0]) & (BARE_TABLES[name].c.match == match[1]))


def _next(
    both: Sequence[RawSnapshot], strides: Sequence[tuple[str, int]], by: str, at: int, **equals: Any
) -> int | None:
    """Return the end of the slice that begins at `at`, so that it doesn't have too many rows in
    either database. Return None if all remaining rows fit into the slice."""
    found = [rows.nth(name, by, at, max_rows, **equals) for rows in both for name, max_rows in strides]
    return max(min(ends), at + 1) if (ends := [end for end in found if end is not None]) else None


def _bounds(next_bound: Callable[[int], int | None]) -> Iterator[Bounds]:
    low: int | None = None
    while (high := next_bound(low or 0)) is not None:
        yield low, high
        low = high
    yield low, None


def _within(column: ColumnElement[Any], bounds: Bounds) -> ColumnElement[bool]:
    low, high = bounds
    if low is None:
        return column.is_not(None) if high is None else column < high
    return column >= low if high is None else (column >= low) & (column < high)
