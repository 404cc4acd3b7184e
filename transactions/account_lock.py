"""The lock of an account: its holder is the only one, among tasks and processes, that takes nonces."""

from __future__ import annotations

import asyncio
from pathlib import Path
from types import TracebackType

from filelock import AsyncFileLock

POLL_SECONDS = 0.01


class AccountLock:
    """A file lock beside the journal, with a task lock before it. The system releases it when the process ends,
    however."""

    def __init__(self, journal: Path, account: str) -> None:
        self._task_lock = asyncio.Lock()  # in their order; a file's lock goes to anyone
        self._file_lock = AsyncFileLock(journal.with_name(f"{journal.name}.{account.lower()}.lock"))

    async def __aenter__(self) -> None:
        await self._task_lock.acquire()
        try:
            await self._file_lock.acquire(poll_interval=POLL_SECONDS)
        except BaseException:
            self._task_lock.release()
            raise

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            await self._file_lock.release()
        finally:
            self._task_lock.release()
