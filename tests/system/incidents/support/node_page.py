"""A tab of the page without a browser. The page's own modules run under Node, in a process that a
test can kill at any time."""

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
    """A Node process that runs a test's commands. Commands with the same name are answered in the
    order in which the test sent them."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self._answers: dict[str, asyncio.Queue[Any]] = {}
        self._reader = asyncio.create_task(self._read())

    async def _read(self) -> None:
        assert self._process.stdout is not None
        async for line in self._process.stdout:
            reply = json.loads(line)
            self._queue(reply["command"]).put_nowait(reply)

    def _queue(self, command: str) -> asyncio.Queue[Any]:
        return self._answers.setdefault(command, asyncio.Queue())

    async def run(self, command: str, **arguments: Any) -> Any:
        """Send a command to node_page.mjs, and return the command's answer."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps({"command": command, **arguments}).encode() + b"\n")
        async with asyncio.timeout(PATIENCE_SECONDS):
            reply = await self._queue(command).get()
        assert "error" not in reply, reply
        return reply["answer"]

    async def kill(self) -> None:
        """Kill the process with SIGKILL. Wait until the process has ended."""
        with contextlib.suppress(ProcessLookupError):
            self._process.kill()
        await self._process.wait()
        await self._reader


@asynccontextmanager
async def open_tab(
    base: str = "http://127.0.0.1:9", accounts: Mapping[str, str] | None = None, **options: Any
) -> AsyncIterator[Tab]:
    """Open a tab. The tab sends its requests to /api/rpc on the server at the URL `base`.
    `accounts` maps the addresses of the tab's accounts to their private keys."""
    pipe = asyncio.subprocess.PIPE
    # Node before version 22 supports WebSocket only with this option.
    process = await asyncio.create_subprocess_exec(
        NODE, "--no-warnings", "--experimental-websocket", str(SCRIPT), stdin=pipe, stdout=pipe, limit=2**24
    )
    it = Tab(process)
    try:
        await it.run("open", base=base, accounts=accounts or {}, **options)
        yield it
    finally:
        await it.kill()
