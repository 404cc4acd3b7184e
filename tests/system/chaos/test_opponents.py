"""Tests of seeded scenarios with computer players. Whatever happens, no computer player may owe a
move at the end. `make test-all` runs only the first scenario.

In `make soak`, each class runs a quarter of the scenarios, as in test_seeds.py."""

from __future__ import annotations

import pytest

from tests.system.chaos.test_seeds import Scenarios


@pytest.mark.chaos(first=1, opponents=True)
class TestFirst(Scenarios): ...


@pytest.mark.soak
@pytest.mark.chaos(0, 4, opponents=True)
class TestQuarter0(Scenarios): ...


@pytest.mark.soak
@pytest.mark.chaos(1, 4, opponents=True)
class TestQuarter1(Scenarios): ...


@pytest.mark.soak
@pytest.mark.chaos(2, 4, opponents=True)
class TestQuarter2(Scenarios): ...


@pytest.mark.soak
@pytest.mark.chaos(3, 4, opponents=True)
class TestQuarter3(Scenarios): ...
