"""How strong the opponents of each game are: each against the one below it and the random mover, seats swapped."""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import pairwise
from random import Random
from statistics import mean, stdev
from time import process_time

from bots.arena import contest
from bots.battleship import random_fleet, target
from bots.opponent import RANDOM
from bots.registry import OPPONENTS, find
from bots.tally import NORMAL_95, Tally
from indexer.games import GAMES
from indexer.rules.battleship import mask

MATCHES, SEED = 400, 1
ABOVE, BEST_OF_RANDOM = 0.65, 0.9
"""Of decided matches: what a strength wins against the one below it, and against the random mover."""
NO_AIM = {"touche-coule"}
"""Ships aim by themselves there: to be better than the random mover, with 95 % confidence, is enough."""
FLEETS = 2_000
MOST_SHOTS = {"hunter": 62, "reckoner": 50}

Pair = tuple[str, str, str]
"""A game, a strength, and whom it plays."""


def main() -> None:
    print(
        f"Opponents, {MATCHES} matches a pair, seats swapped, seed {SEED}; of the decided matches, with 95 % confidence"
    )
    with ProcessPoolExecutor() as pool:
        pairs = [pair for slug, opponents in OPPONENTS.items() for pair in _pairs(slug, opponents.strengths)]
        for pair, tally in zip(pairs, pool.map(_tally, pairs), strict=True):
            _print_row(pair, tally)
        print(f"\nShots at the 17 tiles of a fleet, {FLEETS} random fleets")
        for strength, most in MOST_SHOTS.items():
            _print_shots(strength, most, list(pool.map(partial(_shots, strength), range(FLEETS), chunksize=20)))


def _pairs(slug: str, strengths: tuple[str, ...]) -> list[Pair]:
    """The weakest has nobody below it but the random mover."""
    steps = [(slug, above, below) for below, above in pairwise(strengths)]
    return [(slug, name, RANDOM) for name in strengths] + steps


def _tally(pair: Pair) -> Tally:
    game, tally = GAMES[pair[0]], Tally()
    for seat, played in contest(game, find(game, pair[1]), find(game, pair[2]), MATCHES, SEED):
        tally.count(played.winner, seat)
    return tally


def _print_row(pair: Pair, tally: Tally) -> None:
    slug, above, below = pair
    figures = f"{tally.won:4} won {tally.drawn:4} drawn {tally.lost:4} lost  {tally.as_text():26}"
    if slug in NO_AIM:
        aim, reached = "more than half", tally.interval()[0] > 0.5
    else:
        least = BEST_OF_RANDOM if below == RANDOM else ABOVE
        aim, reached = f"{least:.0%}", (tally.share or 0) >= least
    print(f"    {slug:14} {above:9} against {below:9} {figures} aim {aim}: {_verdict(reached)}", flush=True)


def _shots(strength: str, seed: int) -> tuple[int, float]:
    """That it takes to hit all tiles of a random fleet, and the seconds of thinking."""
    random, start = Random(seed), process_time()
    fleet, hits, misses = mask(random_fleet(random)), 0, 0
    while hits != fleet:
        tile = 1 << target(hits, misses, strength, random)
        hits, misses = hits | tile & fleet, misses | tile & ~fleet
    return (hits | misses).bit_count(), process_time() - start


def _print_shots(strength: str, most: int, found: list[tuple[int, float]]) -> None:
    counts = [count for count, _ in found]
    cost = 1000 * sum(seconds for _, seconds in found) / sum(counts)
    spread = NORMAL_95 * stdev(counts) / len(counts) ** 0.5
    reached = _verdict(mean(counts) <= most)
    print(f"    {strength:9} {mean(counts):5.1f} ± {spread:.1f} in the mean, {cost:.1f} ms each, aim {most}: {reached}")


def _verdict(reached: bool) -> str:
    return "it does" if reached else "IT DOES NOT"
