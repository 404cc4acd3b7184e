"""Retries a single request to a node: one failure does not prove that it is unavailable."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

from indexer.node.client import NodeUnavailable

T = TypeVar("T")

TRIES, PAUSE_SECONDS = 4, 0.3


async def with_retries(job: Callable[[], Awaitable[T]], tries: int = TRIES) -> T:
    """The job's result. It is retried while the node does not answer; the last NodeUnavailable comes out."""
    for _ in range(tries - 1):
        try:
            return await job()
        except NodeUnavailable:
            await asyncio.sleep(PAUSE_SECONDS)
    return await job()
