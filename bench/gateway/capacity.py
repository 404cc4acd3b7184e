"""Measures the load that a writer, PostgreSQL and gateways can handle, per core.

In every block, each match gets a move. The main figure is processor time. Unlike latency, processor
time hardly depends on the machine's other load.
"""

from __future__ import annotations

import asyncio
import json
import os
import platform
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import ExitStack, asynccontextmanager, suppress
from multiprocessing.connection import Connection
from pathlib import Path
from statistics import median
from typing import NamedTuple
from urllib.parse import urlsplit

from bench.load.announcements import record
from bench.load.burst import GAME
from bench.load.cluster import Cluster, Times, cluster
from bench.load.memory import resident_bytes
from bench.load.spectators import Received, allow_files, collect, crowd
from tests.support.services.postgres import MISSING, binaries
from tests.system.gateways.cluster import counted_node

MATCHES, FEW = range(1, 251), range(251, 261)
"""The numbers of the matches that get a move in every block. Each move is a transaction of its own.
With more matches, Anvil would be the bottleneck, because it needs a second for a thousand receipts.
`FEW` is for measuring the cost of a delivery to a watcher. With few matches and fast blocks, pings
hardly affect this cost."""
GATEWAYS = (1, 2, 4)
WATCHERS, MANY = 2_000, 4_000
"""The total number of clients that watch matches at all gateways, and the larger number of clients
in a second run with one gateway."""
BLOCKS, WARM_UP, FAST_BLOCKS, PACE_SECONDS, REST_SECONDS = 6, 2, 30, 1.0, 6.0
SETTLE_SECONDS, PATIENCE_SECONDS = 4.0, 60.0
"""The pause after clients connect, and the time within which an event must reach all clients."""
COUNTED_BLOCKS = 5
SPARE_FILES = 200
NOTHING = range(0)
MICRO, MILLI, KILO = 1e6, 1e3, 1e-3


class Phase(NamedTuple):
    """The processor seconds that were used in a phase, and the phase's number of blocks and
    seconds.

    `announced` has the time at which the node announced each block. The key of a block is the
    number of the event that every match gets in this block."""

    times: Times
    blocks: int
    seconds: float
    announced: dict[int, float]


class Costs:
    """All samples of each measured cost. The key is the cost's name, which contains the unit."""

    def __init__(self) -> None:
        self._samples: dict[str, list[float]] = {}

    def add(self, name: str, *samples: float) -> None:
        self._samples.setdefault(name, []).extend(samples)

    def lines(self) -> list[str]:
        return [
            f"  {name:<66} {median(found):9,.2f}   ({min(found):,.2f} to {max(found):,.2f}, {len(found)} samples)"
            for name, found in self._samples.items()
        ]


