"""The two words that the page shows for an address. They are the same as in
`frontend-static/names/hash.js`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import orjson
from eth_utils.crypto import keccak

from api.static import page


class WordTable(NamedTuple):
    """The words that form the names: 256 adjectives and 256 animals."""

    adjectives: Sequence[str]
    animals: Sequence[str]


@cache
def words() -> WordTable:
    found = orjson.loads((page.source_folder() / "names" / "words.json").read_bytes())
    return WordTable(found["adjectives"], found["animals"])


def name_of(address: str) -> str:
    """Return the name of an address (in any letter case), such as `Calm Ibis`. It is the same in
    every language and comes from the keccak256 hash of the address's 20 bytes. Raises ValueError if
    it is not an address."""
    octets = bytes.fromhex(address.removeprefix("0x"))
    if len(octets) != 20:
        raise ValueError(f"{address!r} is not an address")
    first, second = keccak(octets)[:2]
    return f"{words().adjectives[first]} {words().animals[second]}"
