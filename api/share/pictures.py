"""Draws pictures of boards on demand. Each picture is drawn only once, only a few are drawn at a
time, and the cache has a maximum size."""

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
"""A function that draws a picture of a board as PNG. It may take a long time. Raises PictureError.

Its arguments are the game's slug, the page's `StillInput` (history/snapshot.js) and the language.
It must be a module-level function, because a separate process calls it."""

MAX_BYTES = 32 * 1024 * 1024
QUOTA = Quota(per_address=2, total=2, waiting=16, waiting_per_address=4, queue_timeout=15)
"""The limits for boards that are being drawn or queued. Several readers who wait for the same board
count as one."""
FAILED_SECONDS = 60
"""The seconds after which a failed picture may be drawn again."""
MAX_FAILED = 1000


class PictureError(Exception):
    """A picture can't be drawn. The message contains the reason."""


class Busy(Exception):
    """Too many boards are being drawn or queued."""


class _Drawing:
    """A board that is being drawn or queued."""

    task: asyncio.Task[bytes]
    started = False
    readers = 0


class PictureCache:
    """A cache of PNG files. The key of a file is a hash of everything that the picture shows. Use
    the cache only in one event loop."""

    def __init__(self, draw: DrawPicture, max_bytes: int = MAX_BYTES, quota: Quota = QUOTA) -> None:
        self._draw, self._max_bytes, self._wait_seconds = draw, max_bytes, quota.queue_timeout
        self._files: OrderedDict[str, bytes] = OrderedDict()
        self._failed: OrderedDict[str, tuple[float, str]] = OrderedDict()
        self._size = 0
        self._drawings: dict[str, _Drawing] = {}
        self._queue = FairQueue(quota)
        self._workers: set[Executor] = set()
        self._idle: list[Executor] = []

    @property
    def size(self) -> int:
        """The number of bytes in the cache."""
        return self._size

    def cached(self, key: str) -> bytes | None:
        found = self._files.get(key)
        if found is not None:
            self._files.move_to_end(key)
        return found

    async def get(self, key: str, slug: str, still_input: Json, language: str, address: str) -> bytes:
        """Return the picture from the cache, or draw it. Readers who request the same picture share
        one drawing. `address` is the client's network address. Raises Busy or PictureError."""
        found = self.cached(key)
        if found is not None:
            return found
        until, reason = self._failed.get(key, (0.0, ""))
        if time.monotonic() < until:
            raise PictureError(reason)
        drawing = self._drawings.get(key) or self._enqueue(key, slug, still_input, language, address)
        drawing.readers += 1
        try:
            async with asyncio.timeout(self._wait_seconds):
                # a reader who leaves must not cancel the drawing for the other readers
                return await asyncio.shield(drawing.task)
        except (TimeoutError, QueueFull):
            raise Busy from None
        finally:
            drawing.readers -= 1
            # if a drawing has started, complete it and cache the picture
            if not drawing.readers and not drawing.started:
                del self._drawings[key]
                drawing.task.cancel()

    def _enqueue(self, key: str, slug: str, still_input: Json, language: str, address: str) -> _Drawing:
        drawing = self._drawings[key] = _Drawing()

        def start() -> Coroutine[Any, Any, bytes]:
            drawing.started = True
            return self._draw_and_cache(key, slug, still_input, language)

        drawing.task = asyncio.create_task(self._queue.run(address, start))
        return drawing

    async def _draw_and_cache(self, key: str, slug: str, still_input: Json, language: str) -> bytes:
        try:
            file = await self._draw_in_worker(slug, still_input, language)
        except PictureError as error:
            log.warning("can't draw a picture of %s: %s", still_input["match"], error)
            self._failed[key] = time.monotonic() + FAILED_SECONDS, str(error)
            self._failed.move_to_end(key)
            if len(self._failed) > MAX_FAILED:
                self._failed.popitem(last=False)
            raise
        finally:
            del self._drawings[key]
        self._cache(key, file)
        return file

    async def _draw_in_worker(self, slug: str, still_input: Json, language: str) -> bytes:
        """Draw one board in an idle worker process. If the worker dies, only this board is
        affected, because each worker draws one board at a time."""
        worker = self._idle.pop() if self._idle else drawing_process()
        self._workers.add(worker)
        try:
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(worker, self._draw, slug, still_input, language)
        except BrokenExecutor as error:
            self._workers.remove(worker)
            raise PictureError("the drawing process has died") from error
        finally:
            if worker in self._workers:
                self._idle.append(worker)

    def _cache(self, key: str, file: bytes) -> None:
        """Cache a file, and evict the files whose last use is the oldest. Don't cache a file that
        is larger than the whole cache."""
        if len(file) > self._max_bytes:
            return
        self._files[key] = file
        self._size += len(file)
        while self._size > self._max_bytes:
            self._size -= len(self._files.popitem(last=False)[1])

    def stop(self) -> None:
        """Cancel all drawings."""
        for drawing in self._drawings.values():
            drawing.task.cancel()
        for worker in self._workers:
            worker.shutdown(wait=False, cancel_futures=True)
