"""What two names that look alike share (https://www.unicode.org/reports/tr39/#Confusable_Detection). Letter case does
not count."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from functools import lru_cache

SEPARATORS = " -_.'"
UNLISTED = str.maketrans({"w": "vv", "i": "l", **dict.fromkeys(SEPARATORS + "\0")})
"""Unicode does not list vv as a w, and l is what a capital I looks like. PostgreSQL takes no NUL."""
SMALL_CAPITAL = "LATIN LETTER SMALL CAPITAL "
MARK = "\u200e"
"""The library puts it around letters that are written from right to left."""


def skeleton(name: str) -> str:
    """Return the key of a name: all look-alikes have the same one."""
    return "".join(map(_key, unicodedata.normalize("NFD", name))).translate(UNLISTED)


def _key(letter: str) -> str:
    """If a letter looks like none of ASCII but its other case does, both have that key: Cyrillic к looks like no k, but
    К is a K. If each case looks like another ASCII letter, as Greek ν and Ν do, they have two keys."""
    own, other = _shape(letter), _shape(letter.swapcase())
    if own == other or own.isascii():
        return own
    return other if other.isascii() else _shape(letter.lower())


def _shape(letters: str) -> str:
    return _replaced(_replaced(letters).casefold())


def _replaced(letters: str) -> str:
    prototypes = _prototypes()
    return unicodedata.normalize("NFD", "".join(prototypes.get(one, one) for one in map(_small, letters)))


def _small(letter: str) -> str:
    """Fancy text of small capitals reads like any other."""
    small = unicodedata.name(letter, "").removeprefix(SMALL_CAPITAL)
    return small.lower() if len(small) == 1 else letter


@lru_cache(maxsize=1)
def _prototypes() -> Mapping[str, str]:
    """What stands for each letter that others look like: the one that several are listed with; of a pair the text of
    several letters, as only such a text is never listed as a look-alike; else the first letter."""
    from confusable_homoglyphs.confusables import confusables_data  # 10 MB: only for who sets a name

    alike: dict[str, set[str]] = {}
    for letter, homoglyphs in confusables_data.items():
        for one in homoglyphs:
            pair = letter.replace(MARK, ""), one["c"].replace(MARK, "")
            alike.setdefault(pair[0], set()).add(pair[1])
            alike.setdefault(pair[1], set()).add(pair[0])
    return {
        letter: min(letter, *others, key=lambda one: (-len(alike[one]), -len(one), one))
        for letter, others in alike.items()
        if len(letter) == 1
    }
