"""The embedded chain's states on disk: the last two dumps, compressed by Anvil, and the states of
past blocks."""

from __future__ import annotations

import asyncio
import gzip
import shutil
import zlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import orjson

from chainboard.data_folder import write_atomically
from indexer.fetch.block_hash import header_hash_matches

CHUNK_BYTES = 2**20
MAX_PAST_BYTES = 400_000_000
"""The maximum total size of the past states, in bytes. This limit is checked only between blocks.
Until the next check, the total can exceed the limit, but it stays below 500 MB."""
SIZE_BYTES = 4
"""The number of bytes at the end of a gzip file that contain the length of the uncompressed
content, modulo 2^32 (RFC 1952)."""


class StateFiles:
    """The embedded chain's saved states, in one folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._last, self._previous = folder / "state.json.gz", folder / "former.json.gz"
        self._plain = [folder / "state.json", folder / "former.json"]
        """The uncompressed dumps of earlier versions of Chainboard."""

    def newest_first(self) -> list[Path]:
        """Return the paths of the saved dumps, newest first. For a new chain, the list is empty."""
        existing = [path for path in (self._last, self._previous, *self._plain) if path.exists()]
        return sorted(existing, key=lambda path: path.stat().st_mtime_ns, reverse=True)

    def write(self, dump: bytes) -> None:
        """Write a gzip-compressed dump atomically. After a kill at any time, there is still a dump
        that Anvil can load."""
        write_atomically(self._last, dump, keep=self._previous)
        if self._previous.exists():
            for path in self._plain:
                path.unlink(missing_ok=True)

    @property
    def disk_bytes(self) -> int:
        """The total size of the dumps on disk, in bytes."""
        return sum(path.stat().st_size for path in self.newest_first())

    @asynccontextmanager
    async def loadable(self, state: Path) -> AsyncIterator[Path]:
        """Yield the path of the dump as an uncompressed file, which Anvil can load. Raises
        ValueError if the dump is damaged."""
        if state.suffix != ".gz":
            yield state
            return
        unpacked = self._folder / "loading.json"
        try:
            await asyncio.to_thread(_unpack, state, unpacked)
            yield unpacked
        finally:
            unpacked.unlink(missing_ok=True)


def _unpack(state: Path, target: Path) -> None:
    try:
        with gzip.open(state) as content, target.open("wb") as plain:
            shutil.copyfileobj(content, plain, CHUNK_BYTES)
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise ValueError(f"{state} is damaged: {error}") from error


def deduplicate_genesis(state: Path, parent: str) -> None:
    """Remove from an unpacked dump all blocks with number 0, except the one with the hash `parent`,
    which is the parent of block 1. Raises ValueError if the dump doesn't have that block."""
    content = orjson.loads(state.read_bytes())
    genesis = [one for one in content["blocks"] if int(one["header"]["number"], 16) == 0]
    kept = [one for one in genesis if header_hash_matches({**one["header"], "hash": parent})]
    if not kept:
        raise ValueError(f"{state} has no block 0 with the hash {parent}")
    content["blocks"] = [kept[0], *(one for one in content["blocks"] if one not in genesis)]
    state.write_bytes(orjson.dumps(content))


def unpacked_bytes(dump: bytes) -> int:
    """Return the uncompressed length of a gzip dump, in bytes. It must be below 4 GiB."""
    return int.from_bytes(dump[-SIZE_BYTES:], "little")


def trim_past_states(folder: Path, max_bytes: int = MAX_PAST_BYTES) -> int:
    """Delete the oldest past states until the remaining states take at most `max_bytes`. Return the
    size of the remaining states, in bytes.

    Each file holds the whole state and all block hashes. If a block's state is deleted, Anvil
    answers as if it had never stored this state."""
    stored_bytes, full = 0, False
    for _time, size, path in sorted(_past_states(folder), reverse=True):
        full = full or stored_bytes + size > max_bytes
        if full:
            path.unlink(missing_ok=True)
        else:
            stored_bytes += size
    return stored_bytes


def _past_states(folder: Path) -> list[tuple[int, int, Path]]:
    found = []
    for path in folder.glob("*/*.json"):
        with suppress(FileNotFoundError):  # Anvil can delete the file at any time
            stat = path.stat()
            found.append((stat.st_mtime_ns, stat.st_size, path))
    return found
