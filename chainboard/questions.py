"""Questions to the index, asked in SQL."""

from __future__ import annotations

import contextlib

from rich.console import Console
from rich.table import Table
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from chainboard.index import existing_store
from chainboard.settings import Settings
from chainboard.trouble import Trouble


def ask(settings: Settings, query: str) -> None:
    """Prints the rows that the query finds. Raises Trouble for a query that writes or is no SQL."""
    with contextlib.closing(existing_store(settings)) as store:
        try:
            columns, rows = store.query(query)
        except SQLAlchemyError as error:
            why = error.orig if isinstance(error, DBAPIError) else error
            raise Trouble(f"the query can't be answered: {why}. One SELECT is allowed") from error
    table = Table(*columns)
    for row in rows:
        table.add_row(*(str(value) for value in row))
    Console().print(table)
