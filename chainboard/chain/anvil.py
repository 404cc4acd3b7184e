"""The embedded chain: Anvil from npm, run as a child process. Anvil never outlives this process. If
it is killed, its saved states stay intact."""

from __future__ import annotations

import asyncio
import logging
import shutil
from contextlib import AsyncExitStack, aclosing, suppress
from dataclasses import dataclass
from pathlib import Path
from subprocess import Popen
from time import monotonic

from chainboard.chain import child_process, mempool, state_files
from chainboard.chain.loopback import Address, random_address, remembered_address
from chainboard.chain.restarts import PlayersNode, RestartLock
from chainboard.chain.state_files import StateFiles, deduplicate_genesis, unpacked_bytes
from chainboard.errors import UserError
from contracts import npm
from indexer.node.client import Node, NodeError, NodeUnavailable

log = logging.getLogger("chainboard")

CHAIN_ID = 31337
START_SECONDS, LOADED_BYTES_PER_SECOND = 20, 5_000_000
"""The number of seconds within which Anvil must start. For each LOADED_BYTES_PER_SECOND bytes of
saved state, Anvil gets one more second."""
SAVE_SECONDS, SAVES_SHARE = 2.0, 1 / 20
"""The minimum number of seconds between two saves, and the maximum share of the time that saves may
take. Each save writes all blocks and transactions again, so it takes longer as the chain grows."""
DUMP_SECONDS = 600.0
POLL_SECONDS = 0.01
PAST_STATES = 1000
"""The number of past blocks whose states Anvil keeps on disk. It keeps the states of another 500
blocks in memory."""
BASE_FEE, MAX_BASE_FEE = 10**9, 10 * 10**9
"""A new chain's base fee, and the base fee above which it is reset, in wei per unit of gas."""
LARGE_BYTES = 12_000_000
"""The size of the saved state, in bytes, from which the chain runs without past states and state
roots. A chain with about 2,000 matches or 2,400 blocks reaches this size."""


def binary() -> Path:
    """Return the path of Anvil's binary from a local or global npm package, or else from the PATH.
    Raises UserError if Anvil isn't installed."""
    found = npm.find_binary("anvil", f"@foundry-rs/anvil-{npm.platform_name('amd64')}/bin/anvil*")
    if found is not None:
        return found
    raise UserError(
        "Anvil is not installed. Install Node 20 or newer and run `npm install -g @foundry-rs/anvil`. Or put Foundry's "
        "anvil on the PATH, or use an existing chain with --rpc URL"
    )


def command(address: Address) -> list[str]:
    """Return the command that starts Anvil at an address. The option `--no-cors` makes Anvil reject
    preflight requests from other origins, so web pages can't send JSON-RPC to it."""
    at = ["--host", address.host, "--port", str(address.port), "--no-cors"]
    return [str(binary()), "--silent", *at, "--chain-id", str(CHAIN_ID)]


@dataclass(slots=True)
class ChainStats:
    """Figures about the embedded chain and its saves. Sizes are in bytes, times in seconds."""

    height: int = -1
    saved_height: int = -1
    state_bytes: int = 0
    saved_bytes: int = 0
    past_state_bytes: int = 0
    save_seconds: float = 0.0


