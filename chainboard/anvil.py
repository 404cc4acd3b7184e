"""The embedded chain: npm's Anvil as a child that never outlives us, saved so that a kill can't spoil it."""

from __future__ import annotations

import asyncio
import gzip
import logging
import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from urllib.parse import urlsplit

from filelock import AsyncFileLock, Timeout

from chainboard import npm
from chainboard.data import write_whole
from chainboard.trouble import Trouble
from indexer.node import Node, NodeError, NodeLost

log = logging.getLogger("chainboard")

DEFAULT_PORT = 8545
EMBEDDED_URL = f"http://127.0.0.1:{DEFAULT_PORT}"
CHAIN_ID = 31337
START_SECONDS = 20
SAVE_SECONDS = 2.0
STEP_SECONDS = 0.01
PAST_STATES = 1000
"""Past blocks whose state is kept on disk, some 0.3 MB each, beside the 500 that Anvil keeps in memory."""

LEASH = '"$@" & child=$!; (cat >/dev/null; kill -9 $child) <&3 2>/dev/null & wait $child'
"""Ends Anvil when our end of the pipe closes, which also a SIGKILL of ours does; ends itself when Anvil ends."""


def binary() -> Path:
    """Anvil's platform binary: from npm here or globally, else from the PATH. Raises Trouble when there is none."""
    found = npm.binary("anvil", f"@foundry-rs/anvil-{npm.platform_name('amd64')}/bin/anvil*")
    if found is not None:
        return found
    raise Trouble(
        "Anvil is not here: install Node >= 20 and run `npm install -g @foundry-rs/anvil`, "
        "or put Foundry's anvil on the PATH, or use a chain that is there with --rpc URL"
    )


@asynccontextmanager
async def _one_at_a_time() -> AsyncIterator[None]:
    """From the look at a port to the Anvil that holds it: a second start would find the port free as well, and might
    take the answers of the first one's Anvil for its own. Whoever holds this up for too long is not waited for."""
    lock = AsyncFileLock(Path(tempfile.gettempdir()) / f"chainboard-{os.getuid()}.lock", timeout=START_SECONDS)
    with suppress(Timeout):
        await lock.acquire()
    try:
        yield
    finally:
        await lock.release()


def _cache(folder: Path) -> Path:
    """Where Anvil keeps past states that don't fit its memory. Its own choice is the home folder, where a killed one
    leaves them for ever: a few hundred starts fill a disk."""
    return folder / "cache"


def _leashed(command: list[str]) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        ["/bin/sh", "-c", f"exec 3<&0; {LEASH}", "leash", *command],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,  # a Ctrl-C in the terminal is ours to answer, with a last save
    )


def free_port(host: str, wanted: int) -> int:
    """The wanted port, or a free one when that is in use."""
    for port in (wanted, 0):
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((host, port))
            except OSError:
                continue
            return int(probe.getsockname()[1])
    raise Trouble(f"no free port at {host}")


def _still_free(port: int) -> int:
    """The port of an Anvil that has ended. Raises Trouble when another program has taken it: its answers would be taken
    for ours."""
    if free_port("127.0.0.1", port) != port:
        raise Trouble(
            f"the embedded chain ended, and another program has taken its port {port}: start Chainboard again"
        )
    return port


class Anvil:
    """One running Anvil over one folder of saved state."""

    node: Node
    _process: subprocess.Popen[bytes]

    def __init__(self, folder: Path, block_time: int) -> None:
        self._folder, self._block_time = folder, block_time
        self._saved: str | None = None
        self.saved_height: int | None = None

    @classmethod
    async def start(cls, folder: Path, block_time: int = 0) -> Anvil:
        """Starts the chain from the newest state that loads; raises Trouble when none does."""
        anvil = cls(folder, block_time)
        await anvil._begin(lambda: free_port("127.0.0.1", DEFAULT_PORT))
        return anvil

    async def _begin(self, port: Callable[[], int]) -> None:
        shutil.rmtree(_cache(self._folder), ignore_errors=True)
        states = [path for path in (self._folder / "state.json", self._folder / "former.json") if path.exists()]
        candidates: list[Path | None] = [*states] or [None]
        for state in candidates:
            async with _one_at_a_time():
                if await self._try(port(), state):
                    return
        raise Trouble(
            f"Anvil does not start from {self._folder}: `chainboard reset` puts the chain aside and begins a new one"
        )

    async def _try(self, port: int, state: Path | None) -> bool:
        command = [str(binary()), "--silent", "--host", "127.0.0.1", "--port", str(port)]
        command += ["--chain-id", str(CHAIN_ID), "--enable-tx-gas-limit"]
        command += ["--cache-path", str(_cache(self._folder)), "--max-persisted-states", str(PAST_STATES)]
        command += ["--block-time", str(self._block_time)] if self._block_time else []
        command += ["--load-state", str(state)] if state else []
        self._process, self.node = _leashed(command), Node(f"http://127.0.0.1:{port}", ours=True)
        if await self._answers():
            return True
        await self.stop()
        return False

    async def _answers(self) -> bool:
        with suppress(TimeoutError):
            async with asyncio.timeout(START_SECONDS):
                while self.alive:
                    with suppress(NodeLost, NodeError):
                        return int(await self.node.request("eth_chainId"), 16) == CHAIN_ID
                    await asyncio.sleep(STEP_SECONDS)
        return False

    @property
    def alive(self) -> bool:
        return self._process.poll() is None

    async def save(self) -> None:
        """Writes the chain without the history of its states, when it has changed since the last save. After it no kill
        takes a block up to `saved_height` back."""
        head = await self.node.head()
        if head.hash == self._saved:
            return
        dump = await self.node.request("anvil_dumpState", (False,))
        await asyncio.to_thread(self._write, bytes.fromhex(dump[2:]))
        self._saved, self.saved_height = head.hash, head.height

    def _write(self, dump: bytes) -> None:
        write_whole(self._folder / "state.json", gzip.decompress(dump), keep=self._folder / "former.json")

    async def keep_saving(self) -> None:
        """Saves every two seconds until cancelled. An Anvil that ended is started again, from the last save and at
        the same address; raises Trouble when that can't be done."""
        while True:
            await asyncio.sleep(SAVE_SECONDS)
            try:
                if not self.alive:
                    await self._revive()
                await self.save()
            except (NodeLost, NodeError):
                continue
            except OSError as error:
                log.warning("the chain can't be saved in %s: %s", self._folder, error.strerror)

    async def _revive(self) -> None:
        log.warning("the embedded Anvil has ended; it is started again from its last save")
        first, port = self.node, urlsplit(self.node.url).port or DEFAULT_PORT
        await self._begin(lambda: _still_free(port))
        await self.node.aclose()
        self.node = first  # the one that others hold

    async def stop(self) -> None:
        """Ends the process; what was not saved is lost."""
        await self.node.aclose()
        if self._process.stdin is not None:
            self._process.stdin.close()
        await asyncio.to_thread(self._process.wait)
        shutil.rmtree(_cache(self._folder), ignore_errors=True)
