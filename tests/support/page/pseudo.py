"""Finds text on a page or a picture that doesn't come from a table of texts. In the
pseudo-language, text from the tables has special letters, so ordinary letters reveal other text."""

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
"""A pattern for the animals in account names. Longer names come first, so that "lionfish" matches
before "lion"."""
NAMES = re.compile(
    rf"({'|'.join(WORDS['adjectives'])}) ({ANIMALS})|{TITLES}|Chainboard|ETH|https?:\S+|0x[\w…]+"
    rf"|“[^”]*”|[a-z-]+/\d+|{INTL}"
)
"""A pattern for text that is the same in all languages: names of players, games, matches and
addresses, the chain's coin, text that players wrote, and the output of Intl."""


def untranslated(texts: Iterable[str]) -> list[str]:
    """Return the texts that contain ordinary letters although the page uses the pseudo-language.
    Ignore names and other text that is never translated."""
    return [text for text in texts if re.search(r"[A-Za-z]{2}", NAMES.sub("", text))]
