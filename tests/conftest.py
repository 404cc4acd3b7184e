"""How the files are dealt out, and which tests wait for `make soak`."""

from __future__ import annotations

import os

import pytest
from hypothesis import HealthCheck, settings

os.environ["CHAINBOARD_OPPONENTS"] = "0"  # a process of its own for each `up`: tests that want it say so
pytest_plugins = ["chaos.pytest_plugin"]
settings.register_profile("untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("untimed")

MOST = 4
"""Workers; more would only wait for each other's processors."""

FIRST = ("tests/frontend/browser/", "tests/system/two_browsers/", "tests/contracts/", "tests/system/", "tests/chaos/")
"""Folders whose files take long: they come first, so that no worker is left alone with one at the end."""


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:  # noqa: ARG001
    """One more than there are cores, as they wait for browsers and chains."""
    return min(MOST, (os.cpu_count() or 1) + 1)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not (config.option.markexpr or _named_by_hand(config)):
        soak = [item for item in items if item.get_closest_marker("soak")]
        config.hook.pytest_deselected(items=soak)
        items[:] = [item for item in items if item not in set(soak)]
    items.sort(key=lambda item: _place(item.nodeid))


def _named_by_hand(config: pytest.Config) -> bool:
    """Whether a file or a test is asked for by its name: all of it is run then, soak or not."""
    return any(".py" in argument for argument in config.args)


def _place(name: str) -> int:
    return next((number for number, folder in enumerate(FIRST) if name.startswith(folder)), len(FIRST))
