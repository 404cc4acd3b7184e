"""What a node announces, and when."""

from __future__ import annotations

import asyncio
import json
import time
from typing import Any

from websockets.asyncio.client import connect


async def record(times: dict[str, float], key: str, url: str, params: list[Any], listening: asyncio.Event) -> None:
    """Until cancelled: when each announcement of a subscription of its own came, by what it has at the key; seconds of
    the monotonic clock."""
    async with connect("ws" + url.removeprefix("http")) as socket:
        await socket.send(json.dumps({"jsonrpc": "2.0", "id": 1, "method": "eth_subscribe", "params": params}))
        await socket.recv()
        listening.set()
        async for message in socket:
            now = time.perf_counter()
            times[json.loads(message)["params"]["result"][key]] = now
