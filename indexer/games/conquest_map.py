"""Generates Conquest's maps from seeds. A map has 64 x 64 cells, which form lands and bodies of
water.

The page contains the same generator in JavaScript, so the order of random choices matters. Cells
are numbered row by row. The neighbours of a cell are listed in the order up, left, right, down. The
neighbours of a region are listed in ascending order. The value of a cell is the number of its land,
or `WATER` plus the number of its body of water."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from eth_utils.crypto import keccak

from indexer.games.conquest_graph import MAX_BODIES, MAX_LANDS, Graph, encode_graph, is_connected

SIDE = 64
CELLS = SIDE * SIDE
WATER = 128
MIN_GRAIN, MAX_GRAIN = 48, 200
"""The minimum and maximum grain. The grain is the mean number of cells per land."""
MEADOW, FOREST, DESERT, MOUNTAIN, COASTAL = 5, 2, 1, 3, 4
LAND_TYPE_WEIGHTS = (*(MEADOW,) * 4, *(FOREST,) * 3, *(DESERT,) * 2, MOUNTAIN)
WORD_RANGE = 1 << 32
RandomBelow = Callable[[int], int]


class BadSeed(ValueError):
    """The map that the seed generates can't be played. The message explains why."""


@dataclass(frozen=True, slots=True)
class GeneratedMap:
    """A generated map. `cells`: one byte per cell. `graph`: in the contract's encoding."""

    cells: bytes
    graph: bytes


def _neighbours(cell: int) -> tuple[int, ...]:
    column = cell % SIDE
    found = (cell - SIDE, cell - 1 if column else -1, cell + 1 if column < SIDE - 1 else -1, cell + SIDE)
    return tuple(one for one in found if 0 <= one < CELLS)


NEIGHBOURS = tuple(_neighbours(cell) for cell in range(CELLS))


def generate_map(seed: str | bytes, grain: int) -> GeneratedMap:
    """Return the map that a seed generates. `seed`: 32 bytes, or 0x hex. `grain`: the mean number
    of cells per land. Raises BadSeed."""
    found = _generate_map(bytes.fromhex(seed.removeprefix("0x")) if isinstance(seed, str) else seed, grain)
    if isinstance(found, str):
        raise BadSeed(found)
    return found


def is_map_of_seed(seed: str, grain: int, graph: str) -> bool:
    """Return True if the seed generates a map with this graph, which is in 0x hex."""
    try:
        return "0x" + generate_map(seed, grain).graph.hex() == graph.lower()
    except BadSeed:
        return False


@lru_cache(maxsize=256)
def _generate_map(seed: bytes, grain: int) -> GeneratedMap | str:
    """Return the map that a seed generates, or a text that explains why it can't be played."""
    if len(seed) != 32:
        return f"a seed has 32 bytes, not {len(seed)}"
    if not MIN_GRAIN <= grain <= MAX_GRAIN:
        return f"lands have {MIN_GRAIN} to {MAX_GRAIN} cells on average, not {grain}"
    below = _random_numbers(seed)
    region_of = _grow_regions(grain, below)
    borders = _merge_regions(region_of, grain, below)
    wet = _flood_regions(borders, below)
    numbers, bodies = _number_lands(region_of, borders, wet)
    lands = len(numbers) - len(wet)
    if lands > MAX_LANDS:
        return f"the map from this seed has {lands} lands, but at most {MAX_LANDS} are allowed"
    if bodies > MAX_BODIES:
        return f"the map from this seed has {bodies} water bodies, but at most {MAX_BODIES} are allowed"
    graph = _graph(numbers, borders, wet, bodies, below)
    if not is_connected(graph):
        return "the map from this seed has an island, so not all lands are connected"
    return GeneratedMap(bytes(numbers[region] for region in region_of), encode_graph(graph))


def _random_numbers(seed: bytes) -> RandomBelow:
    """Return a function `below(n)` that returns random numbers below n. The seed determines
    them."""
    words: list[int] = []
    block = 0

    def below(limit: int) -> int:
        nonlocal block
        most = WORD_RANGE - WORD_RANGE % limit
        while True:
            if not words:
                drawn = keccak(seed + block.to_bytes(4))
                words.extend(int.from_bytes(drawn[at : at + 4]) for at in range(28, -1, -4))
                block += 1
            word = words.pop()
            if word < most:
                return word % limit

    return below


