"""Measures how the server sends the events of one match to thousands of clients that watch it.

The server first sends one message per second, and then as many as it can. The target applies to a
minute of one message per second: `python -m bench fanout 60`.
"""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import Awaitable, Callable
from contextlib import ExitStack, closing
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import NamedTuple

from bench.load.memory import resident_bytes
from bench.load.spectators import SPAWN, Received, allow_files, collect, crowd
from tests.api.playground import Playground, added, created, served

CLIENTS, SECONDS = 5000, 10
FAST_SECONDS = 15
"""The duration, in seconds, of the phase in which the server sends at full speed."""
SPARE_FILES = 100
AHEAD = 16
"""The maximum number of messages that the slowest client may lag behind at full speed. The server
would disconnect a client that lags further behind."""
MATCH, FIRST, TEXT = "marks/1", 1, "x" * 32

Publish = Callable[[int], Awaitable[None]]
"""A function that publishes the event with the given number to all watchers."""


class Phase(NamedTuple):
    """The figures of a phase. `published_at` contains the time at which each event was published.
    Its key is the event's number. The other fields describe the server's process: wall-clock
    seconds, CPU seconds, and memory in bytes."""

    published_at: dict[int, float]
    seconds: float
    cpu: float
    memory: int


class FanoutServer:
    """The part of this benchmark that runs in the server's process.

    It sends its port and its memory through the control pipe. Then it publishes events at the rates
    that the benchmark requests through the pipe."""

    def __init__(self, control: Connection, port: int) -> None:
        self._control, self._requests, self._moved = control, asyncio.Queue[tuple[int, int] | None](), asyncio.Event()
        self._received = self._seq = FIRST
        asyncio.get_running_loop().add_reader(control.fileno(), self._read)
        control.send((port, resident_bytes()))

    def _read(self) -> None:
        command = self._control.recv()
        if isinstance(command, int):
            self._received = command
            self._moved.set()
        else:
            self._requests.put_nowait(command)

    async def run(self, publish: Publish) -> None:
        while (request := await self._requests.get()) is not None:
            self._control.send(await self._phase(*request, publish))

    async def _phase(self, rate: int, seconds: int, publish: Publish) -> Phase:
        """Publish messages at this rate per second, or as fast as possible if `rate` is 0."""
        published_at: dict[int, float] = {}
        begin, cpu = time.perf_counter(), time.process_time()
        while (now := time.perf_counter()) < begin + seconds:
            self._seq += 1
            published_at[self._seq] = now
            await publish(self._seq)
            if rate:
                await asyncio.sleep(now + 1 / rate - time.perf_counter())
            else:
                await self._until_received(self._seq - AHEAD)
        await self._until_received(self._seq)
        return Phase(published_at, time.perf_counter() - begin, time.process_time() - cpu, resident_bytes())

    async def _until_received(self, seq: int) -> None:
        while self._received < seq:
            self._moved.clear()
            await self._moved.wait()


def serve(control: Connection) -> None:
    """Run the real store, hub, gateway and uvicorn, but no follower of a chain. The benchmark
    writes blocks directly into the store."""

    async def main(folder: Path) -> None:
        (folder / "index.html").write_text("<!doctype html>")
        with closing(Playground(folder)) as play:
            play.block(created(1))

            async def publish(seq: int) -> None:
                what = (1, "Cleared", {}) if seq % 2 else added(1, TEXT)
                await asyncio.to_thread(play.block, what)

            async with served(play, folder) as server:
                await FanoutServer(control, server.port).run(publish)

    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(main(Path(folder)))


class Watched:
    """A server in its own process, and the clients that watch a match on this server."""

    def __init__(self, clients: int, stack: ExitStack) -> None:
        self.control, theirs = SPAWN.Pipe()
        process = SPAWN.Process(target=serve, args=(theirs,))
        process.start()
        stack.callback(process.join)
        stack.callback(self.control.send, None)
        port, self.memory = self.control.recv()
        self._crowds = stack.enter_context(crowd(port, [MATCH], clients))
        for pipe in self._crowds:
            pipe.recv()

    def phase(self, rate: int, seconds: int) -> Phase:
        """Let `FanoutServer` run a phase, and return the phase's figures. Meanwhile, keep sending
        the server the number of the last event that all clients have received."""
        have = dict.fromkeys(self._crowds, FIRST)
        self.control.send((rate, seconds))
        while True:
            for ready in wait([self.control, *self._crowds]):
                if ready is self.control:
                    phase: Phase = self.control.recv()
                    return phase
                assert isinstance(ready, Connection)
                have[ready], _time = ready.recv()
                self.control.send(min(have.values()))

    def results(self) -> list[Received]:
        return [collect(pipe) for pipe in self._crowds]


def main(seconds: int = SECONDS, clients: int = CLIENTS) -> None:
    allow_files(clients + SPARE_FILES)
    with ExitStack() as stack:
        watched = Watched(clients, stack)
        steady, fast = watched.phase(1, seconds), watched.phase(0, FAST_SECONDS)
        results = watched.results()
    lost = clients * (len(steady.published_at) + len(fast.published_at)) - sum(len(one.seqs) for one in results)
    arrivals = [
        (seq, at) for one in results for seq, at in zip(one.seqs, one.times, strict=True) if seq in steady.published_at
    ]
    delays = sorted(1000 * (at - steady.published_at[seq]) for seq, at in arrivals)
    print(f"Fan-out: {clients:,} clients watch one match, on one machine")
    print(f"  one message per second for {seconds} s: lost {lost}, ", end="")
    print(f"out of order or disconnected {sum(one.wrong + one.ended for one in results)}   (target: none)")
    print(f"  delay: p50 {_share(delays, 0.5):.1f} ms, p99 {_share(delays, 0.99):.1f} ms")
    print(f"  server CPU per message: {1000 * steady.cpu / len(steady.published_at):.1f} ms")
    print(f"  server memory per client: {(fast.memory - watched.memory) / clients / 1e3:.1f} kB")
    print(f"  at full speed: {clients * len(fast.published_at) / fast.seconds:,.0f} deliveries per second, ", end="")
    print(f"{1e6 * fast.cpu / len(fast.published_at) / clients:.1f} µs of CPU each")


def _share(delays: list[float], share: float) -> float:
    return delays[int(len(delays) * share) - 1]
