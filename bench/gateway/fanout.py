"""Fan-out: thousands of clients watch one match; our server beside a bare `websockets` broadcast server.

    python -m bench.gateway.fanout [SECONDS [CLIENTS]]

Each says one message a second (the aim is about a minute of it: `python -m bench.gateway.fanout 60`), then as many as
it can. The clients, the messages and the machine are the same; both are up all the time, and take turns.
"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from contextlib import ExitStack, closing
from multiprocessing.connection import Connection, wait
from pathlib import Path
from statistics import median
from typing import NamedTuple

import orjson
from websockets.asyncio.server import ServerConnection, broadcast, serve

from bench.load.spectators import SPAWN, Heard, allow_files, asked, crowd
from tests.api.playground import ALICE, Playground, added, created, digest, served

CLIENTS, SECONDS = 5000, 10
ROUNDS, ROUND_SECONDS = 5, 3
"""Of as many messages as can be. In turns, so that what else the machine does meanwhile harms both alike."""
SPARE_FILES = 100
AHEAD = 16
"""When saturated: messages that the slowest client may be behind, so that none is given up as too slow."""
MATCH, FIRST, TEXT = "marks/1", 1, "x" * 32

Publish = Callable[[int], Awaitable[None]]
"""Says the event of this number to all who watch."""


class Phase(NamedTuple):
    """When each event was said, by its number; of the server's process: seconds in all, computing, bytes in memory."""

    said: dict[int, float]
    seconds: float
    cpu: float
    memory: int


class FanoutServer:
    """A server's side of the bench: says its port and its memory, then publishes as it is told."""

    def __init__(self, control: Connection, port: int) -> None:
        self._control, self._orders, self._moved = control, asyncio.Queue[tuple[int, int] | None](), asyncio.Event()
        self._heard = self._seq = FIRST
        asyncio.get_running_loop().add_reader(control.fileno(), self._read)
        control.send((port, _memory()))

    def _read(self) -> None:
        told = self._control.recv()
        if isinstance(told, int):
            self._heard = told
            self._moved.set()
        else:
            self._orders.put_nowait(told)

    async def run(self, publish: Publish) -> None:
        while (order := await self._orders.get()) is not None:
            self._control.send(await self._phase(*order, publish))

    async def _phase(self, rate: int, seconds: int, publish: Publish) -> Phase:
        """`rate` messages a second; 0: as many as can be."""
        said: dict[int, float] = {}
        begin, cpu = time.perf_counter(), time.process_time()
        while (now := time.perf_counter()) < begin + seconds:
            self._seq += 1
            said[self._seq] = now
            await publish(self._seq)
            if rate:
                await asyncio.sleep(now + 1 / rate - time.perf_counter())
            else:
                await self._until_heard(self._seq - AHEAD)
        await self._until_heard(self._seq)
        return Phase(said, time.perf_counter() - begin, time.process_time() - cpu, _memory())

    async def _until_heard(self, seq: int) -> None:
        while self._heard < seq:
            self._moved.clear()
            await self._moved.wait()


def ours(control: Connection) -> None:
    """The real store, hub, gateway and uvicorn; blocks are stored directly, as the follower stores them."""

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


def bare(control: Connection) -> None:
    """The least that a server for these clients can be; its messages are as long as ours."""
    sockets: set[ServerConnection] = set()

    async def watched(socket: ServerConnection) -> None:
        await socket.recv()
        await socket.send(orjson.dumps({"t": "reset", "match": MATCH, "seq": FIRST, "board": {}}), text=True)
        sockets.add(socket)
        await socket.wait_closed()

    async def publish(seq: int) -> None:
        place = {"height": seq, "hash": digest(str(seq)), "time": 1_700_000_000 + seq}
        event = {"name": "Cleared", "args": {}} if seq % 2 else {"name": "Added", "args": {"text": TEXT}}
        patch = {"marks": {str(seq): None if seq % 2 else TEXT}, "ply": seq}
        item = {"seq": seq, "tx": digest(ALICE), "event": event, "patch": patch}
        said = {"t": "deltas", "match": MATCH, "block": place, "items": [item]}
        broadcast(sockets, orjson.dumps(said), text=True)
        await asyncio.sleep(0)

    async def main() -> None:
        async with serve(watched, "127.0.0.1", 0, compression=None, backlog=2048) as server:
            await FanoutServer(control, next(iter(server.sockets)).getsockname()[1]).run(publish)

    asyncio.run(main())


