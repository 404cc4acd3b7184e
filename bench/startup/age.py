"""Compares chains with many blocks or many matches with a fresh chain.

It measures how long a move takes to reach the opponent's websocket, how much disk space the chain
needs, and how long a save takes. One server per chain runs. All servers run at the same time and
get moves in turn.
"""

from __future__ import annotations

import asyncio
import tempfile
import time
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from websockets.sync.client import connect

from bench.load.memory import resident_bytes
from bench.load.two_players import SLUG, BrowserDuel
from chainboard.chain.anvil import Anvil
from chainboard.chain.deployment import deploy_contracts
from chainboard.settings import Settings
from chaos.process.forkserver import run_to_exit
from contracts.abi import encode_call
from indexer.gamekit.lifecycle import NOBODY
from indexer.node.client import Node
from tests.support.http import local
from tests.support.server import Server, up
from tests.system.commands.test_up import anvils_of

MATCHES, BLOCKS, FEW = 100_000, 10_000, 20
BLOCK, BATCH, PARTS = 200, 100, 80
HUGE, GAS = 10**10, 10**6
WARM_UP, MOVES = 9, 54
INDEX_SECONDS, ANSWER_SECONDS, SAVED_SECONDS = 1_800, 600, 600
TARGET_RATIO, TARGET_BYTES = 4, 10**9


@dataclass(slots=True)
class AgeFigures:
    """The figures of one chain: latencies in milliseconds, metrics, disk space in bytes and memory
    in bytes."""

    times: list[float]
    figures: dict[str, float]
    disk: int
    memory: int

    @property
    def typical(self) -> float:
        return median(self.times[WARM_UP:])


async def age_chain(data: Path, blocks: int, matches: int) -> None:
    """Make and index a chain with the contracts, empty blocks and open matches.

    The chain is saved in the same way as `chainboard up` saves it."""
    settings = Settings(data)
    anvil = await Anvil.start(settings.chain)
    try:
        games = await deploy_contracts(settings, anvil.node)
        one = next(game for game in games if game.game == SLUG)
        for _ in range(PARTS):
            await anvil.node.request("anvil_mine", (hex(blocks // PARTS),))
            await anvil.save()
            await anvil.maintain()  # like a server, switch to the mode for large chains when necessary
        call = {"to": one.address, "data": encode_call(one.abi, "create", (NOBODY, 0)), "gas": hex(GAS)}
        await _opened(anvil.node, call, matches)
        await anvil.save()
        node = ("--rpc", anvil.node.url, "--rpc-timeout", str(ANSWER_SECONDS))
        answer = await asyncio.to_thread(run_to_exit, ("index", "--once", "--data", str(data), *node), INDEX_SECONDS)
        assert answer.returncode == 0, answer.stderr
    finally:
        await anvil.stop()


async def _opened(node: Node, call: dict[str, str], matches: int) -> None:
    accounts = await node.request("eth_accounts")
    usual = (await node.request("eth_getBlockByNumber", ("latest", False)))["gasLimit"]
    await node.request("evm_setAutomine", (False,))
    await node.request("evm_setBlockGasLimit", (hex(HUGE),))
    for first in range(0, matches, BATCH):
        sent = [("eth_sendTransaction", ({**call, "from": accounts[first // BATCH % len(accounts)]},))]
        await node.requests(sent * min(BATCH, matches - first))
        if (first + BATCH) % BLOCK == 0:
            await node.request("evm_mine")
    await node.request("evm_mine")
    await node.request("evm_setBlockGasLimit", (usual,))
    await node.request("evm_mine")


def compared(folder: Path, ages: dict[str, tuple[int, int]]) -> dict[str, AgeFigures]:
    """Return a map from each chain's name to the chain's figures. `ages` maps the same names to the
    chains' numbers of blocks and of matches."""
    asyncio.run(_build_chains(folder, ages))
    with ExitStack() as stack:
        servers = {name: stack.enter_context(up(folder / name)) for name in ages}
        duels = {}
        for name, server in servers.items():
            socket = stack.enter_context(connect(server.socket_url, origin=server.url))  # type: ignore[arg-type]
            duels[name] = BrowserDuel(server, socket)
        for _ in range(MOVES):
            for duel in duels.values():
                duel.step()
        return {name: _measure(folder / name, server, duels[name].times) for name, server in servers.items()}


async def _build_chains(folder: Path, ages: dict[str, tuple[int, int]]) -> None:
    async with asyncio.TaskGroup() as group:
        for name, age in ages.items():
            group.create_task(age_chain(folder / name, *age))


def _measure(data: Path, server: Server, times: list[float]) -> AgeFigures:
    """Wait until the server has saved its chain for the first time. Return the chain's figures."""
    end = time.monotonic() + SAVED_SECONDS
    while (figures := _figures(server))["save_seconds"] == 0 or figures["saved_bytes"] == 0:
        assert time.monotonic() < end, "the chain was not saved"
        time.sleep(0.5)
    disk = sum(path.stat().st_size for path in (data / "chain").rglob("*") if path.is_file())
    memory = sum(map(resident_bytes, anvils_of(server.process.pid)))
    return AgeFigures(times, figures, disk, memory)


def _figures(server: Server) -> dict[str, float]:
    lines = local.get(f"{server.url}/api/metrics").text.splitlines()
    pairs = [line.split() for line in lines if line.startswith("chainboard_chain_")]
    return {name.removeprefix("chainboard_chain_"): float(value) for name, value in pairs}


def main(matches: int = MATCHES) -> None:
    ages = {"fresh": (0, 0), "many blocks": (BLOCKS, FEW), "many matches": (BLOCKS, matches)}
    with tempfile.TemporaryDirectory() as folder:
        found = compared(Path(folder), ages)
    fresh = found["fresh"].typical
    print(f"Latency of a move to the opponent's websocket, {MOVES - WARM_UP} moves per chain; {matches:,} matches")
    print(
        f"  {'':14}{'height':>8}{'median':>10}{'worst':>10}{'times':>7}{'disk':>10}{'state':>10}{'save':>8}{'Anvil':>9}"
    )
    for name, one in found.items():
        row = f"  {name:14}{one.figures['height']:8,.0f}{one.typical:7.1f} ms{max(one.times[WARM_UP:]):7.0f} ms"
        row += f"{one.typical / fresh:7.1f}{one.disk / 1e6:7.0f} MB{one.figures['state_bytes'] / 1e6:7.0f} MB"
        print(row + f"{one.figures['save_seconds']:6.1f} s{one.memory / 1e6:6.0f} MB")
    worst, largest = max(one.typical for one in found.values()) / fresh, max(one.disk for one in found.values())
    targets = f"(targets: {TARGET_RATIO} times, {TARGET_BYTES / 1e6:,.0f} MB)"
    print(f"  at most {worst:.1f} times a fresh chain's, and {largest / 1e6:.0f} MB {targets}")
