"""What captains and cheats win, on 6x6 against built-in ships and honest play, seats swapped."""

from __future__ import annotations

from tests.contracts.arena import (
    Score,
    captain,
    cheat,
    contest,
    honestly,
    moves,
    moves_blindly,
    reverts,
    talks,
    waits,
    withholds,
)

MATCHES = 400
LONG = 40
"""Matches where each takes thousands of blocks."""
AIM = 0.55


def main() -> None:
    print(f"Captains against built-in ships, {MATCHES} matches on 6x6, two ships each, seats swapped")
    sweep = _row("SweepCaptain, looks at nothing", contest(MATCHES, captain("SweepCaptain")))
    _row("AimCaptain, looks at positions", contest(MATCHES, captain("AimCaptain")))
    print(f"    the sweep must win {AIM:.0%}: {'it does' if sweep.share >= AIM else 'IT DOES NOT'}")
    print("\nCheats against a rival who plays each turn as it comes; what the same does honestly stands beside it")
    _row("honest play", contest(MATCHES, cheat(honestly)))
    _row("reverts what it dislikes", contest(MATCHES, cheat(reverts)))
    _row("waits out 256 blocks", contest(MATCHES, cheat(waits)))
    _row("the same, its rival asleep", contest(LONG, cheat(waits, rival_awake=False)))
    _row("picks its block to move", contest(MATCHES, cheat(moves)))
    _row("moves whenever it may", contest(MATCHES, cheat(moves_blindly)))
    _row("withholds communicate", contest(MATCHES, cheat(withholds)))
    _row("communicates before each turn", contest(MATCHES, cheat(talks)))


def _row(what: str, score: Score) -> Score:
    print(f"    {what:32} {score}", flush=True)
    return score


if __name__ == "__main__":
    main()
