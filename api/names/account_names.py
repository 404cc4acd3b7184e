"""The two words by which the page calls an address, the same as `frontend-static/names/hash.js` makes them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import orjson
from eth_utils.crypto import keccak

from api.static import page


class WordTable(NamedTuple):
    """256 adjectives and 256 animals."""

    adjectives: Sequence[str]
    animals: Sequence[str]


@cache
def words() -> WordTable:
    found = orjson.loads((page.folder() / "names" / "words.json").read_bytes())
    return WordTable(found["adjectives"], found["animals"])


def name_of(address: str) -> str:
    """`Calm Ibis`, the same in each language: by keccak256 of the address's 20 bytes; its letters may be in any case.
    Raises ValueError for what is no address."""
    octets = bytes.fromhex(address.removeprefix("0x"))
    if len(octets) != 20:
        raise ValueError(f"{address!r} is no address")
    first, second = keccak(octets)[:2]
    return f"{words().adjectives[first]} {words().animals[second]}"
