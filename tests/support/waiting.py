"""Waits for other processes, threads or tasks. All tests must use these functions, instead of their
own deadlines and polling loops.

The deadline only ends tests that hang. It is long, because a step that takes 20 ms on an idle
machine can take many seconds on a busy machine."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator
from inspect import isawaitable
from typing import TypeVar, cast

T = TypeVar("T")

PATIENCE_SECONDS = 120.0
PATIENCE_MS = 1000 * PATIENCE_SECONDS
"""The same time limit in milliseconds, as Playwright expects it."""
FIRST_PAUSE_SECONDS, LONGEST_PAUSE_SECONDS = 0.002, 0.1
MOST_CHARACTERS = 4000
_monotonic = time.monotonic  # the real clock, because a test may replace `time.monotonic`


def _pauses() -> Iterator[float]:
    end, pause = _monotonic() + PATIENCE_SECONDS, FIRST_PAUSE_SECONDS
    while _monotonic() < end:
        yield pause
        pause = min(1.3 * pause, LONGEST_PAUSE_SECONDS)


def _failure(what: str, found: object) -> AssertionError:
    state = repr(found)[:MOST_CHARACTERS]
    return AssertionError(f"after {PATIENCE_SECONDS:.0f} seconds still waiting for {what}; the last state: {state}")


def wait_for(
    read: Callable[[], T], wanted: Callable[[T], object], what: str, sleep: Callable[[float], object] = time.sleep
) -> T:
    """Call `read` until `wanted` is true for its value, and return this value. At the deadline,
    raises AssertionError with `what` in its message.

    If a page must receive events during the wait, pass `sleeping(page)` as `sleep`."""
    for pause in _pauses():
        if wanted(found := read()):
            return found
        sleep(pause)
    raise _failure(what, found)


async def wait_for_async(read: Callable[[], Awaitable[T] | T], wanted: Callable[[T], object], what: str) -> T:
    """Wait in the same way as `wait_for`, but in a coroutine. `read` is a function or a coroutine
    function."""
    for pause in _pauses():
        read_now = read()
        if wanted(found := await read_now if isawaitable(read_now) else cast(T, read_now)):
            return found
        await asyncio.sleep(pause)
    raise _failure(what, found)
