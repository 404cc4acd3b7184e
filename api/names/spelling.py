"""How a nickname may be spelled: in one script, with nothing invisible, and not like an account's two words. Pure."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Set
from functools import lru_cache

from api.names.account_names import words
from api.names.skeleton import SEPARATORS, skeleton
from api.problems import Rejection

SHORTEST, LONGEST = 3, 20
"""In code points."""
MAX_TYPED = 5 * LONGEST
"""Before normalising, which may put several code points into one."""
RESERVED = (
    *("chainboard", "admin", "administrator", "moderator", "official", "support", "computer"),
    *("ordinateur", "电脑"),
)
JAPANESE, CHINESE, KOREAN = {"HAN", "HIRAGANA", "KATAKANA"}, {"HAN", "BOPOMOFO"}, {"HAN", "HANGUL"}
MIXTURES = tuple({"LATIN", *one} for one in (JAPANESE, CHINESE, KOREAN))
"""https://www.unicode.org/reports/tr39/#highly_restrictive"""
LONG_VOWEL = "ー"
"""Of Katakana and Hiragana, which the library's table does not say."""
NO_SCRIPTS = {"COMMON", "INHERITED", "UNKNOWN"}
INVISIBLE = set("\u115f\u1160\u17b4\u17b5\u3164\uffa0\U00016fe4")
"""Letters and marks that show nothing."""
SEPARATED = re.compile(rf"[{re.escape(SEPARATORS)}]")


def proper_name(typed: str) -> str:
    """Return the name as it is kept: in NFKC, without needless spaces. Raises Rejection, which says what is wrong."""
    if len(typed) > MAX_TYPED:
        raise Rejection("bad-nickname.long", {"shortest": SHORTEST, "longest": LONGEST})
    name = re.sub(" +", " ", unicodedata.normalize("NFKC", typed)).strip(" ")
    if len(name) > LONGEST:
        raise Rejection("bad-nickname.long", {"shortest": SHORTEST, "longest": LONGEST})
    if len(name) < SHORTEST:
        raise Rejection("bad-nickname.short", {"shortest": SHORTEST, "longest": LONGEST})
    _check_characters(name)
    if looks_like_an_account(name):
        raise Rejection("bad-nickname.account", {"name": name})
    if _reserved() & keys_of(name):
        raise Rejection("bad-nickname.blocked", {"name": name})
    return name


def keys_of(name: str) -> Set[str]:
    """The skeletons of the whole name and of each of its words: none of them may be blocked."""
    return {skeleton(one) for one in (name, *SEPARATED.split(name))}


def looks_like_an_account(name: str) -> bool:
    """Whether it looks like the two words of some address, with or without a space."""
    adjectives, animals = _account_words()
    key = skeleton(name)
    return any(key[:at] in adjectives and key[at:] in animals for at in range(1, len(key)))


def _check_characters(name: str) -> None:
    scripts, before = set(), " "
    for one in name:
        if one in SEPARATORS:
            if before in SEPARATORS:
                raise Rejection("bad-nickname.separators")
        elif not (one.isascii() and one.isdigit()):
            script = script_of(one)
            is_mark = unicodedata.category(one)[0] == "M"
            if script in NO_SCRIPTS or (is_mark and (before == one or before in SEPARATORS)):
                raise Rejection("bad-nickname.character", {"character": one, "code": f"U+{ord(one):04X}"})
            scripts.add(script)
        before = one
    if before in SEPARATORS:
        raise Rejection("bad-nickname.separators")
    if not scripts:
        raise Rejection("bad-nickname.letter")
    if name[:2].lower() == "0x":
        raise Rejection("bad-nickname.address")
    if len(scripts) > 1 and not any(scripts <= one for one in MIXTURES):
        raise Rejection("bad-nickname.scripts", {"scripts": ", ".join(sorted(one.title() for one in scripts))})


def script_of(character: str) -> str:
    """The script of a letter or mark; COMMON, INHERITED or UNKNOWN for all that belongs in no name."""
    from confusable_homoglyphs.categories import alias

    if character == LONG_VOWEL:
        return "KATAKANA"
    if character in INVISIBLE or unicodedata.category(character)[0] not in "LM":
        return "UNKNOWN"
    return str(alias(character)).upper()


@lru_cache(maxsize=1)
def _account_words() -> tuple[Set[str], Set[str]]:
    table = words()
    return {skeleton(one) for one in table.adjectives}, {skeleton(one) for one in table.animals}


@lru_cache(maxsize=1)
def _reserved() -> Set[str]:
    return {skeleton(one) for one in RESERVED}
