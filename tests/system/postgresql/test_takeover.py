"""Tests of three `chainboard index` processes that share one database. When the process that writes
is killed, disconnected or stopped, another process must take over."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from random import Random
from time import monotonic

import pytest

from chaos.process.forkserver import ForkedProcess
from indexer.games import GAMES
from indexer.store.store import Store
from tests.support.chain import DeployedChain, deployed_chain, rows
from tests.support.server import run
from tests.support.services.postgres import PostgresServer
from tests.support.waiting import PATIENCE_SECONDS, wait_for_async

NAMES = ("one", "two", "three")
KILLS = ("kill", "terminate", "stop")
WRITER = (
    "SELECT a.application_name, a.pid FROM pg_locks l JOIN pg_stat_activity a USING (pid)"
    " WHERE l.locktype = 'advisory' AND l.granted AND a.datname = current_database()"
)


class Indexers:
    """The three indexer processes. Each process gives its name to its connections, so the database
    server knows which process writes."""

    def __init__(self, played: DeployedChain, server: PostgresServer, url: str) -> None:
        self._played, self._server, self.url = played, server, url
        self._database = url.rpartition("/")[2]
        self.processes: dict[str, ForkedProcess] = {}

    def start(self, name: str) -> None:
        output = self._played.folder / f"{name}.log"
        database = f"{self.url}?application_name={name}"
        options = ["--data", str(self._played.folder), "--rpc", self._played.node.url, "--database", database]
        self.processes[name] = ForkedProcess(["index", *options], output, output)

    def output(self, name: str) -> str:
        log = self._played.folder / f"{name}.log"
        return log.read_text("utf-8") if log.exists() else ""

    def count(self, words: str) -> int:
        """Return how many of the three processes have printed these words."""
        return sum(words in self.output(name) for name in NAMES)

    def writer(self) -> tuple[str, int] | None:
        """Return the name of the process that writes, and the ID of its database session. Return
        None if no process writes."""
        found = self._server.execute(WRITER, self._database)
        assert len(found) <= 1
        return (str(found[0][0]), int(str(found[0][1]))) if found else None

    def height(self) -> int:
        [[found]] = self._server.execute("SELECT max(height) FROM block", self._database)
        return int(str(found or 0))

    def terminate(self, session: int) -> None:
        self._server.execute(f"SELECT pg_terminate_backend({session})")


@contextmanager
def indexers(played: DeployedChain, server: PostgresServer) -> Iterator[Indexers]:
    it = Indexers(played, server, server.new_database())
    with ExitStack() as ending:
        for name in NAMES:
            it.start(name)
            ending.callback(lambda name=name: it.processes[name].kill())
        yield it


async def until(reached: Callable[[], bool], what: str) -> float:
    """Wait until `reached` returns True. Return how many seconds this took."""
    begin = monotonic()
    await wait_for_async(lambda: asyncio.to_thread(reached), bool, what)
    return monotonic() - begin


@pytest.fixture
async def played(tmp_path: Path) -> AsyncIterator[DeployedChain]:
    async with deployed_chain(tmp_path) as it:
        await it.play(0, "create", 64, 64, False)
        await it.begin(2)
        yield it


async def mine_events(played: DeployedChain, random: Random, ended: asyncio.Event) -> None:
    """Make moves and mine blocks until `ended` is set. Each round makes one move and mines up to 30
    blocks, so the process that writes is usually busy."""
    while not ended.is_set():
        await played.play(0, "create", 64, 64, False)
        await played.mine(random.choice([1, 1, 1, 30]))
        await asyncio.sleep(random.uniform(0, 0.1))


async def end_writer(running: Indexers, random: Random, how: str) -> float:
    """Wait for a random time. Then kill the process that writes, end its session, or stop the
    process. Return how many seconds pass until another session has written."""
    await asyncio.sleep(random.uniform(0, 1))
    found = await asyncio.to_thread(running.writer)
    assert found is not None
    name, session = found
    process, stood_by = running.processes[name], running.output(name).count("standing by")
    if how == "kill":
        process.kill()
    elif how == "terminate":
        running.terminate(session)
    else:
        process.send_signal(signal.SIGSTOP)
    height = await asyncio.to_thread(running.height)

    def taken_over() -> bool:
        writer = running.writer()
        return writer is not None and writer[1] != session and running.height() > height

    seconds = await until(taken_over, "another writer")
    if how == "kill":
        process.wait(PATIENCE_SECONDS)
        running.start(name)
    elif how == "stop":
        await asyncio.sleep(random.uniform(0, 1))
        process.send_signal(signal.SIGCONT)
        await until(lambda: running.output(name).count("standing by") > stood_by, f"{name}, which stands by")
    return seconds


@pytest.mark.parametrize(
    ("seed", "count"), [(1, 3), pytest.param(2, 100, marks=[pytest.mark.soak, pytest.mark.timeout(1200)])]
)
async def test_another_process_takes_over_from_any_lost_writer(
    played: DeployedChain, postgres: PostgresServer, seed: int, count: int
) -> None:
    random, took = Random(seed), list[float]()
    with indexers(played, postgres) as running:
        await until(lambda: [running.count("Indexed to block"), running.count("standing by")] == [1, 2], "one writer")
        ended = asyncio.Event()
        playing = asyncio.create_task(mine_events(played, random, ended))
        for number in range(count):
            took.append(await end_writer(running, random, KILLS[number % len(KILLS)]))
        ended.set()
        await playing
        head = (await played.node.head()).height
        await until(lambda: running.height() == head, "the head")
        with closing(Store(running.url, GAMES)) as store:
            assert rows(store) == await played.fresh_rows()
        for name in NAMES:
            running.processes[name].send_signal(signal.SIGINT)
            assert running.processes[name].wait(PATIENCE_SECONDS) in (0, 130)
            assert "Traceback" not in running.output(name)
    print(f"{count} take-overs: at most {max(took):.1f} s, {sum(took) / count:.1f} s on average")


async def test_up_says_that_another_writes(played: DeployedChain, postgres: PostgresServer) -> None:
    url = postgres.new_database()
    with closing(Store(url, GAMES)) as store, store.exclusive_writer():
        options = ["--data", str(played.folder), "--rpc", played.node.url, "--dev", "--database", url, "--port", "0"]
        ended = await asyncio.to_thread(run, "up", *options)
    assert (ended.returncode, ended.stderr.count("\n")) == (1, 1)
    assert "another Chainboard process is writing to the database" in ended.stderr
