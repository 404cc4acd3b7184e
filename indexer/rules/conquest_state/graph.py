"""The graph of a map, encoded as in the contract: borders, waters, types, forts, soldiers.

Sets of lands are masks, in which bit i is land i."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

MAX_LANDS, LANDS_PER_PLAYER, MAX_WATERS, MAX_SOLDIERS = 96, 4, 8, 100
ROW_BYTES = 12
"""The length of a set of lands, in bytes. Sets are big endian."""
HEADER_BYTES = 2
TYPE_PLANES = 3
TYPES = range(1, 6)
BY_NOTHING, BY_SEA, BY_LAND = range(3)
"""The kinds of connections between two lands."""


def lands_of(mask: int) -> Iterator[int]:
    """Yield the lands of a set in ascending order."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


@dataclass(frozen=True, slots=True)
class LandGraph:
    """A decoded graph. Sets of lands are masks.

    - `borders`: for each land, its neighbours
    - `waters`: for each body of water, the lands that touch it
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
        """Decode a graph. Only pass bytes in which `map_fault` has found no fault."""
        lands, waters, rows = data[0], data[1], _rows(data)
        planes = rows[lands + waters : -1]
        types = tuple(sum((plane >> land & 1) << bit for bit, plane in enumerate(planes)) for land in range(lands))
        borders, bodies = tuple(rows[:lands]), tuple(rows[lands : lands + waters])
        return cls(borders, bodies, types, rows[-1], tuple(data[len(data) - lands :]))

    def touches_water(self, land: int) -> bool:
        return any(body >> land & 1 for body in self.waters)

    def connection(self, start: int, end: int, ports: int) -> int:
        """Return the connection between two lands. A connection by sea needs a port on the land
        `start`. A land is not connected to itself."""
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
    """Return the first fault for which the contract rejects a graph, or None.
    A fault consists of its number and its place."""
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
    """Yield the faults of a graph whose length is right, each as its number and its place."""
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
    """Return the lands that can be reached from land 0 in any number of steps by land and sea."""
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
