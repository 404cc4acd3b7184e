"""Pictures of boards, drawn on demand: each once, few at a time, and kept within a bound."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeAlias

from indexer.model import Json

log = logging.getLogger("chainboard.api")

DrawPicture: TypeAlias = Callable[[str, Json, str], bytes]
"""Draws a still of a match as PNG: the game's slug, the page's `StillInput` (history/snapshot.js) and the language. May
take long: it is called in a worker thread. Raises PictureError."""

MAX_BYTES = 32 * 1024 * 1024
AT_ONCE = 2
MAX_QUEUED = 16
"""Boards that may wait for a renderer."""
WAIT_SECONDS = 15.0
FAILED_SECONDS = 60
"""How long a picture that can't be drawn is not tried again."""
MAX_FAILED = 1000


class PictureError(Exception):
    """A picture can't be drawn; the text says why."""


class Busy(Exception):
    """Too many boards are being drawn."""


class PictureCache:
    """PNG files by what they were drawn from. Of one event loop."""

    def __init__(
        self,
        draw: DrawPicture,
        max_bytes: int = MAX_BYTES,
        max_queued: int = MAX_QUEUED,
        wait_seconds: float = WAIT_SECONDS,
    ) -> None:
        self._draw, self._max_bytes, self._max_queued, self._wait_seconds = draw, max_bytes, max_queued, wait_seconds
        self._files: OrderedDict[str, bytes] = OrderedDict()
        self._failed: OrderedDict[str, tuple[float, str]] = OrderedDict()
        self._size = 0
        self._drawing: dict[str, asyncio.Task[bytes]] = {}
        self._workers = ThreadPoolExecutor(AT_ONCE, "pictures")

    @property
    def size(self) -> int:
        """Bytes that are kept."""
        return self._size

    def kept(self, key: str) -> bytes | None:
        found = self._files.get(key)
        if found is not None:
            self._files.move_to_end(key)
        return found

    async def get(self, key: str, slug: str, still_input: Json, language: str) -> bytes:
        """The picture. Those who ask for one that is being drawn wait for the same renderer. Raises Busy and
        PictureError."""
        found = self.kept(key)
        if found is not None:
            return found
        until, reason = self._failed.get(key, (0.0, ""))
        if time.monotonic() < until:
            raise PictureError(reason)
        task = self._drawing.get(key)
        if task is None:
            if len(self._drawing) >= AT_ONCE + self._max_queued:
                raise Busy
            task = self._drawing[key] = asyncio.create_task(self._make(key, slug, still_input, language))
            task.add_done_callback(lambda done: done.cancelled() or done.exception())
        try:
            async with asyncio.timeout(self._wait_seconds):
                return await asyncio.shield(task)  # whoever goes away leaves it to the others, and to the cache
        except TimeoutError:
            raise Busy from None

    async def _make(self, key: str, slug: str, still_input: Json, language: str) -> bytes:
        try:
            loop = asyncio.get_running_loop()
            file = await loop.run_in_executor(self._workers, self._draw, slug, still_input, language)
        except PictureError as error:
            log.warning("no picture of %s: %s", still_input["match"], error)
            self._failed[key] = time.monotonic() + FAILED_SECONDS, str(error)
            self._failed.move_to_end(key)
            if len(self._failed) > MAX_FAILED:
                self._failed.popitem(last=False)
            raise
        finally:
            del self._drawing[key]
        self._keep(key, file)
        return file

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
        for task in self._drawing.values():
            task.cancel()
        self._workers.shutdown(wait=False, cancel_futures=True)
