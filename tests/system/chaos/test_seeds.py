"""Tests of seeded scenarios. Whatever happens to the node, the chain and the processes, all parts
of the program must agree at the end.

`make test-all` runs the first five scenarios. The classes from `TestQuarter0` on run a quarter of
all scenarios each, so that `--dist loadscope` gives each quarter its own worker."""

from __future__ import annotations

from collections.abc import Callable

import pytest


@pytest.mark.usefixtures("chaos_seed")
class Scenarios:
    def test_scenario_ends_consistently(self, chaos: Callable[[], None]) -> None:
        chaos()


@pytest.mark.chaos(first=5)
class TestFirst(Scenarios): ...


@pytest.mark.chaos(first=5, on_server=True)
class TestFirstOnPostgresql(Scenarios): ...


@pytest.mark.soak
@pytest.mark.chaos(first=50, on_server=True)
class TestFiftyOnPostgresql(Scenarios): ...


@pytest.mark.soak
@pytest.mark.chaos(0, 4)
class TestQuarter0(Scenarios): ...


@pytest.mark.soak
@pytest.mark.chaos(1, 4)
class TestQuarter1(Scenarios): ...


@pytest.mark.soak
@pytest.mark.chaos(2, 4)
class TestQuarter2(Scenarios): ...


@pytest.mark.soak
@pytest.mark.chaos(3, 4)
class TestQuarter3(Scenarios): ...
