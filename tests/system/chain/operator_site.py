"""An operator, for tests, who deploys contracts through a rollup's provider. `chainboard deploy`
runs in a separate process, which a test can kill at any of its calls to the provider."""

from __future__ import annotations

import asyncio
import json
import os
import pty
import signal
import sys
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from eth_account import Account
from eth_account.signers.local import LocalAccount

from chainboard.chain.deploying import NUMBER_PROBE
from chainboard.settings import Settings
from chaos.chain.anvil_chain import AnvilChain
from chaos.provider.plan import Plan
from chaos.provider.provider import Provider
from chaos.provider.rollup import Rollup
from indexer.model import Json
from tests.support.waiting import PATIENCE_SECONDS

ETHER = 10**18
TRANSACTIONS = 11
"""The number of transactions in a whole deployment: one for each contract and library."""
TOP = Path(__file__).parents[3]
CONFIRMATION_PROMPT = "[y/N]: "

Call: TypeAlias = Callable[[str, Sequence[Any]], bool]


@dataclass
class DeployResult:
    """The exit code of `chainboard deploy`, and all that the command has printed."""

    code: int
    text: str


class Site:
    """The site of an operator, who deploys by running `chainboard deploy`.

    - `kills`: a function that gets each call to the provider. The site kills the command at the
      first call for which the function returns True.
    - `kill_after_call`: True if the chain receives this call before the site kills the command.
    - `receipts`: the hashes of the transactions that the newest run has sent and whose receipts it
      has received.
    - `checkout`: the repository whose contracts the command deploys."""

    def __init__(self, chain: AnvilChain, provider: Provider, folder: Path) -> None:
        self.chain, self.provider, self.folder, self.checkout = chain, provider, folder, TOP
        self.account: LocalAccount = Account.create()
        self.kills: Call | None = None
        self.kill_after_call = self.other_numbers = False
        self._sent: set[str] = set()
        self.receipts: set[str] = set()
        self._process: asyncio.subprocess.Process | None = None
        answer = provider._call

        async def call(method: str, params: Any) -> Any:
            if method == "eth_call" and params[0].get("data") == NUMBER_PROBE and self.other_numbers:
                return hex(int(await answer(method, params), 16) + 20_000_000)
            is_last = self.kills is not None and self.kills(method, params)
            if is_last:
                self.kills = None
            if is_last and not self.kill_after_call:
                return await self._kill()
            result = await answer(method, params)
            if is_last:
                await self._kill()
            elif method == "eth_sendRawTransaction":
                self._sent.add(result)
            elif method == "eth_getTransactionReceipt" and result is not None:
                self.receipts |= self._sent & {params[0]}
            return result

        provider._call = call  # type: ignore[method-assign]

    async def _kill(self) -> None:
        assert self._process is not None
        self._process.send_signal(signal.SIGKILL)
        await self._process.wait()

    async def deploy(self, *options: str, data: str = "data") -> DeployResult:
        process = await self._start(options, data, asyncio.subprocess.DEVNULL)
        output, _ = await process.communicate()
        return DeployResult(await process.wait(), output.decode())

    async def deploy_and_answer(self, answer: bytes | signal.Signals, data: str = "data") -> DeployResult:
        """Deploy in a terminal. When the command asks for confirmation, type `answer` or, if
        `answer` is a signal, send it to the command."""
        keyboard, terminal = pty.openpty()
        try:
            process = await self._start((), data, terminal)
            assert process.stdout is not None
            output = b""
            while CONFIRMATION_PROMPT.encode() not in output:
                part = await process.stdout.read(4096)
                assert part, output
                output += part
            if isinstance(answer, bytes):
                os.write(keyboard, answer)
            rest = asyncio.ensure_future(process.stdout.read())
            async with asyncio.timeout(PATIENCE_SECONDS):
                while not rest.done():
                    # If nothing happens, send the signal again, because Python loses a signal that
                    # arrives just before Python reads its input.
                    if isinstance(answer, signal.Signals):
                        process.send_signal(answer)
                    await asyncio.wait([rest], timeout=20)
                output += await rest
            return DeployResult(await process.wait(), output.decode())
        finally:
            with suppress(ProcessLookupError):
                process.kill()
            os.close(terminal)
            os.close(keyboard)

    async def _start(self, options: Sequence[str], data: str, stdin: int) -> asyncio.subprocess.Process:
        self._sent, self.receipts = set(), set()
        program = [sys.executable, "-m", "chainboard", "deploy", "--data", str(self.folder / data)]
        self._process = await asyncio.create_subprocess_exec(
            *program,
            *(options if "--rpc" in options else ("--rpc", self.provider.url, *options)),
            stdin=stdin,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
            cwd=self.checkout,
            env={**os.environ, "CHAINBOARD_DEPLOYER_KEY": self.account.key.hex(), "COLUMNS": "200"},
        )
        return self._process

    async def fund(self, wei: int) -> None:
        await self.chain.request("anvil_setBalance", self.account.address, hex(wei))

    async def spent(self) -> tuple[int, int]:
        """Return how many wei and how many nonces the operator's account has used. The account must
        have started with one ether."""
        balance = int(await self.chain.request("eth_getBalance", self.account.address, "latest"), 16)
        return ETHER - balance, int(
            await self.chain.request("eth_getTransactionCount", self.account.address, "latest"), 16
        )

    async def gas_used(self) -> int:
        return (await self.gas_paid())[0]

    async def gas_paid(self) -> tuple[int, int]:
        """Return the sum of the gas that all transactions on the chain have used, and the sum of
        their fees in wei."""
        blocks = await self.chain.blocks(1, await self.chain.height())
        hashes = [hash for block in blocks for hash in block["transactions"]]
        receipts = [await self.chain.request("eth_getTransactionReceipt", hash) for hash in hashes]
        pairs = [(int(one["gasUsed"], 16), int(one["effectiveGasPrice"], 16)) for one in receipts]
        return sum(gas for gas, _ in pairs), sum(gas * price for gas, price in pairs)

    def manifest(self, data: str = "data") -> Json | None:
        file = Settings(self.folder / data).manifest
        return json.loads(file.read_text()) if file.exists() else None

    def entries(self, data: str = "data") -> list[Json]:
        """Return the manifest's entries for the registry of session keys, the libraries and the
        games."""
        manifest = self.manifest(data)
        assert manifest is not None
        return [manifest["sessions"], *manifest["libraries"], *manifest["games"]]

    def verification_files(self, data: str = "data") -> set[str]:
        """Return the names of the verification files in the data folder."""
        folder = Settings(self.folder / data).verification
        return {file.name for file in folder.glob("*.json")} if folder.exists() else set()


def expected_files(entries: Sequence[Json]) -> set[str]:
    """Return the names of the verification files that a deployment of these contracts must
    create."""
    names = [f"{one['contract']}-{one['address']}" for one in entries]
    return {f"{name}.{end}" for name in names for end in ("json", "request.json")}


@asynccontextmanager
async def site(folder: Path, l1_fee_per_byte: int = 2 * 10**9) -> AsyncIterator[Site]:
    chain = AnvilChain(folder / "chain")
    await chain.start()
    try:
        rollup = Rollup(chain, 0.3, l1_fee_per_byte)
        async with rollup.running(), Provider(rollup, Plan(latency=0.0)).running() as provider:
            yield Site(chain, provider, folder)
    finally:
        await chain.stop()
