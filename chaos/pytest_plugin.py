"""The chaos kit's pytest plugin. It adds options, the fixtures `chaos_seed` and `chaos`, and a
table of the faults at the end of a run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any

import pytest

from chaos.faults.counts import KINDS, MIN_COUNT, OPPONENTS, FaultCounts
from chaos.process.ablations import DEFENCES

if TYPE_CHECKING:  # slow imports are inside functions, because every pytest run loads this file
    from chaos.game import Play
    from chaos.pool import ScenarioPool
    from chaos.runner import ScenarioReport

AT_ONCE = 3
"""The number of scenarios that run at the same time. Scenarios mostly wait, so three of them use
two thirds of a core."""
SEEDS = 40
"""The number of fixed seeds, counted from 0. Their scenarios together must inject every kind of
fault often enough."""
COUNTS = "chaos"
FIXTURE = "chaos_seed"
WHOLE_CLASSES = ("no", "loadfile", "loadscope")
"""The modes of pytest-xdist in which one worker gets all tests of a class. In these modes, the
worker can start the scenarios of all these tests early."""


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("chaos", "chainboard's chaos kit")
    group.addoption("--chaos-seeds", type=int, default=SEEDS, metavar="N", help=f"play the seeds 0 to N-1 ({SEEDS})")
    group.addoption("--chaos-seed", type=int, action="append", metavar="SEED", help="play this seed; can be repeated")
    group.addoption("--chaos-at-once", type=int, default=AT_ONCE, metavar="N", help="play N scenarios at a time")
    group.addoption(
        "--chaos-without",
        action="append",
        default=[],
        choices=sorted(DEFENCES),
        metavar="DEFENCE",
        help=f"disable one of these defences (can be repeated): {', '.join(sorted(DEFENCES))}",
    )


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers",
        "chaos(part, parts, first, opponents, on_server): play only the seeds for which `seed % parts == part`. `first`"
        " is the maximum number of seeds, unless options name the seeds. `opponents=True` adds opponents."
        " `on_server=True` uses a database on a server",
    )
    config.stash[SESSION_COUNTS] = SessionCounts()
    config.pluginmanager.register(config.stash[SESSION_COUNTS], "chaos-tally")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run each test that uses the fixture `chaos_seed` once per seed."""
    if FIXTURE in metafunc.fixturenames:
        marker = metafunc.definition.get_closest_marker("chaos")
        part, parts = marker.args if marker and marker.args else (0, 1)
        named, maximum = metafunc.config.getoption("--chaos-seed"), metafunc.config.getoption("--chaos-seeds")
        first = marker.kwargs.get("first", maximum) if marker else maximum
        seeds = named or range(first if _on_server(marker) else min(maximum, first))
        metafunc.parametrize(FIXTURE, [seed for seed in seeds if seed % parts == part])


class Chaos:
    """Plays scenarios for tests. A test fails if its scenario has violations."""

    def __init__(self, pool: ScenarioPool, request: pytest.FixtureRequest) -> None:
        self._pool, self._config = pool, request.config
        self._begun: dict[tuple[str, int], Future[ScenarioReport]] = {}

    def play(self, request: pytest.FixtureRequest) -> None:
        """Play the scenario of the test's `chaos_seed`, and fail the test if there are violations.

        The first call also starts the other scenarios of the same class or file."""
        seed = request.node.callspec.params[FIXTURE]
        where = (request.node.parent.nodeid, seed)
        if where not in self._begun:
            without = self._config.getoption("--chaos-without")
            opponents, new_database = _has_opponents(request.node), _new_database(request)
            begun = self._pool.play(self._seeds(request), without, opponents=opponents, new_database=new_database)
            self._begun |= {(where[0], one): future for one, future in begun.items()}
        report = self._begun[where].result()
        request.node.user_properties.append(
            (COUNTS, {"seed": seed, "opponents": report.scenario.opponents, **report.figures})
        )
        if report.violations:
            pytest.fail(_failure_text(report, request.node.nodeid), pytrace=False)

    def _seeds(self, request: pytest.FixtureRequest) -> list[int]:
        seed: int = request.node.callspec.params[FIXTURE]
        if self._config.getoption("dist", "no") not in WHOLE_CLASSES:
            return [seed]
        mine = [item for item in request.session.items if item.parent is request.node.parent]
        seeds: list[Any] = [
            item.callspec.params[FIXTURE] for item in mine if isinstance(item, pytest.Function) and _has(item)
        ]
        return seeds[seeds.index(seed) :]


