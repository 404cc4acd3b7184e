"""A tab of the page without a browser: the page's own modules under Node, in a process that can be
killed."""

from __future__ import annotations

import asyncio
import contextlib
import json
import shutil
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from tests.support.waiting import PATIENCE_SECONDS

NODE = shutil.which("node") or "node"
SCRIPT = Path(__file__).with_name("node_page.mjs")


class Tab:
    """A Node process that runs orders. It answers orders of one kind in sequence."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self._answers: dict[str, asyncio.Queue[Any]] = {}
        self._reader = asyncio.create_task(self._read())

    async def _read(self) -> None:
        assert self._process.stdout is not None
        async for line in self._process.stdout:
            said = json.loads(line)
            self._queue(said["order"]).put_nowait(said)

    def _queue(self, order: str) -> asyncio.Queue[Any]:
        return self._answers.setdefault(order, asyncio.Queue())

    async def do(self, order: str, **given: Any) -> Any:
        """Send an order and return the answer of node_page.mjs."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps({"order": order, **given}).encode() + b"\n")
        async with asyncio.timeout(PATIENCE_SECONDS):
            said = await self._queue(order).get()
        assert "error" not in said, said
        return said["answer"]

    async def kill(self) -> None:
        """Kill the process with SIGKILL and wait for its end."""
        with contextlib.suppress(ProcessLookupError):
            self._process.kill()
        await self._process.wait()
        await self._reader


@asynccontextmanager
async def tab(
    base: str = "http://127.0.0.1:9", accounts: Mapping[str, str] | None = None, **about: Any
) -> AsyncIterator[Tab]:
    """Open a tab. `base`: where the tab finds /api/rpc. `accounts`: keys by address."""
    pipe = asyncio.subprocess.PIPE
    # Node has had a built-in WebSocket since version 22
    process = await asyncio.create_subprocess_exec(
        NODE, "--no-warnings", "--experimental-websocket", str(SCRIPT), stdin=pipe, stdout=pipe, limit=2**24
    )
    it = Tab(process)
    try:
        await it.do("open", base=base, accounts=accounts or {}, **about)
        yield it
    finally:
        await it.kill()
