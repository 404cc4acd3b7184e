"""Four-byte codes for the names of games and events, which a server stores instead of the names.

In the event table and its indexes, text would take three times the space. A code depends only on
the name, so all databases have the same rows."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from functools import lru_cache

from indexer.model import Deployment
from indexer.store.db.engine import StoreError

CODE_SQL = "('x' || substr(encode(sha256(convert_to({}, 'UTF8')), 'hex'), 1, 8))::bit(32)::integer"
"""The SQL expression of `code_of` for a column {} on PostgreSQL."""

_names: dict[int, str] = {}
"""The names that this process has learned. They come only from contracts, not from clients."""


class UnknownCode(StoreError):
    """The code belongs to a name that this process has not learned."""


@lru_cache(1024)
def code_of(name: str) -> int:
    """Return the first four bytes of the name's SHA-256 hash as a signed integer."""
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:4], "big", signed=True)


def name_of(code: int) -> str:
    """Return the name with this code. Raises UnknownCode."""
    try:
        return _names[code]
    except KeyError:
        raise UnknownCode(
            f"the database has events of a contract that was added after this process opened the database ({code})"
        ) from None


def register(names: Iterable[str]) -> None:
    """Add names that `name_of` can return."""
    for name in names:
        _names[code_of(name)] = name


def names_in(deployments: Iterable[Deployment]) -> set[str]:
    """Return the names of the games and of the events of these contracts."""
    found = set()
    for one in deployments:
        found |= {one.game, *(entry["name"] for entry in one.abi if entry["type"] == "event")}
    return found
