"""Builds maps of Conquest for tests. A map is a graph of lands, encoded in bytes: borders, waters,
types, forts and soldiers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from random import Random

import orjson

ALL = (1 << 96) - 1
"""A mask of all lands that fit into a row of 12 bytes. On a map with 97 lands, it leaves out the
last land."""
DESERT, FOREST, MOUNTAIN, COAST, MEADOW = range(1, 6)
VECTORS = orjson.loads((Path(__file__).parents[2] / "fixtures/vectors/conquest.json").read_bytes())


def bits(lands: Iterable[int]) -> int:
    return sum(1 << land for land in set(lands))


def graph_bytes(
    lands: int,
    borders: Iterable[tuple[int, int]],
    waters: Sequence[Iterable[int]] = (),
    types: Mapping[int, int] | None = None,
    forts: Iterable[int] = (),
    soldiers: Sequence[int] | None = None,
) -> bytes:
    """Return a map in bytes. By default, every land is a meadow with 10 soldiers."""
    near = [0] * lands
    for one, other in borders:
        near[one] |= 1 << other
        near[other] |= 1 << one
    kinds = [(types or {}).get(land, MEADOW) for land in range(lands)]
    planes = [bits(land for land, kind in enumerate(kinds) if kind >> bit & 1) for bit in range(3)]
    rows = [*near, *map(bits, waters), *planes, bits(forts)]
    head = bytes([lands, len(waters)])
    return head + b"".join((row & ALL).to_bytes(12) for row in rows) + bytes(soldiers or [10] * lands)


def row_of_lands(lands: int, **more: object) -> bytes:
    """Return a map in which the lands form a row. Each land borders the next land."""
    return graph_bytes(lands, [(land, land + 1) for land in range(lands - 1)], **more)  # type: ignore[arg-type]


def random_graph(random: Random, lands: int) -> bytes:
    """Return a connected map with some waters, lands of all types and many forts."""
    borders = {(random.randrange(max(0, land - 4), land), land) for land in range(1, lands)}
    borders |= {tuple(sorted(random.sample(range(lands), 2))) for _ in range(lands // 2)}  # type: ignore[misc]
    waters = [random.sample(range(lands), random.randint(1, max(2, lands // 3))) for _ in range(random.randint(0, 3))]
    types = {land: random.randint(1, 5) for land in range(lands)}
    forts = [land for land in range(lands) if random.random() < 0.3]
    soldiers = [min(100, max(0, round(random.gauss(25, 12)))) for _ in range(lands)]
    return graph_bytes(lands, borders, waters, types, forts, soldiers)