class Anvil:
    """A running Anvil node with its folder of saved states.

    Anvil computes each block's state root from all accounts and slots, and keeps a copy of each
    past state. With 100,000 matches, this takes half a second per block. A fork of another chain
    does neither, so Anvil runs a large chain as a fork of an empty chain."""

    def __init__(self, folder: Path, block_time: int, address: Address) -> None:
        self.address, self.node = address, Node(address.url, is_ours=True)
        self._saver = Node(address.url, seconds=DUMP_SECONDS)
        self._restart_lock = RestartLock()
        self._block_time = block_time
        self._folder, self._cache, self._states = folder, folder / "cache", StateFiles(folder)
        self._processes: list[Popen[bytes]] = []
        self._is_large, self._saved, self._next_save = False, "", 0.0
        self.saved_height: int | None = None
        self.figures = ChainStats()

    @classmethod
    async def start(cls, folder: Path, block_time: int = 0, address: Address | None = None) -> Anvil:
        """Start the chain from the newest saved state that Anvil can load. Raises UserError if
        Anvil doesn't start, or can load none of the saved states."""
        at = address if address is not None else await asyncio.to_thread(remembered_address, folder / "address.json")
        anvil = cls(folder, block_time, at)
        await anvil._start_from_newest()
        return anvil

    def players_node(self) -> Node:
        """Return a node for players' requests to Anvil. They wait while Anvil restarts."""
        return PlayersNode(self.address.url, self._restart_lock)

    async def _start_from_newest(self) -> None:
        shutil.rmtree(self._cache, ignore_errors=True)
        candidates: list[Path | None] = [*self._states.newest_first()] or [None]
        for state in candidates:
            with suppress(ValueError):  # the state is damaged, so try the previous one
                if await self._load(state):
                    return
        raise UserError(
            f"Anvil can't start from {self._folder}: run `chainboard reset` to archive this chain and start a new one"
        )

    async def _load(self, state: Path | None) -> bool:
        if state is None:
            return await self._run_with([], 0)
        async with self._states.loadable(state) as path:
            size = path.stat().st_size
            load = ["--load-state", str(path)]
            if not await self._run_with(load, size):
                return False
            first = await self.node.request("eth_getBlockByNumber", ("0x1", False))
            if first is not None and not await self._has_genesis(first["parentHash"]):
                await self._stop_process()
                await asyncio.to_thread(deduplicate_genesis, path, first["parentHash"])
                if not await self._run_with(load, size):
                    return False
        self.figures.state_bytes = size
        if not self._block_time:  # a node with a block time could have mined another block already
            head = await self.node.head()
            self._saved, self.saved_height, self.figures.saved_height = head.hash, head.height, head.height
        return True

    async def _has_genesis(self, parent: str) -> bool:
        """Return True if block 0 is the parent of block 1. `parent` is the hash that block 1 names
        as its parent.

        Each Anvil process creates its own block 0, whose time is the start of the process. It saves
        this block in addition to the block 0 that it has loaded. If a dump has several blocks with
        the number 0, Anvil loads the last one."""
        genesis = await self.node.request("eth_getBlockByNumber", ("0x0", False))
        return bool(genesis["hash"] == parent)

    async def _run_with(self, load: list[str], size: int) -> bool:
        self._is_large = size > LARGE_BYTES
        seconds = START_SECONDS + size / LOADED_BYTES_PER_SECOND
        options = await self._fork_of_empty_chain() if self._is_large else self._with_past_states()
        options += ["--block-time", str(self._block_time)] if self._block_time else []
        self._processes.append(
            child_process.start_child([*command(self.address), "--enable-tx-gas-limit", *options, *load])
        )
        if await self._wait_until_up(self.node, seconds):
            return True
        await self._stop_process()
        return False

    def _with_past_states(self) -> list[str]:
        """Return the options that make Anvil store past states in our own cache folder. By default,
        the cache would be in the home folder, and a kill would leave it there."""
        return ["--cache-path", str(self._cache), "--max-persisted-states", str(PAST_STATES)]

    async def _fork_of_empty_chain(self) -> list[str]:
        below = random_address()
        self._processes.append(child_process.start_child([*command(below), "--accounts", "0"]))
        async with aclosing(Node(below.url)) as node:
            await self._wait_until_up(node, START_SECONDS)
        return ["--prune-history", "--fork-url", below.url, "--no-storage-caching", "--no-rate-limit"]

    async def _wait_until_up(self, node: Node, seconds: float) -> bool:
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while self.alive:
                    with suppress(NodeUnavailable, NodeError):
                        return int(await node.request("eth_chainId"), 16) == CHAIN_ID
                    await asyncio.sleep(POLL_SECONDS)
        return False

    @property
    def alive(self) -> bool:
        return bool(self._processes) and all(process.poll() is None for process in self._processes)

    async def save(self) -> None:
        """If the chain has changed since the last save, write it to disk without its past states.
        After that, a kill loses no block up to the height `saved_height`."""
        begin, head = monotonic(), await self.node.head()
        if head.hash == self._saved:
            return
        try:
            dump = bytes.fromhex((await self._saver.request("anvil_dumpState", (False,)))[2:])
            await asyncio.to_thread(self._states.write, dump)
        finally:
            self.figures.save_seconds = monotonic() - begin
            self._next_save = monotonic() + max(SAVE_SECONDS, self.figures.save_seconds * (1 / SAVES_SHARE - 1))
        self._saved, self.saved_height = head.hash, head.height
        self.figures.state_bytes, self.figures.saved_height = unpacked_bytes(dump), head.height

    async def save_regularly(self) -> None:
        """Save the chain every two seconds until cancelled, or less often if saves take a long
        time. If Anvil has exited, restart it at the same address from the last save. Raises
        UserError if the restart fails."""
        while True:
            await asyncio.sleep(SAVE_SECONDS)
            try:
                await self.maintain()
            except (NodeUnavailable, NodeError):
                continue
            except OSError as error:
                log.warning("can't save the chain in %s: %s", self._folder, error.strerror)

    async def maintain(self) -> None:
        """Do what is due: restart Anvil, save the chain, or switch to the mode for large chains."""
        if not self.alive:
            log.warning("the embedded Anvil has exited; restarting it from its last save")
            async with self._restart_lock.restart():
                await self._restart()
        self.figures.past_state_bytes = await asyncio.to_thread(state_files.trim_past_states, self._cache)
        if monotonic() >= self._next_save:
            await self.save()
        if self.figures.state_bytes > LARGE_BYTES and not self._is_large:
            await self._discard_past_states()
        head = await self.node.request("eth_getBlockByNumber", ("latest", False))
        await self._bound_base_fee(int(head["baseFeePerGas"], 16))
        self.figures.height = int(head["number"], 16)
        self.figures.saved_bytes = self._states.disk_bytes

    async def _bound_base_fee(self, base_fee: int) -> None:
        """Reset the base fee if it has become too high for players. Each full block raises it by an
        eighth (EIP-1559)."""
        if base_fee > MAX_BASE_FEE:
            await self.node.request("anvil_setNextBlockBaseFeePerGas", (hex(BASE_FEE),))

    async def _discard_past_states(self) -> None:
        """Switch to the mode for large chains: restart Anvil as a fork of an empty chain, with all
        blocks and pending transactions. Players' requests wait in the meantime."""
        log.warning("the embedded chain has grown large, so Chainboard deletes the chain's past states")
        async with AsyncExitStack() as restart:
            async with mempool.mining_paused(self.node, self._block_time):
                while (await self.node.head()).hash != self._saved:
                    await self.save()
                await restart.enter_async_context(self._restart_lock.restart())
                # read pending transactions after the saves, because more can arrive during a save
                waiting = await mempool.pending_transactions(self.node)
                await self._restart()
            await mempool.resend(self.node, waiting)

    async def _restart(self) -> None:
        await self._stop_process()
        if not self.address.is_free:
            raise UserError(
                f"the embedded chain stopped, and another program is now using its port ({self.address.port}). "
                "Start Chainboard again"
            )
        await self._start_from_newest()

    async def stop(self) -> None:
        """Stop Anvil. Blocks that were mined after the last save are lost."""
        for node in (self.node, self._saver):
            await node.aclose()
        await self._stop_process()
        shutil.rmtree(self._cache, ignore_errors=True)

    async def _stop_process(self) -> None:
        for process in self._processes:
            await asyncio.to_thread(child_process.end_child, process)
        self._processes.clear()
