"""The errors that users get for their queries."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

OUT_OF_BOUNDS = "uses something other than the tables and views"
ALLOWED = "One SELECT is allowed"


class QueryError(Exception):
    """The query can't be run. The message explains why."""


def rejected(reason: str) -> str:
    return f"the query {reason}. {ALLOWED}"


def timed_out(seconds: float) -> QueryError:
    return QueryError(f"the query was stopped after {seconds:g} seconds: select less, or raise --timeout")


def read_too_slowly(seconds: float) -> QueryError:
    return QueryError(
        f"the query was stopped because no program read its rows for {seconds:g} seconds. Write the rows to a file"
    )


def out_of_memory(limit: int) -> QueryError:
    """Return the error for a query that needs too much memory. `limit`: the maximum, in bytes."""
    return QueryError(f"the query needs more than {limit >> 20} MiB of memory: select less")


def unknown_table(name: str, known: Iterable[str]) -> str:
    return f"can't be answered: no such table: {name}{near_names(name, known)}"


def near_names(name: str, known: Iterable[str]) -> str:
    """Return a hint that lists known names similar to an unknown, perhaps misspelled name."""
    near = difflib.get_close_matches(name, sorted(known))
    return f" (similar: {', '.join(near)})" if near else " (`chainboard sql --views` lists the views)"
