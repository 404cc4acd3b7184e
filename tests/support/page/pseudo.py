"""Finds the texts on a page or picture in the pseudo-language that don't come from a table of
texts."""

from __future__ import annotations

import re
from collections.abc import Iterable

import orjson

from api.static import page
from indexer.games import GAMES

WORDS = orjson.loads((page.source_folder() / "names/words.json").read_bytes())
TITLES = "|".join(one.title for one in GAMES.values())
INTL = (
    r"(in )?[\d,.]+ ?(sec|min|hr|day|second|minute|hour|s|m|h|d)s?\b\.?( ago)?|[A-Z][a-z]{2} \d+, \d{4}, [\d:]+\s[AP]M"
)
ANIMALS = "|".join(sorted(WORDS["animals"], key=len, reverse=True))
"""The animals in account names. Longer names come first, so that "lionfish" matches before
"lion"."""
NAMES = re.compile(
    rf"({'|'.join(WORDS['adjectives'])}) ({ANIMALS})|{TITLES}|Chainboard|ETH|https?:\S+|0x[\w…]+"
    rf"|“[^”]*”|[a-z-]+/\d+|{INTL}"
)
"""The texts that stay English: names of players, games, matches, addresses and the chain's coin,
text that players wrote, and the output of Intl."""


def untranslated(texts: Iterable[str]) -> list[str]:
    """Return the texts that contain letters outside the pseudo-language."""
    return [text for text in texts if re.search(r"[A-Za-z]{2}", NAMES.sub("", text))]
