"""Errors of questions, in sentences."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

OUT_OF_BOUNDS = "reaches beyond the tables and views"
ALLOWED = "One SELECT is allowed"


class QueryError(Exception):
    """The query can't be run; the message says why."""


def rejected(reason: str) -> str:
    return f"the query {reason}. {ALLOWED}"


def timed_out(seconds: float) -> QueryError:
    return QueryError(f"the query was ended after {seconds:g} seconds: ask for less, or give it more --timeout")


def paused(seconds: float) -> QueryError:
    return QueryError(
        f"the query was ended: its rows were not read for {seconds:g} seconds; write them to a file, and read that"
    )


def out_of_memory(limit: int) -> QueryError:
    """`limit` in bytes."""
    return QueryError(f"the query needs more than {limit >> 20} MiB of memory: ask for less")


def unknown_table(name: str, known: Iterable[str]) -> str:
    return f"can't be answered: no such table: {name}{near_names(name, known)}"


def near_names(name: str, known: Iterable[str]) -> str:
    """Close names, where one is unknown."""
    near = difflib.get_close_matches(name, sorted(known))
    return f" (near it: {', '.join(near)})" if near else " (`chainboard sql --views` lists what there is)"
