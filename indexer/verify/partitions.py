"""Two databases in parts that fit the memory, the same part of each at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, TypeAlias

from sqlalchemy import ColumnElement, tuple_

from indexer.model import MatchKey
from indexer.verify.raw_tables import BARE, DERIVED, FACTS, OF_ALL, OPTIONAL, Part, Rows

Bounds: TypeAlias = tuple[int | None, int | None]
"""From the first, up to the second without it. None: open to that side, so that what belongs nowhere is in a part."""

BLOCKS, EVENTS, MATCHES, CHECKPOINTS = 10_000, 2_000, 500, 200
"""In a part, at most (but a block and its events are never parted, nor a match and its checkpoints)."""
PLACES = 300


def parts(chain: Rows, database: Rows, only: MatchKey | None = None) -> Iterator[Part]:
    """All rows of both, or all that have to do with one match."""
    both = (chain, database)
    if only is not None:
        return _of_match(both, only)
    return _whole(both, chain.games())


def _whole(both: Sequence[Rows], games: Sequence[str]) -> Iterator[Part]:
    yield Part("chain")
    yield Part("deployment")
    for bounds in _bounds(partial(_next, both, (("block", BLOCKS), ("event", EVENTS)), "height")):
        yield from (Part(name, _within(BARE[name].c.height, bounds)) for name in FACTS)
    strides = (("match", MATCHES), (OPTIONAL, CHECKPOINTS))
    for game in games:
        for bounds in _bounds(partial(_next, both, strides, "match", game=game)):
            yield from (
                Part(name, (BARE[name].c.game == game) & _within(BARE[name].c.match, bounds)) for name in DERIVED
            )
    yield from (Part(name, BARE[name].c.game.not_in(games)) for name in DERIVED)


def _of_match(both: Sequence[Rows], match: MatchKey) -> Iterator[Part]:
    places = sorted({place for rows in both for place in rows.places(match)})
    for start in range(0, len(places), PLACES):
        some = places[start : start + PLACES]
        yield Part("block", BARE["block"].c.height.in_({height for height, _index in some}))
        for name in ("event", "mention"):
            yield Part(name, tuple_(BARE[name].c.height, BARE[name].c.log_index).in_(some))
    for name in DERIVED:
        if name == OF_ALL:
            continue
        yield Part(name, (BARE[name].c.game == match[0]) & (BARE[name].c.match == match[1]))


def _next(both: Sequence[Rows], strides: Sequence[tuple[str, int]], by: str, at: int, **wanted: Any) -> int | None:
    """Where the part that begins at `at` must end to hold no more rows than it may; None: it may hold all the rest."""
    found = [rows.nth(name, by, at, most, **wanted) for rows in both for name, most in strides]
    return max(min(ends), at + 1) if (ends := [end for end in found if end is not None]) else None


def _bounds(following: Callable[[int], int | None]) -> Iterator[Bounds]:
    low: int | None = None
    while (high := following(low or 0)) is not None:
        yield low, high
        low = high
    yield low, None


def _within(column: ColumnElement[Any], bounds: Bounds) -> ColumnElement[bool]:
    low, high = bounds
    if low is None:
        return column.is_not(None) if high is None else column < high
    return column >= low if high is None else (column >= low) & (column < high)
