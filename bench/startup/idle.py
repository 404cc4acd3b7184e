"""Measures the processor time and memory of an idle `chainboard up` and its computer players.

It measures the server first without visitors, and then with visitors who only watch.
"""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import Iterator
from contextlib import AsyncExitStack
from pathlib import Path

from websockets.asyncio.client import connect

from bench.load.memory import resident_bytes
from bench.load.processor_time import children, processor_seconds
from tests.support.server import Server, up

SECONDS, WATCHERS = 60, 100
SETTLE_SECONDS = 20
"""The time, in seconds, in which the processes start and answer their first requests."""
CHECKOUT = Path(__file__).parents[2]


def main(seconds: int = SECONDS) -> None:
    print(f"An idle server for {seconds} s: processor time, as a share of one core, and memory")
    print(f"  {'':24}{'visitors':>10}{'processor':>12}{'memory':>12}")
    with tempfile.TemporaryDirectory() as data:
        with up(Path(data), top=CHECKOUT):
            pass  # not measured: the first start needs more memory, because it deploys the contracts
        with up(Path(data), "--opponents", "8", top=CHECKOUT) as server:
            asyncio.run(_measured(server, seconds))


async def _measured(server: Server, seconds: int) -> None:
    names = dict(_family(server.process.pid))
    async with AsyncExitStack() as sockets:
        for visitors in (0, WATCHERS):
            for _ in range(visitors):
                socket = await sockets.enter_async_context(connect(server.socket_url, proxy=None))
                for match in ("lobby", "touche-coule/1"):
                    await socket.send(f'{{"t": "watch", "match": "{match}"}}')
            await asyncio.sleep(SETTLE_SECONDS)
            before, begin = {pid: processor_seconds(pid) for pid in names}, time.perf_counter()
            await asyncio.sleep(seconds)
            passed = time.perf_counter() - begin
            for pid, name in names.items():
                used = (processor_seconds(pid) - before[pid]) / passed
                print(f"  {name:24}{visitors:10}{used:11.2%}{resident_bytes(pid) / 2**20:9.0f} MiB")


def _family(pid: int) -> Iterator[tuple[int, str]]:
    """Yield the process ids of a process and of its descendants, each with the name of its
    command."""
    words = Path(f"/proc/{pid}/cmdline").read_text("utf-8").split("\0")
    yield pid, words[words.index("chainboard") + 1] if "chainboard" in words else Path(words[0]).name
    for child in children(pid):
        yield from _family(child)
