"""The past states that Anvil writes to the disk, bounded by bytes: each holds the whole state and all block hashes."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

MAX_BYTES = 400_000_000
"""Some blocks come between two looks; with them it stays below 500 MB."""


def trim(folder: Path, max_bytes: int = MAX_BYTES) -> int:
    """Deletes the oldest past states until the others fit; returns what these take, in bytes. Anvil answers about a
    block whose state is gone as about one that it never kept."""
    kept_bytes, full = 0, False
    for _time, size, path in sorted(_found(folder), reverse=True):
        full = full or kept_bytes + size > max_bytes
        if full:
            path.unlink(missing_ok=True)
        else:
            kept_bytes += size
    return kept_bytes


def _found(folder: Path) -> list[tuple[int, int, Path]]:
    found = []
    for path in folder.glob("*/*.json"):
        with suppress(FileNotFoundError):  # Anvil deletes them, too
            stat = path.stat()
            found.append((stat.st_mtime_ns, stat.st_size, path))
    return found
