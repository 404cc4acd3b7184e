"""Cursors for lists. A cursor is a position in a list. It is valid only for the same query, and
only while its block is on the chain."""

from __future__ import annotations

import base64
import binascii
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import orjson

from api.problems import Problem
from indexer.gamekit.game import canonical
from indexer.model import Block, Json
from indexer.store.snapshot import Snapshot

LIMIT = 2**31
"""The limit for the numbers in a cursor: heights, places and ratings. No cursor from this server
contains a larger number."""
INDEX = (int,)
"""The default types of the values that a cursor has in addition to its block: one log index."""


@dataclass(frozen=True, slots=True)
class Cursor:
    """A position in a list: a block's height and hash, and further values of the last returned row.
    The next page starts after this position."""

    height: int
    hash: str
    rest: tuple[Any, ...]

    def check(self, snapshot: Snapshot) -> None:
        """Check that the cursor's block is still on the chain. Raises Problem 409 otherwise,
        because the reorg might also have removed rows of earlier pages."""
        block = snapshot.block_at(self.height)
        if block is None or block.hash != self.hash:
            block_ref: Mapping[str, str | int] = {"height": self.height, "hash": self.hash}
            raise Problem(409, "stale-cursor", block_ref, block=block_ref)


def encode(query: Json, block: Block, *rest: Any) -> str:
    """Encode a position in this block as a cursor. `rest` contains the further values of the
    row."""
    payload = orjson.dumps([_fingerprint(query), block.height, block.hash, *rest])
    return base64.urlsafe_b64encode(payload).decode().rstrip("=")


def decode(query: Json, cursor: str | None, rest: tuple[type, ...] = INDEX) -> Cursor | None:
    """Decode a cursor. `rest` contains the types of the values after the block. Raises Problem 400
    for a cursor that this server did not return, or that it returned for a different query."""
    if cursor is None:
        return None
    try:
        fingerprint, *values = orjson.loads(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
    except (ValueError, TypeError, binascii.Error):
        raise Problem(400, "bad-cursor.unknown") from None
    if fingerprint != _fingerprint(query) and isinstance(fingerprint, str):
        raise Problem(400, "bad-cursor")
    if not _fits(values, (int, str, *rest)):
        raise Problem(400, "bad-cursor.unknown")
    return Cursor(values[0], values[1], tuple(values[2:]))


def _fits(values: list[Any], types: tuple[type, ...]) -> bool:
    if [type(one) for one in values] != list(types):
        return False
    numbers = [one for one in values if isinstance(one, int)]
    return numbers[0] >= 0 and all(-LIMIT <= one < LIMIT for one in numbers)


def _fingerprint(query: Json) -> str:
    return hashlib.sha256(canonical(query)).hexdigest()[:12]
