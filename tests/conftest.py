"""Settings and fixtures for all tests. They decide which tests run, in which order and on which
database."""

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

os.environ["CHAINBOARD_OPPONENTS"] = "0"  # otherwise, `up` would start an extra process in each test
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # otherwise, each process would compile all modules again
sys.dont_write_bytecode = False
pytest_plugins = ["chaos.pytest_plugin"]
settings.register_profile("untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("untimed")

SYSTEM = "tests/system/"
"""The folder that only `make test-all` runs, after `make test` has run all other folders."""
MAX_SYSTEM_WORKERS = 4
FIRST = (
    "tests/system/browser/two_browsers/",
    "tests/system/browser/",
    "tests/contracts/",
    "tests/api/",
    "tests/system/",
)
"""The folders with the slowest tests, which run first. Otherwise, one worker would still be busy at
the end."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--database",
        choices=("sqlite", "postgresql", "both"),
        default="sqlite",
        help="the database of the index's tests; with postgresql, other tests outside tests/system are left out",
    )


@pytest.fixture(scope="session", autouse=True)
def _migrated_once(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """If any test uses a store, let each SQLite store start as a copy of one migrated database."""
    if "indexer.store.store" not in sys.modules:
        yield
        return
    from tests.support.databases import from_copy

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("indexer.store.store.migrate", from_copy(tmp_path_factory.mktemp("migrated") / "template.db"))
        yield


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    """Yield a server that all tests of this process share. Each test creates its own databases."""
    from tests.support.services.postgres import postgres_server

    yield from postgres_server()


@pytest.fixture(params=("sqlite", "postgresql"))
def databases(request: pytest.FixtureRequest, tmp_path: Path) -> Databases:
    """Return the test's databases. The test runs once with SQLite and once with PostgreSQL."""
    from tests.support.databases import Databases

    return Databases(tmp_path, request.getfixturevalue("postgres") if request.param == "postgresql" else None)


def pytest_configure(config: pytest.Config) -> None:
    """Load Schemathesis only for the folder that uses it, because the import takes half a
    second."""
    if _is_system(config):
        config.pluginmanager.import_plugin("schemathesis.pytest.plugin")


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Return the number of workers. This is one per core, or none if the command line names a
    single file. tests/system gets two more workers, because it mostly waits."""
    cores = os.cpu_count() or 1
    if len(config.args) == 1 and _named_by_hand(config):
        return 0
    return min(MAX_SYSTEM_WORKERS, cores + 2) if _is_system(config) else cores


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    database = config.getoption("--database")
    soak_too = bool(config.option.markexpr) or _named_by_hand(config)
    chosen = [
        item
        for item in items
        if (soak_too or not item.get_closest_marker("soak"))
        and (item.nodeid.startswith(SYSTEM) or database in ("both", _database(item)))
    ]
    config.hook.pytest_deselected(items=[item for item in items if item not in set(chosen)])
    items[:] = sorted(chosen, key=lambda item: _place(item.nodeid))


def pytest_collection_finish() -> None:
    """Freeze all collected objects, so that the garbage collector never scans them again."""
    gc.collect()
    gc.freeze()


def _database(item: pytest.Item) -> str:
    """Return the database of a parametrized test. If a test doesn't have this parameter, return
    SQLite."""
    parameters = (
        item.callspec.params.values() if isinstance(item, pytest.Function) and hasattr(item, "callspec") else ()
    )
    return "postgresql" if "postgresql" in parameters else "sqlite"


def _is_system(config: pytest.Config) -> bool:
    """Return true if the command line names tests/system, a part of it, or all tests."""
    return any(SYSTEM in f"{one}/" or one.rstrip("/").endswith("tests") for one in config.args)


def _named_by_hand(config: pytest.Config) -> bool:
    """Return true if the command line names a file or a single test. In that case, its soak tests
    also run."""
    return any(".py" in argument for argument in config.args)


def _place(name: str) -> int:
    return next((number for number, folder in enumerate(FIRST) if name.startswith(folder)), len(FIRST))
