"""Chooses the language that a browser prefers."""

from __future__ import annotations

import re

from api.static.texts import LANGUAGES

MAX_TAGS = 20
"""The maximum number of languages that are read from a header."""
QUALITY = re.compile(r"q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)")


def wanted_language(header: str) -> str:
    """Return the language among LANGUAGES that an Accept-Language header prefers. If the header
    names none of them, return the first of LANGUAGES."""
    tags: list[tuple[float, str]] = []
    for part in header.split(",")[:MAX_TAGS]:
        tag, _, weight = part.strip().lower().partition(";")
        found = QUALITY.fullmatch(weight.replace(" ", "")) if weight else None
        if not weight or found:
            tags.append((-float(found[1]) if found else -1.0, tag.split("-")[0].strip()))
    known = (tag for weight, tag in sorted(tags, key=lambda one: one[0]) if weight and tag in LANGUAGES)
    return next(known, LANGUAGES[0])
