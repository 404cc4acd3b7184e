"""Cursors: where a list goes on. A cursor belongs to the query that gave it."""

from __future__ import annotations

import base64
import binascii
import hashlib
from typing import TypeAlias

import orjson

from api.problems import Problem
from indexer.game import canonical
from indexer.model import Json

Key: TypeAlias = tuple[int, int]
"""(height, log index): a position in the chain, which a reorg may remove but never gives to something else's past."""

LIMIT = 2**63


def encode(query: Json, key: Key) -> str:
    """The cursor after the row with this key."""
    return base64.urlsafe_b64encode(orjson.dumps([_print(query), *key])).decode().rstrip("=")


def decode(query: Json, cursor: str | None) -> Key | None:
    """The key inside. Raises Problem for what we did not give out, or gave out for another query."""
    if cursor is None:
        return None
    try:
        mark, height, index = orjson.loads(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
    except (ValueError, TypeError, binascii.Error):
        raise _refusal("is none that this server gave out") from None
    if not all(type(part) is int and 0 <= part < LIMIT for part in (height, index)):
        raise _refusal("is none that this server gave out")
    if mark != _print(query):
        raise _refusal("belongs to another query")
    return height, index


def _refusal(why: str) -> Problem:
    detail = f"The cursor {why}. Leave it out to begin anew, or send it with the query that it came from."
    return Problem(400, "bad-cursor", detail)


def _print(query: Json) -> str:
    return hashlib.sha256(canonical(query)).hexdigest()[:12]
