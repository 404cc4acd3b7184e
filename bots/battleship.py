"""The computer players for Battleship. `hunter` fires around its hits. For each square, `reckoner`
estimates how many of the still possible fleets cover it. It fires at the square with the highest
number.

The game doesn't announce sunk ships, so a player knows only its hits and misses."""

from __future__ import annotations

from collections import defaultdict
from functools import cache
from itertools import islice
from random import Random
from typing import TypeAlias

from bots.opponent import Choice, Opponents, Secrets, is_to_move, may_join, player_in
from indexer.gamekit.lifecycle import NOBODY
from indexer.games.battleship import WIDTH
from indexer.model import Json
from indexer.rules.battleship import LENGTHS, TILES, commitment, due, fault, fits, mask, tiles_of

SAMPLES, DRAWS = 600, 2_000
"""Two limits for each shot of the reckoner: the number of random fleets that it weighs, and the
number of attempts to generate these fleets. A shot takes 4 to 6 ms. With half as many fleets, the
reckoner needs two more shots to sink all ships. With twice as many, it needs no fewer shots."""
ALL_TILES = (1 << TILES) - 1
SHIP_LENGTHS = tuple(LENGTHS.values())

Masks: TypeAlias = dict[int, float]
"""A mapping from masks to weights. A mask is a set of squares, in which bit i stands for square i.
It contains one square or the squares of one ship."""


def choose(board: Json, seat: int, strength: str, random: Random) -> Choice | None:
    """Choose a move. Arguments that depend on the player's secret fleet are added later."""
    found = moves(board, seat)
    if len(found) < 2:
        return found[0] if found else None
    shots = board["players"][player]["shots"] if (player := player_in(board, seat)) else {}
    hits, misses = (
        sum(1 << int(tile) for tile, outcome in shots.items() if outcome == kind) for kind in ("hit", "miss")
    )
    tile = target(hits, misses, strength, random)
    return next(move for move in found if move.arguments["tile"] == tile)


def moves(board: Json, seat: int) -> list[Choice]:
    if may_join(board, seat):
        return [Choice("accept", {"tile": tile}) for tile in range(TILES)]
    player = player_in(board, seat)
    if player is None:
        return []
    if is_to_move(board, seat):
        answer = {"ply": board["ply"], "answeredTile": board["pending"]["tile"]}
        left = [tile for tile in range(TILES) if str(tile) not in board["players"][player]["shots"]]
        return [Choice("move", {**answer, "tile": tile}) for tile in left]
    if board.get("phase") == "reveals" and "fault" not in board["fleets"][player]:
        return [Choice("reveal", {"message": ""})]
    return [Choice("withdraw")] if due(board, player) else []


def invite(opponent: str) -> Choice:
    return Choice("invite", {"opponent": opponent, "clock": 0, "token": NOBODY, "stake": 0})


# ---- secrets


def draw_secret(random: Random) -> Json:
    return {"ships": random_fleet(random), "nonce": f"0x{random.getrandbits(256):064x}"}


def complete(board: Json, _seat: int, move: Choice, secret: Json) -> Choice:
    ships, nonce = secret["ships"], secret["nonce"]
    if move.action in ("invite", "accept"):
        filled_in: Json = {"commitment": _commitment(secret)}
    elif move.action == "move":
        filled_in = {"hit": bool(mask(ships) >> board["pending"]["tile"] & 1)}
    else:
        filled_in = {"ships": ships, "nonce": nonce} if move.action in ("reveal", "surrender") else {}
    return Choice(move.action, {**move.arguments, **filled_in})


def fits_commitment(board: Json, seat: int, secret: Json) -> bool:
    player = player_in(board, seat)
    return player is not None and board["fleets"][player].get("commitment") == _commitment(secret)


def _commitment(secret: Json) -> str:
    return "0x" + commitment(secret["ships"], bytes.fromhex(secret["nonce"][2:])).hex()


def random_fleet(random: Random) -> str:
    """Return a random legal fleet. All legal fleets are equally likely, so the opponent can't
    exploit a pattern."""
    while True:
        placed = [(letter, *random.choice(_positions(length))) for letter, length in LENGTHS.items()]
        ships = " ".join(f"{letter}{'V' if down else 'H'}{tile}" for letter, down, tile in placed)
        if not fault(ships):
            return ships


# ---- targets


def target(hits: int, misses: int, strength: str, random: Random) -> int:
    """Return the square to fire at next. `hits` and `misses` are masks of squares."""
    weights = tile_weights(hits, misses, random) if strength == "reckoner" else {}
    if weights:
        best = max(weights.values())
        return random.choice([tile for tile, weight in weights.items() if weight == best]).bit_length() - 1
    free = ALL_TILES & ~(hits | misses)
    return random.choice(_tiles(_in_line(hits) & free or _adjacent(hits) & free or _CHEQUERED & free or free))


