"""Runs a chain, a PostgreSQL server, a writer that indexes the chain, and any number of gateways.
Each runs in a separate process."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path

import psycopg

from bench.load.burst import Burst
from bench.load.processor_time import family_seconds, processor_seconds
from chainboard.chain.anvil import Anvil
from chaos.process.forkserver import ForkedProcess
from tests.support.server import Server, run, started
from tests.support.services.postgres import PostgresServer, postgres_server

WAIT_SECONDS, POLL_SECONDS = 120.0, 0.02


@dataclass(frozen=True, slots=True)
class Times:
    """The processor seconds used by the writer, by all PostgreSQL processes, and by each
    gateway."""

    writer: float
    postgres: float
    gateways: tuple[float, ...]

    def __add__(self, other: Times) -> Times:
        gateways = (one + more for one, more in zip(self.gateways, other.gateways, strict=True))
        return Times(self.writer + other.writer, self.postgres + other.postgres, tuple(gateways))

    def __mul__(self, by: float) -> Times:
        return Times(self.writer * by, self.postgres * by, tuple(one * by for one in self.gateways))

    def __sub__(self, other: Times) -> Times:
        return self + other * -1

    def __truediv__(self, by: float) -> Times:
        return self * (1 / by)


class Cluster:
    """A running cluster. `chain` mines only on request. `url` is the database's URL."""

    def __init__(self, chain: Burst, postgres: PostgresServer, url: str, data: Path) -> None:
        self.chain, self.url, self.gateways = chain, url, list[Server]()
        self._postgres, self._data = postgres, data
        self._connection = psycopg.connect(url, autocommit=True)
        self.writer: ForkedProcess

    @contextmanager
    def writing(self, node: str | None = None) -> Iterator[None]:
        """Run a writer that reads the chain from this node. The default is the chain's own node."""
        log = self._data / "writer.log"
        options = ("--data", str(self._data), "--rpc", node or self.chain.node.url, "--database", self.url)
        self.writer = ForkedProcess(["index", *options], log, log)
        try:
            yield
        finally:
            self.writer.kill()
            self.writer.wait(WAIT_SECONDS)

    @contextmanager
    def serving(self, number: int) -> Iterator[list[Server]]:
        """Run this number of gateways during the `with` block."""
        options = ("--database", self.url, "--data", str(self._data / "none"), "--rpc", self.chain.node.url)
        with ExitStack() as stack:
            self.gateways = [stack.enter_context(started("serve", *options, "--port", "0")) for _ in range(number)]
            yield self.gateways
        self.gateways = []

    def close(self) -> None:
        self._connection.close()

    def times(self) -> Times:
        gateways = tuple(processor_seconds(one.process.pid) for one in self.gateways)
        return Times(processor_seconds(self.writer.pid), family_seconds(self._postgres.pid), gateways)

    async def indexed(self, height: int) -> None:
        """Wait until the database contains the block at this height."""
        async with asyncio.timeout(WAIT_SECONDS):
            while not self._connection.execute("SELECT FROM block WHERE height >= %s LIMIT 1", [height]).rowcount:
                await asyncio.sleep(POLL_SECONDS)


@asynccontextmanager
async def cluster(folder: Path, matches: int) -> AsyncIterator[Cluster]:
    """Start a chain with this number of running matches, and index it in a new PostgreSQL server.

    The cluster has no writer and no gateways yet."""
    anvil = await Anvil.start(folder / "chain")
    try:
        with contextmanager(postgres_server)() as postgres:
            url = postgres.new_database()
            data = ("--data", str(folder), "--rpc", anvil.node.url)
            assert not (await asyncio.to_thread(run, "deploy", *data, "--dev")).returncode
            chain = await Burst.over(anvil.node, json.loads((folder / "deployment.json").read_text("utf-8")))
            await chain.open_many(matches)
            answer = await asyncio.to_thread(run, "index", "--once", *data, "--database", url)
            assert not answer.returncode, answer.stderr
            it = Cluster(chain, postgres, url, folder)
            yield it
            it.close()
    finally:
        await anvil.stop()