def _normal_number(below: RandomBelow) -> int:
    """Return the sum of 12 random numbers below 1000, which is almost normally distributed."""
    return sum(below(1000) for _ in range(12))


def _grow_regions(grain: int, below: RandomBelow) -> list[int]:
    """Divide the cells into regions that grow at random. Return the region of each cell."""
    region_of, free = [-1] * CELLS, CELLS
    left = list(range(CELLS))
    region = 0
    while free:
        left = [cell for cell in left if region_of[cell] < 0]
        edge = [left[below(free)]]
        seen = set(edge)
        for _ in range(max(1, grain * (_normal_number(below) + 6) // 6000)):
            if not edge:
                break
            at = below(len(edge))
            cell, last = edge[at], edge.pop()
            if at < len(edge):
                edge[at] = last
            region_of[cell] = region
            free -= 1
            for near in NEIGHBOURS[cell]:
                if region_of[near] < 0 and near not in seen:
                    seen.add(near)
                    edge.append(near)
        region += 1
    return region_of


def _merge_regions(region_of: list[int], grain: int, below: RandomBelow) -> dict[int, set[int]]:
    """Merge each small region into a neighbour, and update `region_of`. Return the neighbours of
    each remaining region."""
    borders, sizes = _borders(region_of), [0] * (max(region_of) + 1)
    for region in region_of:
        sizes[region] += 1
    into = list(range(len(sizes)))
    for region in range(len(sizes)):
        near = sorted(borders[region])
        if 3 * sizes[region] >= grain or not near:
            continue
        other = into[region] = near[below(len(near))]
        sizes[other] += sizes[region]
        for one in borders.pop(region):
            borders[one].discard(region)
            if one != other:
                borders[one].add(other)
                borders[other].add(one)
    for cell, region in enumerate(region_of):
        while into[region] != region:
            region = into[region]
        region_of[cell] = region
    return borders


def _borders(region_of: list[int]) -> dict[int, set[int]]:
    borders: dict[int, set[int]] = {region: set() for region in region_of}
    for step in (1, SIDE):
        for cell in range(CELLS - step):
            one, other = region_of[cell], region_of[cell + step]
            if one != other and (step == SIDE or (cell + 1) % SIDE):
                borders[one].add(other)
                borders[other].add(one)
    return borders


def _flood_regions(borders: dict[int, set[int]], below: RandomBelow) -> set[int]:
    """Choose regions at random that become water, and return them."""
    regions, wet = sorted(borders), set[int]()
    for _ in range(2 + below(3)):
        steps = 3 + below(5)
        region = regions[below(len(regions))]
        for step in range(steps):
            if step:
                near = sorted(borders[region])
                if not near:
                    break
                region = near[below(len(near))]
            if region not in wet:
                if len(wet) >= len(regions) // 4:
                    break
                wet.add(region)
    return wet


def _number_lands(region_of: list[int], borders: dict[int, set[int]], wet: set[int]) -> tuple[dict[int, int], int]:
    """Return the number of each region, and how many bodies of water there are. The lands and the
    bodies of water are numbered in the order of their first cells."""
    numbers: dict[int, int] = {}
    lands = bodies = 0
    for region in dict.fromkeys(region_of):
        if region not in wet:
            numbers[region] = lands
            lands += 1
        elif region not in numbers:
            waiting = [region]
            while waiting:
                one = waiting.pop()
                if one not in numbers:
                    numbers[one] = WATER + bodies
                    waiting.extend(borders[one] & wet)
            bodies += 1
    return numbers, bodies


def _graph(
    numbers: dict[int, int], borders: dict[int, set[int]], wet: set[int], bodies: int, below: RandomBelow
) -> Graph:
    dry = [region for region in numbers if region not in wet]
    dry.sort(key=numbers.__getitem__)
    neighbours, types, soldiers = [], [], []
    shores, forts = [0] * bodies, 0
    for land, region in enumerate(dry):
        neighbours.append(sum(1 << numbers[one] for one in borders[region] if one not in wet))
        water = borders[region] & wet
        for one in water:
            shores[numbers[one] - WATER] |= 1 << land
        kind = LAND_TYPE_WEIGHTS[below(10)]
        types.append(COASTAL if sum(below(2) for _ in water) else kind)
        forts |= (below(101) < 10) << land
        soldiers.append(max(0, 12 * _normal_number(below) - 46_428) // 1000)
    return Graph(tuple(neighbours), tuple(shores), tuple(types), forts, tuple(soldiers))
