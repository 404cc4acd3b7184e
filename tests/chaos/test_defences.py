"""The kit is tested itself: with a defence switched off, a story fails, by what must hold and not by the change.

`make test` plays those that fail soon; `make chaos DEFENCES=1` all of them."""

from __future__ import annotations

import os
from collections.abc import Sequence

import pytest

from chainboard.chaos.defences import DEFENCES
from chainboard.chaos.story import ITSELF, Report
from chainboard.chaos.troupe import Troupe

PATIENCE = 8
"""Seconds for what will not come."""
SEEDS: dict[str, tuple[int, ...]] = {
    "parent-walk": (4, 5, 9),
}
"""By defence: seeds one of which, at least, fails without it. Real time decides what a fault hits: hence several."""
FRONT: dict[str, tuple[str, ...]] = {"logs-by-hash": ("bloom",)}
"""The defences that make good what one behind them lets pass: they are off as well, and alone do no harm."""
QUICK = ("parent-walk",)


def reports(troupe: Troupe, seeds: Sequence[int], without: Sequence[str]) -> list[Report]:
    """All at once: the first that fails decides."""
    return [future.result() for future in troupe.play(seeds, without, PATIENCE).values()]


def test_each_defence_has_its_seeds() -> None:
    assert SEEDS.keys() == DEFENCES.keys()


@pytest.mark.parametrize("defence", SEEDS if os.environ.get("CHAOS_DEFENCES") else QUICK)
def test_without_it_a_story_fails(chaos_troupe: Troupe, defence: str) -> None:
    found = reports(chaos_troupe, SEEDS[defence], (*FRONT.get(defence, ()), defence))
    failed = [report.wrong for report in found if report.wrong]
    assert failed
    assert not any(ITSELF in sentence for wrong in failed for sentence in wrong)
