"""Checks the spelling of nicknames. A nickname uses one script, has no invisible characters, and
doesn't look like the two words that the page shows for an account."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Set
from functools import lru_cache

from api.names.account_names import words
from api.names.skeleton import SEPARATORS, plain_skeleton, skeleton
from api.problems import Rejection

MIN_LENGTH, MAX_LENGTH = 3, 20
"""The minimum and maximum length of a nickname, in code points."""
MAX_TYPED = 5 * MAX_LENGTH
"""The maximum length of a nickname as typed, in code points. It is larger, because normalizing can
combine several code points into one."""
RESERVED = (
    *("chainboard", "admin", "administrator", "moderator", "official", "support", "computer"),
    *("ordinateur", "电脑"),
)
JAPANESE, CHINESE, KOREAN = {"HAN", "HIRAGANA", "KATAKANA"}, {"HAN", "BOPOMOFO"}, {"HAN", "HANGUL"}
SCRIPT_MIXES = tuple({"LATIN", *one} for one in (JAPANESE, CHINESE, KOREAN))
"""The sets of scripts that a name may mix
(https://www.unicode.org/reports/tr39/#highly_restrictive)."""
LONG_VOWEL = "ー"
"""The long-vowel mark of Katakana and Hiragana, which is missing from the library's table of
scripts."""
SCRIPTS = {
    "ARABIC", "ARMENIAN", "BENGALI", "BOPOMOFO", "CYRILLIC", "DEVANAGARI", "ETHIOPIC", "GEORGIAN", "GREEK",
    "GUJARATI", "GURMUKHI", "HAN", "HANGUL", "HEBREW", "HIRAGANA", "KANNADA", "KATAKANA", "KHMER", "LAO", "LATIN",
    "MALAYALAM", "MYANMAR", "ORIYA", "SINHALA", "TAMIL", "TELUGU", "THAANA", "THAI", "TIBETAN",
}  # fmt: skip
"""The scripts that are allowed in names
(https://www.unicode.org/reports/tr31/#Table_Recommended_Scripts)."""
INVISIBLE = set("\u115f\u1160\u17b4\u17b5\u3164\uffa0")
"""Letters and marks that have no visible shape."""
LIKE_PUNCTUATION = set("\u01c0\u01c1\u01c2\u01c3\u0241\u0242\u0294\ua78b\ua78c\ua78f")
"""Latin letters that look like | ! ? ' or a dot."""
MAX_MARKS = 2
"""The maximum number of combining marks, such as accents, in a row."""
DIGITS = "0123456789"
SEPARATED = re.compile(rf"[{re.escape(SEPARATORS)}]")


def normalized_name(typed: str) -> str:
    """Return the name in its stored form: NFKC without leading, trailing or repeated spaces. Raises
    Rejection if the name is invalid."""
    if len(typed) > MAX_TYPED:
        raise Rejection("bad-nickname.long", {"shortest": MIN_LENGTH, "longest": MAX_LENGTH})
    name = re.sub(" +", " ", unicodedata.normalize("NFKC", typed)).strip(" ")
    if len(name) > MAX_LENGTH:
        raise Rejection("bad-nickname.long", {"shortest": MIN_LENGTH, "longest": MAX_LENGTH})
    if len(name) < MIN_LENGTH:
        raise Rejection("bad-nickname.short", {"shortest": MIN_LENGTH, "longest": MAX_LENGTH})
    _check_characters(name)
    if looks_like_an_account(name):
        raise Rejection("bad-nickname.account", {"name": name})
    if _reserved() & keys_of(name):
        raise Rejection("bad-nickname.blocked", {"name": name})
    return name


def keys_of(name: str) -> Set[str]:
    """Return the skeletons of all parts of the name that consist of whole words. Include each part
    with and without the digits at its ends. A name is rejected if one of these skeletons is
    the skeleton of a blocked word."""
    parts = SEPARATED.split(name)
    runs = {" ".join(parts[at:end]) for end in range(len(parts) + 1) for at in range(end)}
    return {plain_skeleton(one) for run in runs for one in (run, run.strip(DIGITS))} - {""}


def looks_like_an_account(name: str) -> bool:
    """Return True if the name looks like an account's two words. Spaces and accents are ignored.
    Hexadecimal digits may follow, because the page adds them if two accounts have the same
    words."""
    adjectives, animals, digits = _account_words()
    key = plain_skeleton(name)
    ends = range(len(key.rstrip(digits)), len(key) + 1)
    return any(key[:at] in adjectives and key[at:end] in animals for end in ends for at in range(1, end))


def _check_characters(name: str) -> None:
    """Check each character of the name. Raises Rejection if a character is invalid. The page also
    hides names with more than MAX_MARKS marks in a row (HIDDEN in lib/patterns.js)."""
    scripts, before, marks = set(), " ", 0
    for one in name:
        marks = marks + 1 if unicodedata.category(one)[0] == "M" else 0
        if one in SEPARATORS:
            if before in SEPARATORS:
                raise Rejection("bad-nickname.separators")
        elif not (one.isascii() and one.isdigit()):
            script = script_of(one)
            is_stray = marks > MAX_MARKS or (marks and (before == one or before in SEPARATORS))
            if script not in SCRIPTS or is_stray:
                raise Rejection("bad-nickname.character", {"character": one, "code": f"U+{ord(one):04X}"})
            scripts.add(script)
        before = one
    if before in SEPARATORS:
        raise Rejection("bad-nickname.separators")
    if not scripts or not skeleton(name):
        raise Rejection("bad-nickname.letter")
    if name[:2].lower() == "0x":
        raise Rejection("bad-nickname.address")
    if len(scripts) > 1 and not any(scripts <= one for one in SCRIPT_MIXES):
        raise Rejection("bad-nickname.scripts")


def script_of(character: str) -> str:
    """Return the character's script. Return UNKNOWN if the character is invisible, looks like
    punctuation, or is neither a letter nor a mark."""
    from confusable_homoglyphs.categories import alias

    if character == LONG_VOWEL:
        return "KATAKANA"
    if character in INVISIBLE | LIKE_PUNCTUATION or unicodedata.category(character)[0] not in "LM":
        return "UNKNOWN"
    return str(alias(character)).upper()


@lru_cache(maxsize=1)
def _account_words() -> tuple[Set[str], Set[str], str]:
    """Return the skeletons of all possible first words and second words, and the skeletons of the
    digits that may follow."""
    table = words()
    adjectives, animals = ({plain_skeleton(one) for one in half} for half in table)
    return adjectives, animals, plain_skeleton(f"{DIGITS}abcdef")


@lru_cache(maxsize=1)
def _reserved() -> Set[str]:
    return {plain_skeleton(one) for one in RESERVED}
