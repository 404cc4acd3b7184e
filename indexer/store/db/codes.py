"""Names of games and of their events as four-byte codes, as a server keeps them in rows and indexes of events: a text
would take three times the room. A code is made of its name alone, so that all databases have the same rows."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from functools import lru_cache

from indexer.model import Deployment
from indexer.store.db.engine import StoreError

CODE_SQL = "('x' || substr(encode(sha256(convert_to({}, 'UTF8')), 'hex'), 1, 8))::bit(32)::integer"
"""`code_of` of a column {}, in PostgreSQL's words."""

_names: dict[int, str] = {}
"""What this process has learned: names of contracts, never of a client."""


class UnknownCode(StoreError):
    """A code whose name this process has not learned."""


@lru_cache(1024)
def code_of(name: str) -> int:
    """The first four bytes of its SHA-256, as a signed integer."""
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:4], "big", signed=True)


def name_of(code: int) -> str:
    """The name with this code. Raises UnknownCode."""
    try:
        return _names[code]
    except KeyError:
        raise UnknownCode(
            f"the database holds events of a contract that was added since it was opened ({code})"
        ) from None


def learn(names: Iterable[str]) -> None:
    """Makes the names known to `name_of`."""
    for name in names:
        _names[code_of(name)] = name


def names_in(deployments: Iterable[Deployment]) -> set[str]:
    """Names that the events of these contracts have in the database."""
    found = set()
    for one in deployments:
        found |= {one.game, *(entry["name"] for entry in one.abi if entry["type"] == "event")}
    return found
