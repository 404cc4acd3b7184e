"""Patience with a node that is asked something once: one bad answer does not say that there is none."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

from indexer.node.client import NodeUnavailable

T = TypeVar("T")

TRIES, PAUSE_SECONDS = 4, 0.3


async def with_retries(job: Callable[[], Awaitable[T]], tries: int = TRIES) -> T:
    """What the job gives. Done again while the node does not answer; the last NodeUnavailable comes out."""
    for _ in range(tries - 1):
        try:
            return await job()
        except NodeUnavailable:
            await asyncio.sleep(PAUSE_SECONDS)
    return await job()