def tile_weights(hits: int, misses: int, random: Random, samples: int = SAMPLES, draws: int = DRAWS) -> Masks:
    """For each square that hasn't been fired at, estimate how many of the possible fleets cover it.
    The estimate uses weighted random fleets.

    A random fleet is built ship by ship. While the ships don't cover all hits, choose one of the
    ships that can cover the lowest uncovered hit. Then place the other ships anywhere. Discard the
    fleet if its ships overlap. Each fleet can be built in only one order, so its probability is the
    product of 1/choices over the steps. The fleet's weight is the inverse of its probability, which
    makes the estimate unbiased (importance sampling, Knuth 1975)."""
    placements = {
        length: [placement for placement in _placements(length) if not placement & misses] for length in SHIP_LENGTHS
    }
    choices: Choices = {}
    weights, tiles = defaultdict[int, float](float), defaultdict[int, float](float)
    fleets = (fleet for _ in range(draws) if (fleet := _draw(hits, placements, choices, random)))
    for drawn, weight in islice(fleets, samples):
        for placement in drawn:
            weights[placement] += weight
    for placement, weight in weights.items():
        left = placement & ~hits
        while left:
            tile = left & -left
            tiles[tile] += weight
            left ^= tile
    return tiles


Choices: TypeAlias = dict[tuple[int, tuple[int, ...]], list[tuple[int, tuple[int, ...]]]]
"""A cache of the possible choices at one step of building a fleet. The key is a hit to cover, and
the lengths of the ships that are left. Each value lists the placements that cover the hit, each
with the lengths of the ships that are left after it."""


def _draw(
    hits: int, placements: dict[int, list[int]], choices: Choices, random: Random
) -> tuple[list[int], float] | None:
    """Build a random fleet that covers the hits. Return the ships' placements and the fleet's
    weight. Return None if ships overlap or can't cover the hits."""
    drawn, fleet, weight, remaining = list[int](), 0, 1.0, SHIP_LENGTHS
    while left := hits & ~fleet:
        hit = left & -left
        if (hit, remaining) not in choices:
            choices[hit, remaining] = _placements_over(hit, remaining, placements)
        covering = choices[hit, remaining]
        if not covering:
            return None
        placement, remaining = covering[int(random.random() * len(covering))]
        if placement & fleet:
            return None
        fleet, weight = fleet | placement, weight * len(covering)
        drawn.append(placement)
    for length in remaining:
        free = placements[length]
        if not free or fleet & (placement := free[int(random.random() * len(free))]):
            return None
        fleet, weight = fleet | placement, weight * len(free)
        drawn.append(placement)
    return drawn, weight


def _placements_over(
    hit: int, remaining: tuple[int, ...], placements: dict[int, list[int]]
) -> list[tuple[int, tuple[int, ...]]]:
    """Return the placements of the remaining ships that cover the hit. Each placement comes with
    the lengths of the ships that are left after it. The two ships of length three count as two
    choices."""
    left = [(length, remaining[:at] + remaining[at + 1 :]) for at, length in enumerate(remaining)]
    return [(placement, others) for length, others in left for placement in placements[length] if placement & hit]


@cache
def _positions(length: int) -> list[tuple[bool, int]]:
    """Return all positions of a ship with this length. A position is a pair: True if the ship is
    vertical, and the ship's first square."""
    return [(down, tile) for down in (False, True) for tile in range(TILES) if fits(length, down, tile)]


@cache
def _placements(length: int) -> list[int]:
    """Return a mask of squares for each position of a ship with this length."""
    return [sum(1 << tile for tile in tiles_of(length, *position)) for position in _positions(length)]


def _in_line(hits: int) -> int:
    """Return the squares at both ends of two or more adjacent hits in a line."""
    found = 0
    for one, middle, other in _THREES:
        if hits >> middle & 1:
            found |= (hits >> one & 1) << other | (hits >> other & 1) << one
    return found


def _adjacent(hits: int) -> int:
    """Return the squares that share a side with a hit."""
    found = 0
    for one, other in _PAIRS:
        found |= (hits >> one & 1) << other | (hits >> other & 1) << one
    return found


def _tiles(tiles: int) -> list[int]:
    return [tile for tile in range(TILES) if tiles >> tile & 1]


_THREES = [_tiles(placement) for placement in _placements(3)]
_PAIRS = [_tiles(placement) for placement in _placements(2)]
_CHEQUERED = sum(1 << tile for tile in range(TILES) if sum(divmod(tile, WIDTH)) % 2 == 0)
"""A mask of every second square, as on a chessboard. Each ship covers at least one of these
squares, because even the smallest ship covers two adjacent squares."""

OPPONENTS = Opponents(
    ("hunter", "reckoner"),
    choose,
    moves,
    invite,
    Secrets(draw_secret, complete, fits_commitment, revealed_by=("reveal", "surrender")),
    concede=Choice("surrender", {"message": ""}),
)
