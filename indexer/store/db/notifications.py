"""Notifies other processes of changes, on PostgreSQL only, with NOTIFY and LISTEN."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from sqlalchemy import Connection, Engine

from indexer.store.db.postgresql import connect_arguments

CHANNEL = "chainboard"
RETRY_SECONDS, STANDBY_SECONDS = 0.5, 30.0
"""The pauses before a retry, in seconds. The first follows a lost connection, and the second is for
a hot standby server. A hot standby rejects LISTEN until it is promoted."""


def notify(connection: Connection) -> None:
    """Notify all listeners as soon as this transaction is committed.

    A notification carries no data: https://www.postgresql.org/docs/current/sql-notify.html"""
    connection.exec_driver_sql(f"NOTIFY {CHANNEL}")


async def listen(engine: Engine, wake: Callable[[], None]) -> None:
    """Call `wake` for each notification until cancelled.

    If the connection is lost, open a new connection and call `wake`, because notifications may have
    been missed. A standby server sends no notifications:
    https://www.postgresql.org/docs/current/hot-standby.html"""
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
