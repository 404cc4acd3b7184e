"""A scenario's environment: a real chain, a fault proxy, the tested process and its clients."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

from aiohttp import ClientError, ClientSession, ClientTimeout

from chainboard.settings import Settings
from chaos.chain.anvil_chain import AnvilChain
from chaos.chain.chain_driver import ChainDriver, polls
from chaos.chain.contract import contracts_in
from chaos.chain.recorded_chain import ACCOUNTS, RecordedChain
from chaos.chain.workload import Workload
from chaos.clients.group import ClientGroup
from chaos.faults.counts import FaultCounts
from chaos.faults.proxy import FaultProxy
from chaos.game import Play
from chaos.opponents import MAX_MATCHES, ComputerPlayers
from chaos.process.kill_points import KillPoints
from chaos.process.ports import reserved_port
from chaos.process.process import ChainboardProcess

RPC_TIMEOUT = 1
"""The time, in seconds, after which the tested process stops waiting for an answer from the node.
The fault proxy's long delays are longer than this time."""
SERVING_SECONDS = 120.0
FORBIDDEN_OUTPUT = (
    "Traceback",
    "unexpected error",
    "never retrieved",
    "never awaited",
    "could not read the database",
)
"""Texts that show a bug if the tested process prints them."""


ABORTED_SPAWN = re.compile(
    r"^Traceback \(most recent call last\):\n  File \"<string>\", line 1, in <module>\n"
    r"(?:  File \".*multiprocessing/spawn\.py\".*\n.*\n(?: +\^+\n)?)+EOFError: Ran out of input\n",
    re.MULTILINE,
)
"""Python's output in a worker process whose parent is killed while it starts the worker. This
traceback doesn't show a bug."""


class InvariantViolated(Exception):
    """Raised if an invariant is violated in a scenario."""


class Harness:
    """The node, the proxy, the tested process and the clients of one scenario. Each scenario has
    its own folder for their files."""

    def __init__(
        self,
        folder: Path,
        plays: Sequence[Play],
        recorded: RecordedChain,
        without: Sequence[str],
        counts: FaultCounts,
        opponents: bool,
        database: str | None = None,
    ) -> None:
        self.folder, self.settings = folder, Settings(folder / "data", database)
        self._plays, self._recorded, self._without, self._counts = plays, recorded, without, counts
        self._opponents = opponents

    async def open(self, stack: AsyncExitStack) -> None:
        self._session = await stack.enter_async_context(ClientSession(timeout=ClientTimeout(total=10)))
        self.chain = AnvilChain(self.folder)
        stack.push_async_callback(self.chain.stop)
        await self.chain.start()
        self.proxy = FaultProxy(self._counts)
        await self.proxy.start()
        stack.push_async_callback(self.proxy.stop)
        self.proxy.point_at(self.chain.url)
        workload = Workload(self.chain, self._plays, (await self.chain.request("eth_accounts"))[:ACCOUNTS])
        self.driver = ChainDriver(self.chain, self.proxy, workload, self._counts)
        await self._recorded.replay(self.chain, self.settings.data)
        _genesis, workload.contracts = contracts_in(self.settings.manifest)
        self._port = stack.enter_context(reserved_port())  # all runs of the tested process use the same port
        arguments = ["up", "--rpc", self.proxy.url, "--dev", "--data", str(self.settings.data)]
        arguments += ["--port", str(self._port), "--rpc-timeout", str(RPC_TIMEOUT)]
        arguments += ["--database", self.settings.database_url]
        arguments += ["--opponents", MAX_MATCHES if self._opponents else "0"]
        self.process = ChainboardProcess(self.folder, arguments, self._without)
        self.computer_players = ComputerPlayers(self.folder, self._session, f"http://127.0.0.1:{self._port}")
        stack.push_async_callback(self.computer_players.close)
        workload.computer_players = self.computer_players.accounts
        stack.push_async_callback(self.process.kill)
        self.kill_points = KillPoints(self.process.phases_file)
        stack.callback(self.kill_points.close)
        self.clients = ClientGroup(self._session, f"ws://127.0.0.1:{self._port}/ws")
        stack.push_async_callback(self.clients.stop)

    async def get(self, path: str) -> Any:
        """Return the JSON at a path of the tested process, or None if it doesn't answer."""
        try:
            async with self._session.get(f"http://127.0.0.1:{self._port}{path}") as answer:
                return await answer.json() if answer.status == 200 else None
        except (ClientError, OSError, TimeoutError):
            return None

    async def start(self) -> None:
        self.process.start()
        async for _ in polls(SERVING_SECONDS, 0.02):
            if await self.get("/api/health") is not None:
                return
            self.require_alive()
        raise InvariantViolated(f"the tested process did not respond within {SERVING_SECONDS:.0f} seconds")

    def require_alive(self) -> None:
        if not self.process.alive:
            last = self.process.output().strip().rpartition("\n")[2]
            raise InvariantViolated(f"the tested process exited on its own with code {self.process.code}: {last}")

    def forbidden_output(self) -> list[str]:
        output = ABORTED_SPAWN.sub("", self.process.output())
        return [f"the tested process printed {word!r}" for word in FORBIDDEN_OUTPUT if word in output]
