"""Makes a process stand by until it can become the only writer of a server's database."""

from __future__ import annotations

import asyncio

from chainboard.console import console
from indexer.store.db.engine import StoreError
from indexer.store.store import NotWriter, Store

STANDBY_SECONDS = 0.25


async def stand_by(store: Store, was_writer: bool = False) -> None:
    """Wait until no other process writes to the database. `was_writer` is True if this process was
    the writer before. Raises StoreError if the database can't be used when this process first
    connects to it. If the database fails later, keep waiting, because the server might be
    restarting."""
    printed = ""
    while True:
        try:
            await asyncio.to_thread(store.acquire)
            break
        except NotWriter as error:
            why = str(error).partition(":")[0]
        except StoreError as error:
            if not (was_writer or printed):
                raise
            why = str(error)
        if why != printed:
            console.print(f"Now standing by: {why}")
        printed = why
        await asyncio.sleep(STANDBY_SECONDS)
    if was_writer or printed:
        console.print("Now writing to the database")