def _has(item: pytest.Function) -> bool:
    return hasattr(item, "callspec") and FIXTURE in item.callspec.params


def _has_opponents(node: pytest.Item) -> bool:
    marker = node.get_closest_marker("chaos")
    return bool(marker and marker.kwargs.get("opponents"))


def _new_database(request: pytest.FixtureRequest) -> Callable[[], str] | None:
    if not _on_server(request.node.get_closest_marker("chaos")):
        return None
    found: Callable[[], str] = request.getfixturevalue("chaos_database")
    return found


def _on_server(marker: pytest.Mark | None) -> bool:
    return bool(marker and marker.kwargs.get("on_server"))


def _failure_text(report: ScenarioReport, test: str) -> str:
    again = f"Again: pytest -n 0 '{test}' --chaos-seed {report.scenario.seed}"
    lines = ["; ".join(report.violations), str(report.scenario), again]
    return "\n".join([*lines, "Output of the tested process:", report.log[-4000:]])


@pytest.fixture(scope="session")
def chaos_plays() -> Sequence[Play]:
    """The games that the scenarios play. Override this fixture in your conftest.py."""
    raise pytest.UsageError("override the fixture `chaos_plays` in your conftest.py: see docs/how-to/test.md")


@pytest.fixture(scope="session")
def chaos_database() -> Callable[[], str]:
    """A function that creates an empty database on a server and returns its URL.

    Override this fixture if your scenarios use a database server."""
    raise pytest.UsageError("override the fixture `chaos_database` in your conftest.py: see docs/how-to/test.md")


@pytest.fixture(scope="session")
def chaos_pool(
    chaos_plays: Sequence[Play], tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest
) -> Iterator[ScenarioPool]:
    from chaos.pool import ScenarioPool

    own = tmp_path_factory.getbasetemp()
    shared = own.parent if hasattr(request.config, "workerinput") else own
    pool = ScenarioPool(chaos_plays, shared / "chaos-base", own / "chaos", request.config.getoption("--chaos-at-once"))
    yield pool
    pool.close()


@pytest.fixture(scope="session")
def _chaos(chaos_pool: ScenarioPool, request: pytest.FixtureRequest) -> Chaos:
    return Chaos(chaos_pool, request)


@pytest.fixture
def chaos(_chaos: Chaos, request: pytest.FixtureRequest) -> Any:
    """A function that plays the scenario with this test's `chaos_seed`."""
    return lambda: _chaos.play(request)


class SessionCounts:
    """Counts the faults in all scenarios of a session, including those of other workers."""

    def __init__(self) -> None:
        self._counts = FaultCounts()
        self._seeds: dict[tuple[int, bool], bool] = {}
        self._transaction_states: Counter[str] = Counter()
        self._seconds = 0.0

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when != "call":
            return
        for name, found in report.user_properties:
            if name == COUNTS and isinstance(found, dict):
                self._counts.add(found["counts"])
                self._seeds[found["seed"], found["opponents"]] = report.passed
                self._transaction_states.update(found["transaction_states"])
                self._seconds += found["seconds"]

    @property
    def rare(self) -> list[str]:
        """The kinds of faults that occurred too rarely. If not all fixed seeds were played, the
        list is empty."""
        alone, with_opponents = (
            self._seeds.keys() >= {(seed, opponents) for seed in range(SEEDS)} for opponents in (False, True)
        )
        kinds = (*KINDS, *OPPONENTS) if with_opponents else KINDS
        return self._counts.rare(kinds) if alone or with_opponents else []

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if self.rare and not hasattr(session.config, "workerinput"):
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        if not self._seeds:
            return
        terminalreporter.section("chaos")
        mean = self._seconds / len(self._seeds)
        terminalreporter.line(f"{len(self._seeds)} scenarios, {mean:.1f} seconds each")
        for line in self._counts.table():
            terminalreporter.line(line)
        if self._transaction_states:
            states = ", ".join(f"{number} {state}" for state, number in self._transaction_states.most_common())
            terminalreporter.line(f"Transactions of opponents and the keeper: {states}")
        failed = [str(seed) for (seed, _), passed in sorted(self._seeds.items()) if not passed]
        if failed:
            terminalreporter.line("Failed: " + " ".join(f"--chaos-seed {seed}" for seed in failed))
        if self.rare:
            terminalreporter.line(f"Occurred fewer than {MIN_COUNT} times: {', '.join(self.rare)}", red=True)


SESSION_COUNTS = pytest.StashKey[SessionCounts]()
