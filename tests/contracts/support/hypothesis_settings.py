"""Running a stateful test so that it repeats, and so that it shows something."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.stateful import RuleBasedStateMachine, run_state_machine_as_test

QUARTER = pytest.mark.parametrize(
    "share", [pytest.param(0.25, id="quarter"), pytest.param(1, id="whole", marks=pytest.mark.soak)]
)
"""A quarter of a stateful test's examples in `make test`, all of them in `make soak`."""


def explore(
    machine: type[RuleBasedStateMachine], often: Iterable[str], examples: float, steps: int, **parts: Any
) -> None:
    """Runs the machine with these parts as its attributes. `seen` counts what happened; all of `often` must have."""
    seen: Counter[str] = Counter()
    parts |= {"seen": seen, "__module__": machine.__module__}  # hypothesis chooses by the name
    run_state_machine_as_test(
        type(machine.__name__, (machine,), parts),
        settings=settings(
            max_examples=round(examples),
            stateful_step_count=steps,
            derandomize=True,
            deadline=None,
            database=None,
            print_blob=True,
            suppress_health_check=list(HealthCheck),
        ),
    )
    missed = set(often) - set(seen)
    assert not missed, f"the examples don't reach far enough to show {', '.join(sorted(missed))}"
