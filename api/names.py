"""The two words by which the page calls an address, the same as `frontend-static/names/hash.js` makes them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import orjson
from eth_utils.crypto import keccak

from api.static import page

ENGLISH, FRENCH, CHINESE = "en", "fr", "zh"
LANGUAGES = (ENGLISH, FRENCH, CHINESE)


class WordTable(NamedTuple):
    """256 adjectives and 256 animals of a language."""

    adjectives: Sequence[str]
    animals: Sequence[str]


@lru_cache(maxsize=len(LANGUAGES))
def words(language: str) -> WordTable:
    """The table of one of LANGUAGES."""
    found = orjson.loads((page.folder() / "names" / "words" / f"{language}.json").read_bytes())
    return WordTable(found["adjectives"], found["animals"])


def name_of(address: str, language: str = ENGLISH) -> str:
    """`Calm Ibis`, `Loutre calme`, `琥珀水獭`: by keccak256 of the address's 20 bytes; its letters may be in
    any case. English in a language without a table. Raises ValueError for what is no address."""
    octets = bytes.fromhex(address.removeprefix("0x"))
    if len(octets) != 20:
        raise ValueError(f"{address!r} is no address")
    known = language if language in LANGUAGES else ENGLISH
    table, (first, second) = words(known), keccak(octets)[:2]
    adjective, animal = table.adjectives[first], table.animals[second]
    if known == FRENCH:
        return f"{animal} {adjective}"
    return adjective + animal if known == CHINESE else f"{adjective} {animal}"
