"""Measures how often captains and cheating players win in Touché Coulé, on 6x6 boards and in both
seats.

Captains, which control ships with code that players have written, play against built-in ships.
Cheating players play against honest players."""

from __future__ import annotations

from collections.abc import Callable

from tests.contracts.support import contest
from tests.contracts.support.contest import PATIENT_ROUNDS, ROUNDS, Play, Score, captain, cheat
from tests.contracts.support.contract import Contract

MATCHES = 400
LONG = 100
"""The number of matches to play with a method of cheating that makes each match take hundreds of
blocks."""
TARGET = 0.55


def main() -> None:
    print(f"Captains against built-in ships, {MATCHES} matches on 6x6, two ships each, seats swapped")
    sweep = _row(0, "SweepCaptain, ignores positions", captain("SweepCaptain"))
    _row(1, "AimCaptain, reads positions", captain("AimCaptain"))
    print(f"    SweepCaptain must win {TARGET:.0%}: {'it does' if sweep.share >= TARGET else 'IT DOES NOT'}")
    print("\nCheats against an opponent who plays every turn as soon as possible, compared with honest play")
    _row(2, "honest play", cheat(contest.plays_honestly))
    _row(3, "reverts bad results", cheat(contest.reverts))
    _row(4, f"produces {contest.WAIT} blocks", cheat(contest.waits), LONG, PATIENT_ROUNDS)
    _row(5, "the same, opponent inactive", cheat(contest.waits, opponent_active=False), LONG, PATIENT_ROUNDS)
    _row(6, "picks the block of its move", cheat(contest.moves))
    _row(7, "moves whenever possible", cheat(contest.moves_blindly))
    _row(8, "withholds communicate", cheat(contest.withholds))
    _row(9, "communicates before each turn", cheat(contest.communicates))


def _row(
    series: int, what: str, prepare: Callable[[Contract], Play], matches: int = MATCHES, rounds: int = ROUNDS
) -> Score:
    """Play the matches for one row of the results, and print the score.

    Every row has its own series of random numbers, so that the rows' statistical errors are
    independent."""
    score = contest.contest(matches, prepare, series, rounds)
    print(f"    {what:32} {score}", flush=True)
    return score
