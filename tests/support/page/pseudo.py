"""Finds what is in no table of texts, in what the page or a picture says in the pseudo-language."""

from __future__ import annotations

import re
from collections.abc import Iterable

import orjson

from api.static import page
from indexer.games import GAMES

WORDS = orjson.loads((page.folder() / "names/words.json").read_bytes())
TITLES = "|".join(one.title for one in GAMES.values())
INTL = (
    r"(in )?[\d,.]+ ?(sec|min|hr|day|second|minute|hour|s|m|h|d)s?\b\.?( ago)?|[A-Z][a-z]{2} \d+, \d{4}, [\d:]+\s[AP]M"
)
ANIMALS = "|".join(sorted(WORDS["animals"], key=len, reverse=True))
"""A lionfish before a lion."""
NAMES = re.compile(
    rf"({'|'.join(WORDS['adjectives'])}) ({ANIMALS})|{TITLES}|Chainboard|ETH|https?:\S+|0x[\w…]+"
    rf"|“[^”]*”|[a-z-]+/\d+|{INTL}"
)
"""Of players, games, matches, addresses, the chain's coin; what players wrote; and what Intl writes, whose language is
English."""


def outside(texts: Iterable[str]) -> list[str]:
    """Those with letters that the pseudo-language has not."""
    return [text for text in texts if re.search(r"[A-Za-z]{2}", NAMES.sub("", text))]
