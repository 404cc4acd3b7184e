"""The graph of a Conquest map: which lands are neighbours, and which lie on the same water. A set
of lands is a bit mask.

The contract encodes the graph in these bytes, in this order:
- the number n of lands and the number w of water bodies, 1 byte each
- n masks: the neighbours of each land
- w masks: the lands on each water body
- 3 masks: bits 0, 1 and 2 of each land's type
- 1 mask: the lands with a fort
- the number of soldiers on each land, 1 byte each

A mask has 12 bytes, big endian."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

MAX_LANDS = 96
MAX_BODIES = 8
MAX_SOLDIERS = 100
"""The maximum number of soldiers on a land of a new map."""
WORD = 12
PLANES = 3
TYPES = ("desert", "forest", "mountain", "coastal", "meadow")
"""The names of the land types. The types are numbered from 1."""


class BadGraph(ValueError):
    """The bytes are not the encoding of a map's graph. The message explains why."""


@dataclass(frozen=True, slots=True)
class Graph:
    """The graph of a map, decoded. Sets of lands are bit masks.

    - `neighbours`, `types` (1 to 5), `soldiers`: one entry per land
    - `bodies`: for each water body, the lands on it
    - `forts`: the lands with a fort
    """

    neighbours: tuple[int, ...]
    bodies: tuple[int, ...]
    types: tuple[int, ...]
    forts: int
    soldiers: tuple[int, ...]

    @property
    def lands(self) -> int:
        return len(self.neighbours)

    @property
    def all_lands(self) -> int:
        """A mask with all lands of the map."""
        return (1 << len(self.neighbours)) - 1


def encode_graph(graph: Graph) -> bytes:
    planes = [sum((one >> bit & 1) << land for land, one in enumerate(graph.types)) for bit in range(PLANES)]
    words = [*graph.neighbours, *graph.bodies, *planes, graph.forts]
    rows = b"".join(word.to_bytes(WORD) for word in words)
    return bytes((graph.lands, len(graph.bodies))) + rows + bytes(graph.soldiers)


@lru_cache(maxsize=64)
def decode_graph(data: bytes | str) -> Graph:
    """Decode a graph from bytes or 0x hex. Raises BadGraph if the length is wrong."""
    if isinstance(data, str):
        data = bytes.fromhex(data.removeprefix("0x"))
    lands, bodies = (data[0], data[1]) if len(data) > 1 else (0, 0)
    words = lands + bodies + PLANES + 1
    if len(data) != 2 + WORD * words + lands:
        raise BadGraph(f"{len(data)} bytes can't encode a graph of {lands} lands and {bodies} water bodies")
    rows = [int.from_bytes(data[2 + WORD * row : 2 + WORD * (row + 1)]) for row in range(words)]
    planes = rows[lands + bodies : -1]
    return Graph(
        neighbours=tuple(rows[:lands]),
        bodies=tuple(rows[lands : lands + bodies]),
        types=tuple(sum((plane >> land & 1) << bit for bit, plane in enumerate(planes)) for land in range(lands)),
        forts=rows[-1],
        soldiers=tuple(data[len(data) - lands :]),
    )


@lru_cache(maxsize=64)
def lands_by_sea(graph: Graph) -> tuple[int, ...]:
    """Return, for each land, a mask of the lands that it reaches by sea, without neighbours."""
    found = []
    for land, near in enumerate(graph.neighbours):
        shared = 0
        for body in graph.bodies:
            shared |= body if body >> land & 1 else 0
        found.append(shared & ~near & ~(1 << land))
    return tuple(found)


def is_connected(graph: Graph) -> bool:
    """Return True if all lands can be reached from the first land, by land or by sea."""
    sea = lands_by_sea(graph)
    reached, waiting = 1, 1
    while waiting:
        lowest = waiting & -waiting
        land = lowest.bit_length() - 1
        new = (graph.neighbours[land] | sea[land]) & ~reached
        reached |= new
        waiting = waiting ^ lowest | new
    return reached == graph.all_lands
