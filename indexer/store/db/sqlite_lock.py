"""The lock on a SQLite file that allows only one process to write."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from indexer.store.db.engine import StoreError


@contextmanager
def sqlite_lock(file: Path) -> Iterator[None]:
    """Hold a lock on a file next to the database during the `with` block. If the process is killed,
    the operating system frees the lock.

    Raises StoreError if another process holds the lock, or if the file can't be written."""
    lock = FileLock(file.with_name(file.name + ".lock"), timeout=0)
    try:
        acquired = lock.acquire()
    except Timeout:
        raise StoreError(
            f"another Chainboard process is writing to the database {file}: stop it, or choose a different --database"
        ) from None
    except OSError as error:
        raise StoreError(
            f"the database {file} can't be written: {error.strerror or error}. Make its folder writable, or choose "
            "a different --database"
        ) from error
    with acquired:
        yield
