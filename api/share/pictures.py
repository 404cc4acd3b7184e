"""Pictures of boards, drawn on demand: each once, few at a time, and kept within a bound."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import OrderedDict
from collections.abc import Callable, Coroutine
from concurrent.futures import BrokenExecutor, Executor
from typing import Any, TypeAlias

from api.chain.fair_queue import FairQueue, QueueFull, Quota
from api.share.drawing_process import drawing_process
from indexer.model import Json

log = logging.getLogger("chainboard.api")

DrawPicture: TypeAlias = Callable[[str, Json, str], bytes]
"""Draws a still of a match as PNG: the game's slug, the page's `StillInput` (history/snapshot.js) and the language. A
function of a module, as a process of its own calls it: it may take long. Raises PictureError."""

MAX_BYTES = 32 * 1024 * 1024
QUOTA = Quota(per_address=2, total=2, waiting=16, waiting_per_address=4, queue_timeout=15)
"""Of boards that are drawn, and that wait for it; whoever else asks for one of them counts no further."""
FAILED_SECONDS = 60
"""How long a picture that can't be drawn is not tried again."""
MAX_FAILED = 1000


class PictureError(Exception):
    """A picture can't be drawn; the text says why."""


class Busy(Exception):
    """Too many boards are being drawn."""


class _Drawing:
    """A board that is drawn, or waits for its turn."""

    task: asyncio.Task[bytes]
    begun = False
    readers = 0


class PictureCache:
    """PNG files by what they were drawn from. Of one event loop."""

    def __init__(self, draw: DrawPicture, max_bytes: int = MAX_BYTES, quota: Quota = QUOTA) -> None:
        self._draw, self._max_bytes, self._wait_seconds = draw, max_bytes, quota.queue_timeout
        self._files: OrderedDict[str, bytes] = OrderedDict()
        self._failed: OrderedDict[str, tuple[float, str]] = OrderedDict()
        self._size = 0
        self._drawings: dict[str, _Drawing] = {}
        self._turns = FairQueue(quota)
        self._workers: set[Executor] = set()
        self._idle: list[Executor] = []

    @property
    def size(self) -> int:
        """Bytes that are kept."""
        return self._size

    def kept(self, key: str) -> bytes | None:
        found = self._files.get(key)
        if found is not None:
            self._files.move_to_end(key)
        return found

    async def get(self, key: str, slug: str, still_input: Json, language: str, address: str) -> bytes:
        """The picture. Those who ask for one that is being drawn wait for the same renderer; `address` is the client's.
        Raises Busy and PictureError."""
        found = self.kept(key)
        if found is not None:
            return found
        until, reason = self._failed.get(key, (0.0, ""))
        if time.monotonic() < until:
            raise PictureError(reason)
        drawing = self._drawings.get(key) or self._queued(key, slug, still_input, language, address)
        drawing.readers += 1
        try:
            async with asyncio.timeout(self._wait_seconds):
                return await asyncio.shield(drawing.task)  # whoever goes away leaves it to the others
        except (TimeoutError, QueueFull):
            raise Busy from None
        finally:
            drawing.readers -= 1
            if not drawing.readers and not drawing.begun:  # begun, it is left to the cache
                del self._drawings[key]
                drawing.task.cancel()

    def _queued(self, key: str, slug: str, still_input: Json, language: str, address: str) -> _Drawing:
        drawing = self._drawings[key] = _Drawing()

        def begin() -> Coroutine[Any, Any, bytes]:
            drawing.begun = True
            return self._make(key, slug, still_input, language)

        drawing.task = asyncio.create_task(self._turns.run(address, begin))
        return drawing

    async def _make(self, key: str, slug: str, still_input: Json, language: str) -> bytes:
        try:
            file = await self._drawn(slug, still_input, language)
        except PictureError as error:
            log.warning("no picture of %s: %s", still_input["match"], error)
            self._failed[key] = time.monotonic() + FAILED_SECONDS, str(error)
            self._failed.move_to_end(key)
            if len(self._failed) > MAX_FAILED:
                self._failed.popitem(last=False)
            raise
        finally:
            del self._drawings[key]
        self._keep(key, file)
        return file

    async def _drawn(self, slug: str, still_input: Json, language: str) -> bytes:
        """Drawn by a worker that has nothing else to do, so that one that dies takes no other board with it."""
        worker = self._idle.pop() if self._idle else drawing_process()
        self._workers.add(worker)
        try:
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(worker, self._draw, slug, still_input, language)
        except BrokenExecutor as error:
            self._workers.remove(worker)
            raise PictureError("the process that drew it has died") from error
        finally:
            if worker in self._workers:
                self._idle.append(worker)

    def _keep(self, key: str, file: bytes) -> None:
        """Those that were not asked for longest go; one that is larger than the bound is not kept."""
        if len(file) > self._max_bytes:
            return
        self._files[key] = file
        self._size += len(file)
        while self._size > self._max_bytes:
            self._size -= len(self._files.popitem(last=False)[1])

    def stop(self) -> None:
        """Draws nothing more."""
        for drawing in self._drawings.values():
            drawing.task.cancel()
        for worker in self._workers:
            worker.shutdown(wait=False, cancel_futures=True)
