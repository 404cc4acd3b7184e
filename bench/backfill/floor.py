"""The floor: what fetching, decoding and storing must cost. No block, no check, no board; a table without an index."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Any

import aiohttp
import orjson
from eth_utils.abi import event_abi_to_log_topic

from bench.backfill.job import Job, do

IN_FLIGHT = 4
EVENTS = 5000
"""An answer."""

Row = tuple[Any, ...]
TABLE = "CREATE TABLE event (height, log_index, name, game_match, seq, address, a, b, c, d)"
INSERT = "INSERT INTO event VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"


def rows(logs: list[dict[str, Any]], names: dict[str, str]) -> Iterator[Row]:
    """Fixed-width decoding: up to five words of data, up to three topics."""
    for log in logs:
        topics, data = log["topics"], log["data"]
        words = [int(data[at : at + 64], 16) for at in range(2, len(data), 64)] + [None] * 4
        address = "0x" + topics[2][26:] if len(topics) > 2 else None
        yield (
            int(log["blockNumber"], 16),
            int(log["logIndex"], 16),
            names[topics[0]],
            int(topics[1], 16),
            words[0],
            address,
            *words[1:5],
        )


def ask(job: Job, session: aiohttp.ClientSession) -> Callable[[int, int], Any]:
    limit = asyncio.Semaphore(IN_FLIGHT)

    async def logs(first: int, last: int) -> list[dict[str, Any]]:
        query = {"fromBlock": hex(first), "toBlock": hex(last), "address": job.deployment.address}
        body = {"jsonrpc": "2.0", "id": 1, "method": "eth_getLogs", "params": [query]}
        async with limit, session.post(job.url, json=body) as response:
            return list(orjson.loads(await response.read())["result"])

    return logs


async def work(job: Job) -> int:
    names = {
        "0x" + event_abi_to_log_topic(one).hex(): one["name"]  # type: ignore[arg-type]
        for one in job.deployment.abi
        if one["type"] == "event"
    }
    first, end = job.deployment.height + 1, job.deployment.height + job.blocks
    step = max(1, job.blocks * EVENTS // job.events)
    found: list[Row] = []
    async with aiohttp.ClientSession(read_bufsize=2**20) as session:
        logs = ask(job, session)
        spans = [logs(start, min(start + step - 1, end)) for start in range(first, end + 1, step)]
        for answer in asyncio.as_completed(spans):
            found += rows(await answer, names)
    with closing(sqlite3.connect(job.file, isolation_level=None)) as database:
        database.execute("PRAGMA journal_mode=WAL")
        database.execute("PRAGMA synchronous=NORMAL")
        database.execute(TABLE)
        database.execute("BEGIN")
        database.executemany(INSERT, found)
        database.execute("COMMIT")
    return len(found)


if __name__ == "__main__":
    do(work)
