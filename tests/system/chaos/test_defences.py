"""Tests that the chaos kit notices missing defences. Each test disables one of the program's
defences, and checks that a scenario then violates an invariant. A failure doesn't count if it is a
direct result of disabling the defence.

`make test-all` tests only the defence whose scenario fails soonest. `make soak` and `make chaos
DEFENCES=1` test all defences."""

from __future__ import annotations

from concurrent.futures import Future

import pytest

from chaos.pool import ScenarioPool
from chaos.process.ablations import DEFENCES, WITH_OPPONENTS
from chaos.runner import SCENARIO_FAILED, SETTLED_SECONDS, ScenarioReport

PATIENCE = 8
"""The time, in seconds, that a scenario waits for an event that can't happen without the
defence."""
SEEDS: dict[str, tuple[int, ...]] = {
    "parent-walk": (4, 5, 9),
    "seq": (0, 24, 27),
    "bloom": (4, 12, 24, 28),
    "seq-of": (21, 25),
    "logs-by-hash": (0, 36),
    "cursor-in-transaction": (0, 4, 8),
    "head-poll": (9, 12, 17),
    "backfill": (3, 5),
    "identity": (3, 6),
    "patience": (20, 26),
    "retry": (2, 5),
    "answer-ids": (2, 5, 9),
    "tail-hash": (5, 7, 8),
    "since-hash": (0, 4, 6),
    "opponents-search": (0, 1, 3),
}
"""The seeds of each defence's scenarios. Without the defence, at least one of these scenarios must
fail. One seed isn't enough, because a fault hits different requests in each run."""
FRONT = {"logs-by-hash": ("bloom",)}
"""Maps a defence to the defences that would catch the same faults. A test that disables the first
defence also disables the others."""
QUICK = "retry"

Begun = dict[str, dict[int, Future[ScenarioReport]]]


def patience(defence: str) -> float:
    """Return how many seconds a scenario waits for a missing event. Scenarios with computer players
    wait longer, because a computer player can move even after some idle seconds."""
    return SETTLED_SECONDS if defence in WITH_OPPONENTS else PATIENCE


@pytest.fixture(scope="module")
def begun(chaos_pool: ScenarioPool, request: pytest.FixtureRequest) -> Begun:
    """Start the scenarios of all tests in this run at once, so that no test waits for another
    test's scenarios."""
    items = [item for item in request.session.items if item.parent is request.node]
    chosen = [item.callspec.params["defence"] for item in items if hasattr(item, "callspec")]
    return {
        name: chaos_pool.play(SEEDS[name], (*FRONT.get(name, ()), name), patience(name), name in WITH_OPPONENTS)
        for name in chosen
    }


def test_each_defence_has_its_seeds() -> None:
    assert SEEDS.keys() == DEFENCES.keys()


@pytest.mark.timeout(1200)
@pytest.mark.parametrize(
    "defence", [name if name == QUICK else pytest.param(name, marks=pytest.mark.soak) for name in SEEDS]
)
def test_scenario_fails_without_defence(begun: Begun, defence: str) -> None:
    failed = [wrong for future in begun[defence].values() if (wrong := future.result().violations)]
    assert failed
    assert not any(SCENARIO_FAILED in sentence for wrong in failed for sentence in wrong)
