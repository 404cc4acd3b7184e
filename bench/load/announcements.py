"""Records the times at which a node announces new blocks or logs."""

from __future__ import annotations

import asyncio
import json
import time
from typing import Any

from websockets.asyncio.client import connect


async def record(times: dict[str, float], key: str, url: str, params: list[Any], listening: asyncio.Event) -> None:
    """Subscribe to a node, and record the time of each announcement until the task is cancelled.

    The times are stored in `times`, in seconds of the monotonic clock. The key of each time is the
    value of the announcement's field `key`."""
    async with connect("ws" + url.removeprefix("http")) as socket:
        await socket.send(json.dumps({"jsonrpc": "2.0", "id": 1, "method": "eth_subscribe", "params": params}))
        await socket.recv()
        listening.set()
        async for message in socket:
            now = time.perf_counter()
            times[json.loads(message)["params"]["result"][key]] = now
