"""Computes the skeletons of names. Names that look alike have the same skeleton, whatever their
letter case (https://www.unicode.org/reports/tr39/#Confusable_Detection)."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from functools import lru_cache

SEPARATORS = " -_.'"
SKIPPED = str.maketrans(dict.fromkeys(SEPARATORS + "\0"))
"""The characters that a skeleton leaves out. NUL is among them because PostgreSQL does not accept
it."""
UNLISTED = str.maketrans({"w": "vv", "i": "l"})
"""The look-alikes that are missing from Unicode's table: vv looks like w, and l looks like a
capital I."""
ACCENTS = {1, *range(10, 37), *range(200, 241)}
"""The combining classes of accents, and of the vowels that are optional in Hebrew and Arabic. In
other scripts, a different vowel makes a different word.
https://www.unicode.org/reports/tr44/#Canonical_Combining_Class_Values"""
SMALL_CAPITAL = "LATIN LETTER SMALL CAPITAL "
MARK = "\u200e"
"""The mark that the library of look-alikes adds to letters that are written from right to left."""


def skeleton(name: str) -> str:
    """Return the skeleton of a name. All names that look like this name have the same skeleton."""
    letters = unicodedata.normalize("NFD", name.translate(SKIPPED))
    return "".join(map(_without_hooks, letters)).translate(UNLISTED)


def plain_skeleton(name: str) -> str:
    """Return the skeleton without accents. It is compared with the words that a nickname must not
    contain."""
    letters = unicodedata.normalize("NFD", skeleton(name))
    return "".join(one for one in letters if unicodedata.combining(one) not in ACCENTS)


@lru_cache(maxsize=4096)
def _without_hooks(letter: str) -> str:
    """Return the key of a letter without its hook. Unicode's table writes a hook as an apostrophe:
    ɓ is 'b. The key of Hebrew yod consists only of an apostrophe, which isn't removed."""
    key = _key(letter)
    return key.translate(SKIPPED) or key


def _key(letter: str) -> str:
    """Return the key of a letter. Letters that look alike have the same key.

    - If only one case of a letter looks like an ASCII letter, both cases have the ASCII letter's
      key: К looks like K, so both К and к have the key of k.
    - If both cases look like ASCII letters, each case has its own key: Greek Ν looks like N, and ν
      looks like v."""
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
    """If the letter is a small capital, return its ordinary small letter. Otherwise, return the
    letter unchanged."""
    small = unicodedata.name(letter, "").removeprefix(SMALL_CAPITAL)
    return small.lower() if len(small) == 1 else letter


@lru_cache(maxsize=1)
def _prototypes() -> Mapping[str, str]:
    """Return a map from each letter to its prototype, the text that stands for all its look-alikes.
    Unicode's table lists pairs of look-alikes. The prototype is the text with the most look-alikes.
    If two texts have equally many, the longer text wins. If they are equally long, the first in
    code point order wins."""
    # The table of look-alikes needs 10 to 20 MB of memory, so load it only when it is needed.
    from confusable_homoglyphs.confusables import confusables_data

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
