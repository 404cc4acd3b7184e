"""Tests where the computer players of Battleship fire, which data they keep secret, and how many
shots they need to sink a fleet."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from bots.battleship import OPPONENTS, complete, draw_secret, random_fleet, target, tile_weights
from bots.opponent import Choice
from indexer.rules.battleship import OCCUPIED, TILES, commitment, fault, mask

FLEET = "PH12 SH81 DV7 BV51 CH40"
FLEETS = 24


def shots(strength: str, seed: int) -> int:
    """Return the number of shots that a computer player of this strength needs to hit all tiles of
    a random fleet."""
    random = Random(seed)
    fleet, hits, misses, fired = mask(random_fleet(random)), 0, 0, 0
    while hits != fleet:
        tile = 1 << target(hits, misses, strength, random)
        assert not tile & (hits | misses)
        hits, misses, fired = hits | tile & fleet, misses | tile & ~fleet, fired + 1
    return fired


@pytest.mark.parametrize(("strength", "most"), [("hunter", 67), pytest.param("reckoner", 55, marks=pytest.mark.soak)])
def test_a_fleet_costs_few_shots(strength: str, most: int) -> None:
    """Tests that the computer players need few shots for a fleet. `python -m bench strength`
    measured means of 60 and 49 shots over 2,000 fleets. For the few fleets in this test, three
    standard deviations of the mean are 6 shots."""
    assert sum(shots(strength, seed) for seed in range(FLEETS)) / FLEETS <= most


def test_any_tile_is_shot_at_last() -> None:
    """Tests that the computer players finally fire at every tile, even if the opponent lies and no
    possible fleet matches the hits and misses."""
    for strength in OPPONENTS.strengths:
        hits = misses = 0
        random = Random(3)
        for number in range(TILES):
            tile = 1 << target(hits, misses, strength, random)
            assert not tile & (hits | misses)
            hits, misses = (hits | tile, misses) if number % 7 == 0 else (hits, misses | tile)


def test_weights_are_the_shares_of_whole_fleets() -> None:
    """A tile's weight is the share of the possible fleets that cover the tile. A carrier with four
    hits in a row must also cover one of the two tiles at the row's ends. These two tiles therefore
    have the greatest weights."""
    # five tiles from the left edge; only the last four are hit
    row = sum(1 << tile for tile in (0, 1, 2, 3, 4))
    weights = tile_weights(row >> 1 << 1, 0, Random(1), draws=20_000, samples=20_000)
    assert set(weights) <= {1 << tile for tile in range(TILES)} - {1 << tile for tile in (1, 2, 3, 4)}
    best = sorted(weights, key=lambda tile: -weights[tile])[:2]
    assert set(best) == {1 << 0, 1 << 5}


def test_fleets_are_legal_and_unlike() -> None:
    random = Random(5)
    fleets = [random_fleet(random) for _ in range(300)]
    assert {fault(fleet) for fleet in fleets} == {0}
    assert len(set(fleets)) == 300


def test_each_fleet_is_as_likely_as_any_other() -> None:
    """Tests that the weighted fleets of `tile_weights` cover each tile as often as fleets that are
    generated without weights."""
    random, drawn = Random(6), 3_000
    found = Counter(tile for _ in range(drawn) for tile in tiles(mask(random_fleet(random))))
    weights = tile_weights(0, 0, random, samples=6_000, draws=60_000)
    scale = OCCUPIED / sum(weights.values())
    assert max(abs(found[tile] / drawn - weights[1 << tile] * scale) for tile in range(TILES)) < 0.03


def tiles(fleet: int) -> list[int]:
    return [tile for tile in range(TILES) if fleet >> tile & 1]


def test_a_secret_seals_and_answers_truly() -> None:
    secret = draw_secret(Random(7))
    ships, nonce = secret["ships"], bytes.fromhex(secret["nonce"][2:])
    assert (fault(ships), len(nonce)) == (0, 32)
    sealed = complete({}, 0, Choice("accept", {"tile": 3}), secret)
    assert sealed.arguments == {"tile": 3, "commitment": "0x" + commitment(ships, nonce).hex()}
    answers = [
        complete({"pending": {"tile": tile}}, 0, Choice("move"), secret).arguments["hit"] for tile in range(TILES)
    ]
    assert sum(1 << tile for tile, hit in enumerate(answers) if hit) == mask(ships)
    assert sum(answers) == OCCUPIED
    assert complete({}, 0, Choice("reveal", {"message": ""}), secret).arguments == {**secret, "message": ""}


@pytest.mark.parametrize("action", ["invite", "accept", "move"])
def test_no_move_but_the_reveal_tells_ships_or_nonce(action: str) -> None:
    secret = draw_secret(Random(8))
    told = str(complete({"pending": {"tile": 4}}, 0, Choice(action, {"tile": 3}), secret))
    assert secret["ships"] not in told
    assert secret["nonce"][2:] not in told
