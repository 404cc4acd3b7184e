"""Opponents of Battleship: `hunter` fires around its hits, `reckoner` where most whole fleets that fit have a boat.

Nothing tells that a boat is sunk: hits and misses are all there is to reckon with.
"""

from __future__ import annotations

from functools import cache
from random import Random

from bots.opponent import Move, Opponents
from indexer.games.battleship import HEIGHT, WIDTH
from indexer.model import Json
from indexer.rules.battleship import LENGTHS, TILES

SAMPLES = 600
"""Fleets that are drawn for a shot: with these the reckoner needs some 49 shots in the mean, in 12 ms each."""
ALL_TILES = (1 << TILES) - 1


def choose(board: Json, seat: int, strength: str, random: Random) -> Move | None:
    """A shot when it is this seat's turn. The answer to the pending shot is the account's secret."""
    player = next(player for player in board["players"].values() if player["seat"] == seat)
    if board.get("phase") != "shots" or board["players"].get(board.get("mover")) is not player:
        return None
    hits, misses = (_mask(player["shots"], outcome) for outcome in ("hit", "miss"))
    tile = target(hits, misses, strength, random)
    return Move("move", {"ply": board["ply"], "tile": tile})


def target(hits: int, misses: int, strength: str, random: Random) -> int:
    """The tile to fire at next; hits and misses as masks: bit i is tile i."""
    weights = layout_weights(hits, misses, random) if strength == "reckoner" else {}
    if weights:
        best = max(weights.values())
        return random.choice([tile for tile, weight in weights.items() if weight == best])
    return random.choice(_tiles(_around(hits, misses) or _chequered(hits, misses) or ALL_TILES & ~(hits | misses)))


def layout_weights(hits: int, misses: int, random: Random, samples: int = SAMPLES) -> dict[int, float]:
    """How often each tile that was not fired at is covered in the fleets that fit, by weighted random fleets.

    A fleet is drawn boat by boat: while a hit is uncovered, one of the boats that can cover the lowest such hit; then the
    others anywhere free. Each fleet comes up by one order only, so one over the number of choices on the way is its
    chance, and their product its weight: an unbiased count (importance sampling, Knuth 1975)."""
    places = {length: [place for place in _places(length) if not place & misses] for length in set(LENGTHS.values())}
    covering: dict[tuple[int, int], list[int]] = {}
    fleets: dict[int, float] = {}
    for _ in range(samples):
        drawn = _draw(hits, places, covering, random)
        if drawn is not None:
            fleet, weight = drawn
            fleets[fleet & ~hits] = fleets.get(fleet & ~hits, 0.0) + weight
    weights: dict[int, float] = {}
    for fleet, weight in fleets.items():
        for tile in _tiles(fleet):
            weights[tile] = weights.get(tile, 0.0) + weight
    return weights


def _draw(
    hits: int, places: dict[int, list[int]], covering: dict[tuple[int, int], list[int]], random: Random
) -> tuple[int, float] | None:
    boats, fleet, weight, left = list(LENGTHS.values()), 0, 1.0, hits
    while left:
        lowest = left & -left
        choices = []
        for length in boats:  # both boats of three tiles: two choices
            if (lowest, length) not in covering:
                covering[lowest, length] = [place for place in places[length] if place & lowest]
            choices += [(length, place) for place in covering[lowest, length] if not place & fleet]
        if not choices:
            return None
        length, place = choices[int(random.random() * len(choices))]
        boats.remove(length)
        fleet, left, weight = fleet | place, left & ~place, weight * len(choices)
        if left.bit_count() > sum(boats):
            return None
    for length in boats:
        free = [place for place in places[length] if not place & fleet]
        if not free:
            return None
        fleet, weight = fleet | free[int(random.random() * len(free))], weight * len(free)
    return fleet, weight


def random_fleet(random: Random) -> str:
    """A legal fleet, each as likely as any other: no pattern of tiles gives it away."""
    while True:
        boats = [(letter, *random.choice(_named_places(length))) for letter, length in LENGTHS.items()]
        if sum(mask for *_, mask in boats).bit_count() == sum(LENGTHS.values()) and _apart([m for *_, m in boats]):
            return " ".join(f"{letter}{heading}{tile}" for letter, heading, tile, _ in boats)


def _apart(masks: list[int]) -> bool:
    union = 0
    for mask in masks:
        if union & mask:
            return False
        union |= mask
    return True


@cache
def _named_places(length: int) -> list[tuple[str, int, int]]:
    """All places of a boat of so many tiles: H or V, its first tile, its mask."""
    across = [("H", y * WIDTH + x, 1) for y in range(HEIGHT) for x in range(WIDTH - length + 1)]
    down = [("V", y * WIDTH + x, WIDTH) for y in range(HEIGHT - length + 1) for x in range(WIDTH)]
    return [(heading, tile, sum(1 << tile + step * i for i in range(length))) for heading, tile, step in across + down]


def _places(length: int) -> list[int]:
    return [mask for *_, mask in _named_places(length)]


def _around(hits: int, misses: int) -> int:
    """Tiles beside hits that were not fired at; in line with two hits first."""
    beside = [0, 0]
    for tile in _tiles(hits):
        y, x = divmod(tile, WIDTH)
        for dy, dx in ((0, 1), (0, -1), (1, 0), (-1, 0)):
            if 0 <= y + dy < HEIGHT and 0 <= x + dx < WIDTH:
                behind = (y - dy) * WIDTH + x - dx if 0 <= y - dy < HEIGHT and 0 <= x - dx < WIDTH else None
                in_line = behind is not None and bool(hits >> behind & 1)
                beside[0 if in_line else 1] |= 1 << (y + dy) * WIDTH + x + dx
    free = ALL_TILES & ~(hits | misses)
    return beside[0] & free or beside[1] & free


def _chequered(hits: int, misses: int) -> int:
    """Every second tile: the smallest boat has two."""
    return sum(1 << tile for tile in range(TILES) if sum(divmod(tile, WIDTH)) % 2 == 0) & ~(hits | misses)


def _mask(shots: Json, outcome: str) -> int:
    return sum(1 << int(tile) for tile, found in shots.items() if found == outcome)


def _tiles(mask: int) -> list[int]:
    return [tile for tile in range(TILES) if mask >> tile & 1]


OPPONENTS = Opponents(("hunter", "reckoner"), choose)
