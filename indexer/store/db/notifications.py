"""The wake-up across processes, on PostgreSQL: NOTIFY by the writer, LISTEN by those who read."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from sqlalchemy import Connection, Engine

from indexer.store.db.postgresql import connect_arguments

CHANNEL = "chainboard"
RETRY_SECONDS, STANDBY_SECONDS = 0.5, 30.0
"""Until the next try: after an end, and at a hot standby, which takes no LISTEN before it is promoted."""


def notify(connection: Connection) -> None:
    """Wakes the listeners when this transaction is committed: https://www.postgresql.org/docs/current/sql-notify.html.
    It is empty: what is new, they read."""
    connection.exec_driver_sql(f"NOTIFY {CHANNEL}")


async def listen(engine: Engine, wake: Callable[[], None]) -> None:
    """Calls `wake` at each notification, until cancelled. A connection that ended is opened again; as some may be lost
    with it, `wake` is called then, too. A standby has none: https://www.postgresql.org/docs/current/hot-standby.html"""
    from psycopg import AsyncConnection, Error
    from psycopg.errors import ReadOnlySqlTransaction

    arguments = {**engine.dialect.create_connect_args(engine.url)[1], **connect_arguments(engine.url)}
    while True:
        seconds = RETRY_SECONDS
        try:
            async with await AsyncConnection.connect(**arguments, autocommit=True) as connection:
                await connection.execute(f"LISTEN {CHANNEL}")
                wake()
                async for _ in connection.notifies():
                    wake()
        except ReadOnlySqlTransaction:
            seconds = STANDBY_SECONDS
        except Error:
            pass
        await asyncio.sleep(seconds)
