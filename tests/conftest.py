"""How the files are dealt out, which tests wait for `make soak`, and what every process of a run has in common."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

if TYPE_CHECKING:
    from tests.support.databases import Databases
    from tests.support.services.postgres import PostgresServer

os.environ["CHAINBOARD_OPPONENTS"] = "0"  # a process of its own for each `up`: tests that want it say so
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # or each worker, and each process of ours, compiles all modules anew
sys.dont_write_bytecode = False
pytest_plugins = ["chaos.pytest_plugin"]
settings.register_profile("untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("untimed")

MOST = 4
"""Workers; more would only wait for each other's processors."""

FIRST = ("tests/frontend/browser/", "tests/system/two_browsers/", "tests/contracts/", "tests/system/", "tests/chaos/")
"""Folders whose files take long: they come first, so that no worker is left alone with one at the end."""


@pytest.fixture(scope="session", autouse=True)
def _migrated_once(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    from tests.support.databases import from_copy  # what takes a while to import, when a test is to run

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("indexer.store.store.migrate", from_copy(tmp_path_factory.mktemp("migrated") / "template.db"))
        yield


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    """A server that all tests of this process share; each has databases of its own on it."""
    from tests.support.services.postgres import postgres_server

    yield from postgres_server()


@pytest.fixture(params=("sqlite", "postgresql"))
def databases(request: pytest.FixtureRequest, tmp_path: Path) -> Databases:
    """The test's databases: it runs on either kind."""
    from tests.support.databases import Databases

    return Databases(tmp_path, request.getfixturevalue("postgres") if request.param == "postgresql" else None)


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:  # noqa: ARG001
    """Two more than there are cores, as they wait for browsers and chains."""
    return min(MOST, (os.cpu_count() or 1) + 2)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not (config.option.markexpr or _named_by_hand(config)):
        soak = [item for item in items if item.get_closest_marker("soak")]
        config.hook.pytest_deselected(items=soak)
        items[:] = [item for item in items if item not in set(soak)]
    items.sort(key=lambda item: _place(item.nodeid))


def pytest_collection_finish() -> None:
    """What was collected stays to the end: no later search for garbage looks at it."""
    gc.collect()
    gc.freeze()


def _named_by_hand(config: pytest.Config) -> bool:
    """Whether a file or a test is asked for by its name: all of it is run then, soak or not."""
    return any(".py" in argument for argument in config.args)


def _place(name: str) -> int:
    return next((number for number, folder in enumerate(FIRST) if name.startswith(folder)), len(FIRST))
