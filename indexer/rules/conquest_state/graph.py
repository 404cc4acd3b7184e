"""The graph of a Conquest map, in the contract's encoding: neighbours, bodies of water, land types,
forts and soldiers.

A set of lands is a bit mask, in which bit i stands for land i."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

MAX_LANDS, LANDS_PER_PLAYER, MAX_WATERS, MAX_SOLDIERS = 96, 4, 8, 100
ROW_BYTES = 12
"""The number of bytes that encode a set of lands, in big endian order."""
HEADER_BYTES = 2
TYPE_PLANES = 3
TYPES = range(1, 6)
BY_NOTHING, BY_SEA, BY_LAND = range(3)
"""The kinds of connections between two lands."""


def lands_of(mask: int) -> Iterator[int]:
    """Yield the numbers of the lands in a set, in ascending order."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


@dataclass(frozen=True, slots=True)
class LandGraph:
    """A decoded graph. A set of lands is a bit mask.

    - `borders`: for each land, its neighbours
    - `waters`: for each body of water, the lands on it
    - `types`: for each land, its type from 1 to 5
    - `forts`: the lands with a fort
    """

    borders: tuple[int, ...]
    waters: tuple[int, ...]
    types: tuple[int, ...]
    forts: int
    soldiers: tuple[int, ...]

    @property
    def lands(self) -> int:
        return len(self.borders)

    @classmethod
    def read(cls, data: bytes) -> LandGraph:
        """Decode a graph. The caller must have checked the bytes with `map_fault`."""
        lands, waters, rows = data[0], data[1], _rows(data)
        planes = rows[lands + waters : -1]
        types = tuple(sum((plane >> land & 1) << bit for bit, plane in enumerate(planes)) for land in range(lands))
        borders, bodies = tuple(rows[:lands]), tuple(rows[lands : lands + waters])
        return cls(borders, bodies, types, rows[-1], tuple(data[len(data) - lands :]))

    def touches_water(self, land: int) -> bool:
        return any(body >> land & 1 for body in self.waters)

    def connection(self, start: int, end: int, ports: int) -> int:
        """Return how two lands are connected. A connection by sea needs a port on the land `start`.
        A land is not connected to itself."""
        if self.borders[start] >> end & 1:
            return BY_LAND
        shared = any(body >> start & body >> end & 1 for body in self.waters)
        return BY_SEA if shared and start != end and ports >> start & 1 else BY_NOTHING


def _rows(data: bytes) -> list[int]:
    count = data[0] + data[1] + TYPE_PLANES + 1
    return [
        int.from_bytes(data[at : at + ROW_BYTES])
        for at in range(HEADER_BYTES, HEADER_BYTES + ROW_BYTES * count, ROW_BYTES)
    ]


def map_fault(data: bytes, players: int) -> tuple[int, int] | None:
    """Return the first fault because of which the contract rejects a graph, or None. A fault has a
    number and a place in the graph."""
    if len(data) < HEADER_BYTES:
        return 1, len(data)
    lands, waters = data[0], data[1]
    if not LANDS_PER_PLAYER * players <= lands <= MAX_LANDS:
        return 2, lands
    if waters > MAX_WATERS:
        return 3, waters
    if len(data) != HEADER_BYTES + ROW_BYTES * (lands + waters + TYPE_PLANES + 1) + lands:
        return 1, len(data)
    return next(_faults(LandGraph.read(data), _rows(data)), None)


def _faults(graph: LandGraph, rows: list[int]) -> Iterator[tuple[int, int]]:
    """Yield the faults of a graph. Its length must be right. A fault has a number and a place in
    the graph."""
    borders = graph.borders
    yield from ((4, index) for index, row in enumerate(rows) if row >> graph.lands)
    yield from ((5, land) for land, row in enumerate(borders) if row >> land & 1)
    yield from (
        (6, land) for land, row in enumerate(borders) if any(not borders[to] >> land & 1 for to in lands_of(row))
    )
    yield from ((7, body) for body, row in enumerate(graph.waters) if not row)
    yield from ((8, land) for land, kind in enumerate(graph.types) if kind not in TYPES)
    yield from ((9, land) for land, count in enumerate(graph.soldiers) if count > MAX_SOLDIERS)
    yield from ((10, land) for land in lands_of((1 << graph.lands) - 1 & ~_reached(graph)))


def _reached(graph: LandGraph) -> int:
    """Return all lands that can be reached from land 0, by land or by sea."""
    reached, fresh = 1, 1
    while fresh:
        found = 0
        for land in lands_of(fresh):
            found |= graph.borders[land]
            for body in graph.waters:
                found |= body if body >> land & 1 else 0
        fresh = found & ~reached
        reached |= fresh
    return reached