class Capacity:
    """The measurements of one cluster of a writer, a PostgreSQL server and gateways."""

    def __init__(self, it: Cluster, costs: Costs) -> None:
        self._cluster, self._costs = it, costs
        self._heads = dict[str, float]()
        self._seqs: dict[range, int] = {}
        """The number of the last event, which is the same in all matches."""
        self._rest = Times(0, 0, ())

    async def run(self) -> None:
        chain, listening = self._cluster.chain, asyncio.Event()
        recording = asyncio.create_task(record(self._heads, "number", chain.node.url, ["newHeads"], listening))
        await listening.wait()
        with self._cluster.writing():
            for number in GATEWAYS:
                with self._cluster.serving(number):
                    await self._measure(number)
        with counted_node(chain.node.url) as (url, received), self._cluster.writing(url):
            await self._count_requests(received)
        recording.cancel()

    async def _measure(self, number: int) -> None:
        for matches in (MATCHES, FEW):
            self._seqs[matches] = self._cluster.gateways[0].get(f"/api/matches/{_name(matches[0])}")["seq"]
            await self._phase(matches, WARM_UP)
        rest = await self._phase(NOTHING, 0, REST_SECONDS)
        self._rest = rest.times / rest.seconds
        self._costs.add("gateway at rest, ms per second", *(MILLI * one for one in self._rest.gateways))
        self._costs.add("writer at rest, ms per second", MILLI * self._rest.writer)
        self._costs.add(f"PostgreSQL at rest with {number} gateways, ms per second", MILLI * self._rest.postgres)
        empty = self._above_rest(await self._phase(NOTHING, BLOCKS))
        full = self._above_rest(await self._phase(MATCHES, BLOCKS))
        self._costs.add("gateway, ms per block without events", *(MILLI * one for one in empty.gateways))
        self._costs.add("writer, ms per block without events", MILLI * empty.writer)
        self._costs.add(f"PostgreSQL with {number} gateways, ms per block without events", MILLI * empty.postgres)
        for name, one, other in (
            ("gateway, µs per event without a watcher", full.gateways, empty.gateways),
            ("writer, µs per event", (full.writer,), (empty.writer,)),
            (f"PostgreSQL with {number} gateways, µs per event", (full.postgres,), (empty.postgres,)),
        ):
            self._costs.add(name, *(MICRO * (a - b) / len(MATCHES) for a, b in zip(one, other, strict=True)))
        for watchers in (WATCHERS, MANY) if number == 1 else (WATCHERS,):
            await self._watched(watchers, empty)
        await self._folded(full)

    async def _watched(self, watchers: int, empty: Times) -> None:
        servers, costs = self._cluster.gateways, self._costs
        each = watchers // len(servers)
        before, memory = self._cluster.times(), [resident_bytes(one.process.pid) for one in servers]
        async with self._clients(FEW, each) as pipes:
            connected = self._cluster.times() - before
            await asyncio.sleep(SETTLE_SECONDS)
            costs.add("gateway, ms per new client", *(MILLI * one / each for one in connected.gateways))
            silent = self._above_rest(await self._phase(NOTHING, 0, REST_SECONDS), each_second=True)
            held = [resident_bytes(one.process.pid) - was for one, was in zip(servers, memory, strict=True)]
            costs.add("gateway, kB per client", *(KILO * one / each for one in held))
            costs.add("gateway, µs per client and second (pings)", *(MICRO * one / each for one in silent.gateways))
            moves = await self._phase(FEW, FAST_BLOCKS, pipes=pipes, pace=0)
            received = await asyncio.gather(*(asyncio.to_thread(collect, pipe) for pipe in pipes))
        assert not any(one.wrong or one.ended for one in received), "a client missed an event or was disconnected"
        for one, none in zip(self._above_rest(moves, silent).gateways, empty.gateways, strict=True):
            costs.add("gateway, µs per delivery (deltas and head)", MICRO * (one - none) / each)
        delays = sorted(_delays(received, moves.announced))
        name = f"{len(servers)} gateways, {each:,} watchers each, ms after the node's announcement:"
        costs.add(f"{name} median", delays[len(delays) // 2])
        costs.add(f"{name} p99", delays[int(len(delays) * 0.99) - 1])
        costs.add("bytes of deltas per delivery", sum(one.bytes for one in received) / len(delays))

    async def _folded(self, full: Times) -> None:
        """Measure matches with one watcher at each gateway. Each gateway then folds each event into
        the board and sends the event once."""
        async with self._clients(MATCHES, len(MATCHES)) as pipes:
            await asyncio.sleep(SETTLE_SECONDS)
            silent = self._above_rest(await self._phase(NOTHING, 0, REST_SECONDS), each_second=True)
            watched = self._above_rest(await self._phase(MATCHES, BLOCKS, pipes=pipes), silent)
        for one, unwatched in zip(watched.gateways, full.gateways, strict=True):
            cost = MICRO * (one - unwatched) / len(MATCHES)
            self._costs.add("gateway, additional µs per event with one watcher", cost)

    @asynccontextmanager
    async def _clients(self, matches: range, each: int) -> AsyncIterator[list[Connection]]:
        """Run clients at every gateway: `each` is their number per gateway. When all clients have
        their first board, yield the pipes to the clients' processes."""
        names = [_name(match) for match in matches]
        with ExitStack() as stack:
            crowds = [crowd(urlsplit(one.url).port or 80, names, each, processes=1) for one in self._cluster.gateways]
            pipes = [pipe for one in crowds for pipe in stack.enter_context(one)]
            for pipe in pipes:
                await asyncio.to_thread(_until, pipe, self._seqs[matches])
            yield pipes

    async def _phase(
        self,
        matches: range,
        blocks: int,
        seconds: float = 0,
        pipes: Sequence[Connection] = (),
        pace: float = PACE_SECONDS,
    ) -> Phase:
        """Mine blocks with one event in every match, then rest until `seconds` have passed.

        The next block is mined when all clients have received the event of the block before it."""
        before, begin, announced = self._cluster.times(), time.perf_counter(), dict[int, float]()
        for number in range(blocks):
            await asyncio.sleep(begin + number * pace - time.perf_counter())
            height = await self._cluster.chain.move_each(matches)
            await self._cluster.indexed(height)
            if matches:
                self._seqs[matches] += 1
                announced[self._seqs[matches]] = self._heads[hex(height)]
            for pipe in pipes:
                await asyncio.to_thread(_until, pipe, self._seqs[matches])
        await asyncio.sleep(max(begin + max(seconds, blocks * pace) - time.perf_counter(), 0.5))
        return Phase(self._cluster.times() - before, blocks, time.perf_counter() - begin, announced)

    def _above_rest(self, phase: Phase, silent: Times | None = None, each_second: bool = False) -> Times:
        """Return the processor seconds used per block or, if `each_second`, per second. The seconds
        that the process uses at rest and for pings are subtracted."""
        rest = self._rest + silent if silent else self._rest
        return (phase.times - rest * phase.seconds) / (phase.seconds if each_second else phase.blocks)

    async def _count_requests(self, received: list[str]) -> None:
        await self._cluster.indexed(await self._cluster.chain.move_each(MATCHES))
        for _ in range(COUNTED_BLOCKS):
            received.clear()
            await self._cluster.indexed(await self._cluster.chain.move_each(MATCHES))
            calls = [one for body in list(received) for one in _calls(body)]
            self._costs.add(f"requests to the node per block of {len(MATCHES)} matches", len(calls))
            self._costs.add("  of these eth_call for seqOf", calls.count("eth_call"))


def _name(match: int) -> str:
    return f"{GAME}/{match}"


def _calls(body: str) -> list[str]:
    with suppress(ValueError):
        found = json.loads(body)
        return [one["method"] for one in (found if isinstance(found, list) else [found])]
    return []


def _until(pipe: Connection, seq: int) -> None:
    while pipe.poll(PATIENCE_SECONDS):
        if pipe.recv()[0] == seq:
            return
    raise TimeoutError(f"some clients did not receive event {seq} of their matches")


def _delays(received: Sequence[Received], announced: dict[int, float]) -> list[float]:
    return [
        MILLI * (at - announced[seq])
        for one in received
        for seq, at in zip(one.seqs, one.times, strict=True)
        if seq in announced
    ]


def machine() -> str:
    names = [
        line.partition(": ")[2] for line in Path("/proc/cpuinfo").read_text("utf-8").splitlines() if "name" in line
    ]
    return f"{os.cpu_count()} cores ({names[-1] if names else platform.machine()}), load {os.getloadavg()[0]:.0f}"


async def _measured(costs: Costs) -> None:
    with tempfile.TemporaryDirectory() as folder:
        async with cluster(Path(folder), FEW.stop - 1) as it:
            await Capacity(it, costs).run()


def main() -> None:
    if binaries() is None:
        print(MISSING)
        return
    allow_files(MANY + SPARE_FILES)
    costs, begin = Costs(), time.perf_counter()
    asyncio.run(_measured(costs))
    print(f"Capacity: {len(MATCHES)} matches that all move in every block, on {machine()}")
    print(*costs.lines(), sep="\n")
    print(f"  measured in {time.perf_counter() - begin:.0f} s")