def _memory() -> int:
    return int(Path("/proc/self/statm").read_text("ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")


class Rival:
    """A server in a process of its own, and the clients that watch it."""

    def __init__(self, server: Callable[[Connection], None], clients: int, stack: ExitStack) -> None:
        self.control, theirs = SPAWN.Pipe()
        process = SPAWN.Process(target=server, args=(theirs,))
        process.start()
        stack.callback(process.join)
        stack.callback(self.control.send, None)
        port, self.memory = self.control.recv()
        self.clients = clients
        self._crowds = stack.enter_context(crowd(port, MATCH, clients))
        for pipe in self._crowds:
            pipe.recv()

    def phase(self, rate: int, seconds: int) -> Phase:
        """As `FanoutServer` does it. Tells it meanwhile what all clients have."""
        have = dict.fromkeys(self._crowds, FIRST)
        self.control.send((rate, seconds))
        while True:
            for ready in wait([self.control, *self._crowds]):
                if ready is self.control:
                    phase: Phase = self.control.recv()
                    return phase
                assert isinstance(ready, Connection)
                have[ready], _moment = ready.recv()
                self.control.send(min(have.values()))

    def heard(self) -> list[Heard]:
        return [asked(pipe) for pipe in self._crowds]


class Figures:
    """What became of one rival."""

    def __init__(self, rival: Rival, steady: Phase, rounds: list[Phase]) -> None:
        heard = rival.heard()
        said = sum(len(phase.said) for phase in (steady, *rounds))
        self.lost = rival.clients * said - sum(len(one.seqs) for one in heard)
        self.wrong = sum(one.wrong + one.ended for one in heard)
        self.delays = sorted(
            moment - steady.said[seq]
            for one in heard
            for seq, moment in zip(one.seqs, one.moments, strict=True)
            if seq in steady.said
        )
        self.cpu = steady.cpu / len(steady.said)
        self.memory = rounds[-1].memory
        self.memory_each = (self.memory - rival.memory) / rival.clients
        self.rates = [rival.clients * len(one.said) / one.seconds for one in rounds]
        self.cpu_each = median(one.cpu / len(one.said) for one in rounds) / rival.clients

    def delay(self, share: float) -> float:
        return self.delays[int(len(self.delays) * share) - 1]


def main(seconds: int = SECONDS, clients: int = CLIENTS) -> None:
    allow_files(clients + SPARE_FILES)
    with ExitStack() as stack:
        rivals = [Rival(server, clients, stack) for server in (bare, ours)]
        steady = [rival.phase(1, seconds) for rival in rivals]
        rounds: list[list[Phase]] = [[], []]
        for _ in range(ROUNDS):
            for rival, mine in zip(rivals, rounds, strict=True):
                mine.append(rival.phase(0, ROUND_SECONDS))
        _print(*(Figures(*each) for each in zip(rivals, steady, rounds, strict=True)), seconds, clients)


def _print(bare: Figures, ours: Figures, seconds: int, clients: int) -> None:
    def row(what: str, one: float, other: float, scale: float, unit: str, aim: str = "") -> None:
        print(f"  {what:42} {one * scale:10,.1f} {other * scale:10,.1f} {unit:3} {other / one:6.2f}  {aim}".rstrip())

    print(f"Fan-out: {clients:,} clients watch one match, on one machine")
    print(f"  {'':42} {'websockets':>10} {'chainboard':>10} {'':3} {'ratio':>6}")
    print(f"  {f'a message a second for {seconds} s: lost':42} {bare.lost:10} {ours.lost:10}             (aim: none)")
    print(f"  {'  out of order, sockets ended':42} {bare.wrong:10} {ours.wrong:10}             (aim: none)")
    for share in (0.5, 0.99):
        row(f"  p{100 * share:.0f} of the delay", bare.delay(share), ours.delay(share), 1000, "ms")
    row("  CPU of the server, a message", bare.cpu, ours.cpu, 1000, "ms")
    row("  memory of the server", bare.memory, ours.memory, 1e-6, "MB")
    row("  memory of the server, a client", bare.memory_each, ours.memory_each, 1e-3, "kB")
    row("as many as it can: deliveries a second", median(bare.rates), median(ours.rates), 1, "")
    row("  CPU of the server, a delivery", bare.cpu_each, ours.cpu_each, 1e6, "µs")
    ratios = sorted(other / one for one, other in zip(bare.rates, ours.rates, strict=True))
    print(f"  ratio of deliveries a second, in turns: median {median(ratios):.2f}, least {ratios[0]:.2f}   (aim: 0.80)")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
