"""The two words by which the page calls an address, the same as `frontend-static/names/hash.js` makes them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import orjson
from eth_utils.crypto import keccak

from api.static import page
from api.static.texts import LANGUAGES

ORDER = {"en": "{adjective} {animal}", "fr": "{animal} {adjective}", "zh": "{adjective}{animal}"}


class WordTable(NamedTuple):
    """256 adjectives and 256 animals of a language."""

    adjectives: Sequence[str]
    animals: Sequence[str]


@lru_cache(maxsize=len(LANGUAGES))
def words(language: str) -> WordTable:
    """The table of one of LANGUAGES."""
    found = orjson.loads((page.folder() / "i18n" / "words" / f"{language}.json").read_bytes())
    return WordTable(found["adjectives"], found["animals"])


def name_of(address: str, language: str = LANGUAGES[0]) -> str:
    """`Calm Ibis`, `Loutre calme`, `琥珀水獭`: by keccak256 of the address's 20 bytes; its letters may be in
    any case. The first of LANGUAGES where one has no table. Raises ValueError for what is no address."""
    octets = bytes.fromhex(address.removeprefix("0x"))
    if len(octets) != 20:
        raise ValueError(f"{address!r} is no address")
    known = language if language in LANGUAGES else LANGUAGES[0]
    table, (first, second) = words(known), keccak(octets)[:2]
    return ORDER[known].format(adjective=table.adjectives[first], animal=table.animals[second])
