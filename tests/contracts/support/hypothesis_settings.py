"""Running a stateful test so that it repeats, and so that it shows something."""

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
"""A quarter of a stateful test's examples in `make test`, all of them in `make soak`."""
MISSED = 2
"""A quarter may miss one in so many of what all examples show."""


def explore(
    machine: type[RuleBasedStateMachine],
    often: Collection[str],
    examples: int,
    steps: int,
    share: float = 1,
    **parts: Any,
) -> None:
    """Runs the machine with these parts as its attributes. `seen` counts what happened; all of `often` must have."""
    seen: Counter[str] = Counter()
    parts |= {"seen": seen, "__module__": machine.__module__}  # hypothesis chooses by the name
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
    assert len(missed) <= allowed, f"the examples don't reach far enough to show {', '.join(sorted(missed))}"
