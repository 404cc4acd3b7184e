"""Seeded scenarios. Whatever happens to node, chain and process, all of them agree in the end.

`make test-all` plays the first five. Each class from `TestQuarter0` on plays a quarter of all
scenarios, so that `--dist loadscope` gives each quarter its own worker."""

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
