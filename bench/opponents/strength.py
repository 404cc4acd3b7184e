"""Measures the strength of each game's computer players. Each computer player plays against the
next weaker computer player, and against the computer player that moves at random."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import partial
from itertools import pairwise
from random import Random
from statistics import mean, stdev
from time import process_time
from typing import Any

from bots import conquest
from bots.arena import play, play_matches
from bots.battleship import random_fleet, target
from bots.opponent import RANDOM, Choice
from bots.registry import OPPONENTS, Opponent, find
from bots.tally import NORMAL_95, Tally
from indexer.games import GAMES
from indexer.games.conquest_actions import GRAINS
from indexer.rules.battleship import mask

MATCHES, SEED = 400, 1
FEWER = {"conquest": 200}
"""The number of matches, for games whose matches take longer."""
ABOVE, BEST_OF_RANDOM = 0.65, 0.9
"""The shares of the decided matches that a computer player must win. The first is for matches
against the next weaker computer player, and the second for matches against random moves."""
FAR_ABOVE = {("conquest", "heuristic"): 0.85, ("conquest", "minmax"): 0.92}
"""Higher targets for the share of wins against the next weaker computer player. The key is the game
and the strength."""
LITTLE_ABOVE_RANDOM = {("conquest", "dumb"): 0.75}
"""A lower target against random moves, for a computer player that always chooses the first legal
command."""
NO_TARGET = {"touche-coule"}
"""The games to which these targets don't apply. In Touché Coulé, ships aim by themselves, so a
computer player must only be better than random moves, with 95 % confidence."""
FLEETS = 2_000
MOST_SHOTS = {"hunter": 62, "reckoner": 50}
DUELS, MOST_SECONDS = 20, 0.2
LARGE, LARGE_MAP = GRAINS[0]
"""The number of cells per land on the largest map of Conquest, and the map's name. Computer players
open matches on a smaller map."""

Pair = tuple[str, str, str]
"""A game, the strength of a computer player, and the strength of its opponent."""
STRONGEST: Pair = ("conquest", "minmax", "heuristic")


def main() -> None:
    print(
        f"Opponents, {MATCHES} matches per pair ({', '.join(f'{slug}: {n}' for slug, n in FEWER.items())}),"
        f" seats swapped, seed {SEED}; shares of the decided matches, with 95 % confidence"
    )
    with ProcessPoolExecutor() as pool:
        large = pool.submit(_tally, STRONGEST, _on_a_large_map)
        pairs = [pair for slug, opponents in OPPONENTS.items() for pair in _pairs(slug, opponents.strengths)]
        for pair, tally in zip(pairs, pool.map(_tally, pairs), strict=True):
            _print_row(pair, tally)
        print(f"\nConquest's strongest on its largest map: {LARGE_MAP.lower()}")
        _print_row(STRONGEST, large.result())
        print(f"\nShots needed for the 17 tiles of a fleet, {FLEETS} random fleets")
        for strength, most in MOST_SHOTS.items():
            _print_shots(strength, most, list(pool.map(partial(_shots, strength), range(FLEETS), chunksize=20)))
        print(f"\nCommands of Conquest, {DUELS} duels on {LARGE_MAP.lower()}; one core")
        _print_thoughts([each for found in pool.map(_thoughts, range(DUELS)) for each in found])


def _pairs(slug: str, strengths: tuple[str, ...]) -> list[Pair]:
    """Pair each strength with random moves, and each strength except the weakest with the next
    weaker strength."""
    steps = [(slug, above, below) for below, above in pairwise(strengths)]
    return [(slug, name, RANDOM) for name in strengths] + steps


def _tally(pair: Pair, prepared: Callable[[Opponent], Opponent] = lambda player: player) -> Tally:
    slug, *names = pair
    game, tally = GAMES[slug], Tally()
    first, second = [prepared(find(game, name)) for name in names]
    for seat, played in play_matches(game, first, second, FEWER.get(slug, MATCHES), SEED):
        tally.count(played.winner, seat)
    return tally


def _on_a_large_map(player: Opponent) -> Opponent:
    return replace(player, opponents=replace(player.opponents, vary=partial(conquest.vary, grain=LARGE)))


def _print_row(pair: Pair, tally: Tally) -> None:
    slug, above, below = pair
    figures = f"{tally.won:4} won {tally.drawn:4} drawn {tally.lost:4} lost  {tally.as_text():26}"
    if slug in NO_TARGET:
        target, reached = "more than half", tally.interval()[0] > 0.5
    else:
        of_random = LITTLE_ABOVE_RANDOM.get((slug, above), BEST_OF_RANDOM)
        least = of_random if below == RANDOM else FAR_ABOVE.get((slug, above), ABOVE)
        target, reached = f"{least:.0%}", (tally.share or 0) >= least
    print(f"    {slug:14} {above:9} against {below:9} {figures} target {target}: {_verdict(reached)}", flush=True)


def _shots(strength: str, seed: int) -> tuple[int, float]:
    """Return the number of shots that it takes to sink a random fleet, and the processor seconds
    used."""
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
    print(
        f"    {strength:9} {mean(counts):5.1f} ± {spread:.1f} on average, {cost:.1f} ms each, target {most}: {reached}"
    )


def _thoughts(seed: int) -> list[float]:
    """Return the seconds that the strength `minmax` needs for each command in a duel with the
    strength `heuristic`."""
    game, seconds = GAMES["conquest"], []
    player = find(game, "minmax")

    def timed(*about: Any) -> Choice | None:
        start = process_time()
        found = player.opponents.choose(*about)
        seconds.append(process_time() - start)
        return found

    opponents = replace(player.opponents, choose=timed)
    play(game, (_on_a_large_map(replace(player, opponents=opponents)), find(game, "heuristic")), f"{SEED}/{seed}")
    return seconds


def _print_thoughts(seconds: list[float]) -> None:
    reached = _verdict(max(seconds) < MOST_SECONDS)
    print(
        f"    minmax {1000 * mean(seconds):.1f} ms on average, {1000 * max(seconds):.0f} ms at most,"
        f" {len(seconds)} commands, target {1000 * MOST_SECONDS:.0f} ms: {reached}"
    )


def _verdict(reached: bool) -> str:
    return "reached" if reached else "NOT REACHED"
