"""Codes of four bytes for the names of games and events. PostgreSQL stores the codes instead of the
names.

In the table of events and its indexes, names would take three times the space. A name has the same
code in every database, so databases can be compared."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from functools import lru_cache

from indexer.model import Deployment
from indexer.store.db.engine import StoreError

CODE_SQL = "('x' || substr(encode(sha256(convert_to({}, 'UTF8')), 'hex'), 1, 8))::bit(32)::integer"
"""SQL for PostgreSQL: the code (as from `code_of`) of the name in the column {}."""

_names: dict[int, str] = {}
"""The names that this process knows. The key is the code. They come only from contracts, not from
clients."""


class UnknownCode(StoreError):
    """This process doesn't know the name with this code."""


@lru_cache(1024)
def code_of(name: str) -> int:
    """Return the code of a name: the first four bytes of its SHA-256 hash, as a signed integer."""
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:4], "big", signed=True)


def name_of(code: int) -> str:
    """Return the name with this code. Raises UnknownCode if this process doesn't know it."""
    try:
        return _names[code]
    except KeyError:
        raise UnknownCode(
            f"the database has events of a contract that was added after this process opened the database ({code})"
        ) from None


def register(names: Iterable[str]) -> None:
    """Make these names known, so that `name_of` can return them."""
    for name in names:
        _names[code_of(name)] = name


def names_in(deployments: Iterable[Deployment]) -> set[str]:
    """Return the names of these contracts' games and events."""
    found = set()
    for one in deployments:
        found |= {one.game, *(entry["name"] for entry in one.abi if entry["type"] == "event")}
    return found
