"""Measures how much a Touché Coulé player gains by aiming, sweeping or cheating.

The tests are short versions of the benchmark `bench/contracts/captains.py`.

- Given a player under test and an honest opponent with built-in ships on 6 x 6 cells
  - When the player's ships sweep the board together
    - The player should win more matches than the opponent
  - When the player's ships aim at their targets
    - The player should win nearly all matches
  - When the player reverts turns with bad volleys
    - The player should win no more matches than with luck alone
  - When the player changes position before a bad volley, or withholds `communicate`
    - The player's gain should stay within a limit (docs/explanation/trust.md documents the gain)
"""

from __future__ import annotations

import pytest

from tests.contracts.support.contest import (
    Strategy,
    captain,
    cheat,
    contest,
    moves,
    reverts,
    withholds,
)

pytestmark = pytest.mark.anvil  # only Anvil's chains have different block hashes
FEW = 30


@pytest.mark.soak
def test_sweep_beats_built_in_ships() -> None:
    score = contest(2 * FEW, captain("SweepCaptain"))
    assert score.share > 0.5


def test_aim_beats_built_in_ships() -> None:
    score = contest(FEW, captain("AimCaptain"))
    assert score.share > 0.9


@pytest.mark.soak
def test_volley_can_not_be_chosen_by_reverting() -> None:
    score = contest(FEW, cheat(reverts))
    assert score.matches == FEW
    assert abs(score.share - 0.5) <= 3 * score.spread


@pytest.mark.soak
@pytest.mark.parametrize("strategy", [moves, withholds])
def test_what_is_left_to_choose_is_bounded(strategy: Strategy) -> None:
    score = contest(FEW, cheat(strategy))
    assert score.matches == FEW
    assert 0.3 < score.share < 0.95
