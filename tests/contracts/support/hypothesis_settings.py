"""Runs Hypothesis's stateful tests with the same examples each time, and checks what the examples
cover."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.stateful import RuleBasedStateMachine, run_state_machine_as_test

QUARTER = pytest.mark.parametrize(
    "share", [pytest.param(0.25, id="quarter"), pytest.param(1, id="whole", marks=pytest.mark.soak)]
)
"""A mark for a stateful test. `make test` runs a quarter of the test's examples, and `make soak`
runs all of them."""
MISSED = 2
"""If only a quarter of the examples run, 1 / MISSED of the expected names can be missing."""


def explore(
    machine: type[RuleBasedStateMachine],
    often: Collection[str],
    examples: int,
    steps: int,
    share: float = 1,
    **parts: Any,
) -> None:
    """Run the state machine with `parts` as its class attributes.

    The machine counts the events and other names that it meets, and stores the counts in `seen`. If
    all examples run, `seen` must have every name from `often`."""
    seen: Counter[str] = Counter()
    # Hypothesis's choices depend on the name in `__module__`.
    parts |= {"seen": seen, "__module__": machine.__module__}
    run_state_machine_as_test(
        type(machine.__name__, (machine,), parts),
        settings=settings(
            max_examples=round(share * examples),
            stateful_step_count=steps,
            derandomize=True,
            deadline=None,
            database=None,
            print_blob=True,
            suppress_health_check=list(HealthCheck),
        ),
    )
    missed, allowed = set(often) - set(seen), 0 if share == 1 else len(often) // MISSED
    assert len(missed) <= allowed, f"the examples never show {', '.join(sorted(missed))}"
